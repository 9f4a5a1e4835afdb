#include "accounting/records.h"

#include <stdlib.h>
#include <strings.h>

#include "base/error.h"

struct be_records {
    struct be_lines *lines;
    const char *name;
    struct be_records_options options;
    struct be_wait_counts *counts;
    struct be_sacct *sacct; /* either of these */
    struct be_swf *swf;
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

/* From the first line that is not empty. */
static enum be_status recognise(struct be_records *s, struct be_slice line,
                                struct be_error *error) {
    if (be_sacct_is_header(line, s->options.mark)) {
        return be_sacct_open(s->name, line, s->options.mark, s->options.mark, &s->sacct, error);
    }
    s->first = line;
    s->ahead = true;
    if (be_swf_is(line)) {
        return be_swf_open(s->options.zone != NULL, &s->swf, error);
    }
    if (line.length && memchr(line.text, s->options.mark, line.length)) {
        return columns(s, line, error);
    }
    if (line.length > 5 && strncasecmp(line.text, "jobid", 5) == 0) {
        return be_fail(
            error, BE_USAGE,
            "%s: sacct's columns without %c between them: save it with `sacct -P`, without "
            "another --delimiter",
            s->name, s->options.mark);
    }
    return be_fail(error, BE_USAGE,
                   "%s: neither of `sacct -P` nor a Standard Workload Format file: its first line "
                   "has no %c and is not 18 numbers",
                   s->name, s->options.mark);
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
    s->options.mark = s->options.mark ? s->options.mark : '|';
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
        be_lines_close(source->lines);
        free(source);
    }
}

static void reject(struct be_records *s, struct be_slice line, const char *why) {
    struct be_wait_counts *counts = s->counts;
    uint64_t at = counts->rejected++;
    if (at < BE_REJECTS) {
        be_copy_text(counts->reject[at].file, sizeof counts->reject[at].file, s->name);
        be_copy_text(counts->reject[at].why, sizeof counts->reject[at].why, why);
        counts->reject[at].line = be_lines_count(s->lines);
        size_t capacity = sizeof counts->reject[at].text;
        size_t length = line.length < capacity - 1 ? line.length : capacity - 1;
        memcpy(counts->reject[at].text, line.text, length);
        counts->reject[at].text[length] = '\0';
    }
}

/* One line: is it a job? */
static bool take(struct be_records *s, struct be_slice line, struct be_record *record) {
    const char *wrong = NULL;
    bool step = false;
    if (blank(line)) {
        return false;
    }
    if (s->swf) {
        if (line.text[0] == ';') {
            be_swf_comment(s->swf, line);
            return false;
        }
        wrong = be_swf_line(s->swf, line, record);
    } else {
        wrong = be_sacct_line(s->sacct, &s->options, line, record, &step, &s->counts->local_times);
        if (wrong && be_sacct_is_header(line, s->options.mark)) {
            return false; /* files put behind one another */
        }
    }
    if (wrong) {
        reject(s, line, wrong);
        return false;
    }
    *(step ? &s->counts->steps : &s->counts->jobs) += 1;
    return !step;
}

enum be_status be_records_next(struct be_records *s, struct be_record *record, bool *more,
                               struct be_error *error) {
    enum be_status status = BE_OK;
    bool found = false;
    *more = true;
    while (status == BE_OK && *more && !found) {
        struct be_slice line = s->first;
        if (!s->ahead) {
            status = be_lines_next(s->lines, &line, more, error);
        }
        s->ahead = false;
        found = status == BE_OK && *more && take(s, line, record);
    }
    s->counts->lines = s->lines_before + be_lines_count(s->lines);
    s->counts->bytes = s->bytes_before + be_lines_bytes(s->lines);
    *more = found;
    return status;
}
