/* By libzstd; empty where the build found none. */
#include "base/unpack/unpack.h"
#include "base/packing.h"

#ifdef BE_HAS_ZSTD

#include <zstd.h>

static void *open_zstd(void) {
    return ZSTD_createDStream();
}

static enum be_unpacked step_zstd(void *state, struct be_unpack_part *part, const char **why) {
    ZSTD_inBuffer in = {part->in, part->in_left, 0};
    ZSTD_outBuffer out = {part->out, part->out_left, 0};
    const size_t code = ZSTD_decompressStream(state, &out, &in);
    part->in += in.pos;
    part->in_left -= in.pos;
    part->out += out.pos;
    part->out_left -= out.pos;
    if (ZSTD_isError(code)) {
        *why = ZSTD_getErrorName(code);
        return BE_UNPACK_DAMAGED;
    }
    return code == 0 ? BE_UNPACK_END : BE_UNPACK_MORE;
}

static void close_zstd(void *state) {
    ZSTD_freeDStream(state);
}

const struct be_unpack_way be_unpack_zstd = {"\x28\xb5\x2f\xfd", 4, open_zstd, step_zstd,
                                             close_zstd};

#endif
