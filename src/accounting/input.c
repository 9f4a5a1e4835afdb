#include "accounting/input.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "accounting/record.h"
#include "base/command.h"

/* ---- which jobs ----------------------------------------------------------------------------- */

bool be_word_listed(const struct be_word_list *list, struct be_slice word) {
    for (int i = 0; i < list->words; i++) {
        if (be_slice_is(word, list->word[i])) {
            return true;
        }
    }
    return list->words == 0;
}

/* "2026-01-31", "2026-01-31T12:00", "2026-01-31 12:00:00". Records also have times as seconds since
 * 1970; here "2026" is a year that was left without its day. */
enum be_status be_moment(const char *what, const char *text, bool day_as_whole,
                         const struct be_zone *zone, int64_t *seconds, struct be_error *error) {
    static const char rest[] = "0000-00-00T00:00:00";
    char whole[sizeof rest];
    size_t length = text ? strlen(text) : 0;
    bool zoned = false;
    *seconds = BE_NO_TIME;
    if (!text) {
        return BE_OK;
    }
    be_copy_text(whole, sizeof whole, text);
    if (length == 10 || length == 16) {
        be_copy_text(whole + length, sizeof whole - length, rest + length);
    }
    if (length > sizeof rest - 1 || length < 10 ||
        !be_parse_time((struct be_slice){whole, (uint32_t)strlen(whole)}, seconds, &zoned) ||
        *seconds == BE_NO_TIME) {
        return be_fail(error, BE_USAGE,
                       "--%s %s: a day is needed, as in 2026-01-31, or "
                       "2026-01-31T12:00",
                       what, text);
    }
    *seconds += day_as_whole && length == 10 ? 86400 : 0;
    *seconds = zone && !zoned ? be_zone_utc(zone, *seconds, BE_NO_TIME) : *seconds;
    return BE_OK;
}

enum be_status be_match_open(const struct be_job_input *input, const struct be_job_filter *filter,
                             struct be_job_match *match, struct be_error *error) {
    struct be_zone *zone;
    *match = (struct be_job_match){.filter = filter};
    for (int i = 0; i < filter->state.words; i++) {
        const char *word = filter->state.word[i];
        enum be_job_state state = be_parse_state((struct be_slice){word, (uint32_t)strlen(word)});
        if (state == BE_JOB_UNKNOWN) {
            return be_fail(error, BE_USAGE,
                           "--state %s: no such state; COMPLETED, FAILED, TIMEOUT, CANCELLED, "
                           "OUT_OF_MEMORY, NODE_FAIL, PREEMPTED, RUNNING are some",
                           word);
        }
        match->states |= 1u << state;
    }
    enum be_status status = be_input_zone(input, &zone, error);
    status = status == BE_OK
                 ? be_moment("since", filter->since, false, zone, &match->since_s, error)
                 : status;
    status = status == BE_OK ? be_moment("until", filter->until, true, zone, &match->until_s, error)
                             : status;
    free(zone);
    if (status == BE_OK && match->since_s != BE_NO_TIME && match->until_s != BE_NO_TIME &&
        match->since_s >= match->until_s) {
        return be_fail(error, BE_USAGE, "--since %s is after --until %s", filter->since,
                       filter->until);
    }
    if (input->files == 0 && match->since_s == BE_NO_TIME) {
        const int64_t until_s = match->until_s == BE_NO_TIME ? (int64_t)time(NULL) : match->until_s;
        match->since_s = until_s - 30 * INT64_C(86400);
    }
    return status;
}

bool be_match(const struct be_job_match *match, const struct be_record *record) {
    const struct be_job_filter *f = match->filter;
    return (match->since_s == BE_NO_TIME || record->submit_s >= match->since_s) &&
           (match->until_s == BE_NO_TIME || record->submit_s < match->until_s) &&
           (!match->states || match->states & 1u << record->state) &&
           be_word_listed(&f->user, record->user) && be_word_listed(&f->account, record->account) &&
           be_word_listed(&f->qos, record->qos) && be_word_listed(&f->gpu_type, record->gpu_type);
}

/* ---- reading -------------------------------------------------------------------------------- */

struct reading {
    const struct be_job_input *input;
    const struct be_records_options *options;
    struct be_wait_counts *counts;
    be_record_taker *take;
    void *context;
    int64_t from_s, to_s; /* of a page of sacct: what is its own; BE_NO_TIME: all */
    bool reasonless;      /* this sacct has no column Reason */
};

static bool cancelled(const struct be_job_input *input) {
    return input->cancelled && input->cancelled(input->context);
}

