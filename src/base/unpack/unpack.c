#include "base/unpack/unpack.h"

#include <string.h>

#include "base/error.h"
#include "base/packing.h"

/* BE_HAS_XZ, BE_HAS_ZSTD: the build found the library. */
static const struct be_unpack_way *const way[] = {
    &be_unpack_gzip,
#ifdef BE_HAS_XZ
    &be_unpack_xz,
#endif
#ifdef BE_HAS_ZSTD
    &be_unpack_zstd,
#endif
};

const struct be_unpack_way *be_unpack_way(const void *bytes, size_t length, bool *open) {
    *open = false;
    for (size_t i = 0; i < BE_COUNT(way); i++) {
        const size_t known = length < way[i]->length ? length : way[i]->length;
        if (memcmp(bytes, way[i]->begin, known) == 0) {
            if (known == way[i]->length) {
                return way[i];
            }
            *open = true;
        }
    }
    return NULL;
}
