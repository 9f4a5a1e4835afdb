/*
 * breakeven: what was measured on other machines, beside what was measured here.
 *
 * This header serves a program that has no GPU, or not the one it asks about. Measured results travel as small
 * files, one a machine. A comparison made here gets columns of those machines and their break-evens against the
 * CPU that is here.
 *
 * A machine of which only a data sheet is known is predicted from one that was measured, with a wide interval.
 * The rules of breakeven.h apply.
 */
#ifndef BREAKEVEN_RESULTS_H
#define BREAKEVEN_RESULTS_H

#include "breakeven.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Times of one machine, of a comparison made there. For each workload, size, placement, state of the caches and number
 * of threads it keeps the fastest variant, and the fastest whose code anybody can call or write. */
struct be_results {
    char name[BE_NAME]; /* what --elsewhere calls it: "h100" */
    char
        provenance[BE_NOTE]; /* how they came about, for a reader who was not there; may be empty */
    enum be_origin origin;   /* BE_ORIGIN_ELSEWHERE: measured; BE_ORIGIN_PREDICTED */
    struct be_machine machine;
    struct be_environment environment;
    struct be_result
        *result; /* in phase[BE_TOTAL] what a call takes, seconds; phase[BE_FIRST] the first call */
    size_t results;
};

void be_results_free(struct be_results *results); /* accepts a zeroed one */

/* The times of a comparison whose results were right. BE_USAGE: it has none, or `name` cannot be one of a file. */
enum be_status be_results_of(const struct be_comparison *comparison, const char *name,
                             struct be_results *results, struct be_error *error);

/* JSON, one line a time: docs/json.md. On success of the second *results owns memory: be_results_free. */
enum be_status be_results_write(const struct be_results *results, FILE *out,
                                struct be_error *error);
enum be_status be_results_read(FILE *in, const char *name, struct be_results *results,
                               struct be_error *error);

/* Reads the results of the machine `name`: those in that file; else those of that name among the user's own, the site's
 * (BREAKEVEN_RESULTS, /etc/breakeven/results) and those that come with breakeven; else predicted ones for the profile
 * of that name, or of the data sheet of that name ("a100-80"). BE_USAGE: there is none of these; the text lists what
 * there is. */
enum be_status be_results_load(const char *name, struct be_results *results,
                               struct be_error *error);

/* Adds to a comparison made here one device for `there`, its times at the sizes that were measured here, and its
 * break-evens against the CPU here. Sizes between two that were measured there are interpolated, and say so in
 * their note; beyond them there is no time. BE_USAGE: one of its name is there already. */
enum be_status be_comparison_add_results(struct be_comparison *comparison,
                                         const struct be_results *there, struct be_error *error);

#ifdef __cplusplus
}
#endif
#endif
