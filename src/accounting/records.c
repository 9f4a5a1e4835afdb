#include "accounting/records.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"

struct be_records {
    struct be_lines *lines;
    const char *name;
    struct be_records_options options;
    struct be_wait_counts *counts;
    struct be_sacct *sacct; /* either of these */
    struct be_swf *swf;
    struct be_json_jobs *json; /* beside a sacct of its columns */
    uint64_t taken;            /* jobs of it */
    /* A line that is broken by line ends in a text, as far as it was read, with blanks in their place. */
    struct be_text broken;
    uint64_t broken_line; /* where it began; 0: there is none */
    int broken_parts;
    bool was_job;          /* the line before */
    struct be_slice first; /* a line read ahead, if any */
    bool ahead;
    uint64_t lines_before, bytes_before; /* of other sources, in counts */
};

static bool blank(struct be_slice line) {
    for (uint32_t i = 0; i < line.length; i++) {
        if (line.text[i] != ' ' && line.text[i] != '\t') {
            return false;
        }
    }
    return true;
}

/* sacct's --format in place of the header that is not there. */
static enum be_status columns(struct be_records *s, struct be_slice line, struct be_error *error) {
    const char *fields = s->options.fields ? s->options.fields : BE_SACCT_FIELDS;
    struct be_slice ignored[1];
    struct be_slice header = {fields, (uint32_t)strlen(fields)};
    int have = be_lines_split(line, s->options.mark, ignored, 1);
    int want = be_lines_split(header, ',', ignored, 1);
    if (have < want) {
        return be_fail(error, BE_USAGE,
                       "%s: no header, and %d fields where %d are expected: save it with its "
                       "header (sacct -P without -n), or name the columns (--fields=jobid,...)",
                       s->name, have, want);
    }
    return be_sacct_open(s->name, header, ',', s->options.mark, &s->sacct, error);
}

/* The mark between the names of a header: the sign behind the first word. 0: there is no such word. *more: signs
 * that belong to it. */
static char mark_of(struct be_slice line, int *more) {
    uint32_t at = 0;
    const bool quoted = line.length && line.text[0] == '"';
    at += quoted;
    while (at < line.length &&
           (isalnum((unsigned char)line.text[at]) || strchr("%_", line.text[at]))) {
        at++;
    }
    at += quoted && at < line.length && line.text[at] == '"';
    *more = 0;
    if (at == 0 || at >= line.length) {
        return '\0';
    }
    for (uint32_t i = at + 1; i < line.length && !isalnum((unsigned char)line.text[i]) &&
                              line.text[i] != '"' && line.text[i] != line.text[at];
         i++) {
        ++*more;
    }
    return line.text[at];
}

static enum be_status no_accounting(const struct be_records *s, struct be_slice line,
                                    struct be_error *error) {
    if (be_records_foreign(s->name, line, error)) {
        return BE_USAGE;
    }
    if (line.length > 5 && strncasecmp(line.text, "jobid", 5) == 0) {
        return be_fail(
            error, BE_USAGE,
            "%s: sacct's columns with blanks between them, which cuts what they hold: save it "
            "with `sacct -P`",
            s->name);
    }
    return be_fail(error, BE_USAGE,
                   "%s: neither of `sacct -P` (or CSV, or `sacct --json`) nor a Standard Workload "
                   "Format file: its first line has no %c and is not 18 numbers",
                   s->name, s->options.mark);
}

static enum be_status open_json(struct be_records *s, struct be_slice line,
                                struct be_error *error) {
    static const char fields[] = BE_JSON_FIELDS;
    const struct be_slice header = {fields, sizeof fields - 1};
    s->options.mark = BE_JSON_MARK;
    enum be_status status =
        be_sacct_open(s->name, header, BE_JSON_MARK, BE_JSON_MARK, &s->sacct, error);
    return status == BE_OK ? be_json_jobs_open(s->lines, s->name, line, &s->json, error) : status;
}

