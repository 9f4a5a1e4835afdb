/*
 * The words of `sacct --json` (dbv0.0.37 of Slurm 21.08 to data_parser v0.0.43 of 25.05) -> lines as `sacct -P` has
 * them. One job in memory at a time, however long the text is. Numbers are plain, or objects with set, infinite and
 * number.
 */
#include <stdlib.h>

#include "accounting/records.h"
#include "base/error.h"
#include "base/text.h"

/* In the order of BE_JSON_FIELDS; then what fields are made of. */
enum part {
    ID,
    PARTITION,
    USER,
    ACCOUNT,
    QOS,
    SUBMIT,
    ELIGIBLE,
    START,
    END,
    ELAPSED,
    STATE,
    REASON,
    NODES,
    CPUS,
    MEMORY,
    ASKED,
    ALLOCATED,
    LIMIT,
    NODE_LIST,
    FIELDS,
    ARRAY = FIELDS,
    TASK,
    TASK_SET,
    TASKS,
    LIMITLESS,
    MEMORY_EACH,
    MEMORY_EACH_SET,
    MEMORY_NODE,
    MEMORY_NODE_SET,
    TRES_TYPE,
    TRES_NAME,
    TRES_COUNT,
    PARTS
};

static const struct {
    const char *path;
    enum part part;
} paths[] = {
    {"job_id", ID},
    {"partition", PARTITION},
    {"user", USER},
    {"account", ACCOUNT},
    {"qos", QOS},
    {"nodes", NODE_LIST},
    {"allocation_nodes", NODES},
    {"array.job_id", ARRAY},
    {"array.task_id", TASK},
    {"array.task_id.number", TASK},
    {"array.task_id.set", TASK_SET},
    {"array.task", TASKS},
    {"state.current", STATE},
    {"state.reason", REASON},
    {"time.submission", SUBMIT},
    {"time.eligible", ELIGIBLE},
    {"time.start", START},
    {"time.end", END},
    {"time.elapsed", ELAPSED},
    {"time.limit", LIMIT},
    {"time.limit.number", LIMIT},
    {"time.limit.infinite", LIMITLESS},
    {"required.CPUs", CPUS},
    {"required.memory", MEMORY},
    {"required.memory_per_cpu", MEMORY_EACH},
    {"required.memory_per_cpu.number", MEMORY_EACH},
    {"required.memory_per_cpu.set", MEMORY_EACH_SET},
    {"required.memory_per_node", MEMORY_NODE},
    {"required.memory_per_node.number", MEMORY_NODE},
    {"required.memory_per_node.set", MEMORY_NODE_SET},
    {"tres.requested.type", TRES_TYPE},
    {"tres.requested.name", TRES_NAME},
    {"tres.requested.count", TRES_COUNT},
    {"tres.allocated.type", TRES_TYPE},
    {"tres.allocated.name", TRES_NAME},
    {"tres.allocated.count", TRES_COUNT},
};

enum { PATH = 80, DEPTH_MAX = 64 };

struct be_json_jobs {
    struct be_lines *lines;
    char name[BE_NAME * 4];
    const char *at, *end; /* what is read of and not yet looked at */
    bool over, first;     /* no more is to come; no job was read yet */
    uint64_t line_ends;
    struct be_error failed;
    char path[PATH];
    size_t length; /* of the path as it is; one too long for it fits nothing */
    struct be_text word, line;
    struct be_text part[PARTS];
};

/* ---- signs and words ------------------------------------------------------------------------ */

static int peek(struct be_json_jobs *j) {
    while (j->at == j->end && !j->over) {
        struct be_slice chunk = {"", 0};
        bool more = false;
        if (be_lines_chunk(j->lines, &chunk, &more, &j->failed) != BE_OK || !more) {
            j->over = true;
            return -1;
        }
        j->at = chunk.text;
        j->end = chunk.text + chunk.length;
    }
    return j->at == j->end ? -1 : (unsigned char)*j->at;
}

static int take(struct be_json_jobs *j) {
    int c = peek(j);
    j->at += c >= 0;
    j->line_ends += c == '\n';
    return c;
}

static int next(struct be_json_jobs *j) { /* behind blanks, not yet taken */
    for (;;) {
        int c = peek(j);
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            return c;
        }
        take(j);
    }
}

static void clear(struct be_text *text) {
    text->length = 0;
    if (text->data) {
        text->data[0] = '\0';
    }
}

static void add(struct be_text *text, int c) {
    const char byte = (char)(c < ' ' && c >= 0 ? '?' : c); /* nothing that could be a mark */
    be_text_add_bytes(text, &byte, 1);
}

