#include "cli/predict/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bench/choose.h"
#include "cli/common/parameters.h"
#include "elsewhere/foretell.h"
#include "machine/profile.h"
#include "question/cores.h"

/* A large GPU that was measured, the usual one, a small one. */
static const char *const usual[] = {"h100", "a100-80", "t4"};

/* ---- options -------------------------------------------------------------------------------- */

static bool has_parameter(const char *workload, const char *parameter) {
    const char *name, *what;
    for (int i = 0; be_workload_parameter(workload, i, &name, &what); i++) {
        if (strcmp(name, parameter) == 0) {
            return true;
        }
    }
    return false;
}

enum be_status be_cli_workload_take(struct be_formulas *formulas,
                                    struct be_compare_options *options, struct be_error *error) {
    const char *workload = options->workload[0];
    enum be_status status = BE_OK;
    for (int i = 0; !status && i < BE_FORMULAS; i++) {
        const char *name = be_formulas_name(i);
        if (!formulas->text[i]) {
            continue;
        }
        if (!has_parameter(workload, name)) {
            return be_fail(error, BE_USAGE,
                           "--%s: %.60s says its own numbers, and has no such parameter: leave the "
                           "option out, or the workload",
                           name, workload);
        }
        status = be_cli_parameter(name, formulas->text[i], options, error);
        formulas->text[i] = NULL;
    }
    const bool other = formulas->all_in_chain || formulas->flags.matrix || formulas->flags.stream ||
                       formulas->flags.first_call || formulas->flags.framework;
    return status || !other ? status
                            : be_fail(error, BE_USAGE,
                                      "--sequential, --matrix, --elementwise, --first-call, "
                                      "--framework: belong "
                                      "to a computation that is "
                                      "described by numbers: leave them out, or leave %.60s out",
                                      workload);
}

/* ---- one plan ------------------------------------------------------------------------------- */

static enum be_status set_sizes(const struct be_plan *plan, struct be_predict_table *table,
                                struct be_error *error) {
    table->n = calloc(BE_LIST_MAX, sizeof *table->n);
    if (!table->n) {
        return be_fail(error, BE_NOMEM, "no host memory for sizes");
    }
    for (int i = 0; i < plan->sizes; i++) {
        table->n[table->sizes++] = (double)plan->size[i];
    }
    return BE_OK;
}

static void set_titles(const struct be_plan *plan, struct be_predict_table *table) {
    const struct be_problem *problem = &plan->problem;
    const struct be_workload *w = problem->workload;
    be_copy_text(table->workload, sizeof table->workload, w->name);
    be_copy_text(table->dtype, sizeof table->dtype,
                 w->dtype ? w->dtype : be_real_name(problem->real));
    be_copy_text(table->size_name, sizeof table->size_name, w->parameter[problem->swept].name);
    be_problem_text(problem, table->parameters, sizeof table->parameters);
}

static enum be_status choose(const struct be_compare_options *options, struct be_known *known,
                             struct be_plan *plan, struct be_error *error) {
    int plans = 0;
    struct be_plan *all = calloc(BE_LIST_MAX, sizeof *all);
    if (!all) {
        return be_fail(error, BE_NOMEM, "no host memory for a plan");
    }
    enum be_status status = be_known_open(options, known, error);
    status = status ? status : be_choose(options, known, all, &plans, error);
    *plan = all[0];
    free(all);
    return status;
}

/* ---- machines ------------------------------------------------------------------------------- */

static enum be_status open_there(const struct be_table_asked *asked, const char *name,
                                 struct be_table *p, struct be_there *there,
                                 struct be_error *error) {
    char without[2 * BE_NAME];
    enum be_status status = BE_OK;
    if (be_cores_named(name, without, sizeof without) > 0) {
        status = be_profile_named(name, &there->own, error);
        return status ? status : be_there_of_profile(&there->own, there, error);
    }
    if (strcmp(name, "here") != 0) {
        return be_there_open(name, there, error);
    }
    status = be_here_open(&p->here, asked->how, error);
    return status ? status : be_there_of_profile(&p->here.profile, there, error);
}

static const char *gpu_name(const struct be_there *there) {
    const struct be_device_info *known = there->profile ? be_profile_gpu(there->profile) : NULL;
    for (int i = 0; !known && i < there->times.machine.devices; i++) {
        const struct be_device_info *info = &there->times.machine.device[i];
        known = info->kind == BE_KIND_GPU ? info : NULL;
    }
    return known ? known->name : "";
}

/* Where nobody named the sizes, those at the end of which nothing is known are left out. */
static enum be_status fill_rows(const struct be_foretell *foretell, const struct be_plan *plan,
                                bool sizes_asked, struct be_predict_table *table,
                                struct be_predict_machine *machine, struct be_error *error) {
    enum be_status status = BE_OK;
    machine->row = calloc(table->sizes, sizeof *machine->row);
    if (!machine->row) {
        return be_fail(error, BE_NOMEM, "no host memory for predictions");
    }
    for (size_t i = 0; i < table->sizes && !status; i++) {
        const struct be_problem problem = be_problem_sized(&plan->problem, plan->size[i]);
        status = be_foretell_at(foretell, &problem, machine->placement, &machine->row[i], error);
        if (status == BE_ABSENT && i > 0 && !sizes_asked) {
            table->sizes = i;
            status = BE_OK;
        }
    }
    return status;
}

