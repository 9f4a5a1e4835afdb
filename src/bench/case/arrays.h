/*
 * The arrays of one size on a device. Where the device has no room for all of the output, and a
 * variant can compute it in slices, the output's buffer is a window of it.
 */
#ifndef BE_BENCH_CASE_ARRAYS_H
#define BE_BENCH_CASE_ARRAYS_H

#include "bench/case/data.h"
#include "bench/case/place.h"

struct be_arrays {
    struct be_buffer buffer[BE_ARRAYS];
    size_t window;             /* slices that the output's buffer has room for; 0: all of it */
    size_t slice_bytes;        /* with a window */
    struct be_error too_large; /* with a window: why there is one */
};

/* Bytes that may be allocated at a device; NAN: it does not say. */
double be_arrays_capacity(const struct be_place *place);

/* BE_NOMEM, with the largest size that fits: no room, and not in slices either. */
enum be_status be_arrays_open(struct be_place *place, const struct be_data *data,
                              struct be_arrays *arrays, struct be_error *error);
void be_arrays_close(struct be_place *place, struct be_arrays *arrays); /* accepts a zeroed one */

#endif
