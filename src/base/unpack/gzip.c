#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/unpack/unpack.h"

static void *open_gzip(void) {
    z_stream *z = calloc(1, sizeof *z);
    if (z && inflateInit2(z, 15 + 16) != Z_OK) { /* 16: of gzip (zlib.h) */
        free(z);
        z = NULL;
    }
    return z;
}

static enum be_unpacked step_gzip(void *state, struct be_unpack_part *part, const char **why) {
    z_stream *z = state;
    const unsigned in = part->in_left < UINT_MAX ? (unsigned)part->in_left : UINT_MAX;
    const unsigned out = part->out_left < UINT_MAX ? (unsigned)part->out_left : UINT_MAX;
    z->next_in = (unsigned char *)(size_t)part->in; /* zlib does not write there */
    z->avail_in = in;
    z->next_out = part->out;
    z->avail_out = out;
    const int code = inflate(z, Z_NO_FLUSH);
    part->in += in - z->avail_in;
    part->in_left -= in - z->avail_in;
    part->out += out - z->avail_out;
    part->out_left -= out - z->avail_out;
    if (code == Z_STREAM_END) {
        inflateReset(z);
        return BE_UNPACK_END;
    }
    if (code != Z_OK && code != Z_BUF_ERROR) {
        *why = z->msg ? z->msg : *why;
        return BE_UNPACK_DAMAGED;
    }
    return BE_UNPACK_MORE;
}

static void close_gzip(void *state) {
    inflateEnd(state);
    free(state);
}

const struct be_unpack_way be_unpack_gzip = {"\x1f\x8b", 2, open_gzip, step_gzip, close_gzip};
