/*
 * A line of `sacct -P` -> a job. Columns are found by the names in the header; job names may hold
 * the mark between fields, so what is too much belongs to a column of free text.
 */
#include <math.h>
#include <stdlib.h>

#include "accounting/records_sacct.h"
#include "base/error.h"

/* Names shortened to less are words as others. */
enum { SHORTENED_MIN = 3 };

bool be_sacct_is_header(struct be_slice line, char mark) {
    struct be_slice field[BE_COLUMNS_MAX];
    int count = be_lines_split(line, mark, field, BE_COLUMNS_MAX);
    bool found = false, whole = false;
    for (int i = 0; i < count && i < BE_COLUMNS_MAX; i++) {
        if (field[i].length && field[i].text[0] >= '0' && field[i].text[0] <= '9') {
            return false; /* no column begins so: it is a job, perhaps one with such a name */
        }
        enum be_sacct_column column = be_sacct_column_of(field[i], &whole);
        found |= (whole || field[i].length >= SHORTENED_MIN) &&
                 (column == BE_COLUMN_SUBMIT || column == BE_COLUMN_JOBID ||
                  column == BE_COLUMN_JOBIDRAW);
    }
    return found;
}

/* Which column is where: by whole names first, so that none is taken for another that was shortened. */
static void find_columns(struct be_sacct *s, const struct be_slice *field) {
    static const enum be_sacct_column lists[] = {BE_COLUMN_REQTRES, BE_COLUMN_ALLOCTRES,
                                                 BE_COLUMN_LIST};
    for (int i = 0; i < BE_COLUMNS; i++) {
        s->at[i] = -1;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->count; i++) {
            bool whole = false;
            enum be_sacct_column column = be_sacct_column_of(field[i], &whole);
            if (whole == pass || column == BE_COLUMNS) {
                continue;
            }
            if (column == BE_COLUMN_FREE && s->frees < BE_FREE_MAX) {
                s->free[s->frees++] = i;
            } else if (column < BE_COLUMN_FREE && s->at[column] < 0) {
                s->at[column] = i;
            }
            for (size_t k = 0; k < BE_COUNT(lists); k++) {
                s->list[i] |= column == lists[k];
            }
        }
    }
}

static int by_number(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

enum be_status be_sacct_open(const char *name, struct be_slice header, char between, char mark,
                             struct be_sacct **sacct, struct be_error *error) {
    static const struct {
        enum be_sacct_column column;
        const char *name;
    } needed[] = {{BE_COLUMN_JOBID, "JobID"},
                  {BE_COLUMN_PARTITION, "Partition"},
                  {BE_COLUMN_SUBMIT, "Submit"},
                  {BE_COLUMN_START, "Start"}};
    struct be_slice field[BE_COLUMNS_MAX];
    int count = be_lines_split(header, between, field, BE_COLUMNS_MAX);
    if (count > BE_COLUMNS_MAX) {
        return be_fail(error, BE_USAGE, "%s: more than %d columns", name, (int)BE_COLUMNS_MAX);
    }
    count -= count > 1 && field[count - 1].length == 0; /* sacct -p ends lines with a mark */
    struct be_sacct *s = calloc(1, sizeof *s);
    if (!s) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", name);
    }
    s->mark = mark;
    s->count = count;
    s->quoted = (mark != '|' && mark >= ' ') || mark == '\t' ||
                memchr(header.text, '"', header.length) != NULL;
    find_columns(s, field);
    qsort(s->free, (size_t)s->frees, sizeof *s->free, by_number);
    if (s->at[BE_COLUMN_JOBID] < 0) {
        s->at[BE_COLUMN_JOBID] = s->at[BE_COLUMN_JOBIDRAW];
    }
    for (size_t i = 0; i < BE_COUNT(needed); i++) {
        if (s->at[needed[i].column] < 0) {
            free(s);
            return be_fail(error, BE_USAGE,
                           "%s: has no column %s: save it with sacct -P -a -X "
                           "--format=JobID,Partition,User,Account,QOS,Submit,Eligible,Start,End,"
                           "State,NNodes,NCPUS,ReqMem,ReqTRES,AllocTRES,Timelimit,Reason",
                           name, needed[i].name);
        }
    }
    *sacct = s;
    return BE_OK;
}

void be_sacct_close(struct be_sacct *sacct) {
    free(sacct);
}

static struct be_slice pick(const struct be_sacct *s, const struct be_slice *field,
                            enum be_sacct_column column) {
    return s->at[column] < 0 ? (struct be_slice){"", 0} : field[s->at[column]];
}

