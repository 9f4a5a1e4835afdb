/*
 * Places where cases run, opened once for a whole comparison: a team of CPU threads, or a device
 * with its pipeline; each with its ceilings, and with the code of the problem in hand.
 */
#ifndef BE_BENCH_CASE_PLACE_H
#define BE_BENCH_CASE_PLACE_H

#include "host/pages.h"
#include "host/team.h"
#include "device/stage.h"
#include "machine/ceilings.h"
#include "workload/workload.h"

struct be_place {
    struct be_device_info info;
    int threads;          /* of a CPU place; 0: a device */
    struct be_team *team; /* computes (CPU), or copies for the device */
    bool own_team;
    struct be_cancel cancel;  /* of measuring ceilings */
    struct be_device *device; /* NULL: CPU */
    struct be_stage *stage;
    struct be_ceilings ceilings;
    double first_cache_bytes; /* of a CPU place: a core's; NAN unknown */
    const struct be_place
        *maker; /* of a device: the CPU place whose ceilings say how results are best stored
                                     that the host makes for it; NULL: none */
    struct be_place *silicon; /* the CPU place that is the same hardware; NULL: none */
    bool absent;              /* broken because it is not here */
    bool broken;              /* could not be opened or has failed: note says how */
    char note[BE_NOTE];

    double open_s; /* what opening took: context, queues, page-locked buffers */
    const struct be_host_libraries *library; /* for code of a CPU place; NULL: none */
    int libraries;             /* so many of them, each with another BLAS; 0 counts as 1 */
    struct be_problem problem; /* what is prepared here */
    struct {
        bool ready;
        struct be_prepared code;
        double seconds; /* what preparing took: compile, load */
    } prepared[BE_VARIANTS];
};

/* A CPU place of `threads` threads; with its own team, or with `team` when that has as many.
 * `known`: its ceilings, from a profile; NULL: they are measured, in at most about limit_s, until `cancel` says to end. */
enum be_status be_place_open_cpu(const struct be_device_info *info, const struct be_cores *cores,
                                 int threads, struct be_team *team, const struct be_ceilings *known,
                                 double limit_s, struct be_cancel cancel, struct be_place *place,
                                 struct be_error *error);

/* A device, with `team` to copy for it; `widest`: the CPU place with the most threads, may be NULL. An error
 * leaves a broken place, not a failure. A device that is itself the CPU, or pretends on it, takes the ceilings
 * of that place. */
void be_place_open_device(const struct be_device_info *info, struct be_team *team,
                          struct be_place *widest, const struct be_ceilings *known,
                          struct be_cancel cancel, struct be_place *place);

/* false: a device that is the CPU, and takes its ceilings from there. */
bool be_place_has_ceilings(const struct be_device_info *info);

void be_place_close(struct be_place *place); /* accepts a zeroed one */

/* Builds the code of a variant of the problem's workload here, unless it is built already; discards
 * what was built for another problem. BE_ABSENT: the variant needs a library that is not here. */
enum be_status be_place_prepare(struct be_place *place, const struct be_problem *problem,
                                int variant, struct be_error *error);

/* The memory that a variant of a problem needs beside its arrays at a place: one of the two, or
 * nothing. */
struct be_scratch {
    struct be_buffer device;
    struct be_pages host;
};
enum be_status be_scratch_open(struct be_place *place, const struct be_problem *problem,
                               int variant, struct be_scratch *scratch, struct be_error *error);
void be_scratch_close(struct be_place *place,
                      struct be_scratch *scratch); /* accepts a zeroed one */
double be_scratch_bytes(const struct be_place *place, const struct be_problem *problem,
                        int variant);

/* Measures the ceilings of calls that touch so many bytes again, and keeps the higher: before a result is called
 * impossible. */
void be_place_raise_ceilings(struct be_place *place, double working_set);

#endif
