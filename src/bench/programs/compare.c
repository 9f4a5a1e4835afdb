/* Rounds of two programs at each size; a comparison of what came of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/crossing.h"
#include "bench/programs/programs.h"
#include "host/cores.h"
#include "machine/describe.h"
#include "stat/stat.h"

enum { SIDES = 2, SIZES = 128, REFINEMENTS = 12, LEAST = 6 };

static const double default_budget_s = 2, default_patience_s = 60, default_precision = 0.02;
static const double patience_budgets = 10; /* of a size whose runs are long */
static const double bracket = 1.1;         /* neighbours of the crossing, in the end */

/* One program at one size. */
struct side {
    struct be_samples samples;
    struct be_result result;
};

struct contest {
    const struct be_programs *programs;
    struct be_comparison *comparison;
    struct be_program_output output[SIDES];
    double budget_s, patience_s, until_s;
    uint64_t
        too_long[SIDES]; /* the smallest size that took longer than the patience; 0: none did */
    struct be_point point[SIZES];
    int points;
    int done, left;
    bool cancelled, late;
    double begin_s;
};

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- results ---------------------------------------------------------------------------------- */

static struct be_result result_of(const struct contest *contest, int side, uint64_t size) {
    struct be_result r = {.size = size,
                          .status = BE_RESULT_OK,
                          .code = BE_CODE_PLAIN,
                          .placement = side ? BE_COPY : BE_HOST,
                          .cache = BE_BEYOND,
                          .residual = NAN,
                          .tolerance = NAN,
                          .bytes = NAN,
                          .operations = NAN,
                          .limit_s = NAN,
                          .times_limit = NAN,
                          .clock_hz = NAN,
                          .temperature_c = NAN,
                          .joules = NAN,
                          .joules_lo = NAN,
                          .joules_hi = NAN,
                          .host_joules = NAN,
                          .energy_s = NAN};
    const struct be_summary none = {
        .median_s = NAN, .lo_s = NAN, .hi_s = NAN, .mad_s = NAN, .min_s = NAN, .max_s = NAN};
    for (int i = 0; i < BE_PHASES; i++) {
        r.phase[i] = none;
    }
    be_copy_text(r.workload, sizeof r.workload, BE_PROGRAMS);
    be_copy_text(r.title, sizeof r.title, "two programs from start to end");
    be_copy_text(r.variant, sizeof r.variant, contest->programs->command[side]);
    be_copy_text(r.size_name, sizeof r.size_name, "size");
    be_copy_text(r.device, sizeof r.device, side ? BE_PROGRAM_SECOND : "cpu");
    r.threads = side ? 0 : contest->comparison->machine.cores_allowed;
    return r;
}

static void give_up(struct be_result *result, enum be_result_status status, const char *why) {
    result->status = status;
    be_copy_text(result->note, sizeof result->note, why);
}

static enum be_status keep(struct contest *contest, struct side *side, struct be_error *error) {
    struct be_comparison *all = contest->comparison;
    struct be_result *more = realloc(all->result, (all->results + 1) * sizeof *more);
    if (!more) {
        return be_fail(error, BE_NOMEM, "no host memory for one more result");
    }
    all->result = more;
    if (side->samples.count) {
        side->result.phase[BE_TOTAL] =
            be_summarize(&side->samples, side->result.phase[BE_TOTAL].stop);
    }
    all->result[all->results++] = side->result;
    return BE_OK;
}

/* ---- one run ---------------------------------------------------------------------------------- */

static void show_progress(const struct contest *contest, int side, uint64_t size) {
    const struct be_compare_options *options = contest->programs->options;
    char what[BE_NOTE];
    if (!options->progress ||
        !be_command_words(contest->programs->command[side], size, what, sizeof what)) {
        return;
    }
    const struct be_progress progress = {.what = what,
                                         .done = contest->done,
                                         .left = contest->left,
                                         .elapsed_s = now_s() - contest->begin_s,
                                         .left_s = NAN};
    options->progress(options->context, &progress);
}

/* False: the side is out at this size, for the reason in its result; or somebody cancelled. */
static bool run_once(struct contest *contest, int i, struct side *side, double *seconds,
                     enum be_status *status, struct be_error *error) {
    struct be_program_run run;
    show_progress(contest, i, side->result.size);
    *status = be_program_run(contest->programs->command[i], side->result.size, contest->patience_s,
                             &contest->output[i], contest->programs->options, &run, error);
    *seconds = run.seconds;
    contest->cancelled |= *status == BE_OK && run.cancelled;
    if (*status != BE_OK || run.cancelled) {
        return false;
    }
    if (!run.ended && !contest->too_long[i]) {
        contest->too_long[i] = side->result.size;
    }
    if (run.failed[0]) {
        give_up(&side->result, BE_RESULT_FAILED, run.failed);
    }
    return !run.failed[0];
}

