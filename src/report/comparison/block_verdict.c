/*
 * The verdict of one block: from which size the device stays ahead of the best CPU, in words.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/names.h"
#include "report/comparison/block.h"
#include "report/comparison/comparison.h"

enum {
    LABEL = 24,
    SPAN = 4 * BE_WORD,
    ANSWER = BE_ANSWER_TEXT, /* two of them and some words */
    LINES = BE_PLACEMENTS * BE_CACHES
};

static const char *size_text(char to[BE_WORD], double elements) {
    return be_format_size(to, BE_WORD, elements, "?");
}

/* A size that was measured: exactly, where that is short. */
static const char *measured_text(char to[BE_WORD], double elements) {
    return be_format_n(to, BE_WORD, elements);
}

static void say_always(const struct be_breakeven *even, char to[ANSWER]) {
    char smallest[BE_WORD];
    snprintf(to, ANSWER, "always (from %s, the smallest size measured)",
             measured_text(smallest, even->smallest));
}

/* "7.2e4 (6.9e4 - 7.4e4)", as far as the interval is known. All three are rounded alike, so that they stay in
 * order. */
static const char *span_text(char to[SPAN], double at, double lo, double hi) {
    char middle[BE_WORD], low[BE_WORD], high[BE_WORD];
    size_text(middle, at);
    if (isfinite(lo) && isfinite(hi)) {
        snprintf(to, SPAN, "%s (%s - %s)", middle, size_text(low, lo), size_text(high, hi));
    } else {
        snprintf(to, SPAN, "%s", middle);
    }
    return to;
}

static void say_from(const struct be_breakeven *even, char to[ANSWER]) {
    char from[SPAN];
    snprintf(to, ANSWER, "from %s", span_text(from, even->from, even->lo, even->hi));
}

static void say_never(const struct be_breakeven *even, char to[ANSWER]) {
    char largest[BE_WORD];
    snprintf(to, ANSWER, "never up to %s", measured_text(largest, even->largest));
}

static void say_between(const struct be_breakeven *even, char to[ANSWER]) {
    char from[SPAN], until[SPAN];
    span_text(until, even->until, even->until_lo, even->until_hi);
    if (even->from <= even->smallest) { /* that is where measuring began, not where it turned */
        snprintf(to, ANSWER, "ahead only up to %s", until);
    } else {
        snprintf(to, ANSWER, "ahead only between %s and %s",
                 span_text(from, even->from, even->lo, even->hi), until);
    }
}

static void say_close(const struct be_breakeven *even, char to[ANSWER]) {
    char largest[BE_WORD];
    snprintf(to, ANSWER, "too close to call at %s", measured_text(largest, even->largest));
}

static void (*const answers[BE_EVEN_STATUSES])(const struct be_breakeven *, char[ANSWER]) = {
    [BE_EVEN_ALWAYS] = say_always,   [BE_EVEN_FROM] = say_from,   [BE_EVEN_NEVER] = say_never,
    [BE_EVEN_BETWEEN] = say_between, [BE_EVEN_CLOSE] = say_close,
};

void be_report_answer(const struct be_breakeven *even, char to[BE_ANSWER_TEXT]) {
    answers[even->status](even, to);
}

/* The first such break-even. */
static const struct be_breakeven *find(const struct be_block *block, enum be_answer_of of,
                                       int placement, int cache) {
    const struct be_comparison *all = block->comparison;
    for (size_t i = 0; i < all->breakevens; i++) {
        const struct be_breakeven *even = &all->breakeven[i];
        if (be_answer_is(of, even) && (int)even->placement == placement &&
            (int)even->cache == cache && strcmp(even->workload, block->workload) == 0 &&
            strcmp(even->device, block->device) == 0) {
            return even;
        }
    }
    return NULL;
}

struct line {
    char label[LABEL], answer[ANSWER];
    const char *why; /* empty: no reason is given */
};

/* Its words about sizes without a right result, "" where there are none. */
static const char *holes_of(const struct line *line) {
    const char *holes = strstr(line->why, "no right result at ");
    return holes ? holes : "";
}

/* One line for each placement, or several where hot and cold data give different answers. */
static int collect(const struct be_block *block, enum be_answer_of of, struct line lines[LINES]) {
    int count = 0;
    for (int placement = BE_COPY; placement < BE_PLACEMENTS; placement++) {
        int first = count;
        for (int cache = 0; cache < be_names_cache.count; cache++) {
            const struct be_breakeven *even = find(block, of, placement, cache);
            if (even) {
                struct line *line = &lines[count++];
                answers[even->status](even, line->answer);
                line->why = even->why;
                snprintf(line->label, LABEL, "%s, %s",
                         be_names_word(&be_names_placement, placement),
                         be_names_word(&be_names_cache, cache));
            }
        }
        bool differ = false;
        for (int i = first + 1; i < count; i++) {
            differ |= strcmp(lines[first].answer, lines[i].answer) != 0 ||
                      strcmp(holes_of(&lines[first]), holes_of(&lines[i])) != 0;
        }
        if (count > first && !differ) {
            *strchr(lines[first].label, ',') = '\0';
            count = first + 1;
        }
    }
    return count;
}

