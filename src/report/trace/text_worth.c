/* Was a run worth a GPU, or would one be worth it? In words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/gpu_worth.h"
#include "ask/kinds.h"
#include "base/error.h"
#include "observe/libraries.h"
#include "report/common/lines.h"
#include "report/trace/trace.h"

enum { INDENT = 9 };
/* An upper end with one core that is nearer than that to all cores' is not told apart. */
static const double told_apart = 1.25;

/* ---- kinds of work of the CPU's time --------------------------------------------------------- */

enum { TOLD = 3 };
static const double told_share = 0.05; /* of the time: a kind with less is not named */
static const double told_most = 100;   /* a bound above that says nothing */

/* "62 % of the time is the Python interpreter, 21 % elementwise loops over arrays" */
static void add_kinds(const struct be_trace_kinds *kinds, struct be_text *line) {
    for (int i = 0; i < TOLD && i < kinds->parts; i++) {
        const double share = kinds->part[i].wall_s / kinds->own_s; /* a file may say anything */
        if (!(share >= (i ? told_share : 0))) {
            break;
        }
        be_text_add(line, i ? ", %.0f %% " : "%.0f %% of the time is ", 100 * fmin(share, 1));
        be_text_add_utf8(line, kinds->part[i].what);
    }
}

static void add_kinds_gain(const struct be_trace_kinds *kinds, struct be_text *line) {
    char most[BE_WORD], gain[BE_WORD], lo[BE_WORD], hi[BE_WORD];
    if (strcmp(kinds->cause, be_ask_cause_words[BE_ASK_BY_SHORTNESS]) == 0) {
        be_text_add(line, "; too few samples tell more");
    } else if (strcmp(kinds->cause, be_ask_cause_words[BE_ASK_BY_OWN]) == 0) {
        be_text_add(line, "; samples do not tell what compiled code computes");
    } else if (kinds->most >= be_ask_worth && kinds->gain > 0) {
        be_text_add(line, "; with ");
        be_text_add_utf8(line, kinds->gpu);
        be_text_add(line, " likely %s x (%s to %s)",
                    be_format_ratio(gain, sizeof gain, kinds->gain, "-"),
                    be_format_ratio(lo, sizeof lo, kinds->gain_lo, "-"),
                    be_format_ratio(hi, sizeof hi, kinds->gain_hi, "-"));
    }
    if (kinds->most < told_most) {
        be_text_add(line, ": at most %s x as fast with any GPU",
                    be_format_ratio(most, sizeof most, kinds->most, "-"));
    }
}

/* ---- a run on GPUs --------------------------------------------------------------------------- */

/* "7e4 kernels, 0.3 TFLOP, 12 GB of memory traffic" */
static void add_work(const struct be_gpu_worth *worth, struct be_text *line) {
    char count[BE_WORD], bytes[BE_WORD];
    if (worth->kernels >= 1) {
        be_text_add(line, "%s kernels, ", be_format_size(count, sizeof count, worth->kernels, "-"));
    }
    be_format_flops(count, sizeof count, worth->operations, "-");
    be_text_add(line, "%.*s", (int)strcspn(count, "/"), count);
    be_text_add(line, ", %s of memory traffic",
                be_format_bytes(bytes, sizeof bytes, worth->bytes, "-"));
}

/* Long times are said in minutes. */
static const char *time_text(char *to, double seconds) {
    static const double long_s = 120;
    return seconds < long_s ? be_format_seconds(to, BE_WORD, seconds, "-")
                            : be_format_duration(to, BE_WORD, seconds);
}

/* "about 400 ms (100 ms to 1.3 s)" */
static void add_time(const struct be_worth_time *time, struct be_text *line) {
    char typical[BE_WORD], lo[BE_WORD], hi[BE_WORD];
    be_text_add(line, "about %s (%s to %s)", time_text(typical, time->typical_s),
                time_text(lo, time->lo_s), time_text(hi, time->hi_s));
}

