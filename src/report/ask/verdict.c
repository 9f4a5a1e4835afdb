/* The verdict of `ask` in words, and as a table of machines. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/ask/ask.h"
#include "report/common/lines.h"

static const double more_than_samples_tell = 1e4; /* as a bound: so small a rest is chance */
static const double told_share = 0.05;            /* of the time: a kind with less is not named */
enum { TOLD = 3 };

static void add_line(struct be_text *line, struct be_text *out) {
    be_lines_wrap(out, "", line->data ? line->data : "", 0);
    out->failed |= line->failed;
    be_text_free(line);
}

/* ---- what it does --------------------------------------------------------------------------- */

/* The longest part of a kind says whose interpreter it is; else the kind's own title does. */
static const char *title_of(const struct be_ask *ask, int kind) {
    for (size_t i = 0; kind == BE_WORK_INTERPRETER && i < ask->parts; i++) {
        if (ask->part[i].kind == BE_WORK_INTERPRETER) {
            return ask->part[i].what;
        }
    }
    return be_work_kinds[kind].title;
}

static int longest_below(const struct be_ask *ask, double below_s) {
    int longest = -1;
    for (int i = 0; i < BE_WORK_KINDS; i++) {
        if (ask->wall_s[i] < below_s && (longest < 0 || ask->wall_s[i] > ask->wall_s[longest])) {
            longest = i;
        }
    }
    return longest;
}

/* "62 % of the time is the Python interpreter, 21 % elementwise loops over arrays" */
static void add_shares(const struct be_ask *ask, struct be_text *line) {
    double below_s = INFINITY;
    for (int i = 0; i < TOLD; i++) {
        const int kind = longest_below(ask, below_s);
        if (kind < 0 || (i > 0 && ask->wall_s[kind] < told_share * ask->own_s)) {
            break;
        }
        below_s = ask->wall_s[kind];
        be_text_add(line, i ? ", %.0f %% %s" : "%.0f %% of the time is %s",
                    100 * ask->wall_s[kind] / ask->own_s, title_of(ask, kind));
    }
}

/* ---- a machine ------------------------------------------------------------------------------ */

static const char *ratio_text(char *to, size_t capacity, double ratio) {
    return be_format_ratio(to, capacity, ratio, "-");
}

static void add_machine(const struct be_ask_machine *m, struct be_text *out) {
    char gain[BE_WORD], lo[BE_WORD], hi[BE_WORD], copy[BE_WORD], span[3 * BE_WORD + 8];
    const size_t room = BE_WORD;
    be_text_add(out, "  ");
    be_lines_cell(out, m->name, 12);
    be_lines_cell(out, be_ask_verdict_words[m->verdict], 12);
    snprintf(span, sizeof span, "%s x (%s-%s)", ratio_text(gain, room, m->gain),
             ratio_text(lo, room, m->gain_lo), ratio_text(hi, room, m->gain_hi));
    be_lines_cell(out, span, 24);
    be_text_add(out, "%s x", ratio_text(copy, room, m->gain_copy));
    be_text_end_line(out);
}

static void add_table(const struct be_ask_answer *answer, struct be_text *out) {
    be_text_add(out, "  GPU         worth it?   as fast (90 %%)          copied each call\n");
    for (int i = 0; i < answer->machines; i++) {
        add_machine(&answer->machine[i], out);
    }
}

/* ---- in words ------------------------------------------------------------------------------- */

static bool all_are(const struct be_ask_answer *answer, enum be_ask_cause cause) {
    for (int i = 0; i < answer->machines; i++) {
        if (answer->machine[i].cause != cause) {
            return false;
        }
    }
    return answer->machines > 0;
}

static const struct be_ask_machine *first_with(const struct be_ask_answer *answer,
                                               enum be_ask_cause cause) {
    for (int i = 0; i < answer->machines; i++) {
        if (answer->machine[i].cause == cause) {
            return &answer->machine[i];
        }
    }
    return NULL;
}

