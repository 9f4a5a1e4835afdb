/*
 * A line of `sacct -P` -> a job. Columns are found by the names in the header; job names may hold
 * the mark between fields, so what is too much belongs to a column of free text.
 */
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "accounting/records.h"
#include "base/error.h"

enum column {
    JOBID,
    JOBIDRAW,
    PARTITION,
    QOS,
    ACCOUNT,
    USER,
    SUBMIT,
    ELIGIBLE,
    START,
    END,
    ELAPSED,
    ELAPSEDRAW,
    STATE,
    NNODES,
    NCPUS,
    REQCPUS,
    REQMEM,
    REQTRES,
    ALLOCTRES,
    REQGRES,
    ALLOCGRES,
    TIMELIMIT,
    TIMELIMITRAW,
    NODELIST,
    REASON,
    FREE, /* text that may hold anything: there can be several */
    COLUMNS
};

static const struct {
    const char *name;
    enum column column;
} names[] = {
    {"JobID", JOBID},
    {"JobIDRaw", JOBIDRAW},
    {"Partition", PARTITION},
    {"QOS", QOS},
    {"Account", ACCOUNT},
    {"User", USER},
    {"Submit", SUBMIT},
    {"Eligible", ELIGIBLE},
    {"Start", START},
    {"End", END},
    {"Elapsed", ELAPSED},
    {"ElapsedRaw", ELAPSEDRAW},
    {"State", STATE},
    {"NNodes", NNODES},
    {"AllocNodes", NNODES},
    {"NCPUS", NCPUS},
    {"AllocCPUS", NCPUS},
    {"ReqCPUS", REQCPUS},
    {"ReqMem", REQMEM},
    {"ReqTRES", REQTRES},
    {"AllocTRES", ALLOCTRES},
    {"ReqGRES", REQGRES},
    {"AllocGRES", ALLOCGRES},
    {"Timelimit", TIMELIMIT},
    {"TimelimitRaw", TIMELIMITRAW},
    {"NodeList", NODELIST},
    {"Reason", REASON},
    {"JobName", FREE},
    {"Comment", FREE},
    {"AdminComment", FREE},
    {"SystemComment", FREE},
    {"WorkDir", FREE},
    {"SubmitLine", FREE},
    {"WCKey", FREE},
    {"Extra", FREE},
};

enum { FREE_MAX = 9 };

struct be_sacct {
    char mark;
    int count;       /* columns */
    int at[COLUMNS]; /* -1: not there */
    int free[FREE_MAX], frees;
};

static enum column column_of(struct be_slice name) {
    const char *percent = memchr(name.text, '%', name.length); /* "JobName%30" */
    size_t length = percent ? (size_t)(percent - name.text) : name.length;
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        if (strlen(names[i].name) == length && strncasecmp(name.text, names[i].name, length) == 0) {
            return names[i].column;
        }
    }
    return COLUMNS;
}

bool be_sacct_is_header(struct be_slice line, char mark) {
    struct be_slice field[BE_COLUMNS_MAX];
    int count = be_lines_split(line, mark, field, BE_COLUMNS_MAX);
    bool found = false;
    for (int i = 0; i < count && i < BE_COLUMNS_MAX; i++) {
        enum column column = column_of(field[i]);
        if (field[i].length && field[i].text[0] >= '0' && field[i].text[0] <= '9') {
            return false; /* no column begins so: it is a job, perhaps one with such a name */
        }
        found |= column == SUBMIT || column == JOBID || column == JOBIDRAW;
    }
    return found;
}

