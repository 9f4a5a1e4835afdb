#include "elsewhere/foretell.h"

#include <math.h>

#include "base/error.h"
#include "model/demand.h"

enum be_status be_foretell_open(const struct be_there *cpu, const struct be_there *gpu,
                                struct be_foretell *foretell, struct be_error *error) {
    struct be_error why;
    *foretell = (struct be_foretell){.cpu = cpu, .gpu = gpu};
    if (cpu->profile && be_predict_cpu_places(cpu->profile, &foretell->rule, &why) != BE_OK) {
        foretell->rule.teams = 0;
    }
    foretell->gpu_known =
        gpu->profile && be_predict_gpu_place(gpu->profile, &foretell->rule.gpu, &why) == BE_OK;
    if (!foretell->rule.teams && !be_there_measured(cpu)) {
        return be_fail(
            error, BE_ABSENT,
            "the machine given for the CPU has neither figures nor times of a CPU: leave "
            "--cpu out for the CPU here, or name a profile that `breakeven probe` made, "
            "or times that `compare --save-results` kept");
    }
    if (!foretell->gpu_known && !be_there_has_gpu_times(gpu)) {
        return be_fail(error, BE_ABSENT,
                       "nothing is known of a GPU of it, neither rates nor times: name a machine "
                       "that has one (`breakeven machines` lists them)");
    }
    return BE_OK;
}

/* ---- by the rule ---------------------------------------------------------------------------- */

struct be_predict_work be_foretell_work(const struct be_problem *problem,
                                        enum be_placement placement) {
    const struct be_workload *w = problem->workload;
    const struct be_shape shape = be_problem_shape(problem);
    const struct be_demand_call call = {
        .problem = problem,
        .shape = &shape,
        .variant = &w->variant[0],
        .items = shape.items,
        .in = placement == BE_COPY,
        .work = true,
        .out = placement == BE_COPY || placement == BE_PRELOAD,
        .instances = 1,
    };
    const struct be_demand demand = be_demand_of(&call, shape.operations);
    return (struct be_predict_work){
        .flops = demand.operations + demand.narrow,
        .bytes = demand.bytes,
        .chain_flops = fmin(demand.dependent, demand.operations + demand.narrow),
        .passes = shape.passes,
        .each_bytes = demand.bus_in + demand.bus_out,
        .memory_bytes = demand.working_set,
        .float64 = problem->real == BE_REAL64,
        .matrix = w->matrix,
    };
}

static void forget(struct be_predict_side *side) {
    const struct be_predict_time unknown = {NAN, NAN, NAN};
    *side =
        (struct be_predict_side){.time = unknown, .origin = BE_PREDICTED_UNKNOWN, .limit_s = NAN};
    for (int i = 0; i < BE_TERMS; i++) {
        side->term[i] = unknown;
    }
}

static void by_rule(const struct be_foretell *f, const struct be_problem *problem,
                    const struct be_predict_work *work, struct be_prediction *prediction) {
    const bool counted = !problem->workload->uncounted;
    if (f->rule.teams && counted) {
        be_predict_on_cpu(&f->rule, work, &prediction->cpu);
    } else {
        forget(&prediction->cpu);
    }
    if (f->gpu_known && counted) {
        be_predict_on(&f->rule.gpu, work, &prediction->gpu);
    } else {
        forget(&prediction->gpu);
    }
}

/* ---- by times ------------------------------------------------------------------------------- */

/* Whose time is asked: these times of this workload. */
struct asked {
    const struct be_there *there;
    struct be_result like;
    struct be_times_key key;
};

static struct asked asked_of(const struct be_there *there, const struct be_problem *problem,
                             enum be_placement placement) {
    const struct be_workload *w = problem->workload;
    struct asked a = {.there = there, .key = {.placement = placement, .cache = BE_HOT}};
    be_copy_text(a.like.workload, sizeof a.like.workload, w->name);
    be_copy_text(a.like.dtype, sizeof a.like.dtype,
                 w->dtype ? w->dtype : be_real_name(problem->real));
    be_problem_text(problem, a.like.parameters, sizeof a.like.parameters);
    return a;
}

static void take(const struct asked *a, const struct be_time *time, struct be_predict_side *side) {
    side->time = (struct be_predict_time){time->lo_s, time->median_s, time->hi_s};
    side->threads = time->of->threads;
    side->origin = a->there->times.origin == BE_ORIGIN_PREDICTED ? BE_PREDICTED_SCALED
                   : time->between                               ? BE_PREDICTED_BETWEEN
                                                                 : BE_PREDICTED_MEASURED;
}

/* At a size or with parameters that have no time the rule goes on from those that have one: times the same factor. `rule`:
 * what it says there. */
