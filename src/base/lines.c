#include "base/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"

enum { CAPACITY = 1 << 18 /* stays in a core's cache */, PACKED = 1 << 17 };

struct be_lines {
    int descriptor; /* -1: text in memory */
    char name[BE_NAME * 4];
    const char *text; /* what is in memory and not yet read */
    size_t text_left;
    bool sniffed, packed, ended, cut;
    z_stream inflate;
    unsigned char *in; /* compressed bytes */
    char *data;        /* ROOM bytes */
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
        if (lines->packed) {
            inflateEnd(&lines->inflate);
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

/* The first two bytes say whether it is compressed. */
static enum be_status sniff(struct be_lines *l, struct be_error *error) {
    l->sniffed = true;
    size_t have = 0, count = 1;
    while (have < 2 && count) {
        enum be_status status = take(l, l->in + have, PACKED - have, &count, error);
        if (status != BE_OK) {
            return status;
        }
        have += count;
    }
    if (have >= 2 && l->in[0] == 0x1f && l->in[1] == 0x8b) {
        if (inflateInit2(&l->inflate, 15 + 16) != Z_OK) { /* 16: of gzip (zlib.h) */
            return be_fail(error, BE_NOMEM, "%s: zlib: no host memory", l->name);
        }
        l->packed = true;
        l->inflate.next_in = l->in;
        l->inflate.avail_in = (unsigned)have;
        return BE_OK;
    }
    memcpy(l->data, l->in, have);
    l->filled = have;
    return BE_OK;
}

static enum be_status damaged(const struct be_lines *l, struct be_error *error) {
    return be_fail(error, BE_IO, "%s: damaged after %llu bytes: %s", l->name,
                   (unsigned long long)l->bytes + (l->filled - l->at),
                   l->inflate.msg ? l->inflate.msg : "the compressed file ends early");
}

/* Fills what is free of the buffer from the compressed bytes; files may be several, one behind the
 * other. */
static enum be_status unpack(struct be_lines *l, struct be_error *error) {
    z_stream *z = &l->inflate;
    z->next_out = (unsigned char *)l->data + l->filled;
    z->avail_out = (unsigned)(CAPACITY - l->filled);
    while (z->avail_out) {
        if (z->avail_in == 0) {
            size_t count = 0;
            enum be_status status = take(l, l->in, PACKED, &count, error);
            if (status != BE_OK) {
                l->filled = CAPACITY - z->avail_out;
                return status;
            }
            z->next_in = l->in;
            z->avail_in = (unsigned)count;
            if (count == 0) {
                l->ended = true;
                l->filled = CAPACITY - z->avail_out;
                return z->total_in == 0 ? BE_OK : damaged(l, error);
            }
        }
        if (z->total_in == 0 && *z->next_in == 0) { /* behind a file: padding, as of tapes */
            z->next_in++;
            z->avail_in--;
            continue;
        }
        int code = inflate(z, Z_NO_FLUSH);
        if (code == Z_STREAM_END) {
            inflateReset(z); /* total_in is 0 again */
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            l->ended = true;
            l->filled = CAPACITY - z->avail_out;
            return damaged(l, error);
        }
    }
    l->filled = CAPACITY;
    return BE_OK;
}

/* Moves what is left to the front and reads more behind it. */
static enum be_status fill(struct be_lines *l, struct be_error *error) {
    l->filled -= l->at;
    memmove(l->data, l->data + l->at, l->filled);
    l->at = 0;
    if (!l->sniffed) {
        enum be_status status = sniff(l, error);
        if (status != BE_OK || !l->packed) {
            return status;
        }
    }
    if (l->packed) {
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
