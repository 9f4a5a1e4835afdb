/* A complete small job on the fake GPU: probe, open, build, compute, copy, close. */
#ifndef TESTS_FAKE_JOB_H
#define TESTS_FAKE_JOB_H

#include "breakeven.h"

/* Makes inputs, reference and the team that copies; once. */
void job_prepare(void);
void job_end(void);

/* 1e4 or 1e5 elements: one chunk; also 2.2e6: the pipeline. */
enum job_size { JOB_TINY, JOB_SMALL, JOB_LARGE };

/* Every operation of the table once or more, and power through a stage. BE_WRONG: the results are
 * not the reference's. */
enum be_status job_run(enum job_size size, struct be_error *error);

/* Bytes from one device to another, twice; there must be two. */
enum be_status job_peers(struct be_error *error);

/* Numbers added across two devices; there must be two. */
enum be_status job_sums(struct be_error *error);

/* The same for what measures a device's ceilings. */
enum be_status job_ceilings(struct be_error *error);

/* The same with each of the vendor's libraries. */
enum be_status job_libraries(struct be_error *error);

#endif
