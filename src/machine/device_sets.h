/* Working sets over which a device's bandwidth is measured, for ceilings and for profiles alike. */
#ifndef BE_MACHINE_DEVICE_SETS_H
#define BE_MACHINE_DEVICE_SETS_H

#include "machine/ceilings.h"

enum { BE_SET_ROUNDS = 64 }; /* of k_read over a set that fits the cache */

struct be_device_set {
    long floats; /* of each array */
    bool read;   /* one array, read only; else the triad of three */
};

/* At most BE_CEILING_POINTS, small to large, for three arrays of so many bytes. Within the cache
 * reads only, which is at least what a mix of reads and writes gets; then close together from the
 * cache's size on, where bandwidth falls; at last everything. */
int be_device_sets(const struct be_device *device, size_t array_bytes,
                   struct be_device_set set[BE_CEILING_POINTS]);

/* Bytes of all its arrays. */
double be_device_set_bytes(const struct be_device_set *set);

/* Groups of k_read. */
size_t be_device_read_groups(const struct be_device *device);

#endif
