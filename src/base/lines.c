#include "base/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/unpack/unpack.h"

enum { CAPACITY = 1 << 18 /* stays in a core's cache */, PACKED = 1 << 17 };

struct be_lines {
    int descriptor; /* -1: text in memory */
    char name[BE_NAME * 4];
    const char *text; /* what is in memory and not yet read */
    size_t text_left;
    bool sniffed, ended, cut;
    const struct be_unpack_way *way; /* NULL: it is not compressed */
    void *state;
    bool inside; /* of a compressed file, not between two */
    const char *why;
    unsigned char *in; /* compressed bytes, of which these are yet to be unpacked */
    size_t in_at, in_left;
    char *data; /* ROOM bytes */
    size_t at, filled;
    uint64_t lines, bytes;
    struct be_error failed; /* said once what could be read is handed out */
};

static enum be_status start(int descriptor, const char *name, struct be_lines **lines,
                            struct be_error *error) {
    struct be_lines *l = calloc(1, sizeof *l);
    char *data = l ? malloc(CAPACITY) : NULL;
    unsigned char *in = data ? malloc(PACKED) : NULL;
    if (!in) {
        free(data);
        free(l);
        return be_fail(error, BE_NOMEM, "%s: no host memory", name);
    }
    l->descriptor = descriptor;
    l->data = data;
    l->in = in;
    be_copy_text(l->name, sizeof l->name, name);
    *lines = l;
    return BE_OK;
}

enum be_status be_lines_descriptor(int descriptor, const char *name, struct be_lines **lines,
                                   struct be_error *error) {
    enum be_status status = start(descriptor, name, lines, error);
    if (status != BE_OK) {
        close(descriptor);
    }
    return status;
}

enum be_status be_lines_open(const char *name, struct be_lines **lines, struct be_error *error) {
    bool standard = strcmp(name, "-") == 0;
    int descriptor = standard ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return be_fail(error, BE_IO, "%s: %s", standard ? "standard input" : name, strerror(errno));
    }
    return be_lines_descriptor(descriptor, standard ? "standard input" : name, lines, error);
}

enum be_status be_lines_text(const char *text, size_t length, struct be_lines **lines,
                             struct be_error *error) {
    enum be_status status = start(-1, "text", lines, error);
    if (status == BE_OK) {
        (*lines)->text = text;
        (*lines)->text_left = length;
    }
    return status;
}

void be_lines_close(struct be_lines *lines) {
    if (lines) {
        if (lines->state) {
            lines->way->close(lines->state);
        }
        if (lines->descriptor >= 0) {
            close(lines->descriptor);
        }
        free(lines->in);
        free(lines->data);
        free(lines);
    }
}

/* Raw bytes; *count 0 at the end. */
static enum be_status take(struct be_lines *l, void *to, size_t capacity, size_t *count,
                           struct be_error *error) {
    if (l->descriptor < 0) {
        *count = l->text_left < capacity ? l->text_left : capacity;
        if (*count) {
            memcpy(to, l->text, *count);
            l->text += *count;
            l->text_left -= *count;
        }
        return BE_OK;
    }
    for (;;) {
        ssize_t got = read(l->descriptor, to, capacity);
        if (got >= 0) {
            *count = (size_t)got;
            return BE_OK;
        }
        if (errno != EINTR) {
            return be_fail(error, BE_IO, "%s: %s", l->name, strerror(errno));
        }
    }
}

/* The first bytes say whether it is compressed. No more of them are waited for than that takes: a program that writes
 * slowly is read as it writes. */
static enum be_status sniff(struct be_lines *l, struct be_error *error) {
    l->sniffed = true;
    size_t have = 0, count = 1;
    bool open = true;
    while (open && count) {
        enum be_status status = take(l, l->in + have, PACKED - have, &count, error);
        if (status != BE_OK) {
            return status;
        }
        have += count;
        l->way = be_unpack_way(l->in, have, &open);
        open = open && !l->way;
    }
    if (!l->way) {
        memcpy(l->data, l->in, have);
        l->filled = have;
        return BE_OK;
    }
    l->state = l->way->open();
    l->in_left = have;
    return l->state ? BE_OK : be_fail(error, BE_NOMEM, "%s: no host memory to unpack it", l->name);
}

static enum be_status damaged(const struct be_lines *l, struct be_error *error) {
    return be_fail(error, BE_IO, "%s: damaged after %llu bytes: %s", l->name,
                   (unsigned long long)l->bytes + (l->filled - l->at),
                   l->why ? l->why : "the compressed file ends early");
}

/* More compressed bytes, where none is left. */
static enum be_status refill(struct be_lines *l, struct be_error *error) {
    if (l->in_left > 0) {
        return BE_OK;
    }
    size_t count = 0;
    enum be_status status = take(l, l->in, PACKED, &count, error);
    l->in_at = 0;
    l->in_left = count;
    l->ended |= status == BE_OK && count == 0;
    return status;
}

/* Fills what is free of the buffer from the compressed bytes; files may be several, one behind the
 * other. */
static enum be_status unpack(struct be_lines *l, struct be_error *error) {
    while (l->filled < CAPACITY) {
        enum be_status status = refill(l, error);
        if (status != BE_OK || l->ended) {
            return status == BE_OK && l->inside ? damaged(l, error) : status;
        }
        if (!l->inside && l->in[l->in_at] == 0) { /* behind a file: padding, as of tapes */
            l->in_at++;
            l->in_left--;
            continue;
        }
        struct be_unpack_part part = {l->in + l->in_at, l->in_left,
                                      (unsigned char *)l->data + l->filled, CAPACITY - l->filled};
        const enum be_unpacked got = l->way->step(l->state, &part, &l->why);
        l->in_at += l->in_left - part.in_left;
        l->in_left = part.in_left;
        l->filled = CAPACITY - part.out_left;
        l->inside = got == BE_UNPACK_MORE;
        if (got == BE_UNPACK_DAMAGED) {
            l->ended = true;
            return damaged(l, error);
        }
    }
    return BE_OK;
}