/* From the first line that is not empty. */
static enum be_status recognise(struct be_records *s, struct be_slice line,
                                struct be_error *error) {
    int more = 0;
    const char named = mark_of(line, &more);
    const char mark = s->options.mark ? s->options.mark : '|';
    if (!s->options.mark && named && named != ' ' && !be_sacct_is_header(line, mark) &&
        be_sacct_is_header(line, named)) {
        s->options.mark = named;
        return more ? be_fail(error, BE_USAGE,
                              "%s: more than one sign between its columns: save it with `sacct -P`",
                              s->name)
                    : be_sacct_open(s->name, line, named, named, &s->sacct, error);
    }
    s->options.mark = mark;
    if (be_sacct_is_header(line, mark)) {
        return be_sacct_open(s->name, line, mark, mark, &s->sacct, error);
    }
    if (line.text[0] == '{') {
        return open_json(s, line, error);
    }
    s->first = line;
    s->ahead = true;
    if (be_swf_is(line)) {
        return be_swf_open(s->options.zone != NULL, &s->swf, error);
    }
    if (memchr(line.text, mark, line.length) && !be_records_foreign(s->name, line, NULL)) {
        return columns(s, line, error);
    }
    return no_accounting(s, line, error);
}

enum be_status be_records_open(struct be_lines *lines, const char *name,
                               const struct be_records_options *options,
                               struct be_wait_counts *counts, struct be_records **source,
                               struct be_error *error) {
    struct be_records *s = calloc(1, sizeof *s);
    if (!s) {
        be_lines_close(lines);
        return be_fail(error, BE_NOMEM, "%s: no host memory", name);
    }
    *s = (struct be_records){.lines = lines,
                             .name = name,
                             .options = *options,
                             .counts = counts,
                             .lines_before = counts->lines,
                             .bytes_before = counts->bytes};
    struct be_slice line;
    bool more = true;
    enum be_status status = BE_OK;
    do {
        status = be_lines_next(lines, &line, &more, error);
    } while (status == BE_OK && more && blank(line));
    if (status == BE_OK && more) {
        static const char mark_of_utf8[] = "\xef\xbb\xbf";
        if (line.length >= 3 && memcmp(line.text, mark_of_utf8, 3) == 0) {
            line = (struct be_slice){line.text + 3, line.length - 3};
        }
        status = recognise(s, line, error);
    }
    if (status != BE_OK) {
        be_records_close(s);
        return status;
    }
    *source = s;
    return BE_OK;
}

void be_records_close(struct be_records *source) {
    if (source) {
        be_sacct_close(source->sacct);
        be_swf_close(source->swf);
        be_json_jobs_close(source->json);
        be_text_free(&source->broken);
        be_lines_close(source->lines);
        free(source);
    }
}

static uint64_t line_now(const struct be_records *s) {
    return s->json ? be_json_jobs_lines(s->json) : be_lines_count(s->lines);
}

static void reject(struct be_records *s, struct be_slice line, uint64_t number, const char *why) {
    struct be_wait_counts *counts = s->counts;
    uint64_t at = counts->rejected++;
    if (at < BE_REJECTS) {
        be_copy_text(counts->reject[at].file, sizeof counts->reject[at].file, s->name);
        be_copy_text(counts->reject[at].why, sizeof counts->reject[at].why, why);
        counts->reject[at].line = number;
        size_t capacity = sizeof counts->reject[at].text;
        size_t length = line.length < capacity - 1 ? line.length : capacity - 1;
        memcpy(counts->reject[at].text, line.text, length);
        counts->reject[at].text[length] = '\0';
    }
}

static const char *read_line(struct be_records *s, struct be_slice line, struct be_record *record,
                             bool *step) {
    return be_sacct_line(s->sacct, &s->options, line, record, step, &s->counts->local_times);
}

static bool begins_as_job(struct be_slice line) {
    const uint32_t at = line.length && line.text[0] == '"';
    return at < line.length && isdigit((unsigned char)line.text[at]);
}

/* ---- lines that a text has broken ----------------------------------------------------------- */

static struct be_slice broken_text(const struct be_records *s) {
    return (struct be_slice){s->broken.data ? s->broken.data : "", (uint32_t)s->broken.length};
}

/* It was none of several: it is a line as others. */
static void give_up(struct be_records *s) {
    if (s->broken_line) {
        reject(s, broken_text(s), s->broken_line, "has too few fields");
    }
    s->broken_line = 0;
}