enum be_status be_input_go_on(const struct be_job_input *input, const char *what, size_t done,
                              size_t left, double elapsed_s, struct be_error *error) {
    if (input->progress) {
        struct be_progress progress = {what, (int)done, (int)left, elapsed_s,
                                       done ? elapsed_s / (double)done * (double)left : NAN};
        input->progress(input->context, &progress);
    }
    return cancelled(input) ? be_fail(error, BE_STOPPED, "%s: ended before all was done", what)
                            : BE_OK;
}

/* A page of sacct has every job that could run in its time: each job is counted in the page
 * where it first could. */
static bool own(const struct reading *r, const struct be_record *record) {
    int64_t key = record->eligible_s == BE_NO_TIME ? record->submit_s : record->eligible_s;
    return (r->from_s == BE_NO_TIME || key >= r->from_s) &&
           (r->to_s == BE_NO_TIME || key < r->to_s);
}

/* A source of which every line is refused is no accounting, or not one that can be read. */
static enum be_status none_is_a_job(const struct be_wait_counts *counts, uint64_t before,
                                    const char *name, struct be_error *error) {
    const uint64_t lines = counts->rejected - before;
    char first[BE_NOTE] = "";
    bool time = false;
    if (before < BE_REJECTS) {
        const char *why = counts->reject[before].why;
        time = strstr(why, "is no time") != NULL;
        snprintf(first, sizeof first, ": line %llu %s: %.60s",
                 (unsigned long long)counts->reject[before].line, why, counts->reject[before].text);
    }
    return be_fail(error, BE_USAGE, "%s: none of its %llu line%s is a job%s%s", name,
                   (unsigned long long)lines, lines > 1 ? "s" : "", first,
                   time ? " (was SLURM_TIME_FORMAT set where it was saved? `unset "
                          "SLURM_TIME_FORMAT`, and save it again)"
                        : "");
}

static enum be_status read_lines(struct reading *r, struct be_lines *lines, const char *name,
                                 struct be_error *error) {
    const uint64_t between_questions = 4096, rejected = r->counts->rejected,
                   steps = r->counts->steps;
    struct be_records *records = NULL;
    enum be_status status = be_records_open(lines, name, r->options, r->counts, &records, error);
    bool more = true;
    uint64_t seen = 0;
    for (uint64_t i = 0; status == BE_OK; i++) {
        struct be_record record;
        status = be_records_next(records, &record, &more, error);
        if (status != BE_OK || !more) {
            break;
        }
        seen++;
        if (own(r, &record)) {
            status = r->take(r->context, &record, error);
        } else {
            r->counts->jobs--;
        }
        if (i % between_questions == 0 && status == BE_OK && cancelled(r->input)) {
            status = be_fail(error, BE_STOPPED, "ended before all of %s was read", name);
        }
    }
    be_records_close(records);
    const bool any = seen > 0 || r->counts->steps > steps;
    return status == BE_OK && !any && r->counts->rejected > rejected
               ? none_is_a_job(r->counts, rejected, name, error)
               : status;
}

static enum be_status read_file(struct reading *r, const char *name, struct be_error *error) {
    struct be_lines *lines = NULL;
    enum be_status status = be_lines_open(name, &lines, error);
    return status == BE_OK
               ? read_lines(r, lines, strcmp(name, "-") == 0 ? "standard input" : name, error)
               : status;
}

/* ---- asking sacct --------------------------------------------------------------------------- */

enum { TIME_CAPACITY = 40 };

/* As sacct -S reads it: on the clocks here. */
static void local_text(int64_t at_s, char text[TIME_CAPACITY]) {
    time_t at = (time_t)at_s;
    struct tm local;
    if (!localtime_r(&at, &local) || !strftime(text, TIME_CAPACITY, "%Y-%m-%dT%H:%M:%S", &local)) {
        text[0] = '\0';
    }
}

/* Near a change of clocks a text may be two moments: by so much more sacct is asked for, of which
 * own() takes what belongs to the page. */
static int64_t doubt_s(int64_t at_s) {
    const int64_t near_s = 7200;
    struct tm before, after;
    time_t early = (time_t)(at_s - near_s), late = (time_t)(at_s + near_s);
    bool known = localtime_r(&early, &before) && localtime_r(&late, &after);
    return known && before.tm_gmtoff == after.tm_gmtoff ? 0 : near_s;
}

#define FIELDS                                                                                     \
    "--format=JobID,Partition,User,Account,QOS,Submit,Eligible,Start,"                             \
    "End,State,NNodes,NCPUS,ReqCPUS,ReqMem,ReqTRES,AllocTRES,Timelimit"

