/* The answer of `ask` as text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/ask/ask.h"
#include "report/common/lines.h"

static const double least_share = 0.005; /* of the time: less is no line of its own */

static void add_run(const struct be_ask *ask, struct be_text *out) {
    const struct be_ask_run *run = &ask->run;
    char elapsed[BE_WORD], cpu[BE_WORD];
    struct be_text line = {0};
    be_text_add(&line, "%s ran %s and used %s of CPU time", run->command,
                be_format_duration(elapsed, sizeof elapsed, run->elapsed_s),
                be_format_duration(cpu, sizeof cpu, run->user_s + run->system_s));
    if (run->threads > 0) {
        be_text_add(&line, ", on %d core%s", run->threads, run->threads == 1 ? "" : "s");
    }
    if (run->core_wait_s > 0.02 * run->elapsed_s) {
        be_text_add(&line, "; for %s of it other programs had its cores, which is left out below",
                    be_format_duration(elapsed, sizeof elapsed, run->core_wait_s));
    }
    be_lines_wrap(out, "", line.data ? line.data : "", 2);
    out->failed |= line.failed;
    be_text_free(&line);
}

/* "libopenblas.so.0: dgemm_kernel": the library may be cut, as the function is what tells. */
static void add_where(const struct be_ask_part *part, struct be_text *out) {
    char where[2 * BE_NAME + 4];
    snprintf(where, sizeof where, "%s%s%s", part->library, part->function[0] ? ": " : "",
             part->function);
    const size_t most = 29;
    if (strlen(where) > most && part->function[0]) {
        const size_t function = strlen(part->function);
        const size_t least = 4; /* letters of a library that say which it is */
        if (function + 4 + least <= most) {
            snprintf(where, sizeof where, "%.*s..: %s", (int)(most - function - 4), part->library,
                     part->function);
        } else {
            be_copy_text(where, sizeof where, part->function);
        }
    }
    be_lines_cell(out, where, (int)most);
}

static void add_part(const struct be_ask *ask, const struct be_ask_part *part,
                     struct be_text *out) {
    const double elapsed_s = ask->own_s;
    char cpu[BE_WORD];
    be_text_add(out, "%4.0f %%  %9s  ", 100 * part->wall_s / elapsed_s,
                part->kind == BE_WORK_WAITING && part->cpu_s <= 0
                    ? "-"
                    : be_format_seconds(cpu, sizeof cpu, part->cpu_s, "-"));
    be_lines_cell(out, part->what, 30);
    be_text_add(out, "  ");
    add_where(part, out);
    be_text_end_line(out);
}

static bool is_shown(const struct be_ask *ask, const struct be_ask_part *part) {
    const double cpu_s = ask->run.user_s + ask->run.system_s;
    return part->wall_s >= least_share * ask->own_s || part->cpu_s >= least_share * cpu_s;
}

static void add_parts(const struct be_ask *ask, struct be_text *out) {
    struct be_ask_part rest = {.kind = BE_WORK_UNKNOWN, .what = "less than 0.5 % each"};
    be_text_add(out, "\n  time   CPU time  kind of work                    most of it in\n");
    for (size_t i = 0; i < ask->parts; i++) {
        if (is_shown(ask, &ask->part[i])) {
            add_part(ask, &ask->part[i], out);
        } else {
            rest.wall_s += ask->part[i].wall_s;
            rest.cpu_s += ask->part[i].cpu_s;
        }
    }
    if (rest.wall_s >= least_share * ask->own_s) {
        add_part(ask, &rest, out);
    }
}

/* How well the table is known to stand. */
static void add_ground(const struct be_ask *ask, struct be_text *out) {
    char count[BE_WORD];
    struct be_text line = {0};
    be_text_add(&line, "%s samples, %.0f a second of CPU time",
                be_format_count(count, sizeof count, ask->samples, "no"), ask->rate_hz);
    if (!isnan(ask->known)) {
        be_text_add(&line, "; the kind of %.0f %% of the CPU time is known", 100 * ask->known);
    }
    if (!ask->kernel) {
        be_text_add(&line, "; time in the kernel was counted, not sampled");
    }
    if (ask->lost > 0.01 * ask->samples) {
        be_text_add(&line, "; %s samples were lost",
                    be_format_count(count, sizeof count, ask->lost, "-"));
    }
    be_text_add(&line, ".");
    be_lines_wrap(out, "", line.data ? line.data : "", 0);
    out->failed |= line.failed;
    be_text_free(&line);
    if (ask->missing > 0) {
        char text[BE_NOTE];
        snprintf(text, sizeof text,
                 "%d file%s that it ran could not be read (removed, perhaps): names of functions "
                 "are missing, as of %s.",
                 ask->missing, ask->missing == 1 ? "" : "s", ask->missing_file);
        be_lines_wrap(out, "", text, 0);
    }
}

void be_ask_text(const struct be_ask_answer *answer, struct be_text *out) {
    const struct be_ask *ask = &answer->ask;
    add_run(ask, out);
    if (ask->unsampled[0]) {
        struct be_text line = {0};
        be_text_add(&line, "Kinds of work are not known: %s.", ask->unsampled);
        be_lines_wrap(out, "", line.data ? line.data : "", 0);
        out->failed |= line.failed;
        be_text_free(&line);
        return;
    }
    add_parts(ask, out);
    be_text_add(out, "\n");
    be_ask_verdict_text(answer, out);
    add_ground(ask, out);
}
