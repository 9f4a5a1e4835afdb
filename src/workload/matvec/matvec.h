/*
 * Declarations that the files of the workload matvec share: its parameters, its arrays and its code.
 *
 * J is order x order, row after row. Vectors of a batch stand one behind the other.
 */
#ifndef BE_WORKLOAD_MATVEC_MATVEC_H
#define BE_WORKLOAD_MATVEC_MATVEC_H

#include "host/simd.h"
#include "workload/workload.h"

enum { BE_MATVEC_ORDER, BE_MATVEC_STEPS, BE_MATVEC_BATCH }; /* parameters */
enum { BE_MATVEC_J, BE_MATVEC_INPUT, BE_MATVEC_R };         /* arrays */

static inline size_t be_matvec_of(const struct be_problem *problem, int parameter) {
    return (size_t)problem->value[parameter];
}

/* Rows first .. first + rows - 1 of to = f(J from + input), of all vectors of a batch. */
struct be_matvec_rows {
    const void *j, *input, *from;
    void *to;
    size_t order, batch, first, rows;
};
typedef void be_matvec_run(const struct be_matvec_rows *rows);

/* plain_simd.c: a sum a row. */
BE_SIMD_DECLARE(be_matvec_run, be_matvec32_plain);
BE_SIMD_DECLARE(be_matvec_run, be_matvec64_plain);
/* simd.c: several rows at a time. */
BE_SIMD_DECLARE(be_matvec_run, be_matvec32_several);
BE_SIMD_DECLARE(be_matvec_run, be_matvec64_several);
/* plain_simd.c: `to` has J from already. */
BE_SIMD_DECLARE(be_matvec_run, be_matvec32_finish);
BE_SIMD_DECLARE(be_matvec_run, be_matvec64_finish);

/* host.c: on the CPU. */
void be_matvec_host_plain(const struct be_work *work);
void be_matvec_host_own(const struct be_work *work);
void be_matvec_host_library(const struct be_work *work);
enum be_status be_matvec_host_ready(const struct be_host_libraries *library, int members,
                                    struct be_error *error);
size_t be_matvec_host_scratch(const struct be_problem *problem, int members);

/* device.c: on a device. */
enum be_status be_matvec_prepare(struct be_device *device, const struct be_problem *problem,
                                 struct be_prepared *prepared, struct be_error *error);
enum be_status be_matvec_enqueue_plain(const struct be_launch *launch, struct be_error *error);
const char *be_matvec_unfit_fused(const struct be_problem *problem);
enum be_status be_matvec_enqueue_fused(const struct be_launch *launch, struct be_error *error);
enum be_status be_matvec_library_prepare(struct be_device *device, const struct be_problem *problem,
                                         struct be_prepared *prepared, struct be_error *error);
enum be_status be_matvec_library_enqueue(const struct be_launch *launch, struct be_error *error);
void be_matvec_library_discard(struct be_device *device, struct be_prepared *prepared);
size_t be_matvec_device_scratch(const struct be_problem *problem);

#endif
