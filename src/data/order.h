/* The order of images in an epoch. */
#ifndef BE_DATA_ORDER_H
#define BE_DATA_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* A permutation of 0 .. count - 1 that follows from seed and epoch. */
void be_images_order(uint64_t seed, uint64_t epoch, uint32_t *order, size_t count);

#endif