static enum be_status add_placements(const struct be_compare_options *options,
                                     const struct be_plan *plan, const char *name,
                                     const struct be_foretell *foretell,
                                     struct be_predict_table *table, struct be_error *error) {
    const struct be_there *gpu = foretell->gpu;
    const bool any = options->placement[BE_COPY] || options->placement[BE_PRELOAD] ||
                     options->placement[BE_RESIDENT];
    enum be_status status = BE_OK;
    for (int placement = BE_COPY; placement < BE_PLACEMENTS && !status; placement++) {
        if (any ? !options->placement[placement] : placement == BE_PRELOAD) {
            continue;
        }
        struct be_predict_machine *m = &table->machine[table->machines++];
        be_copy_text(m->name, sizeof m->name, name);
        be_copy_text(m->gpu, sizeof m->gpu, gpu_name(gpu));
        be_copy_text(m->scaled_from, sizeof m->scaled_from, gpu->scaled_from);
        be_copy_text(m->cpu_scaled_from, sizeof m->cpu_scaled_from, foretell->cpu->cpu_scaled_from);
        m->placement = (enum be_placement)placement;
        m->data_sheet =
            gpu->profile && gpu->profile->source == BE_SOURCE_DATA_SHEET && !be_there_measured(gpu);
        status = fill_rows(foretell, plan, options->sizes || options->size_from || plan->is_list,
                           table, m, error);
    }
    return status;
}

static enum be_status add_machine(const struct be_table_asked *asked,
                                  const struct be_compare_options *options,
                                  const struct be_plan *plan, const char *name,
                                  const struct be_there *cpu, struct be_table *p,
                                  struct be_error *error) {
    struct be_there gpu = {0};
    struct be_foretell foretell;
    enum be_status status = open_there(asked, name, p, &gpu, error);
    if (!status && be_foretell_open(cpu, &gpu, &foretell, error) != BE_OK) {
        status = be_context(error, "%.60s", name);
    }
    status = status ? status : add_placements(options, plan, name, &foretell, &p->table, error);
    be_there_close(&gpu);
    return status;
}

static enum be_status add_machines(const struct be_table_asked *asked,
                                   const struct be_compare_options *options,
                                   const struct be_plan *plan, const struct be_there *cpu,
                                   struct be_table *p, struct be_error *error) {
    const char *only_here = "here";
    const bool gpu_here = p->here.known && be_profile_gpu(&p->here.profile);
    const char *const *name = asked->machines ? asked->machine : gpu_here ? &only_here : usual;
    const int names = asked->machines ? asked->machines : gpu_here ? 1 : (int)BE_COUNT(usual);
    enum be_status status = BE_OK;
    p->table.machine = calloc((size_t)names * BE_PLACEMENTS, sizeof *p->table.machine);
    if (!p->table.machine) {
        return be_fail(error, BE_NOMEM, "no host memory for machines");
    }
    for (int i = 0; i < names && !status; i++) {
        status = add_machine(asked, options, plan, name[i], cpu, p, error);
    }
    return status;
}

/* Where nobody named the sizes, those at the end whose CPU time is not known are left out. */
static void answer(bool sizes_asked, struct be_predict_table *table) {
    const struct be_prediction *row = table->machine[0].row;
    while (!sizes_asked && table->sizes > 1 &&
           row[table->sizes - 1].cpu.origin == BE_PREDICTED_UNKNOWN) {
        table->sizes--;
    }
    for (size_t i = 0; i < table->machines; i++) {
        struct be_predict_machine *m = &table->machine[i];
        m->worth = be_predict_worth_of(table->n, m->row, table->sizes);
    }
}

enum be_status be_cli_workload_make(const struct be_table_asked *asked,
                                    const struct be_compare_options *options, struct be_table *p,
                                    struct be_error *error) {
    const char *cpu_name = asked->cpu ? asked->cpu : "here";
    struct be_known known = {0};
    struct be_plan plan;
    struct be_there cpu = {0};
    enum be_status status = choose(options, &known, &plan, error);
    p->table.measured_s = asked->measured_s;
    status = status ? status : set_sizes(&plan, &p->table, error);
    status = status ? status : open_there(asked, cpu_name, p, &cpu, error);
    if (!status) {
        set_titles(&plan, &p->table);
        be_copy_text(p->table.cpu_name, sizeof p->table.cpu_name, cpu_name);
        be_copy_text(p->table.cpu, sizeof p->table.cpu,
                     be_there_measured(&cpu) ? cpu.times.machine.cpu
                     : cpu.profile           ? cpu.profile->machine.cpu
                                             : "");
        status = add_machines(asked, options, &plan, &cpu, p, error);
    }
    if (!status) {
        answer(asked->size->values || asked->size->from || plan.is_list, &p->table);
    }
    if (*p->here.remark) {
        p->table.remark[p->table.remarks++] = p->here.remark;
    }
    be_there_close(&cpu);
    be_known_close(&known);
    return status;
}