/* The one-time cost that calls must win back, where the data can stay on the device: resident says it best. */
static const struct be_breakeven *find_repaid(const struct be_block *block) {
    static const enum be_placement order[] = {BE_RESIDENT, BE_PRELOAD, BE_COPY};
    for (size_t i = 0; i < BE_COUNT(order); i++) {
        for (int cache = 0; cache < be_names_cache.count; cache++) {
            const struct be_breakeven *even = find(block, BE_ANSWER_BEST, (int)order[i], cache);
            if (even &&
                (even->repaid == BE_REPAID_NEVER || even->repaid == BE_REPAID_CLOSE ||
                 isfinite(even->calls_to_repay_copy) || isfinite(even->calls_to_repay_first))) {
                return even;
            }
        }
    }
    return NULL;
}

static double whole_calls(double calls) {
    return calls < 1 ? 1 : ceil(calls);
}

/* "8 (7 - 9)". A file from before there were intervals has none. */
static void add_calls(struct be_text *line, double calls, double lo, double hi) {
    char number[BE_WORD], from[BE_WORD], to[BE_WORD];
    be_text_add(line, "%s ", be_format_count(number, sizeof number, whole_calls(calls), "?"));
    if (isfinite(lo) && isfinite(hi)) {
        be_text_add(line, "(%s - %s)", be_format_count(from, sizeof from, whole_calls(lo), "?"),
                    be_format_count(to, sizeof to, whole_calls(hi), "?"));
    } else {
        be_text_add(line, "(interval not known)");
    }
}

static void say_calls(const struct be_breakeven *even, struct be_text *line) {
    const bool copy = isfinite(even->calls_to_repay_copy);
    const bool first = isfinite(even->calls_to_repay_first);
    if (copy) {
        add_calls(line, even->calls_to_repay_copy, even->calls_to_repay_copy_lo,
                  even->calls_to_repay_copy_hi);
        be_text_add(line, " calls on the same data repay one copy%s", first ? "; " : "");
    }
    if (first) {
        add_calls(line, even->calls_to_repay_first, even->calls_to_repay_first_lo,
                  even->calls_to_repay_first_hi);
        be_text_add(line, "%s repay the first call, measured once", copy ? "" : " calls");
    }
}

static void add_repaid(struct be_text *out, const struct be_block *block) {
    const struct be_breakeven *even = find_repaid(block);
    if (!even) {
        return;
    }
    struct be_text line = {0};
    char size[BE_WORD];
    if (even->repaid == BE_REPAID_NEVER) {
        be_text_add(&line, "calls on data that stay there never repay a copy or the first call");
    } else if (even->repaid == BE_REPAID_CLOSE) {
        be_text_add(&line, "too close to call whether calls on data that stay there repay a copy "
                           "or the first call");
    } else {
        say_calls(even, &line);
    }
    be_text_add(&line, " (n = %s)", measured_text(size, even->largest));
    be_lines_wrap(out, "", line.data ? line.data : "", 2);
    be_text_free(&line);
}

static const char *const both[] = {
    [BE_ANSWER_BEST] = "",
    [BE_ANSWER_CALLABLE] = ", both by code that can be called or written in an hour",
    [BE_ANSWER_WRITTEN] = ", both as written",
};

static void add_heading(struct be_text *out, const struct be_block *block, enum be_answer_of of) {
    struct be_text line = {0};
    const char *label = be_block_label(block);
    const char *name = block->info ? block->info->name : "";
    bool cpu = block->info && block->info->kind == BE_KIND_CPU;
    char part[BE_NAME];
    be_text_add(&line, "%s", label);
    if (cpu && *name) {
        be_text_add(&line, " (%s)", name);
    } else if (!block->alone && strcmp(label, block->device) != 0) {
        be_text_add(&line, " %s%s%s%s", block->device, *name ? " (" : "", name, *name ? ")" : "");
    }
    const char *best = cpu ? "the best CPU code" : "the best CPU";
    const char *all_cores = of == BE_ANSWER_BEST ? best : "the CPU";
    be_text_add(&line, " first stays ahead of %s%s",
                be_report_against(block->comparison, block, of, all_cores, part), both[of]);
    be_text_add(out, "\n");
    be_lines_wrap(out, "", line.data ? line.data : "", 2);
    be_text_free(&line);
}

/* Returns how many lines there are. */
static int add_answers(struct be_text *out, const struct be_block *block, enum be_answer_of of) {
    struct line lines[LINES] = {{.why = ""}};
    int count = collect(block, of, lines);
    int widest = 0;
    if (count || of == BE_ANSWER_BEST) {
        add_heading(out, block, of);
    }
    for (int i = 0; i < count; i++) {
        int width = (int)strlen(lines[i].label);
        widest = width > widest ? width : widest;
    }
    for (int i = 0; i < count; i++) {
        char head[LABEL + 8];
        snprintf(head, sizeof head, "  %-*.*s  ", widest, LABEL - 1, lines[i].label);
        char words[ANSWER + BE_NOTE + 4];
        snprintf(words, sizeof words, "%s%s%s", lines[i].answer, *lines[i].why ? ": " : "",
                 lines[i].why);
        be_lines_wrap(out, head, words, widest + 4);
    }
    return count;
}

void be_report_verdict(const struct be_block *block, struct be_text *out) {
    if (!block->device) {
        return;
    }
    if (!add_answers(out, block, BE_ANSWER_BEST)) {
        be_text_add(out, "  unknown: too little was measured\n");
    }
    add_repaid(out, block);
    (void)add_answers(out, block, BE_ANSWER_CALLABLE);
    (void)add_answers(out, block, BE_ANSWER_WRITTEN);
}