/* "00e9" of \u00e9, as UTF-8; half of a pair is '?'. False: not four digits. */
static bool escaped(struct be_json_jobs *j, struct be_text *to) {
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        const int c = take(j), letter = c | 0x20;
        const bool digit = c >= '0' && c <= '9';
        if (!digit && (letter < 'a' || letter > 'f')) {
            return false;
        }
        code = code * 16 + (unsigned)(digit ? c - '0' : letter - 'a' + 10);
    }
    if (code < 0x80 || (code >= 0xd800 && code < 0xe000)) {
        add(to, code < 0x80 ? (int)code : '?');
    } else if (code < 0x800) {
        add(to, (int)(0xc0 | code >> 6));
        add(to, (int)(0x80 | (code & 0x3f)));
    } else {
        add(to, (int)(0xe0 | code >> 12));
        add(to, (int)(0x80 | (code >> 6 & 0x3f)));
        add(to, (int)(0x80 | (code & 0x3f)));
    }
    return true;
}

static bool read_string(struct be_json_jobs *j, struct be_text *to) {
    clear(to);
    if (take(j) != '"') {
        return false;
    }
    for (int c = take(j); c != '"'; c = take(j)) {
        if (c < 0) {
            return false;
        }
        if (c == '\\') {
            c = take(j);
            if (c == 'u' ? !escaped(j, to) : c < 0) {
                return false;
            }
            if (c != 'u') {
                add(to, strchr("bfnrt", c) ? '?' : c);
            }
        } else {
            add(to, c);
        }
    }
    return true;
}

static bool read_bare(struct be_json_jobs *j, struct be_text *to) { /* 12, true, null */
    clear(to);
    for (int c = peek(j); c > ' ' && !strchr(",]}[{\":", c); c = peek(j)) {
        add(to, take(j));
    }
    if (to->length == 4 && memcmp(to->data, "null", 4) == 0) {
        clear(to);
        return true;
    }
    return to->length > 0;
}

/* ---- values --------------------------------------------------------------------------------- */

static bool said(const struct be_json_jobs *j, enum part part) {
    return j->part[part].length > 0;
}

static const char *text_of(const struct be_json_jobs *j, enum part part) {
    return said(j, part) ? j->part[part].data : "";
}

static bool is_true(const struct be_json_jobs *j, enum part part) {
    return strcmp(text_of(j, part), "true") == 0;
}

static void keep(struct be_json_jobs *j) {
    if (j->length >= PATH || strncmp(j->path, "steps", 5) == 0) {
        return;
    }
    for (size_t i = 0; i < BE_COUNT(paths); i++) {
        struct be_text *part = &j->part[paths[i].part];
        if (strcmp(j->path, paths[i].path) == 0 &&
            part->length == 0) { /* of several states the first */
            be_text_add_bytes(part, j->word.data ? j->word.data : "", j->word.length);
        }
    }
}

/* {"type":"gres","name":"gpu:a100","count":2} -> gres/gpu:a100=2 */
static void keep_tres(struct be_json_jobs *j) {
    const bool asked = strcmp(j->path, "tres.requested") == 0;
    if (j->length >= PATH || (!asked && strcmp(j->path, "tres.allocated") != 0)) {
        return;
    }
    if (said(j, TRES_TYPE) && said(j, TRES_COUNT)) {
        struct be_text *to = &j->part[asked ? ASKED : ALLOCATED];
        be_text_add(to, "%s%s%s%s=%s%s", to->length ? "," : "", text_of(j, TRES_TYPE),
                    said(j, TRES_NAME) ? "/" : "", text_of(j, TRES_NAME), text_of(j, TRES_COUNT),
                    strcmp(text_of(j, TRES_TYPE), "mem") == 0 ? "M" : "");
    }
    clear(&j->part[TRES_TYPE]);
    clear(&j->part[TRES_NAME]);
    clear(&j->part[TRES_COUNT]);
}

static bool read_value(struct be_json_jobs *j, int depth);

/* Its key goes to the end of the path; it comes off again behind the value. */
static bool read_member(struct be_json_jobs *j, int depth) {
    const size_t before = j->length;
    if (next(j) != '"' || !read_string(j, &j->word) || next(j) != ':') {
        return false;
    }
    take(j);
    if (j->length < PATH) {
        const int added = snprintf(j->path + before, PATH - before, "%s%s", before ? "." : "",
                                   j->word.data ? j->word.data : "");
        j->length += (size_t)(added > 0 ? added : 0);
    }
    const bool read = read_value(j, depth + 1);
    j->length = before;
    j->path[before < PATH ? before : PATH - 1] = '\0';
    return read;
}

static bool read_object(struct be_json_jobs *j, int depth) {
    take(j);
    if (next(j) == '}') {
        take(j);
        return true;
    }
    for (;;) {
        if (!read_member(j, depth)) {
            return false;
        }
        const int c = next(j);
        take(j);
        if (c != ',') {
            keep_tres(j);
            return c == '}';
        }
    }
}

static bool read_array(struct be_json_jobs *j, int depth) {
    take(j);
    if (next(j) == ']') {
        take(j);
        return true;
    }
    for (;;) {
        if (!read_value(j, depth + 1)) {
            return false;
        }
        const int c = next(j);
        take(j);
        if (c != ',') {
            return c == ']';
        }
    }
}

static bool read_value(struct be_json_jobs *j, int depth) {
    const int c = next(j);
    if (depth > DEPTH_MAX || c < 0) {
        return false;
    }
    if (c == '{' || c == '[') {
        return c == '{' ? read_object(j, depth) : read_array(j, depth);
    }
    if (c == '"' ? !read_string(j, &j->word) : !read_bare(j, &j->word)) {
        return false;
    }
    keep(j);
    return true;
}