static enum be_status ask_page(struct reading *r, int64_t from_s, int64_t to_s,
                               struct be_error *error) {
    const char *const fields = r->reasonless ? FIELDS : FIELDS ",Reason";
    char from[TIME_CAPACITY], to[TIME_CAPACITY];
    local_text(r->from_s == BE_NO_TIME ? from_s : from_s - doubt_s(from_s), from);
    local_text(r->to_s == BE_NO_TIME ? to_s : to_s + doubt_s(to_s), to);
    const char *const word[] = {"sacct", "-a", "-X", "-P", fields, "-S", from, "-E", to, NULL};
    struct be_command command = {0};
    struct be_lines *lines = NULL;
    enum be_status status = be_command_start(word, &command, &lines, error);
    if (status != BE_OK) {
        return status;
    }
    status = read_lines(r, lines, "sacct", error);
    struct be_error said = {0};
    /* The command's complaint says more than that its output was no accounting. */
    bool failed = be_command_wait(&command, &said) != BE_OK;
    if (failed && !r->reasonless && strstr(said.text, "Invalid field requested")) {
        r->reasonless = true;
        return ask_page(r, from_s, to_s, error);
    }
    if (failed && (status == BE_OK || (command.complained && status != BE_STOPPED))) {
        return be_fail(error, said.status,
                       "%.300s (away from the cluster, name a FILE that `sacct -P` saved there)",
                       said.text);
    }
    return status;
}

static void rest(double seconds) {
    struct timespec span = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&span, NULL);
}

/* A page at a time, with a pause after each: the database serves others too. */
static enum be_status ask(struct reading *r, int64_t since_s, int64_t until_s,
                          struct be_error *error) {
    const int64_t day_s = 86400;
    const double rest_share = 0.2, rest_max_s = 5;
    struct be_clock clock = be_clock_host();
    int64_t until = until_s == BE_NO_TIME ? (int64_t)time(NULL) : until_s;
    const double longest_s =
        1e11; /* of three thousand years, so that no sum of moments overflows */
    int64_t page_s = r->input->page_s >= 1 ? (int64_t)fmin(r->input->page_s, longest_s) : day_s;
    enum be_status status = BE_OK;
    int done = 0;
    double begin = be_now(&clock);
    for (int64_t at = since_s; at < until && status == BE_OK; at += page_s, done++) {
        int64_t end = at + page_s < until ? at + page_s : until;
        r->from_s = at == since_s ? BE_NO_TIME : at;
        r->to_s = end == until ? BE_NO_TIME : end;
        double asked = be_now(&clock);
        status = ask_page(r, at, end, error);
        double took = be_now(&clock) - asked;
        if (r->input->progress) {
            int left = (int)((until - end + page_s - 1) / page_s);
            double elapsed = be_now(&clock) - begin;
            struct be_progress progress = {"sacct, a page at a time", done + 1, left, elapsed,
                                           elapsed / (done + 1) * left};
            r->input->progress(r->input->context, &progress);
        }
        if (status == BE_OK && end < until) {
            double pause = r->input->pause_s > 0 ? r->input->pause_s : took * rest_share;
            rest(pause < rest_max_s || r->input->pause_s > 0 ? pause : rest_max_s);
        }
        if (status == BE_OK && cancelled(r->input)) {
            status = be_fail(error, BE_STOPPED, "ended before all was asked of sacct");
        }
    }
    return status;
}

enum be_status be_input_zone(const struct be_job_input *input, struct be_zone **zone,
                             struct be_error *error) {
    *zone = NULL;
    if (!input->zoned && input->files > 0) {
        return BE_OK;
    }
    *zone = malloc(sizeof **zone);
    if (!*zone) {
        return be_fail(error, BE_NOMEM, "time zone: no host memory");
    }
    be_zone_here(*zone);
    return BE_OK;
}

enum be_status be_input_each(const struct be_job_input *input, unsigned skip, int64_t since_s,
                             int64_t until_s, struct be_wait_counts *counts, be_record_taker *take,
                             void *context, struct be_error *error) {
    struct be_zone *zone;
    enum be_status status = be_input_zone(input, &zone, error);
    const struct be_records_options options = {
        .zone = zone, .fields = input->fields, .skip = skip, .mark = input->mark};
    struct reading reading = {.input = input,
                              .options = &options,
                              .counts = counts,
                              .take = take,
                              .context = context,
                              .from_s = BE_NO_TIME,
                              .to_s = BE_NO_TIME};
    for (int i = 0; i < input->files && status == BE_OK; i++) {
        status = read_file(&reading, input->file[i], error);
    }
    if (input->files == 0 && status == BE_OK) {
        status = ask(&reading, since_s, until_s, error);
    }
    free(zone);
    return status;
}