/* ---- outputs ---------------------------------------------------------------------------------- */

/* Terminated; NULL: no memory. */
static char *read_output(int file) {
    off_t length = lseek(file, 0, SEEK_END);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    ssize_t got = text ? pread(file, text, (size_t)length, 0) : 0;
    if (text) {
        text[got > 0 ? got : 0] = '\0';
    }
    return text;
}

/* Those of the first run of both. */
static enum be_status check_outputs(struct contest *contest, struct side side[SIDES],
                                    struct be_error *error) {
    char *text[SIDES] = {read_output(contest->output[0].out), read_output(contest->output[1].out)};
    char why[BE_NOTE], note[BE_NOTE];
    enum be_status status =
        text[0] && text[1] ? BE_OK : be_fail(error, BE_NOMEM, "no host memory for the outputs");
    for (int i = 0; status == BE_OK && i < SIDES; i++) {
        if (text[i][strspn(text[i], " \t\r\n")] == '\0') {
            give_up(&side[i].result, BE_RESULT_WRONG,
                    "prints nothing: there is nothing to hold against the other");
        }
    }
    if (status == BE_OK && side[0].result.status == BE_RESULT_OK &&
        side[1].result.status == BE_RESULT_OK &&
        !be_outputs_agree(text[0], text[1], contest->programs->tolerance, why, sizeof why)) {
        snprintf(note, sizeof note, "its output is another than the first program's: %.150s", why);
        give_up(&side[1].result, BE_RESULT_WRONG, note);
    }
    free(text[0]);
    free(text[1]);
    return status;
}

/* ---- one size --------------------------------------------------------------------------------- */

static bool is_right(const struct side *side) {
    return side->result.status == BE_RESULT_OK;
}

/* A program that took too long at a smaller size is left out. */
static void leave_out(struct contest *contest, int i, struct side *side) {
    char note[BE_NOTE], size[BE_WORD];
    if (contest->too_long[i] && side->result.size > contest->too_long[i]) {
        snprintf(note, sizeof note, "left out: it had not ended after %.3g s at %s",
                 contest->patience_s, be_format_n(size, sizeof size, (double)contest->too_long[i]));
        give_up(&side->result, BE_RESULT_SKIPPED, note);
    }
}

/* The first run of each is no sample: files come from storage, and outputs are looked at. */
static enum be_status begin_size(struct contest *contest, struct side side[SIDES],
                                 struct be_error *error) {
    enum be_status status = BE_OK;
    for (int i = 0; status == BE_OK && i < SIDES && !contest->cancelled; i++) {
        double seconds = NAN;
        leave_out(contest, i, &side[i]);
        if (is_right(&side[i]) && run_once(contest, i, &side[i], &seconds, &status, error)) {
            side[i].result.phase[BE_FIRST] = (struct be_summary){.n = 1,
                                                                 .stop = BE_STOP_ONCE,
                                                                 .median_s = seconds,
                                                                 .lo_s = NAN,
                                                                 .hi_s = NAN,
                                                                 .mad_s = NAN,
                                                                 .min_s = seconds,
                                                                 .max_s = seconds};
        }
    }
    return status == BE_OK && contest->programs->same_output && !contest->cancelled &&
                   is_right(&side[0]) && is_right(&side[1])
               ? check_outputs(contest, side, error)
               : status;
}

/* There and back: A B, B A, ... */
static enum be_status take_rounds(struct contest *contest, struct side side[SIDES],
                                  struct be_error *error) {
    const struct be_compare_options *options = contest->programs->options;
    const struct be_stop_rule rule = {.precision = options->precision > 0 ? options->precision
                                                                          : default_precision,
                                      .min = LEAST,
                                      .budget_s = contest->budget_s,
                                      .patience = patience_budgets};
    double spent_s[SIDES] = {0};
    enum be_stop stop[SIDES] = {BE_STOP_NONE, BE_STOP_NONE};
    enum be_status status = BE_OK;
    bool more = is_right(&side[0]) || is_right(&side[1]);
    for (int round = 0; status == BE_OK && more && !contest->cancelled; round++) {
        more = false;
        for (int turn = 0; status == BE_OK && turn < SIDES && !contest->cancelled; turn++) {
            int i = (turn + round) % SIDES;
            double seconds = NAN;
            if (!is_right(&side[i]) || !run_once(contest, i, &side[i], &seconds, &status, error)) {
                continue;
            }
            spent_s[i] += seconds;
            status = be_samples_add(&side[i].samples, seconds, error);
            stop[i] = be_stop_check(&side[i].samples, spent_s[i], &rule);
            side[i].result.phase[BE_TOTAL].stop = stop[i];
        }
        for (int i = 0; i < SIDES; i++) {
            more |= is_right(&side[i]) && stop[i] == BE_STOP_NONE;
        }
    }
    return status;
}

