/* Parts of buffers checked, and found where handles are addresses. */
#ifndef BE_DEVICE_COMMON_PARTS_H
#define BE_DEVICE_COMMON_PARTS_H

#include "device/device.h"

/* Where `count` elements of `each` bytes begin. BE_USAGE, with what they are: they do not fit the
 * buffer, or begin between two elements. */
enum be_status be_part_find(const struct be_part *part, int64_t count, size_t each,
                            const char *what, void **at, struct be_error *error);

/* The same for a matrix. */
enum be_status be_matrix_find(const struct be_matrix *matrix, int64_t rows, int64_t columns,
                              size_t each, const char *what, void **at, struct be_error *error);

/* The same for A, B and C of a product, whose sizes are 1 or more. */
enum be_status be_gemm_find(const struct be_gemm *gemm, size_t each, void *at[3],
                            struct be_error *error);

#endif