static void go_on(const struct be_time *nearest, const struct be_predict_side *rule,
                  struct be_predict_side *side) {
    const double by = nearest->median_s / rule->time.typical_s;
    const double least_s = side->limit_s;
    const double below = nearest->lo_s / nearest->median_s,
                 above = nearest->hi_s / nearest->median_s;
    side->time.lo_s = fmax(side->time.lo_s * by * (below < 1 ? below : 1), least_s);
    side->time.typical_s = fmax(side->time.typical_s * by, side->time.lo_s);
    side->time.hi_s = fmax(side->time.hi_s * by * (above > 1 ? above : 1), side->time.typical_s);
    side->origin = BE_PREDICTED_BEYOND;
}

/* `like` has that time. */
static void go_on_from(const struct be_foretell *f, const struct be_problem *like,
                       enum be_placement placement, const struct be_time *time,
                       struct be_predict_side *side) {
    const struct be_predict_work work = be_foretell_work(like, placement);
    struct be_predict_work whole;
    struct be_prediction rule = {0};
    if (be_predict_check(&work, &whole, NULL) == BE_OK) {
        by_rule(f, like, &whole, &rule);
        go_on(time, placement != BE_HOST ? &rule.gpu : &rule.cpu, side);
    }
}

/* The time at that size, or at the one next to it. */
static bool time_near(struct asked *a, uint64_t size, struct be_time *time) {
    a->key.like = &a->like;
    return be_times_at(&a->there->times, &a->key, size, time) ||
           be_times_nearest(&a->there->times, &a->key, size, time);
}

/* Replaces what the rule says by what times say, as far as there are some: of this size; of another one; with the preset
 * parameters. */
static void take_times(const struct be_foretell *f, const struct be_problem *problem,
                       enum be_placement placement, struct be_prediction *prediction) {
    const bool gpu = placement != BE_HOST;
    struct asked a = asked_of(gpu ? f->gpu : f->cpu, problem, placement);
    struct be_predict_side *side = gpu ? &prediction->gpu : &prediction->cpu;
    const uint64_t size = be_problem_size(problem);
    struct be_time time;
    a.key.like = &a.like;
    if (!a.there->has_times) {
        return;
    }
    if (be_times_at(&a.there->times, &a.key, size, &time)) {
        take(&a, &time, side);
        return;
    }
    if (side->origin != BE_PREDICTED_BY_RULE) {
        return;
    }
    struct be_problem preset = be_problem_preset(problem->workload);
    preset.real = problem->real;
    if (time_near(&a, size, &time)) {
        const struct be_problem there = be_problem_sized(problem, time.of->size);
        go_on_from(f, &there, placement, &time, side);
        return;
    }
    a = asked_of(a.there, &preset, placement);
    if (!problem->workload->operations && time_near(&a, size, &time)) {
        const struct be_problem there =
            be_problem_sized(&preset, time.between ? size : time.of->size);
        go_on_from(f, &there, placement, &time, side);
    }
}

/* Where only the inputs tell the operations, they say how a time that is known goes on, but no time by themselves. true:
 * a side without times is unknown. */
static bool forget_uncounted(const struct be_workload *workload, struct be_prediction *p) {
    struct be_predict_side *const side[] = {&p->cpu, &p->gpu};
    for (size_t i = 0; i < BE_COUNT(side) && workload->operations; i++) {
        if (side[i]->origin == BE_PREDICTED_BY_RULE) {
            forget(side[i]);
        }
    }
    return workload->uncounted || workload->operations;
}

enum be_status be_foretell_at(const struct be_foretell *foretell, const struct be_problem *problem,
                              enum be_placement placement, struct be_prediction *prediction,
                              struct be_error *error) {
    const struct be_predict_work work = be_foretell_work(problem, placement);
    struct be_predict_work whole;
    enum be_status status = be_predict_check(&work, &whole, error);
    if (status) {
        return status;
    }
    *prediction = (struct be_prediction){0};
    by_rule(foretell, problem, &whole, prediction);
    const double usual_s = prediction->gpu.time.hi_s;
    take_times(foretell, problem, BE_HOST, prediction);
    take_times(foretell, problem, placement, prediction);
    const bool wanting = forget_uncounted(problem->workload, prediction);
    if (wanting && (prediction->cpu.origin == BE_PREDICTED_UNKNOWN ||
                    prediction->gpu.origin == BE_PREDICTED_UNKNOWN)) {
        return be_fail(
            error, BE_ABSENT,
            "%s: its code has far more to do than its operations and bytes tell, so that no time "
            "follows from them: measure it (`breakeven compare %s`), or name machines that have "
            "times of it (--cpu=h100 --machine=h100)",
            problem->workload->name, problem->workload->name);
    }
    be_predict_judge(foretell->gpu_known ? &foretell->rule.gpu : NULL, &whole, prediction);
    if (!foretell->gpu_known || !(prediction->gpu.time.typical_s <= usual_s)) {
        prediction->cause = BE_CAUSE_STEPS; /* no term of the rule explains that time */
    }
    return BE_OK;
}
