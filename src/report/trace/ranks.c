/* Several ranks in one report. */
#include "report/trace/ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"

enum { INDENT = 9 };

/* From here on the work is said to be shared unevenly; and all are said to be busy all the time. */
static const double even = 1.1, always_busy = 0.95;

void be_rank_take(const struct be_trace *trace, struct be_rank_line *line) {
    struct be_run_finding found[BE_RUN_FINDINGS_MAX];
    const char *how;
    int count = be_trace_findings(trace, found);
    *line = (struct be_rank_line){.rank = trace->rank,
                                  .ranks = trace->ranks,
                                  .failed = trace->end == BE_END_KILLED ||
                                            (trace->end == BE_END_EXITED && trace->code != 0),
                                  .elapsed_s = trace->elapsed_s,
                                  .cpu_s = trace->total.user_s + trace->total.system_s,
                                  .cores = be_trace_cores_had(trace),
                                  .bytes = be_trace_memory_used(trace, &how)};
    be_copy_text(line->host, sizeof line->host, trace->host);
    be_copy_text(line->job, sizeof line->job, trace->job);
    be_copy_text(line->command, sizeof line->command, trace->command);
    if (count && found[0].weight != BE_WEIGHT_GOOD) {
        be_copy_text(line->finding, sizeof line->finding, found[0].name);
    }
}

bool be_ranks_are(const struct be_rank_line *line, int count) {
    for (int i = 0; i < count; i++) {
        bool same = line[i].ranks > 1 && line[i].ranks == line[0].ranks &&
                    strcmp(line[i].job, line[0].job) == 0 &&
                    strcmp(line[i].command, line[0].command) == 0;
        for (int k = 0; k < i && same; k++) {
            same = line[k].rank != line[i].rank;
        }
        if (!same) {
            return false;
        }
    }
    return count > 1;
}

static int by_rank(const void *a, const void *b) {
    const struct be_rank_line *one = a, *other = b;
    return (one->rank > other->rank) - (one->rank < other->rank);
}

static int by_value(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* One figure over the ranks. */
struct over_ranks {
    double min, median, max, mean;
    int least, most; /* places in the list */
};

static struct over_ranks over(const struct be_rank_line *line, int count, size_t offset) {
    struct over_ranks of = {NAN, NAN, NAN, NAN, 0, 0};
    double *value = malloc((size_t)count * sizeof *value), sum = 0;
    int known = 0;
    for (int i = 0; value && i < count; i++) {
        double one;
        memcpy(&one, (const char *)&line[i] + offset, sizeof one);
        if (isnan(one)) {
            continue;
        }
        value[known++] = one;
        sum += one;
        of.least = one < of.min || known == 1 ? i : of.least;
        of.most = one > of.max || known == 1 ? i : of.most;
        of.min = fmin(of.min, one); /* of NAN: the other */
        of.max = fmax(of.max, one);
    }
    if (known) {
        qsort(value, (size_t)known, sizeof *value, by_value);
        of.median = (value[(known - 1) / 2] + value[known / 2]) / 2;
        of.mean = sum / known;
    }
    free(value);
    return of;
}

static void add_rank(const struct be_rank_line *line, struct be_text *out) {
    be_text_add(out, "rank %d", line->rank);
    if (line->host[0]) {
        be_text_add(out, " on ");
        be_text_add_utf8(out, line->host);
    }
}

static void add_wrapped(const char *first, struct be_text *line, struct be_text *out) {
    be_lines_wrap(out, first, line->data ? line->data : "", INDENT);
    be_text_free(line);
}

static void add_head(const struct be_rank_line *line, int count, struct be_text *out) {
    struct be_text text = {0};
    be_text_add(&text, "%d of %d", count, line[0].ranks);
    if (line[0].command[0]) {
        be_text_add(&text, " of ");
        be_text_add_utf8(&text, line[0].command);
    }
    if (line[0].job[0]) {
        be_text_add(&text, " in ");
        be_text_add_utf8(&text, line[0].job);
    }
    add_wrapped("ranks    ", &text, out);
}

static void add_slowest(const struct be_rank_line *line, int count, struct be_text *out) {
    struct over_ranks of = over(line, count, offsetof(struct be_rank_line, elapsed_s));
    char most[BE_WORD], median[BE_WORD];
    struct be_text text = {0};
    be_format_duration(most, sizeof most, of.max);
    be_format_duration(median, sizeof median, of.median);
    if (of.max > even * of.median) {
        add_rank(&line[of.most], &text);
        be_text_add(&text, ", %s; half of the ranks had ended after %s", most, median);
    } else {
        be_text_add(&text, "none: all ran for about %s", median);
    }
    add_wrapped("slowest  ", &text, out);
}

/* Load balance as the POP project has it: mean over largest. */
static void add_balance(const struct be_rank_line *line, int count, struct be_text *out) {
    struct over_ranks cpu = over(line, count, offsetof(struct be_rank_line, cpu_s));
    struct over_ranks elapsed = over(line, count, offsetof(struct be_rank_line, elapsed_s));
    char least[BE_WORD], most[BE_WORD];
    struct be_text text = {0};
    if (!(cpu.max > 0)) {
        be_text_add(&text, "not measured");
    } else if (cpu.max > even * cpu.mean) {
        add_rank(&line[cpu.most], &text);
        be_text_add(&text, " has most work: %s of CPU time, ",
                    be_format_duration(most, sizeof most, cpu.max));
        add_rank(&line[cpu.least], &text);
        be_text_add(&text,
                    " least: %s. Shared evenly it would take %.0f %% of the time (load balance "
                    "%.2f)",
                    be_format_duration(least, sizeof least, cpu.min), 100 * cpu.mean / cpu.max,
                    cpu.mean / cpu.max);
    } else {
        be_text_add(&text, "even: %s to %s of CPU time (load balance %.2f)",
                    be_format_duration(least, sizeof least, cpu.min),
                    be_format_duration(most, sizeof most, cpu.max), cpu.mean / cpu.max);
        be_text_add(&text, "%s",
                    cpu.min >= always_busy * elapsed.max
                        ? ". All were busy all the time: what waits for messages at full speed "
                          "counts as busy too"
                        : "");
    }
    add_wrapped("work     ", &text, out);
}

static void add_rows(const struct be_rank_line *line, int count, struct be_text *out) {
    be_text_add(out, "\n%6s  %-16s %10s %10s %10s  %s\n", "rank", "host", "time", "cores busy",
                "memory", "found");
    for (int i = 0; i < count; i++) {
        const struct be_rank_line *one = &line[i];
        char time[BE_WORD], busy[BE_WORD] = "-", bytes[BE_WORD];
        double cores = one->cpu_s / one->elapsed_s;
        if (isfinite(cores)) {
            snprintf(busy, sizeof busy, cores < 9.95 ? "%.2f" : "%.1f", cores);
        }
        be_text_add(out, "%6d  ", one->rank);
        be_text_add_utf8(out, one->host[0] ? one->host : "-");
        be_text_add(out, "%*s %10s %10s %10s  %s%s\n",
                    (int)fmax(16 - (double)strlen(one->host[0] ? one->host : "-"), 0), "",
                    be_format_duration(time, sizeof time, one->elapsed_s), busy,
                    be_format_bytes(bytes, sizeof bytes, one->bytes, "-"),
                    one->failed ? "failed " : "", one->finding);
    }
}

void be_ranks_text(struct be_rank_line *line, int count, struct be_text *out) {
    qsort(line, (size_t)count, sizeof *line, by_rank);
    add_head(line, count, out);
    add_slowest(line, count, out);
    add_balance(line, count, out);
    add_rows(line, count, out);
}
