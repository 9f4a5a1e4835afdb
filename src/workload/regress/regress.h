/*
 * Least squares by gradient descent: what the files of this workload share. Not for others.
 */
#ifndef BE_WORKLOAD_REGRESS_REGRESS_H
#define BE_WORKLOAD_REGRESS_REGRESS_H

#include "host/simd.h"
#include "workload/workload.h"

enum { BE_REGRESS_X, BE_REGRESS_Y, BE_REGRESS_W };                  /* arrays */
enum { BE_REGRESS_SAMPLES, BE_REGRESS_FEATURES, BE_REGRESS_STEPS }; /* parameters */

enum {
    BE_REGRESS_MAX = 128,   /* features */
    BE_REGRESS_PADDED = 144 /* numbers of a weight vector and a vector's worth behind it */
};

struct be_regress_size {
    size_t n, k, steps; /* samples, features, steps */
    double factor;      /* of X'(Xw - y), to be taken from w: 2 rate / n */
};
struct be_regress_size be_regress_size(const struct be_problem *problem);

/* picture.c: the fitted line and the loss, drawn and in words */
void be_regress_tell(const struct be_work *work, char note[BE_NOTE]);
enum be_status be_regress_picture(const struct be_work *work, struct be_picture *picture,
                                  struct be_error *error);

/* ---- CPU: host.c -------------------------------------------------------------------- */

void be_regress_host_written(const struct be_work *work);
void be_regress_host_fused(const struct be_work *work);
void be_regress_host_gram(const struct be_work *work);
size_t be_regress_host_scratch_written(const struct be_problem *problem, int members);
size_t be_regress_host_scratch_fused(const struct be_problem *problem, int members);
size_t be_regress_host_scratch_gram(const struct be_problem *problem, int members);

/* ---- plain code for both: plain.c, and plain_simd.c ------------------------------------- */

typedef void be_regress_plain(const struct be_work *work);
BE_SIMD_DECLARE(be_regress_plain, be_regress_plain_run);
/* Members' sums lie so many doubles apart in the scratch. */
static inline size_t be_regress_plain_apart(size_t k) {
    return (k * (k + 1) + 7) / 8 * 8;
}
void be_regress_host_plain(const struct be_work *work);
size_t be_regress_host_scratch_plain(const struct be_problem *problem, int members);
enum be_status be_regress_prepare_plain(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error);
enum be_status be_regress_enqueue_plain(const struct be_launch *launch, struct be_error *error);
size_t be_regress_scratch_plain(const struct be_problem *problem);

/* ---- devices: device.c -------------------------------------------------------------- */

enum be_status be_regress_prepare_written(struct be_device *device,
                                          const struct be_problem *problem,
                                          struct be_prepared *prepared, struct be_error *error);
enum be_status be_regress_prepare_fused(struct be_device *device, const struct be_problem *problem,
                                        struct be_prepared *prepared, struct be_error *error);
enum be_status be_regress_prepare_gram(struct be_device *device, const struct be_problem *problem,
                                       struct be_prepared *prepared, struct be_error *error);
enum be_status be_regress_enqueue_written(const struct be_launch *launch, struct be_error *error);
enum be_status be_regress_enqueue_fused(const struct be_launch *launch, struct be_error *error);
enum be_status be_regress_enqueue_gram(const struct be_launch *launch, struct be_error *error);
size_t be_regress_scratch_written(const struct be_problem *problem);
size_t be_regress_scratch_fused(const struct be_problem *problem);
size_t be_regress_scratch_gram(const struct be_problem *problem);

#endif
