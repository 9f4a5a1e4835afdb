#include "machine/device_sets.h"

#include <math.h>

#include "base/error.h"

enum { LANES = 256, GRAIN = 1024 };

size_t be_device_read_groups(const struct be_device *device) {
    size_t units = device->info.units > 0 ? (size_t)device->info.units : 16;
    return device->info.kind == BE_KIND_CPU ? units : units * 8;
}

double be_device_set_bytes(const struct be_device_set *set) {
    return (set->read ? 1 : 3) * 4.0 * (double)set->floats;
}

/* No size twice: of a small cache, several come to the same. */
static int add_set(struct be_device_set set[BE_CEILING_POINTS], int sets,
                   struct be_device_set more) {
    for (int i = 0; i < sets; i++) {
        double there = be_device_set_bytes(&set[i]);
        if (fabs(be_device_set_bytes(&more) - there) <= 0.01 * there) {
            return sets;
        }
    }
    set[sets] = more;
    return sets + 1;
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
        if (n * sizeof(float) <= array_bytes) {
            sets = add_set(set, sets, (struct be_device_set){.floats = (long)n, .read = true});
        }
    }
    for (size_t i = 0; i < BE_COUNT(beyond); i++) {
        long n = (long)(beyond[i] * cache / 3 / sizeof(float)) / GRAIN * GRAIN;
        if (n > 0 && n < all) {
            sets = add_set(set, sets, (struct be_device_set){.floats = n});
        }
    }
    return all > 0 ? add_set(set, sets, (struct be_device_set){.floats = all}) : sets;
}
