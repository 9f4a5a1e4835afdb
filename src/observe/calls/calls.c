#include "observe/calls/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/calls/call_record.h"
#include "observe/calls/call_words.h"

const char *const be_call_kinds[BE_CALL_KINDS] = {
    [BE_CALLS_PRODUCT] = "matrix product",
    [BE_CALLS_VECTOR] = "matrix-vector product",
    [BE_CALLS_SOLVE] = "factorization or solve",
    [BE_CALLS_EIGEN] = "eigenvalues or singular values",
    [BE_CALLS_FFT] = "FFT",
};

/* ---- the file --------------------------------------------------------------------------------- */

/* In full size: a program whose write finds no room would be ended by a signal. */
enum be_status be_calls_make(const char *path, struct be_error *error) {
    struct be_call_head head = {.magic = BE_CALL_RECORD_MAGIC,
                                .version = BE_CALL_RECORD_VERSION,
                                .bytes = sizeof(struct be_call_record)};
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) {
        return be_fail(error, BE_IO, "%s: cannot be made: %s", path, strerror(errno));
    }
    int failed = posix_fallocate(file, 0, (off_t)sizeof(struct be_call_record));
    if (!failed && pwrite(file, &head, sizeof head, 0) != (ssize_t)sizeof head) {
        failed = errno ? errno : EIO;
    }
    close(file);
    if (failed) {
        unlink(path);
        return be_fail(error, BE_IO, "%s: %zu MB are needed: %s (TMPDIR=DIR names another place)",
                       path, sizeof(struct be_call_record) >> 20, strerror(failed));
    }
    return BE_OK;
}

static bool read_at(int file, void *to, size_t bytes, size_t at) {
    size_t done = 0;
    ssize_t count = 1;
    while (done < bytes && count > 0) {
        count = pread(file, (char *)to + done, bytes - done, (off_t)(at + done));
        done += count > 0 ? (size_t)count : 0;
    }
    return done == bytes;
}

/* ---- entries become rows ---------------------------------------------------------------------- */

/* Sums over slots; entry: its shape and its numbers. */
struct sums {
    struct be_call_entry *entry;
    size_t count, room;
    double lost;
};

static bool is_same(const struct be_call_entry *one, const struct be_call_entry *other) {
    return one->function == other->function && one->type == other->type &&
           one->rounded == other->rounded && one->m == other->m && one->n == other->n &&
           one->k == other->k;
}

static void add_up(struct be_call_entry *to, const struct be_call_entry *from) {
    to->calls += from->calls;
    to->looked += from->looked;
    to->ns += from->ns;
    to->fresh += from->fresh;
    to->changed += from->changed;
    to->same += from->same;
    to->made += from->made;
    to->written += from->written;
    to->batched += from->batched;
    to->sum_m += from->sum_m;
    to->sum_n += from->sum_n;
    to->sum_k += from->sum_k;
}

/* The file is the programs': what it says is checked before it is used. */
static bool is_sound(const struct be_call_entry *entry) {
    return entry->function >= 1 && entry->function <= BE_CALL_FUNCTIONS &&
           strchr("sdcz", entry->type) && entry->type && entry->m >= 0 && entry->n >= 0 &&
           entry->k >= 0 && entry->calls > 0 && entry->looked <= entry->calls;
}

static bool add_entry(struct sums *sums, const struct be_call_entry *entry) {
    for (size_t i = 0; i < sums->count; i++) {
        if (is_same(&sums->entry[i], entry)) {
            add_up(&sums->entry[i], entry);
            return true;
        }
    }
    if (sums->count == sums->room) {
        size_t room = sums->room ? 2 * sums->room : 64;
        struct be_call_entry *more = realloc(sums->entry, room * sizeof *more);
        if (!more) {
            return false;
        }
        sums->entry = more;
        sums->room = room;
    }
    sums->entry[sums->count++] = *entry;
    return true;
}

static bool add_slot(struct sums *sums, struct be_call_slot *slot) {
    const struct be_call_run *run = &slot->run;
    sums->lost += (double)slot->lost;
    if (run->site && run->entry < BE_CALL_ENTRIES) {
        struct be_call_entry *entry = &slot->entry[run->entry];
        entry->calls += run->calls;
        entry->sum_m += entry->rounded ? run->calls * (uint64_t)run->m : 0;
        entry->sum_n += entry->rounded ? run->calls * (uint64_t)run->n : 0;
        entry->sum_k += entry->rounded ? run->calls * (uint64_t)run->k : 0;
    }
    for (size_t i = 0; i < BE_CALL_ENTRIES; i++) {
        if (is_sound(&slot->entry[i]) && !add_entry(sums, &slot->entry[i])) {
            return false;
        }
    }
    return true;
}