/* ---- the parts of a record: what is wrong, or NULL ------------------------------------------ */

static const char *times(const struct be_sacct *s, const struct be_records_options *options,
                         const struct be_slice *field, struct be_record *record, bool *local) {
    static const enum be_sacct_column column[] = {BE_COLUMN_SUBMIT, BE_COLUMN_ELIGIBLE,
                                                  BE_COLUMN_START, BE_COLUMN_END};
    static const char *const wrong[] = {"Submit is no time", "Eligible is no time",
                                        "Start is no time", "End is no time"};
    int64_t *const to[] = {&record->submit_s, &record->eligible_s, &record->start_s,
                           &record->end_s};
    record->end_s = BE_NO_TIME;
    int64_t min = BE_NO_TIME; /* what came before */
    struct be_slice before = {"", 0};
    for (size_t i = 0; i < BE_COUNT(column); i++) {
        if (column[i] == BE_COLUMN_END && options->skip & BE_SKIP_END &&
            s->at[BE_COLUMN_ELAPSED] >= 0) {
            continue;
        }
        struct be_slice text = pick(s, field, column[i]);
        bool zoned = false;
        if (i > 0 && text.length && text.length == before.length &&
            memcmp(text.text, before.text, text.length) == 0) {
            *to[i] = *to[i - 1]; /* eligible as it was submitted: most are */
            continue;
        }
        before = text;
        if (!be_parse_time(text, to[i], &zoned)) {
            return wrong[i];
        }
        if (*to[i] == BE_NO_TIME) {
            continue;
        }
        if (!zoned && options->zone) {
            *to[i] = be_zone_utc(options->zone, *to[i], min);
        }
        *local |= !zoned && !options->zone;
        min = *to[i];
    }
    return record->submit_s == BE_NO_TIME ? "no Submit" : NULL;
}

static const char *spans(const struct be_sacct *s, const struct be_slice *field,
                         struct be_record *record) {
    double number;
    if (!be_parse_span(pick(s, field, BE_COLUMN_TIMELIMIT), &record->limit_s)) {
        return "Timelimit is no span of time";
    }
    if (s->at[BE_COLUMN_TIMELIMITRAW] >= 0) { /* minutes */
        struct be_slice raw = pick(s, field, BE_COLUMN_TIMELIMITRAW);
        if (be_slice_is(raw, "UNLIMITED")) {
            record->limit_s = INFINITY;
        } else if (be_parse_count(raw, &number)) {
            record->limit_s = number * 60;
        }
    }
    if (s->at[BE_COLUMN_LIMIT_S] >= 0 &&
        be_parse_count(pick(s, field, BE_COLUMN_LIMIT_S), &number)) {
        record->limit_s = number > 0 ? number : NAN;
    }
    struct be_slice elapsed = pick(s, field, BE_COLUMN_ELAPSED);
    /* Elapsed always has its hours: two parts would be minutes and seconds, as be_parse_span has
     * it. */
    if (!be_parse_span(elapsed, &record->elapsed_s)) {
        return "Elapsed is no span of time";
    }
    if (s->at[BE_COLUMN_ELAPSEDRAW] >= 0 &&
        be_parse_count(pick(s, field, BE_COLUMN_ELAPSEDRAW), &number)) {
        record->elapsed_s = number;
    }
    if (!(record->elapsed_s >= 0) && record->start_s != BE_NO_TIME && record->end_s != BE_NO_TIME &&
        record->end_s >= record->start_s) {
        record->elapsed_s = (double)(record->end_s - record->start_s);
    }
    return NULL;
}

/* The first of two columns that has a count above 0; NAN: neither. */
static const char *count_of(const struct be_sacct *s, const struct be_slice *field,
                            enum be_sacct_column first, enum be_sacct_column second,
                            double *count) {
    *count = NAN;
    const enum be_sacct_column column[] = {first, second};
    for (size_t i = 0; i < BE_COUNT(column) && !(*count > 0); i++) {
        double value;
        if (!be_parse_count(pick(s, field, column[i]), &value)) {
            return "a count is no number";
        }
        *count = value > 0 ? value : *count;
    }
    return NULL;
}

/* The CPUs of a list of resources, where no column counts them. */
static const char *cpus(const struct be_sacct *s, const struct be_slice *field,
                        struct be_record *record) {
    static const enum be_sacct_column tres[] = {BE_COLUMN_REQTRES, BE_COLUMN_ALLOCTRES};
    static const char *const wrong[] = {"cpu of ReqTRES is no number",
                                        "cpu of AllocTRES is no number"};
    for (size_t i = 0; i < BE_COUNT(tres) && !(record->cpus > 0); i++) {
        struct be_slice found = be_tres_find(pick(s, field, tres[i]), "cpu");
        if (found.length && !be_parse_count(found, &record->cpus)) {
            return wrong[i];
        }
    }
    return NULL;
}