static void add_cores(const struct be_gpu_worth *worth, struct be_text *line) {
    if (worth->cores > 1) {
        be_text_add(line, "these %d cores", worth->cores);
    } else {
        be_text_add(line, "this core");
    }
}

static void add_counted(const struct be_gpu_worth *worth, struct be_text *line) {
    be_text_add(line, "All that the GPU%s did (", worth->gpus > 1 ? "s" : "");
    add_work(worth, line);
    be_text_add(line, ") takes ");
    add_cores(worth, line);
    be_text_add(line, " ");
    add_time(&worth->all, line);
}

/* "2.1 (0.9 to 3)": the run on those cores, used well, over the run as it was. */
static void add_gain(const struct be_worth_time *run, double elapsed_s, struct be_text *line) {
    char gain[BE_WORD], lo[BE_WORD], hi[BE_WORD];
    be_text_add(line, "%s (%s to %s) times as long",
                be_format_ratio(gain, sizeof gain, run->typical_s / elapsed_s, "-"),
                be_format_ratio(lo, sizeof lo, run->lo_s / elapsed_s, "-"),
                be_format_ratio(hi, sizeof hi, run->hi_s / elapsed_s, "-"));
}

/* "; on one core, as NumPy works, about 80 times, at most 400" */
static void add_one_core(const struct be_gpu_worth *worth, double elapsed_s, struct be_text *line) {
    char gain[BE_WORD], hi[BE_WORD];
    if (!worth->one_core[0] || worth->cores < 2 ||
        worth->run.hi_s < told_apart * worth->well.hi_s) {
        return;
    }
    be_format_ratio(gain, sizeof gain, worth->run.typical_s / elapsed_s, "-");
    be_format_ratio(hi, sizeof hi, worth->run.hi_s / elapsed_s, "-");
    if (strcmp(worth->one_core, "-") == 0) {
        be_text_add(line, "; with one core at most %s", hi);
    } else {
        be_text_add(line, "; as %s works, mostly on one core, likely %s and at most %s",
                    worth->one_core, gain, hi);
    }
}

static void add_without(const struct be_trace *trace, const struct be_gpu_worth *worth,
                        struct be_text *line) {
    const double elapsed_s = trace->elapsed_s - trace->stopped_s;
    be_text_add(line, "Without a GPU the run takes ");
    add_gain(&worth->well, elapsed_s, line);
    be_text_add(line, worth->cores > 1 ? " if all cores are used well" : "");
    add_one_core(worth, elapsed_s, line);
    be_text_add(line, ".");
}

static void say_no(const struct be_trace *trace, const struct be_gpu_worth *worth,
                   const char *elapsed, struct be_text *line) {
    char most[BE_WORD];
    if (isnan(worth->operations)) {
        be_text_add(line, "Kernels ran for so little of the %s that ", elapsed);
        add_cores(worth, line);
        be_text_add(line, " take at most %s for them: ask for no GPU.",
                    time_text(most, worth->all.hi_s));
    } else {
        add_counted(worth, line);
        be_text_add(line, " of the %s: ask for no GPU. ", elapsed);
        add_without(trace, worth, line);
    }
}

/* A program held a GPU for nothing: its time on the CPU is told by kinds of work. */
static void say_idle(const struct be_trace *trace, const struct be_gpu_worth *worth,
                     struct be_text *line) {
    char held[BE_WORD], ran[BE_WORD];
    be_text_add(line,
                "The program had %s of the GPU's memory, and kernels ran for %s of its time: ",
                be_format_bytes(held, sizeof held, worth->held_bytes, "-"),
                be_format_seconds(ran, sizeof ran, worth->gpu_s, "-"));
    be_text_add(line, "as it is, ask for no GPU.");
    if (trace->kinds.asked && trace->kinds.own_s > 0 && !trace->kinds.unsampled[0]) {
        be_text_add(line, " ");
        add_kinds(&trace->kinds, line);
        add_kinds_gain(&trace->kinds, line);
        be_text_add(line, ".");
    }
}