static void add_point(struct contest *contest, const struct side side[SIDES], uint64_t size) {
    int at = contest->points;
    if (at == SIZES || !is_right(&side[0]) || !is_right(&side[1]) || !side[0].samples.count ||
        !side[1].samples.count) {
        return;
    }
    while (at > 0 && contest->point[at - 1].size > size) {
        contest->point[at] = contest->point[at - 1];
        at--;
    }
    contest->point[at].size = size;
    contest->point[at].ratio = be_compare_samples(&side[1].samples, &side[0].samples, BE_MARGIN);
    contest->points++;
}

static enum be_status measure(struct contest *contest, uint64_t size, bool refines,
                              struct be_error *error) {
    struct side side[SIDES] = {{.result = result_of(contest, 0, size)},
                               {.result = result_of(contest, 1, size)}};
    enum be_status status = begin_size(contest, side, error);
    status = status ? status : take_rounds(contest, side, error);
    bool whole = true;
    for (int i = 0; i < SIDES; i++) {
        side[i].result.refines = refines;
        whole &= !is_right(&side[i]) || side[i].samples.count > 0;
    }
    for (int i = 0; status == BE_OK && whole && i < SIDES; i++) {
        status = keep(contest, &side[i], error);
    }
    if (status == BE_OK) {
        add_point(contest, side, size);
    }
    be_samples_free(&side[0].samples);
    be_samples_free(&side[1].samples);
    contest->late |= now_s() > contest->until_s;
    return status;
}

/* ---- all sizes -------------------------------------------------------------------------------- */

/* 1, 3, 10, 30 ... times `from`, as ranges of other comparisons go. */
static int list_sizes(const struct be_compare_options *options, uint64_t size[SIZES]) {
    int count = 0;
    for (int i = 0; i < options->sizes && i < BE_LIST_MAX; i++) {
        size[count++] = options->size[i];
    }
    for (double at = (double)options->size_from; options->size_to && count < SIZES;) {
        uint64_t whole = (uint64_t)(at + 0.5);
        bool last = whole >= options->size_to;
        size[count++] = last ? options->size_to : whole;
        if (last) {
            break;
        }
        double power = pow(10, floor(log10(at) + 1e-9));
        at = at < 3 * power * (1 - 1e-9) ? 3 * power : 10 * power;
    }
    return count;
}

