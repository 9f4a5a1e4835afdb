/* By liblzma; empty where the build found none. */
#include "base/unpack/unpack.h"
#include "base/packing.h"

#ifdef BE_HAS_XZ

#include <lzma.h>
#include <stdlib.h>

enum { MEMORY_MIB = 1024 /* xz -9 takes 65 */ };

static lzma_ret begin(lzma_stream *z) {
    return lzma_stream_decoder(z, (uint64_t)MEMORY_MIB << 20, 0);
}

static void *open_xz(void) {
    static const lzma_stream empty = LZMA_STREAM_INIT;
    lzma_stream *z = malloc(sizeof *z);
    if (z) {
        *z = empty;
        if (begin(z) != LZMA_OK) {
            lzma_end(z);
            free(z);
            z = NULL;
        }
    }
    return z;
}

static const char *said(lzma_ret code, const char *otherwise) {
    switch (code) {
    case LZMA_MEM_ERROR:
        return "no host memory";
    case LZMA_MEMLIMIT_ERROR:
        return "it takes more than 1 GiB to unpack: `xz -dc FILE | breakeven .. -` may do";
    case LZMA_OPTIONS_ERROR:
        return "it is packed in a way that this liblzma does not know";
    case LZMA_FORMAT_ERROR:
    case LZMA_DATA_ERROR:
        return "its bytes are no xz";
    default:
        return otherwise;
    }
}

static enum be_unpacked step_xz(void *state, struct be_unpack_part *part, const char **why) {
    lzma_stream *z = state;
    z->next_in = part->in;
    z->avail_in = part->in_left;
    z->next_out = part->out;
    z->avail_out = part->out_left;
    lzma_ret code = lzma_code(z, LZMA_RUN);
    part->in = z->next_in;
    part->in_left = z->avail_in;
    part->out = z->next_out;
    part->out_left = z->avail_out;
    if (code == LZMA_STREAM_END) {
        code = begin(z);
        if (code == LZMA_OK) {
            return BE_UNPACK_END;
        }
    }
    if (code != LZMA_OK && code != LZMA_BUF_ERROR) {
        *why = said(code, *why);
        return BE_UNPACK_DAMAGED;
    }
    return BE_UNPACK_MORE;
}

static void close_xz(void *state) {
    lzma_end(state);
    free(state);
}

const struct be_unpack_way be_unpack_xz = {"\xfd"
                                           "7zXZ",
                                           6, open_xz, step_xz, close_xz};

#endif