static void say_counted(const struct be_trace *trace, const struct be_gpu_worth *worth,
                        const char *elapsed, struct be_text *line) {
    add_counted(worth, line);
    be_text_add(line, ", and the run took %s. ", elapsed);
    add_without(trace, worth, line);
    be_text_add(line, worth->verdict == BE_ASK_CLOSE ? " The same program on the CPU tells." : "");
}

/* Counters of GPUs before Hopper are to be had from DCGM alone: why not is more than that NVML has none. */
static void add_why_no_counters(const struct be_trace *trace, struct be_text *line) {
    static const enum be_signal needed[] = {BE_GPU_SM_ACTIVE, BE_GPU_DRAM, BE_GPU_FP32, BE_GPU_FP64,
                                            BE_GPU_TENSOR};
    const char *between = "";
    for (int i = 0; i < trace->sources; i++) {
        const struct be_trace_source *source = &trace->source[i];
        const bool is_dcgm =
            strcmp(source->name, "libdcgm") == 0 || strcmp(source->name, "dcgm") == 0;
        if (is_dcgm && source->absent[0]) {
            be_text_add(line, "%s%s", between, source->absent);
            between = "; ";
        }
    }
    for (size_t i = 0; i < BE_COUNT(needed) && !between[0]; i++) {
        if (isnan(be_trace_mean(trace, needed[i], 0))) {
            be_text_add(line, "%s", be_trace_why(trace, needed[i]));
            between = "; ";
        }
    }
    if (!between[0]) {
        be_text_add(line, "%s", be_trace_why(trace, BE_GPU_SM_ACTIVE));
    }
}

static void say_unknown(const struct be_trace *trace, const struct be_gpu_worth *worth,
                        struct be_text *line) {
    char ran[BE_WORD];
    switch (worth->cause) {
    case BE_GPU_BY_SHORTNESS:
        be_text_add(line, "The GPU was seen for too short a time to tell: let it work for longer.");
        return;
    case BE_GPU_BY_OTHERS:
        be_text_add(line, "Others were on the GPU, too: its counters are of all.");
        return;
    case BE_GPU_BY_MODEL:
        be_text_add(line, "There is no data sheet of ");
        be_text_add_utf8(line, trace->gpu[0].name);
        be_text_add(line, " here (`breakeven machines` lists those that there are).");
        return;
    default:
        be_text_add(line,
                    "Kernels ran for %s. How much they did is not seen, since there are no "
                    "counters of this GPU's units (",
                    be_format_seconds(ran, sizeof ran, worth->gpu_s, "-"));
        add_why_no_counters(trace, line);
        be_text_add(line, "): anything up to its maximum is possible. The same program on the CPU "
                          "tells.");
    }
}

static void add_smaller(const struct be_gpu_worth *worth, struct be_text *line) {
    if (worth->smaller[0]) {
        be_text_add(line,
                    " A part of this GPU would do (MIG, %s): the run is at most %.2f times as long "
                    "there.",
                    worth->smaller, worth->smaller_longer);
    }
}

/* "By data sheets an L4 makes the run 1.2 to 3 times as long, an A100 (40 GB) 1.0 to 1.4." */
static void add_cards(const struct be_gpu_worth *worth, struct be_text *line) {
    for (int i = 0; i < worth->cards && worth->verdict == BE_ASK_YES; i++) {
        char lo[BE_WORD], hi[BE_WORD];
        be_text_add(line, i ? ", " : " By data sheets ");
        be_text_add(line, "an ");
        be_text_add_utf8(line, worth->card[i].name);
        be_text_add(line, "%s %s to %s%s", i ? "" : " makes the run",
                    be_format_ratio(lo, sizeof lo, worth->card[i].longer_lo, "-"),
                    be_format_ratio(hi, sizeof hi, worth->card[i].longer_hi, "-"),
                    i ? "" : " times as long");
        be_text_add(line, i + 1 == worth->cards ? "." : "");
    }
}

