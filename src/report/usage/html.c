/* The usage of many jobs as a page that one can send to somebody: the answer, the worst as bars, all as a table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/page.h"
#include "report/usage/usage.h"
#include "report/usage/words.h"

/* A row is a job or an array, or all jobs of a user, an account or a partition. */
static void add_worst(const struct be_usage *worst, struct be_text *out) {
    char hours[BE_WORD];
    const enum be_usage_kind kind = be_usage_worst(worst);
    const bool whole = !*worst->user || strcmp(worst->user, worst->id) == 0;
    be_text_add(out, " Most of them, %s, are of ", be_usage_hours(hours, worst->unused_s));
    be_text_add_utf8(out, whole ? worst->id : worst->user);
    if (whole) {
        be_text_add(out, " (%d job%s)", worst->jobs, worst->jobs == 1 ? "" : "s");
    } else {
        be_text_add(out, " (job %s)", worst->id);
    }
    if (kind < BE_USAGE_KINDS) {
        be_text_add(out, ": %s", be_usage_kind_title(kind));
    }
    be_text_add(out, ".");
}

static void add_verdict(const struct be_usage_list *list, struct be_text *out) {
    const struct be_usage *total = &list->total;
    struct be_text line = {0};
    char unused[BE_WORD], billed[BE_WORD];
    if (list->rows == 0) {
        be_text_add(&line, "No job that ran is there.");
    } else if (isnan(total->unused_s)) {
        be_text_add(&line, "How much of %d job%s had work is not measured.", total->jobs,
                    total->jobs == 1 ? "" : "s");
    } else {
        be_text_add(&line, "%s of %s billed hours had no work (%.0f %%), in %d job%s.",
                    be_usage_hours(unused, total->unused_s),
                    be_usage_hours(billed, total->billed_known_s),
                    100 * total->unused_s / fmax(total->billed_known_s, 1e-9), total->jobs,
                    total->jobs == 1 ? "" : "s");
        if (list->rows > 1 && list->row[0].unused_s > 0) {
            add_worst(&list->row[0], &line);
        }
    }
    be_page_verdict(out, line.data ? line.data : "");
    out->failed |= line.failed;
    be_text_free(&line);
}

/* "one-core, time-excess": a comma alone does not let a line break. */
static const char *apart(char *to, size_t capacity, const char *kinds) {
    size_t at = 0;
    for (const char *c = kinds; *c && at + 2 < capacity; c++) {
        to[at++] = *c;
        if (*c == ',') {
            to[at++] = ' ';
        }
    }
    to[at] = '\0';
    return to;
}

static void add_row(const struct be_usage *usage, struct be_text *out) {
    char jobs[BE_WORD], unused[BE_WORD], billed[BE_WORD], cores[BE_WORD], cpu[BE_WORD],
        memory[BE_WORD], gpus[BE_WORD], gpu[BE_WORD], kinds[2 * BE_NOTE];
    snprintf(cores, sizeof cores, "%d", usage->cpus);
    snprintf(gpus, sizeof gpus, usage->gpus > 0 ? "%.0f" : "-", usage->gpus);
    const char *const cell[] = {usage->id,
                                be_usage_whose(usage, jobs),
                                be_usage_hours(unused, usage->unused_s),
                                be_usage_hours(billed, usage->billed_s),
                                cores,
                                be_usage_percent(cpu, usage->cpu_efficiency),
                                be_usage_percent(memory, usage->memory_efficiency),
                                gpus,
                                be_usage_percent(gpu, usage->gpu_efficiency),
                                apart(kinds, sizeof kinds, usage->kinds)};
    be_page_row(out, cell, (int)BE_COUNT(cell));
}

static void add_rows(const struct be_usage_list *list, size_t top, struct be_text *out) {
    static const char *const head[] = {"job", "user",   "unused", "billed", "cores",
                                       "CPU", "memory", "GPUs",   "GPU",    "kinds"};
    be_page_heading(out, "The worst first");
    be_page_table_begin(out,
                        "Billed hours, and those of them in which the GPUs, else the cores, had no "
                        "work. Means are weighted by time. A dash is not measured.",
                        head, (int)BE_COUNT(head));
    for (size_t i = 0; i < list->rows && i < top; i++) {
        add_row(&list->row[i], out);
    }
    be_page_table_end(out);
    if (list->rows > top) {
        char more[BE_NOTE];
        snprintf(more, sizeof more, "%zu more have less; --top=0 shows all.", list->rows - top);
        be_page_paragraph(out, more);
    }
}

static void add_kinds(const struct be_usage *total, struct be_text *out) {
    static const char *const head[] = {"kind", "jobs", "meaning"};
    be_page_heading(out, "Kinds");
    be_page_table_begin(out, "Jobs of each kind; a job may be of several.", head,
                        (int)BE_COUNT(head));
    for (int i = 0; i < BE_USAGE_KINDS; i++) {
        char jobs[BE_WORD];
        snprintf(jobs, sizeof jobs, "%d", total->of_kind[i]);
        const char *const cell[] = {be_usage_kind_name((enum be_usage_kind)i), jobs,
                                    be_usage_kind_title((enum be_usage_kind)i)};
        if (total->of_kind[i]) {
            be_page_row(out, cell, (int)BE_COUNT(cell));
        }
    }
    be_page_table_end(out);
}

void be_usage_html(const struct be_usage_list *list, size_t top, const struct be_made *made,
                   struct be_text *out) {
    struct be_text drawing = {0}, text = {0};
    char kicker[2 * BE_NAME], jobs[BE_WORD], rows[BE_WORD];
    snprintf(kicker, sizeof kicker, "breakeven summary%s%.10s", *made->date ? ", " : "",
             made->date);
    be_page_begin(out, "How well did jobs use what they had?", kicker);
    add_verdict(list, out);
    if (list->rows > 0 && be_usage_is_drawn(&list->row[0])) {
        be_usage_svg(list, &drawing);
        be_page_drawing(out, &drawing,
                        "A bar has the billed hours of a row, its coloured part those "
                        "in which nothing worked.");
    }
    add_rows(list, top, out);
    add_kinds(&list->total, out);
    be_usage_text(list, top, &text);
    be_page_whole(out, &text);
    snprintf(jobs, sizeof jobs, "%d", list->total.jobs);
    snprintf(rows, sizeof rows, "%zu", list->rows);
    const struct be_page_fact fact[] = {{"jobs", jobs}, {"rows", rows}};
    be_page_made(out, fact, (int)BE_COUNT(fact),
                 "From Slurm's accounting. It is no reproach: a job of eight cores may need their "
                 "memory.",
                 made);
    be_page_end(out);
    out->failed |= drawing.failed || text.failed;
    be_text_free(&drawing);
    be_text_free(&text);
}