enum be_status be_sacct_open(const char *name, struct be_slice header, char between, char mark,
                             struct be_sacct **sacct, struct be_error *error) {
    static const struct {
        enum column column;
        const char *name;
    } needed[] = {{JOBID, "JobID"}, {PARTITION, "Partition"}, {SUBMIT, "Submit"}, {START, "Start"}};
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
    for (int i = 0; i < COLUMNS; i++) {
        s->at[i] = -1;
    }
    for (int i = 0; i < count; i++) {
        enum column column = column_of(field[i]);
        if (column == FREE && s->frees < FREE_MAX) {
            s->free[s->frees++] = i;
        } else if (column < FREE && s->at[column] < 0) {
            s->at[column] = i;
        }
    }
    if (s->at[JOBID] < 0) {
        s->at[JOBID] = s->at[JOBIDRAW];
    }
    for (size_t i = 0; i < BE_COUNT(needed); i++) {
        if (s->at[needed[i].column] < 0) {
            free(s);
            return be_fail(error, BE_USAGE,
                           "%s: has no column %s: save it with sacct -P -a -X "
                           "--format=JobID,Partition,User,Account,QOS,Submit,Eligible,Start,End,"
                           "State,NNodes,NCPUS,ReqMem,ReqTRES,AllocTRES,Timelimit",
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
                            enum column column) {
    return s->at[column] < 0 ? (struct be_slice){"", 0} : field[s->at[column]];
}

/* ---- the parts of a record: what is wrong, or NULL ------------------------------------------ */

static const char *times(const struct be_sacct *s, const struct be_records_options *options,
                         const struct be_slice *field, struct be_record *record, bool *local) {
    static const enum column column[] = {SUBMIT, ELIGIBLE, START, END};
    static const char *const wrong[] = {"Submit is no time", "Eligible is no time",
                                        "Start is no time", "End is no time"};
    int64_t *const to[] = {&record->submit_s, &record->eligible_s, &record->start_s,
                           &record->end_s};
    record->end_s = BE_NO_TIME;
    int64_t min = BE_NO_TIME; /* what came before */
    struct be_slice before = {"", 0};
    for (size_t i = 0; i < BE_COUNT(column); i++) {
        if (column[i] == END && options->skip & BE_SKIP_END && s->at[ELAPSED] >= 0) {
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
    if (!be_parse_span(pick(s, field, TIMELIMIT), &record->limit_s)) {
        return "Timelimit is no span of time";
    }
    if (s->at[TIMELIMITRAW] >= 0) { /* minutes */
        struct be_slice raw = pick(s, field, TIMELIMITRAW);
        if (be_slice_is(raw, "UNLIMITED")) {
            record->limit_s = INFINITY;
        } else if (be_parse_count(raw, &number)) {
            record->limit_s = number * 60;
        }
    }
    struct be_slice elapsed = pick(s, field, ELAPSED);
    /* Elapsed always has its hours: two parts would be minutes and seconds, as be_parse_span has
     * it. */
    if (!be_parse_span(elapsed, &record->elapsed_s)) {
        return "Elapsed is no span of time";
    }
    if (s->at[ELAPSEDRAW] >= 0 && be_parse_count(pick(s, field, ELAPSEDRAW), &number)) {
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
                            enum column first, enum column second, double *count) {
    *count = NAN;
    const enum column column[] = {first, second};
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
    static const enum column tres[] = {REQTRES, ALLOCTRES};
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
    static const enum column tres[] = {REQTRES, ALLOCTRES};
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
    if (!be_parse_memory(pick(s, field, REQMEM), &bytes, &per)) {
        return "ReqMem is no size";
    }
    double times = per == 'c' ? record->cpus : per == 'n' ? record->nodes : 1;
    record->memory_bytes = bytes > 0 ? bytes * times : NAN;
    return NULL;
}

static void gpus(const struct be_sacct *s, const struct be_slice *field, struct be_record *record) {
    static const enum column gres[] = {ALLOCTRES, REQTRES, ALLOCGRES, REQGRES};
    for (size_t i = 0; i < BE_COUNT(gres) && !(record->gpus > 0); i++) {
        struct be_slice list = pick(s, field, gres[i]);
        record->gpus = list.length ? be_tres_gpus(list, &record->gpu_type) : 0;
    }
}

static const char *sizes(const struct be_sacct *s, const struct be_records_options *options,
                         const struct be_slice *field, struct be_record *record) {
    const char *wrong = count_of(s, field, NCPUS, REQCPUS, &record->cpus);
    wrong = wrong ? wrong : count_of(s, field, NNODES, NNODES, &record->nodes);
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
    struct be_slice nodes = pick(s, field, NODELIST);
    if (nodes.length) {
        return !be_slice_is(nodes, "None assigned") && !be_slice_is(nodes, "(null)");
    }
    if (record->elapsed_s > 0 || record->state == BE_JOB_RUNNING ||
        record->state == BE_JOB_COMPLETED) {
        return true;
    }
    bool ended_waiting = record->state == BE_JOB_CANCELLED || record->state == BE_JOB_DEADLINE ||
                         record->state == BE_JOB_REVOKED ||
                         (record->state == BE_JOB_FAILED && s->at[ALLOCTRES] >= 0);
    return !ended_waiting || pick(s, field, ALLOCTRES).length > 0;
}

static const char *convert(const struct be_sacct *s, const struct be_records_options *options,
                           const struct be_slice *field, struct be_record *record, bool *local) {
    const char *wrong = times(s, options, field, record, local);
    wrong = wrong ? wrong : spans(s, field, record);
    wrong = wrong ? wrong : sizes(s, options, field, record);
    if (wrong) {
        return wrong;
    }
    record->partition = pick(s, field, PARTITION);
    record->user = pick(s, field, USER);
    record->account = pick(s, field, ACCOUNT);
    record->qos = pick(s, field, QOS);
    record->state = be_parse_state(pick(s, field, STATE));
    record->reasoned = pick(s, field, REASON).length > 0;
    record->hold = be_parse_reason(pick(s, field, REASON));
    record->eligible_told = s->at[ELIGIBLE] >= 0;
    record->started = has_started(s, field, record);
    return record->partition.length ? NULL : "no Partition";
}

static bool identify(const struct be_sacct *s, const struct be_slice *field,
                     struct be_record *record, bool *step) {
    record->id = pick(s, field, JOBID);
    struct be_slice raw = pick(s, field, JOBIDRAW);
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

/* The fields as the header counts them, with what is too much put to column `wide` of free text. */
static void arrange(const struct be_sacct *s, const struct be_slice *field, int count, int wide,
                    struct be_slice *to) {
    int extra = count - s->count;
    for (int i = 0; i < s->count; i++) {
        to[i] = field[i > wide ? i + extra : i];
    }
}

const char *be_sacct_line(const struct be_sacct *s, const struct be_records_options *options,
                          struct be_slice line, struct be_record *record, bool *step, bool *local) {
    struct be_slice field[BE_COLUMNS_MAX], moved[BE_COLUMNS_MAX];
    const char *wrong = NULL;
    *step = false;
    int count = be_lines_split(line, s->mark, field, BE_COLUMNS_MAX);
    if (count == s->count + 1 && field[s->count].length == 0) {
        count--;
    }
    if (count < s->count) {
        return "has too few fields";
    }
    if (count > BE_COLUMNS_MAX || (count > s->count && s->frees == 0)) {
        return "has too many fields";
    }
    for (int k = 0; k < (count > s->count ? s->frees : 1); k++) {
        const struct be_slice *use = field;
        if (count > s->count) {
            arrange(s, field, count, s->free[k], moved);
            use = moved;
        }
        if (!identify(s, use, record, step)) {
            wrong = "JobID is no job's number";
            continue;
        }
        wrong = *step ? NULL : convert(s, options, use, record, local);
        if (!wrong) {
            return NULL;
        }
    }
    return wrong;
}
