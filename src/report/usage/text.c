/* Usage as a table of at most 80 columns, the worst first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/usage/usage.h"
#include "report/usage/words.h"

static void add_row(const struct be_usage *usage, struct be_text *out) {
    char jobs[BE_WORD], unused[BE_WORD], cpu[BE_WORD], memory[BE_WORD], gpu[BE_WORD],
        gpus[BE_WORD] = "-";
    if (usage->gpus > 0) {
        snprintf(gpus, sizeof gpus, "%.0f", usage->gpus);
    }
    be_text_add(out, "%7s  ", be_usage_hours(unused, usage->unused_s));
    be_lines_cell(out, usage->id, 14);
    be_text_add(out, " ");
    be_lines_cell(out, be_usage_whose(usage, jobs), 9);
    be_text_add(out, " %5d %5s %5s %4s %5s ", usage->cpus,
                be_usage_percent(cpu, usage->cpu_efficiency),
                be_usage_percent(memory, usage->memory_efficiency), gpus,
                be_usage_percent(gpu, usage->gpu_efficiency));
    be_usage_kinds(usage, out);
    be_text_end_line(out);
}

/* A line of what was asked and what was used of it. */
static void add_total(struct be_text *out, const char *what, double asked_s, double used_s,
                      const char *unit) {
    char asked[BE_WORD], used[BE_WORD], share[BE_WORD];
    if (asked_s > 0) {
        be_text_add(out, "  %-7s %10s %s asked for, %s used (%s)\n", what,
                    be_usage_hours(asked, asked_s), unit, be_usage_hours(used, used_s),
                    be_usage_percent(share, used_s / asked_s));
    }
}

static void add_totals(const struct be_usage *total, struct be_text *out) {
    const double gib = 1073741824.0;
    be_text_add(out, "\n%d job%s in all:\n", total->jobs, total->jobs == 1 ? "" : "s");
    add_total(out, "cores", total->core_s, total->cpu_s, "core hours");
    add_total(out, "GPUs", total->gpu_s, total->gpu_used_s, "GPU hours");
    add_total(out, "memory", total->memory_asked_byte_s / gib, total->memory_used_byte_s / gib,
              "GiB hours");
    if (!isnan(total->unused_s)) {
        add_total(out, "billed", total->billed_known_s, total->billed_known_s - total->unused_s,
                  "billed hours");
    }
    for (int i = 0; i < BE_USAGE_KINDS; i++) {
        if (total->of_kind[i]) {
            char head[BE_NOTE];
            snprintf(head, sizeof head, "%7d  %-15s ", total->of_kind[i],
                     be_usage_kind_name((enum be_usage_kind)i));
            be_lines_wrap(out, head, be_usage_kind_title((enum be_usage_kind)i), 25);
        }
    }
}

void be_usage_text(const struct be_usage_list *list, size_t top, struct be_text *out) {
    if (list->rows == 0) {
        be_text_add(out, "no job that ran is there: another time, --all-users?\n");
        return;
    }
    const size_t shown = list->rows < top ? list->rows : top;
    be_text_add(out,
                " unused  job            user      cores   CPU   mem GPUs   GPU  worst first\n");
    for (size_t i = 0; i < shown; i++) {
        add_row(&list->row[i], out);
    }
    if (shown < list->rows) {
        be_text_add(out, "and %zu more; --top=0 shows all\n", list->rows - shown);
    }
    add_totals(&list->total, out);
    be_lines_wrap(out, "",
                  "unused: hours times Slurm's billing, less the share of the GPUs (else of the "
                  "cores) that had work. x12: an array's 12 tasks. +2: two more "
                  "kinds. A dash is not measured: running jobs, and GPUs whose use the site does "
                  "not keep.",
                  0);
}