static void add_answer(const struct be_ask_answer *answer, struct be_text *out) {
    char most[BE_WORD];
    struct be_text line = {0};
    const double bound = be_ask_most(&answer->ask);
    be_text_add(&line, "Worth a GPU? ");
    if (all_are(answer, BE_ASK_BY_SHORTNESS)) {
        be_text_add(&line, "The run was too short to tell: let it work for some seconds.");
        add_line(&line, out);
        return;
    }
    if (bound < be_ask_worth) {
        be_text_add(&line, "No. ");
    } else if (all_are(answer, BE_ASK_BY_OWN)) {
        be_text_add(&line, "Samples cannot tell. ");
    }
    add_shares(&answer->ask, &line);
    if (bound < more_than_samples_tell) {
        be_text_add(&line, ": at most %s x as fast with any GPU, as the program is",
                    ratio_text(most, sizeof most, bound));
    }
    be_text_add(&line, ".");
    add_line(&line, out);
}

/* A run that is long pays for the start and for its preparation once, so that they count for nothing. */
static void add_long(const struct be_ask_answer *answer, struct be_text *out) {
    static const double longer = 1.1;
    char start[BE_WORD], prepare[BE_WORD], gain[BE_WORD], lo[BE_WORD], hi[BE_WORD];
    struct be_text line = {0};
    const struct be_ask_machine *first = answer->machine;
    if (!answer->machines || !(first->long_gain > longer * first->gain)) {
        return;
    }
    be_text_add(
        &line,
        "The GPU's start takes some %s%s, and %s of the run load and prepare. A run that is much "
        "longer, by more of the rest:",
        be_format_seconds(start, sizeof start, first->start.typical_s, "-"),
        first->any_library ? " (`--with=cupy`, torch or jax says which library's)" : "",
        be_format_seconds(prepare, sizeof prepare, answer->ask.prepare_s, "-"));
    for (int i = 0; i < answer->machines; i++) {
        const struct be_ask_machine *m = &answer->machine[i];
        be_text_add(&line, "%s %s %s, %s x (%s-%s)", i ? ";" : "", m->name,
                    be_ask_verdict_words[m->long_verdict],
                    ratio_text(gain, sizeof gain, m->long_gain),
                    ratio_text(lo, sizeof lo, m->long_lo), ratio_text(hi, sizeof hi, m->long_hi));
    }
    be_text_add(&line, ".");
    add_line(&line, out);
}

/* Where long calls would not change the answer, the interval says enough. */
static void add_sizes(const struct be_ask_machine *m, struct be_text *out) {
    static const double another = 1.05;
    char gain[BE_WORD];
    struct be_text line = {0};
    be_text_add(&line, "It depends on the sizes of the arrays, which samples do not tell");
    if (m->large_gain > another * m->gain) {
        be_text_add(&line, ": with calls of 1 ms or more each, %s is likely %s x as fast", m->name,
                    ratio_text(gain, sizeof gain, m->large_gain));
    }
    be_text_add(&line, ".");
    add_line(&line, out);
}

/* Whether the loop of the program's own code decides, and is known. */
static bool own_loop_counts(const struct be_ask_answer *answer) {
    static const double much = 0.3;
    const struct be_ask_own *own = &answer->own;
    return own->library[0] && !own->why[0] && own->wall_s >= much * answer->ask.own_s;
}

static void add_own(const struct be_ask_answer *answer, struct be_text *out) {
    const struct be_ask *ask = &answer->ask;
    struct be_text line = {0};
    for (size_t i = 0; i < ask->parts; i++) {
        if (ask->part[i].kind == BE_WORK_OWN) {
            be_text_add(&line, "Samples do not tell what %s%s%s computes", ask->part[i].library,
                        ask->part[i].function[0] ? ": " : "", ask->part[i].function);
            break;
        }
    }
    if (line.length) {
        be_text_add(&line,
                    "%s%s. Its operations and bytes do: breakeven predict --flops=F --bytes=F; or "
                    "measure it beside a kernel: breakeven compare --kernel.",
                    answer->own.why[0] ? ": " : "", answer->own.why);
        add_line(&line, out);
    }
    be_text_free(&line);
}

