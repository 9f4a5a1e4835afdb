/*
 * From what was asked to what is run: workloads, their parameters, the sizes to sweep. Opens and
 * measures nothing.
 */
#ifndef BE_BENCH_CHOOSE_H
#define BE_BENCH_CHOOSE_H

#include "bench/known.h"

/* One workload to run. */
struct be_plan {
    struct be_problem problem; /* at any size */
    uint64_t size[BE_LIST_MAX];
    int sizes;
    bool is_list; /* the sizes were named one by one: all must fit */
};

/* At most BE_LIST_MAX plans: of the workloads named; of those handed in, where none is named; else of all built-in
 * ones. BE_USAGE: a name, a parameter, a type or a size that makes no sense, with what there is. */
enum be_status be_choose(const struct be_compare_options *options, const struct be_known *known,
                         struct be_plan *plan, int *plans, struct be_error *error);

/* Is this variant of the workload to be run? */
bool be_choose_variant(const struct be_compare_options *options, const struct be_variant *variant);

/* The first workload of the plans that can be drawn; NULL: none. */
const struct be_workload *be_choose_drawn(const struct be_plan *plan, int plans);

#endif