/* Rates that nobody measured here are named. */
static void add_ground(const struct be_trace *trace, const struct be_gpu_worth *worth,
                       struct be_text *line) {
    if (trace->rates.off > 1 && worth->verdict != BE_ASK_UNKNOWN &&
        worth->cause != BE_GPU_BY_IDLENESS) {
        be_text_add(line, " The cores' rates are %s.", trace->rates.cpu);
    }
}

static void add_sentence(const struct be_trace *trace, const struct be_gpu_worth *worth,
                         struct be_text *line) {
    char elapsed[BE_WORD];
    be_format_duration(elapsed, sizeof elapsed, trace->elapsed_s);
    be_text_add(line, "Worth a GPU: %s. ",
                worth->verdict != BE_ASK_CLOSE ? be_ask_verdict_words[worth->verdict]
                : worth->gain < be_ask_worth   ? "too close to call, likely no"
                                               : "too close to call, likely yes");
    switch (worth->verdict) {
    case BE_ASK_NO:
        if (worth->cause == BE_GPU_BY_IDLENESS) {
            say_idle(trace, worth, line);
        } else {
            say_no(trace, worth, elapsed, line);
        }
        break;
    case BE_ASK_YES:
    case BE_ASK_CLOSE:
        say_counted(trace, worth, elapsed, line);
        break;
    default:
        say_unknown(trace, worth, line);
    }
    add_smaller(worth, line);
    add_cards(worth, line);
    add_ground(trace, worth, line);
}

/* ---- a run on CPUs -------------------------------------------------------------------------- */

/* Worth more than a GPU, and for nothing. */
static void add_reference_blas(const struct be_trace *trace, struct be_text *line) {
    static const double much = 0.1;
    const char *const product = be_work_kinds[BE_WORK_MATRIX].word;
    for (int i = 0; i < trace->kinds.parts; i++) {
        const struct be_trace_kind *part = &trace->kinds.part[i];
        if (strcmp(part->kind, product) == 0 && part->wall_s >= much * trace->kinds.own_s &&
            (be_libraries_read(trace->libraries) & be_library_bit(BE_LIB_REFBLAS)) != 0) {
            be_text_add(line, " First: the BLAS that it has loaded (libblas) is the slow "
                              "reference: install OpenBLAS.");
            return;
        }
    }
}

static void add_cpu_sentence(const struct be_trace *trace, struct be_text *line) {
    const struct be_trace_kinds *kinds = &trace->kinds;
    if (kinds->unsampled[0]) {
        be_text_add(line, "Worth a GPU: not known. Kinds of work were not sampled: ");
        be_text_add_utf8(line, kinds->unsampled);
        be_text_add(line, ".");
        return;
    }
    be_text_add(line, "Worth a GPU: ");
    be_text_add_utf8(line, kinds->most < be_ask_worth ? be_ask_verdict_words[BE_ASK_NO]
                           : kinds->verdict[0]        ? kinds->verdict
                                                      : be_ask_verdict_words[BE_ASK_UNKNOWN]);
    be_text_add(line, ". ");
    add_kinds(kinds, line);
    add_kinds_gain(kinds, line);
    be_text_add(line, ".");
    add_reference_blas(trace, line);
    be_text_add(line, " More: breakeven ask -- COMMAND");
}

void be_trace_worth_sentence(const struct be_trace *trace, struct be_text *line) {
    struct be_gpu_worth worth;
    if (trace->no_verdict || trace->watched) {
        return;
    }
    be_gpu_worth_of(trace, &worth);
    if (worth.used) {
        add_sentence(trace, &worth, line);
    } else if (trace->kinds.asked && (trace->kinds.own_s > 0 || trace->kinds.unsampled[0])) {
        add_cpu_sentence(trace, line);
    }
}

void be_trace_text_worth(const struct be_trace *trace, struct be_text *out) {
    struct be_text line = {0};
    be_trace_worth_sentence(trace, &line);
    if (line.length) {
        be_lines_wrap(out, "verdict  ", line.data, INDENT);
    }
    out->failed |= line.failed;
    be_text_free(&line);
}
