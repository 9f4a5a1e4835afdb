/*
 * Compressed bytes -> bytes, a part at a time: gzip always; xz and zstd where the build had liblzma and libzstd. Knows
 * nothing of files or lines.
 */
#ifndef BE_BASE_UNPACK_UNPACK_H
#define BE_BASE_UNPACK_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that are yet to be read, and room for those that come out; a step moves both on. */
struct be_unpack_part {
    const unsigned char *in;
    size_t in_left;
    unsigned char *out;
    size_t out_left;
};

enum be_unpacked {
    BE_UNPACK_MORE, /* it wants more bytes, or more room */
    BE_UNPACK_END,  /* of one file; another may stand behind it, and the state is ready for that */
    BE_UNPACK_DAMAGED /* or it wants more memory than is allowed */
};

struct be_unpack_way {
    const char *begin;   /* the first bytes of such a file; NULL: the list ends */
    size_t length;       /* of these, at most BE_UNPACK_BEGIN */
    void *(*open)(void); /* NULL: no memory */
    /* *why: in words, where it is damaged; else it stays as it is. */
    enum be_unpacked (*step)(void *state, struct be_unpack_part *part, const char **why);
    void (*close)(void *state);
};
enum { BE_UNPACK_BEGIN = 6 };

extern const struct be_unpack_way be_unpack_gzip, be_unpack_xz, be_unpack_zstd;

/* The way that the first `length` bytes ask for; NULL: none. *open: more bytes could still name one. */
const struct be_unpack_way *be_unpack_way(const void *bytes, size_t length, bool *open);

#endif
