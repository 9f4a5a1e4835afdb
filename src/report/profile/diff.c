/* Two profiles side by side: figures that both have, and how they differ. */
#include "report/profile/diff.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/figure_kinds.h"
#include "machine/profile.h"
#include "report/common/csv.h"
#include "report/common/out.h"
#include "report/profile/fields.h"
#include "report/profile/profile.h"

/* ---- devices -------------------------------------------------------------------------------- */

static const struct be_device_info *nth_of(const struct be_machine *machine, const char *backend,
                                           int n) {
    for (int i = 0; i < machine->devices; i++) {
        if (strcmp(machine->device[i].backend, backend) == 0 && n-- == 0) {
            return &machine->device[i];
        }
    }
    return NULL;
}

/* Id in `to` of the device that is called `id` in `from`: the same id, else the same place among
 * those of its backend; the id itself where `to` has no such. */
static const char *counterpart(const struct be_machine *from, const struct be_machine *to,
                               const char *id) {
    for (int i = 0; i < to->devices; i++) {
        if (strcmp(to->device[i].id, id) == 0) {
            return id;
        }
    }
    int before = 0;
    for (int i = 0; i < from->devices; i++) {
        const struct be_device_info *here = &from->device[i];
        if (strcmp(here->id, id) != 0) {
            continue;
        }
        for (int k = 0; k < i; k++) {
            before += strcmp(from->device[k].backend, here->backend) == 0;
        }
        const struct be_device_info *there = nth_of(to, here->backend, before);
        return there ? there->id : id;
    }
    return id;
}

/* ---- figures -------------------------------------------------------------------------------- */

static bool meet(const struct be_figure *a, const struct be_figure *b) {
    return a->lo <= b->hi && b->lo <= a->hi; /* false where one has no interval */
}

static bool measured_once(const struct be_figure *figure) {
    return figure->n == 1 && figure->source == BE_SOURCE_MEASURED;
}

static enum be_diff_verdict judge(const struct be_figure *a, const struct be_figure *b) {
    const double alike = 0.01;
    if (a->source != b->source) {
        return BE_DIFF_SHEET;
    }
    if (fabs(b->value - a->value) <= alike * fabs(a->value)) {
        return BE_DIFF_SAME;
    }
    if (meet(a, b)) {
        return BE_DIFF_CLOSE;
    }
    if (measured_once(a) || measured_once(b)) {
        return BE_DIFF_ONCE;
    }
    bool more = b->value > a->value;
    if (more != (b->median > a->median) && isfinite(a->median) && isfinite(b->median)) {
        return BE_DIFF_CLOSE; /* the best of one, the median of the other */
    }
    return more == be_unit_is_rate(a->unit) ? BE_DIFF_BETTER : BE_DIFF_WORSE;
}

static void fill_row(struct be_diff_row *row, const struct be_figure *a,
                     const struct be_figure *b) {
    const struct be_figure *one = a ? a : b;
    *row = (struct be_diff_row){.threads = one->threads,
                                .threads_b = b ? b->threads : one->threads,
                                .bytes = one->bytes,
                                .bytes_b = b ? b->bytes : one->bytes,
                                .unit = one->unit,
                                .a = a ? a->value : NAN,
                                .b = b ? b->value : NAN,
                                .ratio = a && b ? b->value / a->value : NAN,
                                .verdict = a && b ? judge(a, b)
                                           : a    ? BE_DIFF_ONLY_A
                                                  : BE_DIFF_ONLY_B,
                                .source_a = one->source,
                                .source_b = b ? b->source : one->source};
    be_copy_text(row->device, sizeof row->device, a ? a->device : "");
    be_copy_text(row->device_b, sizeof row->device_b, b ? b->device : "");
    be_copy_text(row->what, sizeof row->what, one->what);
    be_copy_text(row->dtype, sizeof row->dtype, one->dtype);
    be_copy_text(row->peer, sizeof row->peer, one->peer);
}

/* The same figure with that many threads, of the same size. */
static const struct be_figure *equal(const struct be_profile *from, const struct be_profile *to,
                                     const struct be_figure *f, int threads) {
    const char *device = counterpart(&from->machine, &to->machine, f->device);
    const char *peer = *f->peer ? counterpart(&from->machine, &to->machine, f->peer) : "";
    const struct be_figure *found =
        be_profile_figure(to, device, f->what, f->dtype, threads, f->bytes, peer);
    return found && found->unit == f->unit ? found : NULL;
}

