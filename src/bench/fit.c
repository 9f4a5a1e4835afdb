#include "bench/fit.h"

#include "base/error.h"
#include "base/text.h"
#include "bench/named.h"

/* ---- what the host holds -------------------------------------------------------------------- */

/* Part of the free memory that is asked for at most: the rest is the system's. */
static const double host_share = 0.85;

/* Teams of other sizes touch other memory first; that matters only with several NUMA nodes. */
static int data_sets(const struct be_fit *fit) {
    int sets = 1;
    for (int i = 0; i < be_fit_places(fit); i++) {
        const struct be_place *place = &fit->run->place[i];
        sets += fit->run->machine.numa_nodes > 1 && place->team != fit->run->team;
    }
    return sets;
}

/* Devices whose memory is the host's own take their share of it. */
static double host_bytes(const struct be_fit *fit, const struct be_problem *problem,
                         size_t instances) {
    double bytes = be_data_bytes(problem, instances) * data_sets(fit);
    for (int i = 0; i < be_fit_places(fit); i++) {
        const struct be_place *place = &fit->run->place[i];
        bool shared = place->device && place->info.kind == BE_KIND_CPU;
        bytes += shared ? be_data_device_bytes(problem, instances) : 0;
        for (int v = 0; v < problem->workload->variants && (place->threads || shared); v++) {
            const struct be_variant *variant = &problem->workload->variant[v];
            const bool can =
                be_choose_variant(fit->options, variant) && be_variant_can(variant, problem);
            bytes += can ? be_scratch_bytes(place, problem, v) : 0;
        }
    }
    return bytes;
}

static double bytes_here(const struct be_problem *problem, const void *fit) {
    return host_bytes(fit, problem, 1);
}

double be_fit_copies(const struct be_fit *fit, const struct be_problem *problem) {
    return host_share * be_memory_available() / host_bytes(fit, problem, 1);
}

/* Can the host hold one of it? */
static bool holds(const struct be_fit *fit, const struct be_problem *problem) {
    return be_fit_copies(fit, problem) >= 1;
}

/* The largest size of it that the host holds; 0: none. Not all that are smaller need fit: some take more than larger
 * ones (fft). */
static uint64_t largest_held(const struct be_fit *fit, const struct be_problem *problem) {
    return be_data_largest(problem, host_share * be_memory_available(), bytes_here, fit);
}

/* ---- which sizes ------------------------------------------------------------------------------ */

/* The problem that every variant takes instead of this one, as the last variant says it; NULL: one
 * takes this one. */
static const char *taken_instead(const struct be_problem *problem) {
    const struct be_workload *workload = problem->workload;
    const char *instead = NULL;
    for (int i = 0; i < workload->variants; i++) {
        if (be_variant_can(&workload->variant[i], problem)) {
            return NULL;
        }
        instead = workload->variant[i].unfit(problem);
    }
    return instead;
}

/* Sizes that no variant takes have no data either: named one by one they are an error, of a range they are
 * left out. */
enum be_status be_fit_taken(struct be_plan *plan, struct be_error *error) {
    int kept = 0;
    for (int i = 0; i < plan->sizes; i++) {
        const struct be_problem sized = be_problem_sized(&plan->problem, plan->size[i]);
        const char *instead = taken_instead(&sized);
        if (instead && (plan->is_list || (kept == 0 && i + 1 == plan->sizes))) {
            return be_fail(error, BE_USAGE, "%s of size %llu: it %s", sized.workload->name,
                           (unsigned long long)plan->size[i], instead);
        }
        if (!instead) {
            plan->size[kept++] = plan->size[i];
        }
    }
    plan->sizes = kept;
    return BE_OK;
}

/* Sizes named one by one must fit; of a range, those that do not fit are left out. *left_out: the first of
 * them, 0: none. */
enum be_status be_fit_keep(const struct be_fit *fit, struct be_plan *plan, uint64_t *left_out,
                           struct be_error *error) {
    const struct be_workload *workload = plan->problem.workload;
    uint64_t largest = largest_held(fit, &plan->problem);
    uint64_t from = plan->size[0];
    uint64_t to = plan->size[plan->sizes - 1];
    char needed[BE_NAME];
    char there[BE_NAME];
    int kept = 0;
    be_format_bytes(there, sizeof there, be_memory_available(), "not known how much");
    *left_out = 0;
    for (int i = 0; i < plan->sizes; i++) {
        uint64_t n = plan->size[i];
        const struct be_problem sized = be_problem_sized(&plan->problem, n);
        const bool fits = holds(fit, &sized);
        if (plan->is_list && !fits) {
            be_format_bytes(needed, sizeof needed, be_data_bytes(&sized, 1), "more");
            return be_fail(error, BE_NOMEM,
                           "%s of size %llu needs %s of host memory for its data alone, %s are "
                           "free: with what its variants work in, the largest size that fits is "
                           "%llu",
                           workload->name, (unsigned long long)n, needed, there,
                           (unsigned long long)largest);
        }
        if (fits) {
            plan->size[kept++] = n;
        } else if (*left_out == 0) {
            *left_out = n;
        }
    }
    plan->sizes = kept;
    return kept > 0 ? BE_OK
                    : be_fail(error, BE_NOMEM,
                              "%s: no size of %llu..%llu fits the host's free memory (%s): "
                              "the largest that fits is %llu",
                              workload->name, (unsigned long long)from, (unsigned long long)to,
                              there, (unsigned long long)largest);
}

enum be_status be_fit_plans(const struct be_compare_options *options, const struct be_known *known,
                            struct be_plan *plan, int *plans, struct be_error *error) {
    const struct be_fit fit = {.options = options}; /* no place is open yet */
    enum be_status status = be_choose(options, known, plan, plans, error);
    for (int i = 0; status == BE_OK && i < *plans; i++) {
        uint64_t left_out;
        struct be_plan copy = plan[i];
        status = be_fit_taken(&copy, error);
        status = status == BE_OK ? be_fit_keep(&fit, &copy, &left_out, error) : status;
    }
    return status == BE_OK ? be_named_check(&fit, plan, *plans, error) : status;
}