/* ---- jobs ----------------------------------------------------------------------------------- */

static enum be_status damaged(const struct be_json_jobs *j, struct be_error *error) {
    if (j->failed.status != BE_OK) {
        return be_fail(error, j->failed.status, "%s", j->failed.text);
    }
    return be_fail(error, BE_IO, "%s: line %llu: JSON that %s: save it again with `sacct --json`",
                   j->name, (unsigned long long)j->line_ends + 1,
                   j->over ? "ends early" : "is damaged");
}

enum be_status be_json_jobs_open(struct be_lines *lines, const char *name, struct be_slice first,
                                 struct be_json_jobs **jobs, struct be_error *error) {
    struct be_json_jobs *j = calloc(1, sizeof *j);
    if (!j) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", name);
    }
    *j = (struct be_json_jobs){
        .lines = lines, .at = first.text, .end = first.text + first.length, .first = true};
    be_copy_text(j->name, sizeof j->name, name);
    bool found = false, sound = next(j) == '{';
    int c = sound ? take(j) : -1;
    while (sound && !found && (c == '{' || c == ',')) {
        sound = next(j) == '"' && read_string(j, &j->word) && next(j) == ':';
        if (sound) {
            take(j);
            found = j->word.data && strcmp(j->word.data, "jobs") == 0 && next(j) == '[';
            j->length = PATH; /* nothing out here is of a job */
            sound = found || read_value(j, 1);
            c = found || !sound ? c : next(j);
            if (!found && sound) {
                take(j);
            }
        }
    }
    j->length = 0;
    if (found) {
        take(j);
        *jobs = j;
        return BE_OK;
    }
    enum be_status status =
        sound ? be_fail(error, BE_USAGE, "%s: JSON without jobs: `sacct --json` has them", name)
              : damaged(j, error);
    be_json_jobs_close(j);
    return status;
}

void be_json_jobs_close(struct be_json_jobs *j) {
    if (j) {
        be_text_free(&j->word);
        be_text_free(&j->line);
        for (int i = 0; i < PARTS; i++) {
            be_text_free(&j->part[i]);
        }
        free(j);
    }
}

uint64_t be_json_jobs_lines(const struct be_json_jobs *j) {
    return j->line_ends;
}

/* Fields that sacct prints otherwise: numbers of arrays' tasks, limits, memory. */
static void make_fields(struct be_json_jobs *j) {
    struct be_text *id = &j->part[ID], *limit = &j->part[LIMIT], *memory = &j->part[MEMORY];
    const bool task = said(j, TASK) && (!said(j, TASK_SET) || is_true(j, TASK_SET));
    if (said(j, ARRAY) && strcmp(text_of(j, ARRAY), "0") != 0 && (task || said(j, TASKS))) {
        clear(id);
        be_text_add(id, task ? "%s_%s" : "%s_[%s]", text_of(j, ARRAY),
                    text_of(j, task ? TASK : TASKS));
    }
    if (is_true(j, LIMITLESS)) {
        clear(limit);
        be_text_add(limit, "UNLIMITED");
    }
    static const enum part each[][2] = {{MEMORY_EACH, MEMORY_EACH_SET},
                                        {MEMORY_NODE, MEMORY_NODE_SET}};
    for (size_t i = 0; i < BE_COUNT(each); i++) {
        const bool set = !said(j, each[i][1]) || is_true(j, each[i][1]);
        if (set && said(j, each[i][0]) && strcmp(text_of(j, each[i][0]), "0") != 0) {
            clear(memory);
            be_text_add(memory, "%sM%c", text_of(j, each[i][0]), i ? 'n' : 'c');
        }
    }
}

enum be_status be_json_jobs_next(struct be_json_jobs *j, struct be_slice *line, bool *more,
                                 struct be_error *error) {
    int c = next(j);
    *more = false;
    if (c == ']') {
        return BE_OK;
    }
    if (!j->first) {
        if (c != ',') {
            return damaged(j, error);
        }
        take(j);
        c = next(j);
    }
    j->first = false;
    for (int i = 0; i < PARTS; i++) {
        clear(&j->part[i]);
    }
    if (c != '{' || !read_object(j, 2)) {
        return damaged(j, error);
    }
    make_fields(j);
    clear(&j->line);
    bool failed = j->word.failed || j->line.failed;
    for (int i = 0; i < FIELDS; i++) {
        be_text_add(&j->line, "%s%s", i ? (const char[]){BE_JSON_MARK, '\0'} : "",
                    text_of(j, (enum part)i));
    }
    for (int i = 0; i < PARTS; i++) {
        failed |= j->part[i].failed;
    }
    if (failed || j->line.failed || j->line.length > UINT32_MAX) {
        return be_fail(error, BE_NOMEM, "%s: no host memory", j->name);
    }
    *line = (struct be_slice){j->line.data, (uint32_t)j->line.length};
    *more = true;
    return BE_OK;
}
