/*
 * The places that a computation could go to: cores of the machine here and its GPU, and of each cluster one core, a part
 * and all of a node's cores, several nodes, each kind of GPU, several of them, and each kind of slice. Each is a job that
 * the cluster takes.
 */
#ifndef BE_CLI_DECIDE_PLACES_H
#define BE_CLI_DECIDE_PLACES_H

#include "cli/decide/work.h"
#include "cluster/catalogue.h"
#include "job/job.h"

/* A place, and the job for it. The machine here has no cluster. */
struct be_cli_place {
    struct be_job_request request;
    const struct be_cluster *cluster;
    double memory_bytes; /* of all its nodes; NAN not known */
    struct be_network network;
};

/* Zero-initialise. */
struct be_cli_places {
    struct be_decide_place place[BE_DECIDE_PLACES_MAX];
    struct be_cli_place job[BE_DECIDE_PLACES_MAX];
    int places;
    char remark[BE_DECIDE_REMARKS_MAX][BE_NOTE]; /* places that were left out, and why */
    int remarks;
};

/* Adds those of the machine here; of a cluster. `base`: what each job asks for besides: command, account, partition. The
 * cluster must outlive the places. BE_USAGE: not one place of the cluster takes it; the text says why not. */
enum be_status be_cli_places_here(const struct be_cli_work *work, struct be_cli_places *places,
                                  struct be_error *error);
enum be_status be_cli_places_of(const struct be_cli_work *work, const struct be_cluster *cluster,
                                const struct be_job_request *base, struct be_cli_places *places,
                                struct be_error *error);

/* One line; the last that has room. */
void be_cli_places_remark(struct be_cli_places *places, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
