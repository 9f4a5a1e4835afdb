#include "bench/named.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* Before places are open, all code is thought to have one. */
static bool has_place(const struct be_fit *fit, const struct be_variant *variant) {
    bool has = be_fit_places(fit) == 0;
    for (int i = 0; i < be_fit_places(fit); i++) {
        has |= be_variant_has_code(variant, !fit->run->place[i].threads);
    }
    return has;
}

static const char *reason(const struct be_plan *plan, const struct be_variant *variant, int size) {
    const struct be_problem problem = be_problem_sized(&plan->problem, plan->size[size]);
    return variant->unfit ? variant->unfit(&problem) : NULL;
}

static int sizes_done(const struct be_plan *plan, const struct be_variant *variant) {
    int done = 0;
    for (int i = 0; i < plan->sizes; i++) {
        done += !reason(plan, variant, i);
    }
    return done;
}

static bool is_named(const struct be_fit *fit, const struct be_variant *variant) {
    return fit->options->variants > 0 && be_choose_variant(fit->options, variant);
}

/* ---- in words ------------------------------------------------------------------------------- */

/* The sizes of a plan that one reason is about. */
struct group {
    uint64_t min, max;
    int sizes;
};

/* Those with the same reason as size `at`; none where an earlier size has it. */
static struct group group_of(const struct be_plan *plan, const struct be_variant *variant, int at) {
    const char *why = reason(plan, variant, at);
    struct group group = {.min = plan->size[at], .max = plan->size[at]};
    for (int i = 0; why && i < plan->sizes; i++) {
        const char *other = reason(plan, variant, i);
        if (!other || strcmp(other, why) != 0) {
            continue;
        }
        if (i < at) {
            return (struct group){.sizes = 0};
        }
        group.min = plan->size[i] < group.min ? plan->size[i] : group.min;
        group.max = plan->size[i] > group.max ? plan->size[i] : group.max;
        group.sizes++;
    }
    return group;
}

/* " left out at order 8 to 100, 5 of 9 sizes (systems 1, float64): it takes ..." */
static void say_sizes(struct be_text *out, const struct be_plan *plan,
                      const struct be_variant *variant) {
    const struct be_workload *w = plan->problem.workload;
    char others[BE_NAME * 2];
    const char *before = "";
    be_problem_text(&plan->problem, others, sizeof others);
    for (int i = 0; i < plan->sizes; i++) {
        const struct group group = group_of(plan, variant, i);
        if (group.sizes == 0) {
            continue;
        }
        char from[BE_WORD], to[BE_WORD];
        be_text_add(out, "%s left out at %s %s", before, w->parameter[plan->problem.swept].name,
                    be_format_n(from, sizeof from, (double)group.min));
        if (group.sizes > 1) {
            be_text_add(out, " to %s, ", be_format_n(to, sizeof to, (double)group.max));
            be_text_add(out, group.sizes == plan->sizes ? "all sizes" : "%d of %d sizes",
                        group.sizes, plan->sizes);
        }
        be_text_add(out, " (%s%s%s): it %s", others, *others ? ", " : "",
                    w->dtype ? w->dtype : be_real_name(plan->problem.real),
                    reason(plan, variant, i));
        before = ";";
    }
}

/* Names the other variants that have code here and do all sizes. */
static void say_others(struct be_text *out, const struct be_fit *fit, const struct be_plan *plan) {
    const struct be_workload *w = plan->problem.workload;
    int others = 0;
    for (int i = 0; i < w->variants; i++) {
        const struct be_variant *v = &w->variant[i];
        if (!is_named(fit, v) && has_place(fit, v) && sizes_done(plan, v) == plan->sizes) {
            be_text_add(out, "%s%s", others++ ? ", " : "; others that can: ", v->name);
        }
    }
}

static void say_devices(struct be_text *out, const struct be_fit *fit) {
    const struct be_machine *machine = &fit->run->machine;
    be_text_add(out, " it has no code for the CPU, and no device beside it is measured");
    if (fit->options->devices > 0) {
        be_text_add(out, ": name one with --device, as --device=cuda");
    }
    for (int i = 0; i < machine->absences && fit->options->devices == 0; i++) {
        be_text_add(out, "%s%s: %s", i ? "; " : " (", machine->absent[i].backend,
                    machine->absent[i].reason);
    }
    be_text_add(out, "%s", machine->absences && fit->options->devices == 0 ? ")" : "");
}

/* Returns whether anything is to be said. */
static bool say_variant(struct be_text *out, const struct be_fit *fit, const struct be_plan *plan,
                        const struct be_variant *variant) {
    const bool placed = has_place(fit, variant);
    if (placed && sizes_done(plan, variant) == plan->sizes) {
        return false;
    }
    be_text_add(out, "%s, variant %s:", plan->problem.workload->name, variant->name);
    if (placed) {
        say_sizes(out, plan, variant);
    } else {
        say_devices(out, fit);
    }
    return true;
}

/* ---- all plans, one plan -------------------------------------------------------------------- */

enum be_status be_named_check(const struct be_fit *fit, const struct be_plan *plan, int plans,
                              struct be_error *error) {
    struct be_text text = {0};
    bool placed = false;
    for (int i = 0; i < plans; i++) {
        const struct be_workload *w = plan[i].problem.workload;
        for (int v = 0; v < w->variants; v++) {
            const bool named = is_named(fit, &w->variant[v]);
            const bool has = named && has_place(fit, &w->variant[v]);
            if (fit->options->variants == 0 || (has && sizes_done(&plan[i], &w->variant[v]))) {
                be_text_free(&text);
                return BE_OK;
            }
            placed |= has;
            be_text_add(&text, "%s", named && text.length ? "; " : "");
            (void)(named && say_variant(&text, fit, &plan[i], &w->variant[v]));
        }
        if (plans == 1) {
            say_others(&text, fit, &plan[i]);
        }
    }
    enum be_status status = be_fail(error, placed ? BE_USAGE : BE_ABSENT, "%s",
                                    text.data ? text.data : "no variant can be measured");
    be_text_free(&text);
    return status;
}

void be_named_remark(struct be_session *session, const struct be_plan *plan) {
    const struct be_workload *w = plan->problem.workload;
    const struct be_fit here = {.options = session->plan.options, .run = &session->run};
    const struct be_fit *fit = &here;
    bool any = fit->options->variants == 0;
    for (int v = 0; v < w->variants; v++) {
        struct be_text text = {0};
        const bool named = is_named(fit, &w->variant[v]);
        if (named && say_variant(&text, fit, plan, &w->variant[v]) && text.data) {
            be_session_remark(session, "%.*s", BE_NOTE - 1, text.data);
        }
        be_text_free(&text);
        any |= named;
    }
    if (!any) {
        be_session_remark(session, "%s: left out, none of its variants was asked for", w->name);
    }
}