static enum be_status add_slots(int file, const char *path, struct sums *sums,
                                struct be_error *error) {
    struct be_call_slot *slot = malloc(sizeof *slot);
    enum be_status status = slot ? BE_OK : be_fail(error, BE_NOMEM, "%s: out of memory", path);
    for (size_t i = 0; status == BE_OK && i < BE_CALL_SLOTS; i++) {
        size_t at = offsetof(struct be_call_record, slot) + i * sizeof *slot;
        if (!read_at(file, slot, offsetof(struct be_call_slot, entry), at) ||
            (slot->used > 0 && !read_at(file, slot, sizeof *slot, at))) {
            status = be_fail(error, BE_WRONG, "%s: is shorter than a record of calls", path);
        } else if (slot->used > 0 && !add_slot(sums, slot)) {
            status = be_fail(error, BE_NOMEM, "%s: out of memory", path);
        }
    }
    free(slot);
    return status;
}

static struct be_call_row row_of(const struct be_call_entry *entry) {
    const struct be_call_words *words = &be_call_words[entry->function - 1];
    double calls = (double)entry->calls, looked = (double)entry->looked;
    double scale = looked > 0 ? calls / looked : NAN;
    double runs = calls - (double)entry->batched * scale;
    struct be_call_row row = {
        .function = words->name,
        .kind = words->kind,
        .type = entry->type,
        .rounded = entry->rounded,
        .m = entry->rounded ? (double)entry->sum_m / calls : (double)entry->m,
        .n = entry->rounded ? (double)entry->sum_n / calls : (double)entry->n,
        .k = entry->rounded ? (double)entry->sum_k / calls : (double)entry->k,
        .batch = isnan(runs) ? 1 : calls / fmax(1, runs),
        .calls = calls,
        .seconds = 1e-9 * (double)entry->ns * scale,
        .fresh = (double)entry->fresh * scale,
        .changed = (double)entry->changed * scale,
        .same = (double)entry->same * scale,
        .made = (double)entry->made * scale,
        .written = (double)entry->written * scale,
    };
    row.flops = calls * be_call_flops(&row);
    return row;
}

/* Those whose time is not known come last. */
static int by_time(const void *one, const void *other) {
    const struct be_call_row *a = one, *b = other;
    double left = isnan(a->seconds) ? -1 : a->seconds, right = isnan(b->seconds) ? -1 : b->seconds;
    return left != right ? (left < right) - (left > right)
                         : (a->calls < b->calls) - (a->calls > b->calls);
}

static enum be_status make_rows(const struct sums *sums, struct be_calls *calls,
                                struct be_error *error) {
    calls->row = sums->count ? malloc(sums->count * sizeof *calls->row) : NULL;
    if (sums->count && !calls->row) {
        return be_fail(error, BE_NOMEM, "rows of calls: out of memory");
    }
    for (size_t i = 0; i < sums->count; i++) {
        calls->row[calls->rows++] = row_of(&sums->entry[i]);
    }
    if (calls->rows) {
        qsort(calls->row, calls->rows, sizeof *calls->row, by_time);
    }
    return BE_OK;
}

enum be_status be_calls_read(const char *path, struct be_calls *calls, struct be_error *error) {
    struct be_call_head head;
    struct sums sums = {0};
    memset(calls, 0, sizeof *calls);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        return be_fail(error, BE_IO, "%s: %s", path, strerror(errno));
    }
    enum be_status status = BE_OK;
    if (!read_at(file, &head, sizeof head, 0) ||
        memcmp(head.magic, BE_CALL_RECORD_MAGIC, sizeof head.magic) != 0 ||
        head.version != BE_CALL_RECORD_VERSION || head.bytes != sizeof(struct be_call_record)) {
        status =
            be_fail(error, BE_WRONG, "%s: no record of calls of this version of breakeven", path);
    }
    status = status ? status : add_slots(file, path, &sums, error);
    status = status ? status : make_rows(&sums, calls, error);
    if (status == BE_OK) {
        calls->processes = (double)head.processes;
        calls->lost = sums.lost + (double)head.lost;
    }
    close(file);
    free(sums.entry);
    return status;
}

void be_calls_free(struct be_calls *calls) {
    free(calls->row);
    memset(calls, 0, sizeof *calls);
}
