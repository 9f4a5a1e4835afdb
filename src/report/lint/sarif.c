/* Findings -> SARIF 2.1.0 (OASIS Standard, 27 March 2020), for editors and code hosts. */
#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "report/json/record.h"
#include "report/lint/lint.h"

/* A node and its children; the first failure empties it, and all after it do nothing. */
struct node {
    cJSON *json;
    bool *ok;
};

static struct node member(struct node in, const char *name, cJSON *child) {
    *in.ok = *in.ok && be_json_attach(in.json, name, child);
    return (struct node){*in.ok ? child : NULL, in.ok};
}

static struct node object(struct node in, const char *name) {
    return member(in, name, *in.ok ? cJSON_CreateObject() : NULL);
}

static struct node array(struct node in, const char *name) {
    return member(in, name, *in.ok ? cJSON_CreateArray() : NULL);
}

static struct node item(struct node in) {
    cJSON *child = *in.ok ? cJSON_CreateObject() : NULL;
    *in.ok = child && cJSON_AddItemToArray(in.json, child);
    return (struct node){*in.ok ? child : NULL, in.ok};
}

static void text(struct node in, const char *name, const char *value) {
    member(in, name, *in.ok ? be_json_text(value) : NULL);
}

static void number(struct node in, const char *name, double value) {
    member(in, name, *in.ok ? cJSON_CreateNumber(value) : NULL);
}

static const char *level(enum be_severity severity) {
    static const char *const levels[] = {
        [BE_ADVICE] = "note", [BE_WARNING] = "warning", [BE_ERROR] = "error"};
    return levels[severity];
}

/* A path as a URI reference: what is no plain sign is written %XX. */
static void add_uri(struct node in, const char *path) {
    struct be_text uri = {0};
    for (const char *at = strcmp(path, "-") == 0 ? "stdin" : path; *at; at++) {
        bool plain = isalnum((unsigned char)*at) || strchr("/._-~", *at);
        be_text_add(&uri, plain ? "%c" : "%%%02X", (unsigned char)*at);
    }
    *in.ok = *in.ok && !uri.failed;
    text(object(in, "artifactLocation"), "uri", uri.data ? uri.data : "");
    be_text_free(&uri);
}

static void add_rules(struct node driver) {
    struct node rules = array(driver, "rules");
    const struct be_lint_rule *rule = NULL;
    for (size_t i = 0; (rule = be_lint_rule(i)); i++) {
        struct node one = item(rules);
        text(one, "id", rule->name);
        text(object(one, "shortDescription"), "text", rule->title);
        text(object(one, "fullDescription"), "text", rule->why);
        text(object(one, "help"), "text", rule->source);
        text(object(one, "defaultConfiguration"), "level", level(rule->severity));
    }
}

static size_t index_of(const struct be_lint_rule *wanted) {
    size_t index = 0;
    while (be_lint_rule(index) != wanted) {
        index++;
    }
    return index;
}

static void add_fix(struct node result, const char *file, const struct be_lint_finding *finding) {
    struct node fix = item(array(result, "fixes"));
    text(object(fix, "description"), "text", finding->advice);
    struct node change = item(array(fix, "artifactChanges"));
    add_uri(change, file);
    struct node replacements = array(change, "replacements");
    for (size_t i = 0; i < finding->edits; i++) {
        struct node replacement = item(replacements), region = object(replacement, "deletedRegion");
        number(region, "byteOffset", (double)finding->edit[i].at);
        number(region, "byteLength", (double)finding->edit[i].length);
        text(object(replacement, "insertedContent"), "text", finding->edit[i].with);
    }
}

static void add_result(struct node results, const char *file,
                       const struct be_lint_finding *finding) {
    struct be_text words = {0};
    be_text_add(&words, "%s%s%s%s", finding->given ? "--with: " : "", finding->text,
                *finding->advice ? ". To do: " : "", finding->advice);
    struct node result = item(results);
    text(result, "ruleId", finding->rule->name);
    number(result, "ruleIndex", (double)index_of(finding->rule));
    text(result, "level", level(finding->severity));
    text(object(result, "message"), "text", words.data ? words.data : "");
    struct node physical = object(item(array(result, "locations")), "physicalLocation");
    add_uri(physical, file);
    if (!finding->given) { /* those options are in no file */
        struct node region = object(physical, "region");
        number(region, "startLine", finding->line);
        number(region, "startColumn", finding->column);
        number(region, "endLine", finding->end_line);
        number(region, "endColumn", finding->end_column);
    }
    if (finding->edits) {
        add_fix(result, file, finding);
    }
    *results.ok = *results.ok && !words.failed;
    be_text_free(&words);
}

void be_lint_sarif(const struct be_lint_run *run, struct be_text *out) {
    bool ok = true;
    struct node root = {cJSON_CreateObject(), &ok};
    ok = root.json;
    text(root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    text(root, "version", "2.1.0");
    struct node one = item(array(root, "runs"));
    struct node driver = object(object(one, "tool"), "driver");
    text(driver, "name", "breakeven lint");
    text(driver, "version", BE_VERSION);
    add_rules(driver);
    text(one, "columnKind", "unicodeCodePoints");
    struct node results = array(one, "results");
    for (size_t i = 0; i < run->files; i++) {
        for (size_t k = 0; k < run->file[i].report.findings; k++) {
            add_result(results, run->file[i].name, &run->file[i].report.finding[k]);
        }
    }
    if (!ok) {
        cJSON_Delete(root.json);
        root.json = NULL;
    }
    be_json_add(out, root.json);
    be_text_add(out, "\n");
}
