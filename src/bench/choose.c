#include "bench/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"

/* ---- names ---------------------------------------------------------------------------------- */

/* Appends a name that is not in the list yet. */
static void add_name(char *list, size_t capacity, const char *name) {
    size_t used = strlen(list);
    size_t length = strlen(name);
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name)) {
        bool begins = at == list || at[-1] == ' ';
        if (begins && (at[length] == ',' || at[length] == '\0')) {
            return;
        }
    }
    snprintf(list + used, capacity - used, "%s%s", used ? ", " : "", name);
}

static enum be_status no_workload(const struct be_known *known, const char *name,
                                  struct be_error *error) {
    char names[BE_NOTE] = "", meant[BE_NAME + 24] = "";
    size_t min = be_near_limit(strlen(name));
    for (int i = 0; i < known->workloads; i++) {
        add_name(names, sizeof names, known->workload[i]->name);
        if (be_is_nearer(name, strlen(name), known->workload[i]->name, &min)) {
            snprintf(meant, sizeof meant, " (did you mean %s?)", known->workload[i]->name);
        }
    }
    return be_fail(error, BE_USAGE, "workload %.60s: no such one%s; there are: %s", name, meant,
                   names);
}

static int find_parameter(const struct be_workload *workload, const char *name) {
    for (int i = 0; i < workload->parameters; i++) {
        if (strcmp(workload->parameter[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* It has no meaning at either end of its range: 0, which may stand for "as the other one", is one of its values. */
static bool is_idle(const struct be_plan *plan, const struct be_parameter *parameter, int at) {
    struct be_problem least = plan->problem, most = plan->problem;
    least.value[at] = parameter->min;
    most.value[at] = parameter->max;
    return parameter->unless && parameter->idle(&least) && parameter->idle(&most);
}

/* An option that has no meaning beside the others, with any of the workloads that have it. */
static enum be_status check_idle(const char *name, const struct be_plan *plan, int plans,
                                 struct be_error *error) {
    const struct be_parameter *idle = NULL;
    const char *workload = "";
    for (int k = 0; k < plans; k++) {
        const struct be_workload *w = plan[k].problem.workload;
        int at = find_parameter(w, name);
        const struct be_parameter *found = at >= 0 ? &w->parameter[at] : NULL;
        if (found && !is_idle(&plan[k], found, at)) {
            return BE_OK;
        }
        idle = found ? found : idle;
        workload = at >= 0 ? w->name : workload;
    }
    return idle ? be_fail(error, BE_USAGE, "%s: --%s has no meaning without %s", workload, name,
                          idle->unless)
                : BE_OK;
}

/* Options that no workload asked for has are mistakes, not to be passed over. */
static enum be_status check_choices(const struct be_compare_options *options,
                                    const struct be_plan *plan, int plans, struct be_error *error) {
    for (int i = 0; i < options->choices; i++) {
        const char *name = options->choice[i].name;
        char known[BE_NOTE] = "";
        bool found = false;
        for (int k = 0; k < plans; k++) {
            const struct be_workload *w = plan[k].problem.workload;
            found |= find_parameter(w, name) >= 0;
            for (int p = 0; p < w->parameters; p++) {
                add_name(known, sizeof known, w->parameter[p].name);
            }
        }
        if (!found) {
            return be_fail(error, BE_USAGE, "--%.60s: %s %s no such parameter; there are: %s", name,
                           plans == 1 ? plan[0].problem.workload->name : "the workloads",
                           plans == 1 ? "has" : "have", known);
        }
        enum be_status status = check_idle(name, plan, plans, error);
        if (status != BE_OK) {
            return status;
        }
    }
    return BE_OK;
}

static enum be_status check_variants(const struct be_compare_options *options,
                                     const struct be_plan *plan, int plans,
                                     struct be_error *error) {
    for (int i = 0; i < options->variants; i++) {
        char known[BE_NOTE] = "";
        bool found = false;
        for (int k = 0; k < plans; k++) {
            const struct be_workload *w = plan[k].problem.workload;
            found |= be_variant_find(w, options->variant[i]) != NULL;
            for (int v = 0; v < w->variants; v++) {
                add_name(known, sizeof known, w->variant[v].name);
            }
        }
        if (!found) {
            return be_fail(error, BE_USAGE, "--variant %.60s: no such one; there are: %s",
                           options->variant[i], known);
        }
    }
    return BE_OK;
}

const struct be_workload *be_choose_drawn(const struct be_plan *plan, int plans) {
    for (int i = 0; i < plans; i++) {
        if (plan[i].problem.workload->picture) {
            return plan[i].problem.workload;
        }
    }
    return NULL;
}

static enum be_status check_picture(const struct be_compare_options *options,
                                    const struct be_known *known, const struct be_plan *plan,
                                    int plans, struct be_error *error) {
    char names[BE_NOTE] = "";
    if (!options->picture || be_choose_drawn(plan, plans)) {
        return BE_OK;
    }
    for (int i = 0; i < known->workloads; i++) {
        if (known->workload[i]->picture) {
            add_name(names, sizeof names, known->workload[i]->name);
        }
    }
    return be_fail(error, BE_USAGE, "--picture: %s %s no picture; what has one: %s",
                   plans == 1 ? plan[0].problem.workload->name : "the workloads",
                   plans == 1 ? "has" : "have", names);
}

bool be_choose_variant(const struct be_compare_options *options, const struct be_variant *variant) {
    for (int i = 0; i < options->variants; i++) {
        if (strcmp(options->variant[i], variant->name) == 0) {
            return true;
        }
    }
    return options->variants == 0;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static int add_size(uint64_t *size, int count, uint64_t value) {
    if (count < BE_LIST_MAX && (count == 0 || value > size[count - 1])) {
        size[count++] = value;
    }
    return count;
}

/* from, then 1, 3, 10, 30, ... in between, then to. */
static int steps(uint64_t from, uint64_t to, uint64_t *size) {
    int count = add_size(size, 0, from);
    for (uint64_t power = 1; power <= to / 10 || power <= to; power *= 10) {
        const uint64_t step[] = {power, 3 * power};
        for (size_t i = 0; i < BE_COUNT(step); i++) {
            if (step[i] > from && step[i] < to) {
                count = add_size(size, count, step[i]);
            }
        }
        if (power > to / 10) {
            break;
        }
    }
    return add_size(size, count, to);
}

static enum be_status no_kind(const struct be_workload *workload,
                              const struct be_parameter *parameter, struct be_error *error) {
    char known[BE_NOTE] = "";
    for (uint64_t i = 0; i <= parameter->max; i++) {
        add_name(known, sizeof known, parameter->kind[i]);
    }
    return be_fail(error, BE_USAGE, "%s: --%s is one of %s", workload->name, parameter->name,
                   known);
}

static enum be_status check_value(const struct be_workload *workload,
                                  const struct be_parameter *parameter, uint64_t value,
                                  struct be_error *error) {
    if (value >= parameter->min && value <= parameter->max) {
        return BE_OK;
    }
    if (parameter->kind) {
        return no_kind(workload, parameter, error);
    }
    bool below = value < parameter->min;
    return be_fail(error, BE_USAGE, "%s: %s %llu: at %s %llu", workload->name, parameter->name,
                   (unsigned long long)value, below ? "least" : "most",
                   (unsigned long long)(below ? parameter->min : parameter->max));
}

static int ascending(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Smaller sizes foretell how long larger ones take, and no size is measured twice. */
static void sort_sizes(struct be_plan *plan) {
    int kept = 0;
    qsort(plan->size, (size_t)plan->sizes, sizeof *plan->size, ascending);
    for (int i = 0; i < plan->sizes; i++) {
        kept = add_size(plan->size, kept, plan->size[i]);
    }
    plan->sizes = kept;
}

static enum be_status take_list(struct be_plan *plan, const uint64_t *value, int values,
                                struct be_error *error) {
    const struct be_workload *w = plan->problem.workload;
    enum be_status status = BE_OK;
    plan->is_list = true;
    plan->sizes = 0;
    for (int i = 0; status == BE_OK && i < values; i++) {
        status = check_value(w, &w->parameter[plan->problem.swept], value[i], error);
        plan->size[plan->sizes++] = value[i];
    }
    sort_sizes(plan);
    return status;
}

static enum be_status take_range(struct be_plan *plan, uint64_t from, uint64_t to,
                                 struct be_error *error) {
    const struct be_workload *w = plan->problem.workload;
    const struct be_parameter *parameter = &w->parameter[plan->problem.swept];
    if (from > to) {
        return be_fail(error, BE_USAGE, "%s: %s %llu..%llu: the first must not be the larger",
                       w->name, parameter->name, (unsigned long long)from, (unsigned long long)to);
    }
    enum be_status status = check_value(w, parameter, from, error);
    status = status == BE_OK ? check_value(w, parameter, to, error) : status;
    plan->is_list = false;
    plan->sizes = steps(from, to, plan->size);
    return status;
}

/* The sizes that the workload sweeps by default. */
static void take_preset(struct be_plan *plan, bool quick) {
    const struct be_parameter *parameter = &plan->problem.workload->parameter[plan->problem.swept];
    plan->is_list = false;
    plan->sizes = 0;
    for (size_t i = 0; quick && i < BE_COUNT(parameter->look) && parameter->look[i]; i++) {
        plan->size[plan->sizes++] = parameter->look[i];
    }
    if (plan->sizes == 0) {
        plan->sizes = steps(parameter->from, parameter->to, plan->size);
    }
}

static enum be_status take_sizes(const struct be_compare_options *options, struct be_plan *plan,
                                 struct be_error *error) {
    const struct be_parameter *parameter = &plan->problem.workload->parameter[plan->problem.swept];
    if (options->sizes > 0) {
        return take_list(plan, options->size, options->sizes, error);
    }
    if (options->size_from || options->size_to) {
        return take_range(plan, options->size_from ? options->size_from : parameter->from,
                          options->size_to ? options->size_to : parameter->to, error);
    }
    take_preset(plan, options->quick);
    return BE_OK;
}

/* ---- one workload --------------------------------------------------------------------------- */

static bool is_swept(const struct be_choice *choice) {
    return choice->values > 1 || choice->from || choice->to;
}

/* The first that has a meaning beside the values that were given. */
static int first_not_idle(const struct be_compare_options *options,
                          const struct be_workload *workload) {
    struct be_problem problem = be_problem_preset(workload);
    int first = 0;
    for (int i = 0; i < options->choices; i++) {
        int at = find_parameter(workload, options->choice[i].name);
        if (at >= 0 && options->choice[i].values > 0) {
            problem.value[at] = options->choice[i].value[0];
        }
    }
    while (first + 1 < workload->parameters && workload->parameter[first].idle &&
           workload->parameter[first].idle(&problem)) {
        first++;
    }
    return first;
}

/* The parameter that is swept: the one that was given several values, else the first. */
static enum be_status find_swept(const struct be_compare_options *options,
                                 const struct be_workload *workload, int *swept,
                                 struct be_error *error) {
    bool found = false;
    *swept = 0;
    for (int i = 0; i < options->choices; i++) {
        int at = find_parameter(workload, options->choice[i].name);
        if (at < 0 || !is_swept(&options->choice[i])) {
            continue;
        }
        if (workload->parameter[at].kind) {
            return no_kind(workload, &workload->parameter[at], error);
        }
        if (found) {
            return be_fail(error, BE_USAGE,
                           "%s: --%s and --%s both have several values: one parameter is swept at "
                           "a time",
                           workload->name, workload->parameter[*swept].name,
                           options->choice[i].name);
        }
        found = true;
        *swept = at;
    }
    *swept = found ? *swept : first_not_idle(options, workload);
    return BE_OK;
}

static enum be_status take_choices(const struct be_compare_options *options, struct be_plan *plan,
                                   struct be_error *error) {
    const struct be_workload *w = plan->problem.workload;
    enum be_status status = take_sizes(options, plan, error);
    for (int i = 0; status == BE_OK && i < options->choices; i++) {
        const struct be_choice *choice = &options->choice[i];
        int at = find_parameter(w, choice->name);
        if (at < 0) {
            continue;
        }
        if (at == plan->problem.swept &&
            (options->sizes || options->size_from || options->size_to)) {
            status = be_fail(error, BE_USAGE, "%s: --size and --%s both say its sizes: give one",
                             w->name, choice->name);
        } else if (at == plan->problem.swept) {
            status = choice->values > 0
                         ? take_list(plan, choice->value, choice->values, error)
                         : take_range(plan, choice->from ? choice->from : w->parameter[at].from,
                                      choice->to ? choice->to : w->parameter[at].to, error);
        } else {
            status = check_value(w, &w->parameter[at], choice->value[0], error);
            plan->problem.value[at] = choice->value[0];
        }
    }
    return status;
}

/* As results call it. */
static const char *type_name(const struct be_workload *workload, enum be_real real) {
    return workload->dtype ? workload->dtype : be_real_name(real);
}

/* Which of its types is called so; -1: none. NULL: its own. */
static int find_type(const struct be_workload *workload, const char *type) {
    for (int real = 0; type && real < BE_REALS; real++) {
        if ((workload->reals & BE_TAKES(real)) &&
            strcmp(type, type_name(workload, (enum be_real)real)) == 0) {
            return real;
        }
    }
    return type ? -1 : (int)workload->real;
}

static enum be_status take_type(const struct be_compare_options *options, struct be_plan *plan,
                                struct be_error *error) {
    const struct be_workload *w = plan->problem.workload;
    char known[BE_NOTE] = "";
    int found = find_type(w, options->type);
    if (found >= 0) {
        plan->problem.real = (enum be_real)found;
        return BE_OK;
    }
    for (int real = 0; real < BE_REALS; real++) {
        if (w->reals & BE_TAKES(real)) {
            add_name(known, sizeof known, type_name(w, (enum be_real)real));
        }
    }
    return be_fail(error, BE_USAGE, "%s: --type %.40s: it has %s", w->name, options->type, known);
}

static enum be_status plan_one(const struct be_compare_options *options,
                               const struct be_workload *workload, struct be_plan *plan,
                               struct be_error *error) {
    int swept = 0;
    enum be_status status = find_swept(options, workload, &swept, error);
    *plan = (struct be_plan){.problem = be_problem_preset(workload)};
    plan->problem.swept = swept;
    status = status == BE_OK ? take_type(options, plan, error) : status;
    return status == BE_OK ? take_choices(options, plan, error) : status;
}

static bool is_planned(const struct be_plan *plan, int plans, const struct be_workload *workload) {
    for (int i = 0; i < plans; i++) {
        if (plan[i].problem.workload == workload) {
            return true;
        }
    }
    return false;
}

/* All that have the type: those handed in, or else the built-in ones. */
static enum be_status plan_all(const struct be_compare_options *options,
                               const struct be_known *known, struct be_plan *plan, int *plans,
                               struct be_error *error) {
    const int count = known->owns > 0 ? known->owns : known->workloads;
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < count; i++) {
        if (find_type(known->workload[i], options->type) >= 0) {
            status = plan_one(options, known->workload[i], &plan[(*plans)++], error);
        }
    }
    return status == BE_OK && *plans == 0
               ? be_fail(error, BE_USAGE, "--type %.40s: no workload has it", options->type)
               : status;
}

enum be_status be_choose(const struct be_compare_options *options, const struct be_known *known,
                         struct be_plan *plan, int *plans, struct be_error *error) {
    *plans = 0;
    enum be_status status =
        options->workloads == 0 ? plan_all(options, known, plan, plans, error) : BE_OK;
    for (int i = 0; status == BE_OK && i < options->workloads; i++) {
        const struct be_workload *w = be_known_find(known, options->workload[i]);
        if (is_planned(plan, *plans, w)) {
            continue; /* named twice */
        }
        status = w ? plan_one(options, w, &plan[(*plans)++], error)
                   : no_workload(known, options->workload[i], error);
    }
    status = status == BE_OK ? check_choices(options, plan, *plans, error) : status;
    status = status == BE_OK ? check_variants(options, plan, *plans, error) : status;
    return status == BE_OK ? check_picture(options, known, plan, *plans, error) : status;
}