static const char *memory(const struct be_sacct *s, const struct be_slice *field,
                          struct be_record *record) {
    static const enum be_sacct_column tres[] = {BE_COLUMN_REQTRES, BE_COLUMN_ALLOCTRES};
    double bytes;
    char per;
    record->memory_bytes = NAN;
    for (size_t i = 0; i < BE_COUNT(tres); i++) {
        struct be_slice found = be_tres_find(pick(s, field, tres[i]), "mem");
        if (found.length && be_parse_memory(found, &bytes, &per) && bytes > 0) {
            record->memory_bytes = bytes;
            return NULL;
        }
    }
    if (!be_parse_memory(pick(s, field, BE_COLUMN_REQMEM), &bytes, &per)) {
        return "ReqMem is no size";
    }
    double times = per == 'c' ? record->cpus : per == 'n' ? record->nodes : 1;
    record->memory_bytes = bytes > 0 ? bytes * times : NAN;
    return NULL;
}

static void gpus(const struct be_sacct *s, const struct be_slice *field, struct be_record *record) {
    static const enum be_sacct_column gres[] = {BE_COLUMN_ALLOCTRES, BE_COLUMN_REQTRES,
                                                BE_COLUMN_ALLOCGRES, BE_COLUMN_REQGRES};
    double count;
    if (s->at[BE_COLUMN_GPUS] >= 0 && be_parse_count(pick(s, field, BE_COLUMN_GPUS), &count)) {
        record->gpus = count > 0 ? count : 0;
    }
    for (size_t i = 0; i < BE_COUNT(gres) && !(record->gpus > 0); i++) {
        struct be_slice list = pick(s, field, gres[i]);
        record->gpus = list.length ? be_tres_gpus(list, &record->gpu_type) : 0;
    }
}

static const char *sizes(const struct be_sacct *s, const struct be_records_options *options,
                         const struct be_slice *field, struct be_record *record) {
    const char *wrong = count_of(s, field, BE_COLUMN_NCPUS, BE_COLUMN_REQCPUS, &record->cpus);
    wrong = wrong ? wrong : count_of(s, field, BE_COLUMN_NNODES, BE_COLUMN_NNODES, &record->nodes);
    wrong = wrong ? wrong : cpus(s, field, record);
    if (wrong) {
        return wrong;
    }
    record->gpus = 0;
    record->gpu_type = (struct be_slice){"", 0};
    record->memory_bytes = NAN;
    if (!(options->skip & BE_SKIP_GPUS)) {
        gpus(s, field, record);
    }
    return options->skip & BE_SKIP_MEMORY ? NULL : memory(s, field, record);
}

/* Slurm gives a job that was cancelled while it waited a start at its end, and one too that it failed
 * since it can never start (BadConstraints): only nodes, or what was allocated, say that neither
 * began. */
static bool has_started(const struct be_sacct *s, const struct be_slice *field,
                        const struct be_record *record) {
    if (record->start_s == BE_NO_TIME || record->state == BE_JOB_PENDING) {
        return false;
    }
    struct be_slice nodes = pick(s, field, BE_COLUMN_NODELIST);
    if (nodes.length) {
        return !be_slice_is(nodes, "None assigned") && !be_slice_is(nodes, "(null)");
    }
    if (record->elapsed_s > 0 || record->state == BE_JOB_RUNNING ||
        record->state == BE_JOB_COMPLETED) {
        return true;
    }
    bool ended_waiting = record->state == BE_JOB_CANCELLED || record->state == BE_JOB_DEADLINE ||
                         record->state == BE_JOB_REVOKED ||
                         (record->state == BE_JOB_FAILED && s->at[BE_COLUMN_ALLOCTRES] >= 0);
    return !ended_waiting || pick(s, field, BE_COLUMN_ALLOCTRES).length > 0;
}