static int by_size(const void *a, const void *b) {
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

static enum be_status sweep(struct contest *contest, struct be_error *error) {
    uint64_t size[SIZES];
    const struct be_compare_options *options = contest->programs->options;
    int count = list_sizes(options, size);
    enum be_status status = BE_OK;
    qsort(size, (size_t)count, sizeof *size, by_size);
    for (int i = 0; status == BE_OK && i < count && !contest->cancelled && !contest->late; i++) {
        contest->done = SIDES * i;
        contest->left = SIDES * (count - i);
        status = i && size[i] == size[i - 1] ? BE_OK : measure(contest, size[i], false, error);
    }
    contest->left = 0;
    for (int i = 0; status == BE_OK && i < REFINEMENTS && !options->no_refine &&
                    !contest->cancelled && !contest->late;
         i++) {
        int before = contest->points;
        uint64_t next = before ? be_crossing_next(contest->point, contest->points, bracket) : 0;
        if (!next) {
            break;
        }
        status = measure(contest, next, true, error);
        if (contest->points == before) {
            break; /* no right result there: it would be asked for again */
        }
    }
    return status;
}

static struct be_breakeven breakeven_of(const struct contest *contest) {
    const struct be_point *point = contest->point;
    struct be_crossing crossing = be_crossing_find(point, contest->points);
    struct be_breakeven even = {.threads = contest->comparison->machine.cores_allowed,
                                .placement = BE_COPY,
                                .cache = BE_BEYOND,
                                .status = crossing.status,
                                .from = crossing.from,
                                .lo = crossing.lo,
                                .hi = crossing.hi,
                                .until = crossing.until,
                                .until_lo = crossing.until_lo,
                                .until_hi = crossing.until_hi,
                                .smallest = (double)point[0].size,
                                .largest = (double)point[contest->points - 1].size,
                                .calls_to_repay_copy = NAN,
                                .calls_to_repay_copy_lo = NAN,
                                .calls_to_repay_copy_hi = NAN,
                                .calls_to_repay_first = NAN,
                                .calls_to_repay_first_lo = NAN,
                                .calls_to_repay_first_hi = NAN};
    be_copy_text(even.workload, sizeof even.workload, BE_PROGRAMS);
    be_copy_text(even.device, sizeof even.device, BE_PROGRAM_SECOND);
    be_copy_text(even.against, sizeof even.against, "cpu");
    return even;
}

static enum be_status conclude(struct contest *contest, struct be_error *error) {
    struct be_comparison *all = contest->comparison;
    all->partial = contest->cancelled || contest->late;
    if (!contest->points) {
        return BE_OK;
    }
    all->breakeven = malloc(sizeof *all->breakeven);
    if (!all->breakeven) {
        return be_fail(error, BE_NOMEM, "no host memory for a break-even");
    }
    all->breakeven[all->breakevens++] = breakeven_of(contest);
    return BE_OK;
}

/* ---- before ----------------------------------------------------------------------------------- */

static enum be_status check(const struct be_programs *programs, struct be_error *error) {
    const struct be_compare_options *options = programs->options;
    char words[BE_NOTE];
    for (int i = 0; i < SIDES; i++) {
        const char *command = programs->command[i];
        if (!command || !command[strspn(command, " \t")]) {
            return be_fail(error, BE_USAGE,
                           "--program: two commands are needed, as in --program './cpu {n}' './gpu "
                           "{n}' --size=1e3..1e6");
        }
        if (!strstr(command, "{n}")) {
            return be_fail(error, BE_USAGE,
                           "--program '%.80s': {n} is missing, which stands for the size", command);
        }
        if (!be_command_words(command, UINT64_MAX, words, sizeof words)) {
            return be_fail(error, BE_USAGE, "--program '%.80s...': is longer than %d signs",
                           command, (int)sizeof words);
        }
    }
    if (!options->sizes && !options->size_to) {
        return be_fail(error, BE_USAGE,
                       "--program: --size is needed, as in --size=1e3..1e6 or --size=100,1000");
    }
    return BE_OK;
}

/* The second program stands as a device of this machine, which reports name. */
static enum be_status describe(const struct be_programs *programs, struct be_comparison *comparison,
                               struct be_error *error) {
    struct be_cores cores;
    enum be_status status = be_machine_find(&comparison->machine, &cores, error);
    if (status != BE_OK) {
        return status;
    }
    struct be_machine *machine = &comparison->machine;
    machine->absences = 0; /* nobody asked for devices of ours */
    machine->devices = machine->devices < BE_DEVICES_MAX ? machine->devices : BE_DEVICES_MAX - 1;
    struct be_device_info *info = &machine->device[machine->devices++];
    *info = (struct be_device_info){.kind = BE_KIND_GPU};
    be_copy_text(info->id, sizeof info->id, BE_PROGRAM_SECOND);
    be_copy_text(info->backend, sizeof info->backend, BE_PROGRAM_SECOND);
    be_copy_text(info->name, sizeof info->name, programs->command[1]);
    be_environment_find(&cores, &comparison->environment);
    return BE_OK;
}

enum be_status be_programs_compare(const struct be_programs *programs,
                                   struct be_comparison *comparison, struct be_error *error) {
    const struct be_compare_options *options = programs->options;
    struct contest contest = {
        .programs = programs,
        .comparison = comparison,
        .output = {{-1, -1}, {-1, -1}},
        .budget_s = options->budget_s > 0 ? options->budget_s : default_budget_s,
        .patience_s = options->patience_s > 0 ? options->patience_s : default_patience_s,
        .begin_s = now_s()};
    contest.until_s = options->total_s > 0 ? contest.begin_s + options->total_s : INFINITY;
    memset(comparison, 0, sizeof *comparison);
    enum be_status status = check(programs, error);
    status = status ? status : describe(programs, comparison, error);
    for (int i = 0; status == BE_OK && i < SIDES; i++) {
        status = be_program_output_open(&contest.output[i], error);
    }
    status = status ? status : sweep(&contest, error);
    status = status ? status : conclude(&contest, error);
    for (int i = 0; i < SIDES; i++) {
        be_program_output_close(&contest.output[i]);
    }
    if (status != BE_OK) {
        be_comparison_free(comparison);
    }
    return status;
}
