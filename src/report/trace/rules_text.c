/* The rules of findings, for --explain and for docs/findings.md. */
#include <stdio.h>
#include <string.h>

#include "report/common/lines.h"
#include "report/trace/rules_text.h"

/* As people read it: shares in percent. */
static void add_value(const struct be_threshold *threshold, struct be_text *out) {
    char word[BE_WORD];
    if (strcmp(threshold->unit, "share") == 0) {
        be_text_add(out, "%.3g %%", 100 * threshold->value);
    } else if (strcmp(threshold->unit, "s") == 0) {
        be_text_add(out, "%s", be_format_seconds(word, sizeof word, threshold->value, ""));
    } else if (strcmp(threshold->unit, "bytes") == 0) {
        be_text_add(out, "%s", be_format_bytes(word, sizeof word, threshold->value, ""));
    } else if (strcmp(threshold->unit, "bytes/s") == 0) {
        be_text_add(out, "%s", be_format_rate(word, sizeof word, threshold->value, ""));
    } else {
        be_text_add(out, "%.3g %s", threshold->value, threshold->unit);
    }
}

/* "label    text ...", wrapped under itself. */
static void add_part(const char *label, const char *text, struct be_text *out) {
    char head[BE_WORD];
    snprintf(head, sizeof head, "%-9s", label);
    be_lines_wrap(out, head, text, 9);
}

static void add_names(const char *names, struct be_text *out) {
    for (const char *at = names; at && *at;) {
        size_t length = strcspn(at, " ");
        be_text_add(out, "%s%.*s", at == names ? "" : ", ", (int)length, at);
        at += length + strspn(at + length, " ");
    }
}

static void add_unless(const char *names, struct be_text *out) {
    struct be_text line = {0};
    be_text_add(&line, "Not said with ");
    add_names(names, &line);
    be_text_add(&line, ", which would explain it.");
    add_part("", line.data ? line.data : "", out);
    be_text_free(&line);
}

void be_rule_explain(const struct be_rule *rule, struct be_text *out) {
    be_text_add(out, "%s (%d)\n", rule->name, rule->number);
    add_part("signals", rule->signals, out);
    add_part("rule", rule->rule, out);
    if (rule->each_gpu) {
        add_part("", "Asked for each GPU that no one else uses.", out);
    }
    if (rule->unless) {
        add_unless(rule->unless, out);
    }
    for (int i = 0; i < BE_RULE_THRESHOLDS && rule->threshold[i] != BE_T_NONE; i++) {
        const struct be_threshold *threshold = &be_thresholds[rule->threshold[i]];
        struct be_text line = {0};
        be_text_add(&line, "%s: ", threshold->name);
        add_value(threshold, &line);
        be_text_add(&line, " (%s)", threshold->source);
        add_part(i ? "" : "numbers", line.data ? line.data : "", out);
        be_text_free(&line);
    }
    add_part("source", rule->source, out);
}

void be_rules_list(struct be_text *out) {
    for (int i = 0; be_rules[i].name; i++) {
        char head[BE_NAME];
        snprintf(head, sizeof head, "%2d  %-21s", be_rules[i].number, be_rules[i].name);
        be_lines_wrap(out, head, be_rules[i].rule, 25);
    }
}

static void add_whole(struct be_text *out) {
    const char *between = "";
    for (int i = 0; be_rules[i].name; i++) {
        if (be_rules[i].whole && be_rules[i].number != be_rule_find("too-short")->number) {
            be_text_add(out, "%s`%s`", between, be_rules[i].name);
            between = ", ";
        }
    }
}

/* ---- docs/findings.md ------------------------------------------------------------------------ */

static void add_held(struct be_text *out) {
    be_text_add(
        out,
        "\n## How the rules are held\n\n"
        "By series made up for each rule, where it must speak and where it must not "
        "(`tests/unit/test_findings*.c`), and by traces of small programs with one planted fault "
        "each or none: "
        "recorded ones and ones made up by hand (`tests/observe/traces`), the same on every "
        "machine.\n\n"
        "`make faults` runs the programs themselves (`bench/faults`), those for a GPU where there "
        "is one, and "
        "ends with a table: program, what is planted, what was found. On a machine that others "
        "keep busy a program that should take two cores gets less, and then something else is "
        "true of it: it runs again, and is skipped where that goes on. CI runs those for the CPU. "
        "`make faults OUT=FOLDER` keeps the traces.\n\n"
        "Advice is in the words of the libraries that a trace names, and of no other: a test "
        "(`tests/unit/test_words.c`) asks it of every trace, as if its program were of each kind. "
        "Whether following it helps is measured by `make advice`, which runs programs as they "
        "were and as advised.\n");
}

void be_rules_page(struct be_text *out) {
    be_text_add(
        out,
        "# Findings\n\n"
        "What `breakeven run`, `report` and `summary` may find. This page is written from the "
        "table of rules (`make findings-page`); `breakeven run --explain NAME` says the same.\n"
        "\n"
        "Each finding has evidence with its numbers, a cost and an advice. The cost is of the "
        "run's wall time, at most: time lost, or for which something that was reserved lay "
        "idle. Findings that cost come first, the dearest before the others, then what is "
        "worth knowing (`note`), then what is healthy (`good`).\n\n"
        "A signal that was not measured, or for fewer than %.0f samples, never makes a "
        "finding. Figures of a GPU are means over the time from its first to its last "
        "activity.\n\n"
        "`breakeven watch` asks the same rules of the last five minutes. These it asks of the "
        "whole time, since the last minutes cannot tell: ",
        be_thresholds[BE_T_SAMPLES].value);
    add_whole(out);
    be_text_add(out, ".\n\n"
                     "## Rules\n\n"
                     "| nr | name | signals | holds when | not with | source |\n"
                     "| --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; be_rules[i].name; i++) {
        const struct be_rule *rule = &be_rules[i];
        be_text_add(out, "| %d | `%s` | %s | %s | ", rule->number, rule->name, rule->signals,
                    rule->rule);
        add_names(rule->unless, out);
        be_text_add(out, " | %s |\n", rule->source);
    }
    be_text_add(
        out, "\n## Numbers\n\n| number | value | used by | source |\n| --- | --- | --- | --- |\n");
    for (int id = 1; id < BE_THRESHOLDS; id++) {
        be_text_add(out, "| %s | ", be_thresholds[id].name);
        add_value(&be_thresholds[id], out);
        be_text_add(out, " |");
        for (int i = 0; be_rules[i].name; i++) {
            for (int k = 0; k < BE_RULE_THRESHOLDS && be_rules[i].threshold[k]; k++) {
                if ((int)be_rules[i].threshold[k] == id) {
                    be_text_add(out, " `%s`", be_rules[i].name);
                }
            }
        }
        be_text_add(out, " | %s |\n", be_thresholds[id].source);
    }
    be_rules_tried(out);
    be_rules_everyday(out);
    add_held(out);
}
