#include "observe/sources/gpu_trace.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* ---- files ------------------------------------------------------------------------------------ */

struct head {
    char magic[8];
    uint32_t version, bytes;
    uint64_t sequence;
};

static bool fits(const struct head *head) {
    return memcmp(head->magic, BE_GPU_RECORD_MAGIC, sizeof head->magic) == 0 &&
           head->version == BE_GPU_RECORD_VERSION && head->bytes == sizeof(struct be_gpu_record);
}

static bool read_head(int file, int slot, struct head *head) {
    memset(head, 0, sizeof *head);
    return pread(file, head, sizeof *head, (off_t)slot * BE_GPU_RECORD_SLOT) ==
               (ssize_t)sizeof *head &&
           fits(head);
}

static bool read_slot(int file, int slot, struct be_gpu_record *record) {
    size_t done = 0;
    ssize_t count = 1;
    while (done < sizeof *record && count > 0) {
        count = pread(file, (char *)record + done, sizeof *record - done,
                      (off_t)slot * BE_GPU_RECORD_SLOT + (off_t)done);
        done += count > 0 ? (size_t)count : 0;
    }
    return done == sizeof *record && record->sum == be_gpu_record_sum(record);
}

/* The file is the program's: what it says is checked before it is used. */
static void make_safe(struct be_gpu_record *record) {
    record->reason[sizeof record->reason - 1] = '\0';
    record->program[sizeof record->program - 1] = '\0';
    if (record->devices > BE_GPU_RECORD_DEVICES) {
        record->devices = BE_GPU_RECORD_DEVICES;
    }
    if (record->kernels > BE_GPU_RECORD_KERNELS) {
        record->kernels = BE_GPU_RECORD_KERNELS;
    }
    for (uint32_t i = 0; i < record->devices; i++) {
        record->device[i].uuid[sizeof record->device[i].uuid - 1] = '\0';
    }
    for (uint32_t i = 0; i < record->kernels; i++) {
        record->kernel[i].name[BE_GPU_RECORD_NAME - 1] = '\0';
    }
}

static int open_record(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

uint64_t be_gpu_record_sequence(const char *path) {
    struct head head;
    uint64_t newest = 0;
    int file = open_record(path);
    for (int slot = 0; slot < 2 && file >= 0; slot++) {
        if (read_head(file, slot, &head) && head.sequence > newest) {
            newest = head.sequence;
        }
    }
    if (file >= 0) {
        close(file);
    }
    return newest;
}

enum be_status be_gpu_record_load(const char *path, struct be_gpu_record *record,
                                  struct be_error *error) {
    struct head head[2];
    int file = open_record(path);
    if (file < 0) {
        return be_fail(error, BE_IO, "%s: %s", path, strerror(errno));
    }
    bool here[2] = {read_head(file, 0, &head[0]), read_head(file, 1, &head[1])};
    int newer = here[1] && (!here[0] || head[1].sequence > head[0].sequence);
    bool read = here[newer] && read_slot(file, newer, record);
    read = read || (here[!newer] && read_slot(file, !newer, record));
    off_t length = lseek(file, 0, SEEK_END);
    close(file);
    if (read) {
        make_safe(record);
        return BE_OK;
    }
    return length <= 0 ? be_fail(error, BE_ABSENT, "%s: nothing was written yet", path)
                       : be_fail(error, BE_WRONG,
                                 "%s: not a whole record of this version of breakeven", path);
}

/* ---- figures ---------------------------------------------------------------------------------- */

double be_gpu_tally_median(const struct be_gpu_tally *before, const struct be_gpu_tally *after) {
    uint64_t count[BE_GPU_RECORD_BUCKETS];
    uint64_t all = 0;
    for (int i = 0; i < BE_GPU_RECORD_BUCKETS; i++) {
        uint32_t earlier = before ? before->bucket[i] : 0;
        count[i] = after->bucket[i] > earlier ? after->bucket[i] - earlier : 0;
        all += count[i];
    }
    uint64_t under = 0;
    for (int i = 0; i < BE_GPU_RECORD_BUCKETS && all > 0; i++) {
        under += count[i];
        if (2 * under >= all) {
            /* Quarters of a doubling: 1, 1.25, 1.5, 1.75 times a power of two; the middle. */
            return 128e-9 * ldexp(1 + 0.25 * (i % 4) + 0.125, i / 4);
        }
    }
    return NAN;
}

/* "4name" -> 4 characters of it added; returns what follows, or NULL. */
static const char *add_identifier(const char *from, char *name, size_t capacity) {
    char *end = NULL;
    size_t used = strlen(name);
    unsigned long length = strtoul(from, &end, 10);
    if (end == from || length == 0 || length > strlen(end)) {
        return NULL;
    }
    /* Compilers call an unnamed namespace so. */
    bool unnamed = strncmp(end, "_GLOBAL__N_", 11) == 0 || strncmp(end, "_INTERNAL_", 10) == 0;
    if (!unnamed && used < capacity) {
        snprintf(name + used, capacity - used, "%s%.*s", used ? "::" : "",
                 length < 200 ? (int)length : 200, end);
    }
    return end + length;
}

void be_kernel_name(const char *mangled, char *name, size_t capacity) {
    const char *at = mangled + 2;
    name[0] = '\0';
    if (strncmp(mangled, "_Z", 2) == 0) {
        bool nested = *at == 'N';
        at += nested;
        while (nested && (*at == 'K' || *at == 'V')) {
            at++;
        }
        do {
            at = add_identifier(at, name, capacity);
        } while (nested && at && isdigit((unsigned char)*at));
    }
    if (!name[0]) {
        be_copy_text(name, capacity, mangled);
    }
}