/* Moves what is left to the front and reads more behind it. */
static enum be_status fill(struct be_lines *l, struct be_error *error) {
    l->filled -= l->at;
    memmove(l->data, l->data + l->at, l->filled);
    l->at = 0;
    if (!l->sniffed) {
        enum be_status status = sniff(l, error);
        if (status != BE_OK || !l->way) {
            return status;
        }
    }
    if (l->way) {
        return unpack(l, error);
    }
    size_t count = 0;
    enum be_status status = take(l, l->data + l->filled, CAPACITY - l->filled, &count, error);
    l->filled += count;
    l->ended |= count == 0 && l->filled < CAPACITY;
    return status;
}

/* The line from l->at on, `length` bytes without its end, of which `used` are done with it. */
static struct be_slice hand_out(struct be_lines *l, size_t length, size_t used) {
    struct be_slice line = {l->data + l->at, (uint32_t)length};
    l->at += used;
    l->bytes += used;
    l->lines++;
    if (line.length && line.text[line.length - 1] == '\r') {
        line.length--;
    }
    return line;
}

enum be_status be_lines_next(struct be_lines *l, struct be_slice *line, bool *more,
                             struct be_error *error) {
    size_t seen = 0; /* of these there is no end among */
    *more = true;
    for (;;) {
        size_t have = l->filled - l->at;
        char *end = memchr(l->data + l->at + seen, '\n', have - seen);
        if (end && l->cut) { /* the rest of a line that was too long */
            l->at = (size_t)(end - l->data) + 1;
            l->cut = false;
            seen = 0;
            continue;
        }
        if (end) {
            size_t length = (size_t)(end - (l->data + l->at));
            *line = hand_out(l, length, length + 1);
            return BE_OK;
        }
        if (have == CAPACITY || (l->ended && have)) {
            bool rest = l->cut;
            l->cut = have == CAPACITY;
            *line = hand_out(l, have, have);
            if (!rest) {
                return BE_OK;
            }
            l->lines--;
            seen = 0;
            continue;
        }
        if (l->ended) {
            *more = false;
            return l->failed.status == BE_OK
                       ? BE_OK
                       : be_fail(error, l->failed.status, "%s", l->failed.text);
        }
        seen = have;
        l->ended |= fill(l, &l->failed) != BE_OK;
    }
}

enum be_status be_lines_chunk(struct be_lines *l, struct be_slice *chunk, bool *more,
                              struct be_error *error) {
    l->cut = false; /* the rest of a line that was too long is handed out, too */
    while (l->filled == l->at && !l->ended) {
        l->ended |= fill(l, &l->failed) != BE_OK;
    }
    *chunk = (struct be_slice){l->data + l->at, (uint32_t)(l->filled - l->at)};
    *more = chunk->length > 0;
    l->at = l->filled;
    l->bytes += chunk->length;
    return *more || l->failed.status == BE_OK
               ? BE_OK
               : be_fail(error, l->failed.status, "%s", l->failed.text);
}

uint64_t be_lines_count(const struct be_lines *lines) {
    return lines->lines;
}

uint64_t be_lines_bytes(const struct be_lines *lines) {
    return lines->bytes;
}

/* Where the marks are among the next STEP bytes: a bit each, the first byte's lowest. By the
 * machine's own comparison of bytes where it has one that needs no asking, else eight at a time. */
#ifdef __SSE2__
#include <emmintrin.h>
enum { STEP = 16, BITS = 1 };
static inline uint64_t matches(const char *text, char mark) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    return (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(mark)));
}
#else
enum { STEP = 8, BITS = 8 };
static inline uint64_t matches(const char *text, char mark) {
    const uint64_t low = 0x7f7f7f7f7f7f7f7f;
    uint64_t word = 0;
    for (int i = 0; i < STEP; i++) { /* one load where the lowest byte comes first */
        word |= (uint64_t)(unsigned char)text[i] << (BITS * i);
    }
    uint64_t differs = word ^ ((uint64_t)(unsigned char)mark * 0x0101010101010101u);
    return ~(((differs & low) + low) | differs | low); /* no carry leaves a byte */
}
#endif

int be_lines_split(struct be_slice line, char mark, struct be_slice *field, int max) {
    const char *begin = line.text, *end = line.text + line.length;
    int count = 0;
    for (const char *at = line.text; at < end; at += STEP) {
        char last[STEP] = {0}; /* the rest of a line that is no whole step */
        bool whole = end - at >= STEP;
        if (!whole) {
            memcpy(last, at, (size_t)(end - at));
        }
        uint64_t found = matches(whole ? at : last, mark);
        for (; found; found &= found - 1) {
            const char *here = at + __builtin_ctzll(found) / BITS;
            if (here >= end) {
                break; /* a mark of NUL bytes */
            }
            if (count < max) {
                field[count] = (struct be_slice){begin, (uint32_t)(here - begin)};
            }
            count++;
            begin = here + 1;
        }
    }
    if (count < max) {
        field[count] = (struct be_slice){begin, (uint32_t)(end - begin)};
    }
    return count + 1;
}
