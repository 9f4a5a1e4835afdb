/* The loop of the program's own code in words, and its time on GPUs if its iterations are independent. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/ask/ask.h"
#include "report/common/lines.h"

static void add_line(struct be_text *line, struct be_text *out) {
    be_lines_wrap(out, "", line->data ? line->data : "", 0);
    out->failed |= line->failed;
    be_text_free(line);
}

/* ---- the loop ------------------------------------------------------------------------------- */

static void add_arithmetic(const struct be_code_loop *loop, struct be_text *line) {
    const char *type = loop->flops64 >= loop->flops32 ? "float64" : "float32";
    if (loop->arithmetic <= 0) {
        be_text_add(line, ", with no floating-point arithmetic");
        return;
    }
    be_text_add(line, ", %.0f of them %s arithmetic", loop->arithmetic, type);
    if (loop->lanes > 1) {
        be_text_add(line, " on %d values at a time", loop->lanes);
    } else {
        be_text_add(line, " on one value at a time");
    }
    if (loop->slow > 0) {
        be_text_add(line, " (%.0f divide%s or take%s a square root)", loop->slow,
                    loop->slow > 1 ? "" : "s", loop->slow > 1 ? "" : "s");
    }
}

static void add_loop(const struct be_ask_answer *answer, struct be_text *out) {
    const struct be_ask_own *own = &answer->own;
    struct be_text line = {0};
    char function[BE_NAME], callee[BE_NAME];
    be_ask_plain_name(own->function, function, sizeof function);
    be_ask_plain_name(own->loop.callee, callee, sizeof callee);
    be_text_add(&line, "%s%s%s has %.0f %% of the time, most of it in a loop of %d instructions",
                own->library, function[0] ? ": " : "", function,
                100 * own->wall_s / answer->ask.own_s, own->loop.instructions);
    add_arithmetic(&own->loop, &line);
    if (own->loop.calls) {
        be_text_add(&line, "; it calls %s", callee[0] ? callee : "another function");
    }
    be_text_add(&line, ".");
    add_line(&line, out);
}

/* ---- on a GPU ------------------------------------------------------------------------------- */

/* The program's time once it has begun, with the loop there. */
static double longer_gain(const struct be_ask_answer *answer, double there_s) {
    const struct be_ask_own *own = &answer->own;
    const double before_s = isnan(answer->ask.prepare_s) ? 0 : answer->ask.prepare_s;
    const double whole_s = answer->ask.own_s - before_s;
    return whole_s / (fmax(0, whole_s - own->later_s) + there_s * own->later_s / own->wall_s);
}

static void add_gain(const struct be_ask_answer *answer, const struct be_ask_machine *m,
                     struct be_text *line) {
    char lo[BE_WORD], gain[BE_WORD], hi[BE_WORD], run[BE_WORD];
    const double rest_s = fmax(0, answer->ask.own_s - answer->own.wall_s);
    const double run_s = rest_s + m->start.typical_s + m->own.typical_s;
    be_text_add(line, " %s: a long run %s x (%s-%s), this one %s x.", m->name,
                be_format_ratio(gain, sizeof gain, longer_gain(answer, m->own.typical_s), "-"),
                be_format_ratio(lo, sizeof lo, longer_gain(answer, m->own.hi_s), "-"),
                be_format_ratio(hi, sizeof hi, longer_gain(answer, m->own.lo_s), "-"),
                be_format_ratio(run, sizeof run, answer->ask.own_s / run_s, "-"));
}

/* Whether iterations need one another, as far as registers show it. */
static void add_dependence(const struct be_code_loop *loop, struct be_text *line) {
    static const char *const words[] = {
        [BE_CHAIN_NONE] = "Samples do not tell whether its iterations need one another. Where each "
                          "needs the one before, no GPU helps. Where %s or more do not",
        [BE_CHAIN_SUM] = "Its iterations add up, which threads can do side by side. Where nothing "
                         "else joins them, and there are %s or more in all",
        [BE_CHAIN_STEPS] =
            "Each iteration goes on from the one before, so that no GPU shortens one "
            "run of this loop. Where %s or more runs of it do not need one another"};
    be_text_add(line, words[loop->chain], "100,000");
}

static void add_machines(const struct be_ask_answer *answer, struct be_text *out) {
    struct be_text line = {0};
    add_dependence(&answer->own.loop, &line);
    be_text_add(&line, ", as fast (90 %%) with the loop and its data on the GPU:");
    for (int i = 0; i < answer->machines; i++) {
        if (!isnan(answer->machine[i].own.typical_s)) {
            add_gain(answer, &answer->machine[i], &line);
        }
    }
    add_line(&line, out);
}

/* ---- first, on the CPU ---------------------------------------------------------------------- */

/* One thread on several cores, and one value at a time. */
static void add_cpu(const struct be_ask_answer *answer, struct be_text *out) {
    static const double one_thread = 1.2;
    const struct be_ask_own *own = &answer->own;
    const int cores = answer->ask.run.threads;
    struct be_text line = {0};
    if (own->loop.lanes > 0 && own->loop.lanes <= 2) {
        be_text_add(
            &line, " compiled with -O3 -march=native -ffast-math it may work on 4 or 8 values at a "
                   "time: 6 of 13 such loops became 2 to 16 times as fast, the rest did not.");
    }
    if (cores > 1 && own->cpu_s < one_thread * own->wall_s) {
        be_text_add(&line,
                    " One of %d cores works: #pragma omp parallel for gives independent iterations "
                    "to all.",
                    cores);
    }
    if (line.length) {
        struct be_text first = {0};
        be_text_add(&first, "First, on the CPU:%s", line.data);
        add_line(&first, out);
    }
    out->failed |= line.failed;
    be_text_free(&line);
}

/* The work of functions that the loop calls is not counted. */
static void add_calls_others(const struct be_ask_own *own, struct be_text *out) {
    struct be_text line = {0};
    const bool itself = own->function[0] && strcmp(own->loop.callee, own->function) == 0;
    be_text_add(
        &line,
        "%s, and the work of that is not counted here. Operations and bytes tell: "
        "breakeven predict --flops=F --bytes=F; or measure it beside a kernel: breakeven compare "
        "--kernel.",
        itself ? "It calls itself" : "It calls other functions");
    add_line(&line, out);
}

void be_ask_own_text(const struct be_ask_answer *answer, struct be_text *out) {
    add_loop(answer, out);
    if (answer->own.loop.others) {
        add_calls_others(&answer->own, out);
    } else {
        add_machines(answer, out);
        add_cpu(answer, out);
    }
}