/* The figure that is like `f` in all but its size and has that many threads, at its largest size: those without one, of
 * data sheets, come last. */
static const struct be_figure *largest(const struct be_profile *from, const struct be_profile *to,
                                       const struct be_figure *f, int threads) {
    const char *device = counterpart(&from->machine, &to->machine, f->device);
    const char *peer = *f->peer ? counterpart(&from->machine, &to->machine, f->peer) : "";
    const struct be_figure *found = NULL;
    for (size_t i = 0; i < to->figures; i++) {
        const struct be_figure *other = &to->figure[i];
        if (strcmp(other->what, f->what) == 0 && strcmp(other->device, device) == 0 &&
            strcmp(other->dtype, f->dtype) == 0 && strcmp(other->peer, peer) == 0 &&
            other->threads == threads && other->unit == f->unit &&
            (!found || !(other->bytes <= found->bytes))) {
            found = other;
        }
    }
    return found;
}

/* Beyond the caches a size is as good as another, and how large that is depends on the caches. So where the
 * largest of neither side has its equal, they stand beside each other. */
static const struct be_figure *partner(const struct be_profile *from, const struct be_profile *to,
                                       const struct be_figure *f, int threads) {
    const struct be_figure *found = equal(from, to, f, threads);
    if (found || largest(from, from, f, f->threads) != f) {
        return found;
    }
    found = largest(from, to, f, threads);
    return found && !equal(to, from, found, f->threads) ? found : NULL;
}

/* The figure for all cores of `to`, where `f` is of all cores of `from` and those are more or fewer. */
static const struct be_figure *whole(const struct be_profile *from, const struct be_profile *to,
                                     const struct be_figure *f) {
    const int here = be_profile_max_threads(from, f->device);
    const int there =
        be_profile_max_threads(to, counterpart(&from->machine, &to->machine, f->device));
    return f->threads > 0 && f->threads == here && there > 0 && there != here
               ? partner(from, to, f, there)
               : NULL;
}

static void add_rows(struct be_diff *diff) {
    const struct be_profile *a = diff->profile[0], *b = diff->profile[1];
    for (size_t i = 0; i < a->figures; i++) {
        const struct be_figure *f = &a->figure[i];
        const struct be_figure *same = partner(a, b, f, f->threads), *all = whole(a, b, f);
        if (same || !all) {
            fill_row(&diff->row[diff->rows++], f, same);
        }
        if (all) {
            fill_row(&diff->row[diff->rows++], f, all);
        }
    }
    for (size_t i = 0; i < b->figures; i++) {
        const struct be_figure *f = &b->figure[i];
        if (!partner(b, a, f, f->threads) && !whole(b, a, f)) {
            fill_row(&diff->row[diff->rows++], NULL, f);
        }
    }
}

/* Is `other` the same thing at a larger size, with a value on both sides? */
static bool is_larger(const struct be_diff_row *other, const struct be_diff_row *row) {
    return strcmp(other->what, row->what) == 0 && strcmp(other->device, row->device) == 0 &&
           strcmp(other->dtype, row->dtype) == 0 && strcmp(other->peer, row->peer) == 0 &&
           other->threads == row->threads && other->threads_b == row->threads_b &&
           other->bytes > row->bytes && (isfinite(other->ratio) || !isfinite(row->ratio));
}

static void find_minor(struct be_diff *diff) {
    for (size_t i = 0; i < diff->rows; i++) {
        struct be_diff_row *row = &diff->row[i];
        bool many = strncmp(row->what, "bus_", 4) == 0 || strcmp(row->what, "working_set") == 0 ||
                    strcmp(row->what, "update_set") == 0;
        for (size_t k = 0; many && !row->minor && k < diff->rows; k++) {
            row->minor = is_larger(&diff->row[k], row);
        }
    }
}

/* ---- facts ---------------------------------------------------------------------------------- */

/* A fact that only one of the two has is no difference that anyone could weigh: it is left out. */
static void add_fact(struct be_diff *diff, const char *device, const char *name, const char *a,
                     const char *b) {
    if (*a && *b && strcmp(a, b) != 0) {
        struct be_diff_fact *fact = &diff->fact[diff->facts++];
        be_copy_text(fact->device, sizeof fact->device, device);
        be_copy_text(fact->name, sizeof fact->name, name);
        be_copy_text(fact->a, sizeof fact->a, a);
        be_copy_text(fact->b, sizeof fact->b, b);
    }
}

