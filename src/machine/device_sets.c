#include "machine/device_sets.h"

#include <math.h>

#include "base/error.h"

enum { LANES = 256, GRAIN = 1024 };

size_t be_device_read_groups(const struct be_device *device) {
    size_t units = device->info.units > 0 ? (size_t)device->info.units : 16;
    return device->info.kind == BE_KIND_CPU ? units : units * 8;
}

int be_device_sets(const struct be_device *device, size_t array_bytes,
                   struct be_device_set set[BE_CEILING_POINTS]) {
    static const double within[] = {1.0 / 16, 1.0 / 4, 1.0 / 2}; /* times the cache */
    static const double beyond[] = {1, 1.5, 2, 3, 4.5, 6};
    /* Where the cache's size is not known, a large one: a limit must not be taken for too long. */
    double cache = isnan(device->info.cache_bytes) ? 64e6 : device->info.cache_bytes;
    size_t step = 4 * LANES * be_device_read_groups(device);
    long all = (long)(array_bytes / sizeof(float)) / GRAIN * GRAIN;
    int sets = 0;
    for (size_t i = 0; i < BE_COUNT(within); i++) {
        size_t n = ((size_t)(within[i] * cache / sizeof(float)) / step + 1) * step;
        bool again = sets > 0 && set[sets - 1].floats == (long)n; /* of a small cache */
        if (n * sizeof(float) <= array_bytes && !again) {
            set[sets++] = (struct be_device_set){.floats = (long)n, .read = true};
        }
    }
    for (size_t i = 0; i < BE_COUNT(beyond); i++) {
        long n = (long)(beyond[i] * cache / 3 / sizeof(float)) / GRAIN * GRAIN;
        if (n > 0 && n < all) {
            set[sets++] = (struct be_device_set){.floats = n};
        }
    }
    if (all > 0) {
        set[sets++] = (struct be_device_set){.floats = all};
    }
    return sets;
}