static void add_calls(const struct be_ask_answer *answer, struct be_text *out) {
    struct be_text line = {0};
    if (answer->longest_call[0] && answer->machines && answer->machine[0].recorded) {
        be_text_add(&line,
                    "Products and LAPACK are judged by their recorded calls, the longest %s.",
                    answer->longest_call);
        add_line(&line, out);
    }
    if (answer->calls_note[0]) {
        be_text_add(&line, "Calls: %s.", answer->calls_note);
        add_line(&line, out);
    }
}

/* Kinds whose calls can be recorded, and were not. */
static void add_recording(const struct be_ask_answer *answer, struct be_text *out) {
    static const double much = 0.1;
    const struct be_ask *ask = &answer->ask;
    const double wall_s = ask->wall_s[BE_WORK_MATRIX] + ask->wall_s[BE_WORK_LAPACK];
    if (!answer->longest_call[0] && !answer->calls_note[0] && wall_s >= much * ask->own_s) {
        struct be_text line = {0};
        be_text_add(&line, "The sizes of matrices are known with breakeven ask --calls.");
        add_line(&line, out);
    }
}

/* Workloads of ours that do what takes much of the time. */
static void add_measures(const struct be_ask *ask, struct be_text *out) {
    static const double much = 0.1;
    struct be_text names = {0};
    for (int i = 0; i < BE_WORK_KINDS; i++) {
        const char *workloads = be_ask_workloads((enum be_work_kind)i);
        if (workloads && ask->wall_s[i] >= much * ask->own_s) {
            be_text_add(&names, " %s", workloads);
        }
    }
    if (names.length) {
        struct be_text line = {0};
        be_text_add(&line, "Measure such work at your sizes: breakeven compare%s", names.data);
        add_line(&line, out);
    }
    out->failed |= names.failed;
    be_text_free(&names);
}

static void add_key(const struct be_ask_answer *answer, struct be_text *out) {
    struct be_text line = {0};
    be_text_add(&line, "Predicted, not measured: data stay on the GPU where work moves there, and "
                       "its start counts.");
    int scaled = 0;
    for (int i = 0; i < answer->machines; i++) {
        const struct be_ask_machine *m = &answer->machine[i];
        if (m->scaled_from[0]) {
            be_text_add(&line, "%s%s",
                        scaled++ ? ", " : " Scaled from times of another GPU: ", m->name);
        }
    }
    be_text_add(&line, scaled ? "." : "");
    add_line(&line, out);
}

void be_ask_verdict_text(const struct be_ask_answer *answer, struct be_text *out) {
    const struct be_ask_machine *sizes = first_with(answer, BE_ASK_BY_SIZES);
    add_answer(answer, out);
    if (!all_are(answer, BE_ASK_BY_SHORTNESS)) {
        be_ask_advice_text(&answer->ask, out);
    }
    if (!answer->machines) {
        struct be_text line = {0};
        be_text_add(&line, "No GPU is judged: %s.", answer->no_machines);
        add_line(&line, out);
        be_text_add(out, "\n");
        return;
    }
    if (!all_are(answer, BE_ASK_BY_STAYING) && !all_are(answer, BE_ASK_BY_OWN) &&
        !all_are(answer, BE_ASK_BY_SHORTNESS)) {
        be_text_add(out, "\n");
        add_table(answer, out);
        be_text_add(out, "\n");
        add_key(answer, out);
        add_long(answer, out);
        add_calls(answer, out);
        add_recording(answer, out);
    }
    if (sizes) {
        add_sizes(sizes, out);
    }
    if (own_loop_counts(answer)) {
        be_ask_own_text(answer, out);
    } else if (first_with(answer, BE_ASK_BY_OWN)) {
        add_own(answer, out);
    }
    if (!all_are(answer, BE_ASK_BY_STAYING) && !all_are(answer, BE_ASK_BY_SHORTNESS)) {
        add_measures(&answer->ask, out);
    }
    be_text_add(out, "\n");
}