static const char *convert(const struct be_sacct *s, const struct be_records_options *options,
                           const struct be_slice *field, struct be_record *record, bool *local) {
    const char *wrong = times(s, options, field, record, local);
    wrong = wrong ? wrong : spans(s, field, record);
    wrong = wrong ? wrong : sizes(s, options, field, record);
    if (wrong) {
        return wrong;
    }
    record->partition = pick(s, field, BE_COLUMN_PARTITION);
    record->user = pick(s, field, BE_COLUMN_USER);
    record->account = pick(s, field, BE_COLUMN_ACCOUNT);
    record->qos = pick(s, field, BE_COLUMN_QOS);
    record->state = be_parse_state(pick(s, field, BE_COLUMN_STATE));
    const struct be_slice reason = pick(s, field, BE_COLUMN_REASON);
    record->reasoned = reason.length > 0;
    record->hold = record->reasoned ? be_parse_reason(reason) : BE_HOLD_NONE;
    record->eligible_told = s->at[BE_COLUMN_ELIGIBLE] >= 0;
    record->started = has_started(s, field, record);
    return record->partition.length ? NULL : "no Partition";
}

static bool identify(const struct be_sacct *s, const struct be_slice *field,
                     struct be_record *record, bool *step) {
    record->id = pick(s, field, BE_COLUMN_JOBID);
    struct be_slice raw = pick(s, field, BE_COLUMN_JOBIDRAW);
    /* Saved files have the two in either order: the one that says more counts. */
    if (memchr(raw.text, '_', raw.length) && !memchr(record->id.text, '_', record->id.length)) {
        record->id = raw;
    }
    uint64_t number = 0;
    uint32_t digits = 0;
    for (; digits < record->id.length && digits < 19; digits++) {
        unsigned digit = (unsigned)(unsigned char)record->id.text[digits] - '0';
        if (digit > 9) {
            break;
        }
        number = number * 10 + digit;
    }
    *step = memchr(record->id.text, '.', record->id.length) != NULL;
    record->array = number;
    record->tasks = be_array_tasks(record->id);
    char next = digits < record->id.length ? record->id.text[digits] : '\0';
    return digits > 0 && (next == '\0' || next == '_' || next == '.' || next == '+');
}

static const char too_few[] = "has too few fields", in_quotes[] = "ends within quotes";

bool be_sacct_goes_on(const struct be_sacct *s, const char *wrong) {
    return wrong == in_quotes || (wrong == too_few && s->frees > 0);
}

bool be_sacct_ends_free(const struct be_sacct *s) {
    return s->frees > 0 && s->free[s->frees - 1] == s->count - 1;
}

/* One way to read the fields. */
static const char *read_fields(const struct be_sacct *s, const struct be_records_options *options,
                               const struct be_slice *field, struct be_record *record, bool *step,
                               bool *local) {
    if (!identify(s, field, record, step)) {
        return "JobID is no job's number";
    }
    return *step ? NULL : convert(s, options, field, record, local);
}

/* Free texts have so many marks in them: each way to give them away is tried, until the rest makes sense. */
static const char *read_marked(const struct be_sacct *s, const struct be_records_options *options,
                               const struct be_slice *field, int extra, struct be_record *record,
                               bool *step, bool *local) {
    const int ways_max = 2000;
    struct be_slice moved[BE_COLUMNS_MAX];
    int give[BE_FREE_MAX] = {extra};
    const char *wrong = NULL, *first = NULL;
    int way = 0;
    do {
        be_sacct_arrange(s, field, give, moved);
        wrong = read_fields(s, options, moved, record, step, local);
        first = first ? first : wrong;
    } while (wrong && ++way < ways_max && be_sacct_give_next(give, s->frees));
    return wrong ? first : NULL;
}

/* Cuts the line; what is wrong, or NULL. A quote in a name that was never meant as one is a sign as others. */
static const char *cut(const struct be_sacct *s, struct be_slice line, struct be_slice *field,
                       int *count) {
    *count = be_sacct_split(s, line, field);
    if (*count < 0) {
        *count = be_lines_split(line, s->mark, field, BE_COLUMNS_MAX);
        if (*count != s->count) {
            return in_quotes;
        }
    }
    if (*count == s->count + 1 && field[s->count].length == 0) {
        --*count;
    }
    *count = *count > s->count ? be_sacct_join_lists(s, field, *count) : *count;
    return *count < s->count ? too_few : NULL;
}

const char *be_sacct_line(const struct be_sacct *s, const struct be_records_options *options,
                          struct be_slice line, struct be_record *record, bool *step, bool *local) {
    struct be_slice field[BE_COLUMNS_MAX];
    int count = 0;
    *step = false;
    const char *wrong = cut(s, line, field, &count);
    if (wrong) {
        return wrong;
    }
    if (count > BE_COLUMNS_MAX || (count > s->count && s->frees == 0)) {
        return "has too many fields";
    }
    return count == s->count
               ? read_fields(s, options, field, record, step, local)
               : read_marked(s, options, field, count - s->count, record, step, local);
}
