#include "question/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/profile.h"

/* A large GPU, the usual one, a small one. */
static const char *const usual[] = {"h200", "a100-80", "t4"};

enum { MOST_SIZES = 64 };

/* ---- sizes ---------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static void add_size(struct be_predict_table *table, double n) {
    if (table->sizes < MOST_SIZES) {
        table->n[table->sizes++] = n;
    }
}

/* Both ends, and 1 and 3 of each power of ten between them. */
static void add_range(struct be_predict_table *table, double from, double to) {
    add_size(table, from);
    for (double decade = 1; decade < to; decade *= 10) {
        for (int step = 1; step <= 3; step += 2) {
            if (step * decade > from && step * decade < to) {
                add_size(table, step * decade);
            }
        }
    }
    if (to > from) {
        add_size(table, to);
    }
}

static enum be_status list_sizes(const struct be_table_asked *asked, struct be_predict_table *table,
                                 struct be_error *error) {
    const struct be_choice *size = asked->size;
    const char *of_n = be_formulas_of_n(asked->formulas);
    if (!size->values && !size->from && of_n) {
        return be_fail(error, BE_USAGE, "%s%s has n in it: say the sizes, as %s",
                       asked->formulas->typed ? "--" : "", of_n,
                       asked->formulas->typed ? "--size=1e2..1e5" : "[100, 100000]");
    }
    table->n = calloc(MOST_SIZES, sizeof *table->n);
    if (!table->n) {
        return be_fail(error, BE_NOMEM, "no host memory for sizes");
    }
    for (int i = 0; i < size->values; i++) {
        add_size(table, (double)size->value[i]);
    }
    if (size->from) {
        add_range(table, (double)size->from, (double)size->to);
    }
    if (!table->sizes) {
        add_size(table, 1);
    }
    qsort(table->n, table->sizes, sizeof *table->n, by_size);
    return BE_OK;
}

/* ---- machines ------------------------------------------------------------------------------- */

/* The CPU's side. */
static enum be_status open_cpu(const struct be_table_asked *asked, struct be_table *p,
                               const struct be_profile **cpu, struct be_error *error) {
    const bool here = !asked->cpu || strcmp(asked->cpu, "here") == 0;
    enum be_status status = here ? be_here_open(&p->here, asked->how, error)
                                 : be_profile_named(asked->cpu, &p->cpu, error);
    *cpu = here ? &p->here.profile : &p->cpu;
    be_copy_text(p->table.cpu_name, sizeof p->table.cpu_name, here ? "here" : asked->cpu);
    be_copy_text(p->table.cpu, sizeof p->table.cpu, (*cpu)->machine.cpu);
    return status;
}

static enum be_status fill(const struct be_table_asked *asked, const struct be_predictor *predictor,
                           struct be_predict_table *table, struct be_predict_machine *machine,
                           struct be_error *error) {
    const double largest = table->n[table->sizes - 1];
    enum be_status status = BE_OK;
    machine->row = calloc(table->sizes, sizeof *machine->row);
    if (!machine->row) {
        return be_fail(error, BE_NOMEM, "no host memory for predictions");
    }
    for (size_t i = 0; i < table->sizes && !status; i++) {
        struct be_predict_work work;
        status = be_formulas_at(asked->formulas, table->n[i], &work, error);
        status = status ? status : be_predict(predictor, &work, &machine->row[i], error);
        if (status) {
            return be_context(error, "n = %g", table->n[i]);
        }
        table->work = i == 0 ? work : table->work;
    }
    return be_worth(predictor, be_formulas_work, asked->formulas, largest, largest, &machine->worth,
                    error);
}

static enum be_status add_machine(const struct be_table_asked *asked, const char *name,
                                  const struct be_profile *cpu, struct be_table *p,
                                  struct be_error *error) {
    struct be_profile named = {0};
    struct be_predictor *predictor = NULL;
    const bool here = strcmp(name, "here") == 0;
    enum be_status status =
        here ? be_here_open(&p->here, asked->how, error) : be_profile_named(name, &named, error);
    const struct be_profile *profile = here ? &p->here.profile : &named;
    const struct be_device_info *gpu = be_profile_gpu(profile);
    status = status ? status : be_predictor_open(cpu, profile, &predictor, error);
    if (!status) {
        struct be_predict_machine *m = &p->table.machine[p->table.machines++];
        be_copy_text(m->name, sizeof m->name, name);
        be_copy_text(m->gpu, sizeof m->gpu, gpu ? gpu->name : "");
        m->data_sheet = profile->source == BE_SOURCE_DATA_SHEET;
        status = fill(asked, predictor, &p->table, m, error);
    }
    be_predictor_close(predictor);
    be_profile_free(&named);
    return status;
}

/* "here" without a GPU is no error beside others: the CPU of the other side is here. */
static bool passes_over(const char *name, int names, const struct be_table *p) {
    return strcmp(name, "here") == 0 && names > 1 && p->here.known &&
           !be_profile_gpu(&p->here.profile);
}

static void remark(struct be_predict_table *table, const char *text) {
    if (*text) {
        table->remark[table->remarks++] = text;
    }
}

enum be_status be_table_make(const struct be_table_asked *asked, struct be_table *p,
                             struct be_error *error) {
    const char *only_here = "here";
    const struct be_profile *cpu = NULL;
    enum be_status status = list_sizes(asked, &p->table, error);
    p->table.measured_s = asked->measured_s;
    status = status ? status : open_cpu(asked, p, &cpu, error);
    if (status) {
        return status;
    }
    const bool gpu_here = p->here.known && be_profile_gpu(&p->here.profile);
    const char *const *name = asked->machines ? asked->machine : gpu_here ? &only_here : usual;
    const int names = asked->machines ? asked->machines : gpu_here ? 1 : (int)BE_COUNT(usual);
    p->table.machine = calloc((size_t)names, sizeof *p->table.machine);
    if (!p->table.machine) {
        return be_fail(error, BE_NOMEM, "no host memory for machines");
    }
    for (int i = 0; i < names && !status; i++) {
        if (passes_over(name[i], names, p)) {
            remark(&p->table, "here: no GPU was found; its CPU is the other side");
        } else {
            status = add_machine(asked, name[i], cpu, p, error);
        }
    }
    remark(&p->table, p->here.remark);
    return status;
}

void be_table_free(struct be_table *p) {
    for (size_t i = 0; i < p->table.machines; i++) {
        free(p->table.machine[i].row);
    }
    free(p->table.machine);
    free(p->table.n);
    be_profile_free(&p->here.profile);
    be_profile_free(&p->cpu);
}

const char *be_table_usual(void) {
    return usual[0];
}