static void add_count(struct be_diff *diff, const char *name, int a, int b) {
    char text[2][BE_NAME] = {"", ""};
    if (a > 0 && b > 0) {
        snprintf(text[0], BE_NAME, "%d", a);
        snprintf(text[1], BE_NAME, "%d", b);
    }
    add_fact(diff, "", name, text[0], text[1]);
}

static const struct be_device_info *device_of(const struct be_machine *machine, const char *id) {
    for (int i = 0; i < machine->devices; i++) {
        if (strcmp(machine->device[i].id, id) == 0) {
            return &machine->device[i];
        }
    }
    return NULL;
}

enum { MACHINE_FACTS = 4 + 2 * BE_DEVICES_MAX };

static void add_machine(struct be_diff *diff) {
    const struct be_machine *a = &diff->profile[0]->machine, *b = &diff->profile[1]->machine;
    add_fact(diff, "", "cpu", a->cpu, b->cpu);
    add_count(diff, "cores_allowed", a->cores_allowed, b->cores_allowed);
    add_fact(diff, "", "os", diff->profile[0]->environment.kernel,
             diff->profile[1]->environment.kernel);
    add_fact(diff, "", "simd", diff->profile[0]->environment.simd,
             diff->profile[1]->environment.simd);
    for (int i = 0; i < a->devices; i++) {
        const struct be_device_info *here = &a->device[i];
        const struct be_device_info *there = device_of(b, counterpart(a, b, here->id));
        if (there && strcmp(here->backend, "cpu") != 0) {
            add_fact(diff, here->id, "name", here->name, there->name);
            add_fact(diff, here->id, "driver", here->driver, there->driver);
        }
    }
}

/* The same number in other words, "16" and "16 lanes", is no difference. */
static void add_facts(struct be_diff *diff) {
    const struct be_profile *a = diff->profile[0], *b = diff->profile[1];
    add_machine(diff);
    for (size_t i = 0; i < a->facts; i++) {
        const struct be_fact *f = &a->fact[i];
        const char *device = *f->device ? counterpart(&a->machine, &b->machine, f->device) : "";
        const struct be_fact *other = be_profile_fact(b, device, f->name);
        bool said = strcmp(f->name, "driver") == 0;
        if (other && !(said && *f->device) && !(f->number == other->number)) {
            add_fact(diff, f->device, f->name, f->text, other->text);
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

enum be_status be_diff_make(const struct be_profile *a, const struct be_profile *b,
                            struct be_diff *diff, struct be_error *error) {
    *diff = (struct be_diff){.profile = {a, b}};
    diff->row = calloc(2 * a->figures + b->figures + 1, sizeof *diff->row);
    diff->fact = calloc(a->facts + MACHINE_FACTS, sizeof *diff->fact);
    if (!diff->row || !diff->fact) {
        be_diff_free(diff);
        return be_fail(error, BE_NOMEM, "compare profiles: no host memory for %zu figures",
                       a->figures + b->figures);
    }
    add_rows(diff);
    find_minor(diff);
    add_facts(diff);
    return BE_OK;
}

void be_diff_free(struct be_diff *diff) {
    free(diff->row);
    free(diff->fact);
    *diff = (struct be_diff){0};
}

static void diff_csv(const struct be_diff *diff, struct be_text *out) {
    be_csv_records(&be_fields_diff, diff->row, diff->rows, sizeof *diff->row, out);
}

enum be_status be_profile_diff_write(const struct be_profile *a, const struct be_profile *b,
                                     enum be_format format, FILE *out, struct be_error *error) {
    static void (*const writers[])(const struct be_diff *, struct be_text *) = {
        [BE_TEXT] = be_diff_text, [BE_JSON] = be_diff_json, [BE_CSV] = diff_csv};
    struct be_diff diff;
    struct be_text text = {0};
    if ((size_t)format >= BE_COUNT(writers)) {
        return be_report_no_format("compare profiles", format, error);
    }
    enum be_status status = be_diff_make(a, b, &diff, error);
    if (status) {
        return status;
    }
    writers[format](&diff, &text);
    be_diff_free(&diff);
    return be_report_out(&text, out, error);
}