static void add_part(struct be_records *s, struct be_slice line) {
    if (!s->broken_line) {
        s->broken.length = 0;
        s->broken_line = line_now(s);
        s->broken_parts = 0;
    } else {
        be_text_add(&s->broken, " ");
    }
    be_text_add_bytes(&s->broken, line.text, line.length);
    s->broken_parts++;
}

/* The broken line with this one: what is wrong, or NULL. *waits: more may be to come. */
static const char *join(struct be_records *s, struct be_slice line, const char *wrong,
                        struct be_record *record, bool *step, bool *waits) {
    const int parts_max = 100;
    const size_t bytes_max = 1 << 18, before = s->broken.length;
    add_part(s, line);
    const char *still = read_line(s, broken_text(s), record, step);
    if (!still) {
        s->broken_line = 0;
        return NULL;
    }
    *waits = be_sacct_goes_on(s->sacct, still) && be_sacct_goes_on(s->sacct, wrong) &&
             s->broken_parts < parts_max && s->broken.length < bytes_max && !s->broken.failed;
    if (!*waits) { /* two lines that are wrong each */
        s->broken.length = before;
    }
    return wrong;
}

/* A line that is no job by itself: the rest of one, the beginning of one, or neither. Returns what is wrong, or NULL with
 * *record filled; *waits: more is needed to say. */
static const char *piece_together(struct be_records *s, struct be_slice line, const char *wrong,
                                  struct be_record *record, bool *step, bool *waits) {
    if (s->broken_line) {
        wrong = join(s, line, wrong, record, step, waits);
        if (!wrong || *waits) {
            return wrong;
        }
        give_up(s);
    }
    if (be_sacct_goes_on(s->sacct, wrong) && begins_as_job(line)) {
        add_part(s, line);
        *waits = true;
    } else if (be_sacct_goes_on(s->sacct, wrong) && s->was_job && be_sacct_ends_free(s->sacct)) {
        *waits = true; /* the rest of the text that the job before ends with */
    }
    return wrong;
}

/* ---- one line ------------------------------------------------------------------------------- */

static bool take_swf(struct be_records *s, struct be_slice line, struct be_record *record) {
    if (line.text[0] == ';') {
        be_swf_comment(s->swf, line);
        return false;
    }
    const char *wrong = be_swf_line(s->swf, line, record);
    if (wrong) {
        reject(s, line, line_now(s), wrong);
        return false;
    }
    s->counts->jobs++;
    return true;
}

/* One line: is it a job? */
static bool take(struct be_records *s, struct be_slice line, struct be_record *record) {
    bool step = false, waits = false;
    if (blank(line)) {
        return false;
    }
    if (s->swf) {
        return take_swf(s, line, record);
    }
    const char *wrong = read_line(s, line, record, &step);
    if (wrong && be_sacct_is_header(line, s->options.mark)) {
        return false; /* files put behind one another */
    }
    if (wrong && !s->json) {
        wrong = piece_together(s, line, wrong, record, &step, &waits);
    }
    if (waits) {
        return false;
    }
    give_up(s); /* what was begun was not gone on with */
    s->was_job = !wrong;
    if (wrong) {
        reject(s, line, line_now(s), wrong);
        return false;
    }
    *(step ? &s->counts->steps : &s->counts->jobs) += 1;
    return !step;
}

static enum be_status next_line(struct be_records *s, struct be_slice *line, bool *more,
                                struct be_error *error) {
    if (s->json) {
        enum be_status status = be_json_jobs_next(s->json, line, more, error);
        s->taken += *more;
        return status;
    }
    *line = s->first;
    *more = true;
    bool ahead = s->ahead;
    s->ahead = false;
    return ahead ? BE_OK : be_lines_next(s->lines, line, more, error);
}

enum be_status be_records_next(struct be_records *s, struct be_record *record, bool *more,
                               struct be_error *error) {
    enum be_status status = BE_OK;
    bool found = false;
    *more = true;
    while (status == BE_OK && *more && !found) {
        struct be_slice line = {"", 0};
        status = next_line(s, &line, more, error);
        found = status == BE_OK && *more && take(s, line, record);
    }
    if (!*more) {
        give_up(s);
    }
    const uint64_t lines = line_now(s);
    s->counts->lines = s->lines_before + (lines > s->taken ? lines : s->taken);
    s->counts->bytes = s->bytes_before + be_lines_bytes(s->lines);
    *more = found;
    return status;
}
