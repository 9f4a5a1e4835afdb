/* A comparison as a page that one can send to somebody: the answer, the picture, the evidence, the surroundings. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/names.h"
#include "report/common/page.h"
#include "report/comparison/block.h"
#include "report/comparison/chart.h"
#include "report/comparison/comparison.h"
#include "report/comparison/overview.h"

enum { SENTENCES_MAX = 3 }; /* workloads of which each has a sentence of its own */

/* ---- devices with an answer ------------------------------------------------------------------ */

static bool has_answer(const struct be_comparison *all, const char *device) {
    for (size_t i = 0; i < all->breakevens; i++) {
        if (strcmp(all->breakeven[i].device, device) == 0) {
            return true;
        }
    }
    return false;
}

static int count_workloads(const struct be_comparison *all) {
    int count = 0;
    for (size_t i = 0; i < all->results; i++) {
        count += be_overview_is_first(all, i);
    }
    return count;
}

static const char *origin_of(const struct be_device_info *info) {
    return info->origin == BE_ORIGIN_ELSEWHERE   ? ", measured elsewhere"
           : info->origin == BE_ORIGIN_PREDICTED ? ", predicted"
                                                 : "";
}

/* ---- the verdict ----------------------------------------------------------------------------- */

/* "ahead from 1e4-1e6 on", of a cell of the overview. */
static void add_phrase(int answer, const char *cell, struct be_text *out) {
    const char *size = strchr(cell, ' ');
    switch (answer) {
    case BE_EVEN_ALWAYS:
        be_text_add(out, "ahead at every size measured");
        break;
    case BE_EVEN_FROM:
        be_text_add(out, "ahead %s on", cell);
        break;
    case BE_OVERVIEW_ABOUT:
        be_text_add(out, "ahead from about %s on", cell + 1);
        break;
    case BE_EVEN_NEVER:
        be_text_add(out, "ahead at no size%s", strrchr(cell, ' ') ? " up to" : "");
        be_text_add(out, "%s", strrchr(cell, ' ') ? strrchr(cell, ' ') : "");
        break;
    case BE_EVEN_CLOSE:
        be_text_add(out, "too close to call");
        break;
    case BE_EVEN_BETWEEN:
        be_text_add(out, "ahead only%s", size ? cell + 2 : "");
        break;
    default:
        be_text_add(out, "not measured");
    }
}

static void add_sentence(const struct be_comparison *all, const struct be_result *like,
                         const struct be_device_info *info, struct be_text *out) {
    static const struct {
        enum be_placement placement;
        const char *words;
    } part[] = {{BE_RESIDENT, "with data that stay there it is "},
                {BE_COPY, "with copies in every call it is "}};
    bool any = false;
    for (size_t i = 0; i < BE_COUNT(part); i++) {
        char cell[BE_NAME];
        const int answer = be_overview_cell(all, like, info->id, (int)part[i].placement, cell);
        if (answer == BE_OVERVIEW_MISSING) {
            continue;
        }
        if (any) {
            be_text_add(out, "; ");
        } else {
            be_text_add(out, "%s on %s (%s%s), against the best code on the CPU: ", like->workload,
                        info->id, info->name, origin_of(info));
        }
        be_text_add(out, "%s", part[i].words);
        add_phrase(answer, cell, out);
        any = true;
    }
    be_text_add(out, any ? "." : "");
}

/* Workloads in which it gets ahead of the CPU and stays so, of those with an answer there. */
static void count_ahead(const struct be_comparison *all, const char *device,
                        enum be_placement placement, int *ahead, int *of) {
    *ahead = *of = 0;
    for (size_t i = 0; i < all->results; i++) {
        char cell[BE_NAME];
        const int answer =
            be_overview_is_first(all, i)
                ? be_overview_cell(all, &all->result[i], device, (int)placement, cell)
                : BE_OVERVIEW_MISSING;
        *of += answer != BE_OVERVIEW_MISSING;
        *ahead += answer == BE_EVEN_ALWAYS || answer == BE_EVEN_FROM || answer == BE_OVERVIEW_ABOUT;
    }
}

static void add_count(const struct be_comparison *all, const struct be_device_info *info,
                      struct be_text *out) {
    int ahead, of;
    count_ahead(all, info->id, BE_RESIDENT, &ahead, &of);
    be_text_add(out, "%s (%s%s) gets ahead of the best code on the CPU in ", info->id, info->name,
                origin_of(info));
    if (of) {
        be_text_add(out, "%d of %d workloads where the data stay there", ahead, of);
    }
    const bool first = of > 0;
    count_ahead(all, info->id, BE_COPY, &ahead, &of);
    if (of) {
        be_text_add(out, "%s%d of %d with copies in every call", first ? ", and in " : "", ahead,
                    of);
    }
    be_text_add(out, ".");
}

/* A sentence for each workload where they are few, else how often. */
static bool add_answers(const struct be_comparison *all, const struct be_device_info *info,
                        struct be_text *out) {
    bool any = false;
    for (size_t i = 0; i < all->results; i++) {
        struct be_text words = {0};
        if (be_overview_is_first(all, i)) {
            add_sentence(all, &all->result[i], info, &words);
        }
        if (words.length) {
            be_page_verdict(out, words.data);
            any = true;
        }
        out->failed |= words.failed;
        be_text_free(&words);
    }
    return any;
}

void be_report_html_verdict(const struct be_comparison *all, struct be_text *out) {
    const bool many = count_workloads(all) > SENTENCES_MAX;
    bool any = false;
    for (int d = 0; d < all->machine.devices; d++) {
        const struct be_device_info *info = &all->machine.device[d];
        if (!has_answer(all, info->id) ||
            info->kind == BE_KIND_CPU) { /* OpenCL on the CPU is no GPU */
            continue;
        }
        struct be_text words = {0};
        if (many) {
            add_count(all, info, &words);
            be_page_verdict(out, words.data ? words.data : "");
        }
        any |= many || add_answers(all, info, out);
        out->failed |= words.failed;
        be_text_free(&words);
    }
    if (!any) {
        be_page_verdict(out, "No GPU was measured or asked about: there is no break-even.");
    }
}

/* ---- break-evens ----------------------------------------------------------------------------- */

static void add_rows(const struct be_comparison *all, const struct be_device_info *info,
                     struct be_text *out) {
    for (size_t i = 0; i < all->results; i++) {
        char cell[3][BE_NAME], name[3 * BE_NAME];
        if (!be_overview_is_first(all, i)) {
            continue;
        }
        for (int p = 0; p < 3; p++) {
            static const enum be_placement placement[] = {BE_COPY, BE_PRELOAD, BE_RESIDENT};
            be_overview_cell(all, &all->result[i], info->id, (int)placement[p], cell[p]);
        }
        snprintf(name, sizeof name, "%s, %s", all->result[i].workload,
                 be_size_words(&all->result[i]));
        be_page_row(out, (const char *[]){name, cell[0], cell[1], cell[2]}, 4);
    }
}

static void add_breakevens(const struct be_comparison *all, struct be_text *out) {
    static const char *const head[] = {"workload, its size", "copied in each call",
                                       "inputs there, result copied", "all stays there"};
    bool any = false;
    for (int d = 0; d < all->machine.devices; d++) {
        const struct be_device_info *info = &all->machine.device[d];
        char caption[3 * BE_NOTE];
        if (!has_answer(all, info->id)) {
            continue;
        }
        if (!any) {
            be_page_heading(out, "From which size it stays ahead of the best CPU code");
        }
        any = true;
        snprintf(caption, sizeof caption, "%s: %s%s", info->id, info->name, origin_of(info));
        be_page_table_begin(out, caption, head, 4);
        add_rows(all, info, out);
        be_page_table_end(out);
    }
    if (any) {
        be_page_paragraph(out,
                          "~n (a-b): ahead from a size in a..b on, about n. never to n: ahead at "
                          "no size measured, up to n. close at n: too close to call at n.");
    }
}

/* ---- surroundings ---------------------------------------------------------------------------- */

static void add_surroundings(const struct be_comparison *all, struct be_text *out) {
    const struct be_environment *e = &all->environment;
    const struct be_machine *m = &all->machine;
    char cores[BE_NAME], load[BE_WORD];
    struct be_text line = {0};
    snprintf(cores, sizeof cores, "%d of %d", m->cores_allowed, m->cores);
    snprintf(load, sizeof load, "%.1f", e->load_average);
    const struct be_page_fact fact[] = {
        {"date (UTC)", e->date},     {"CPU", m->cpu},
        {"cores used", cores},       {"kernel", e->kernel},
        {"libraries", e->libraries}, {"instructions", e->simd},
        {"load before", load},       {"compiler", e->compiler},
    };
    be_text_add(&line, "breakeven compare");
    for (size_t i = 0; i < all->results; i++) {
        if (be_overview_is_first(all, i)) {
            be_text_add(&line, " %s", all->result[i].workload);
        }
    }
    be_page_made(out, fact, (int)BE_COUNT(fact),
                 "Every time is a median with its 95 % interval, every result was checked "
                 "against a reference, and no time is below what the hardware allows.",
                 &(struct be_made){line.data, ""});
    out->failed |= line.failed;
    be_text_free(&line);
}

void be_report_html(const struct be_comparison *comparison, struct be_text *out) {
    struct be_text title = {0}, kicker = {0}, chart = {0}, text = {0};
    const int workloads = count_workloads(comparison);
    if (workloads == 1) {
        be_text_add(&title, "Worth a GPU? %s", comparison->result[0].workload);
    } else {
        be_text_add(&title, "Worth a GPU? %d workloads", workloads);
    }
    be_text_add(&kicker, "breakeven compare, %.10s%s", comparison->environment.date,
                comparison->partial ? ", ended before everything was measured" : "");
    be_page_begin(out, title.data ? title.data : "", kicker.data ? kicker.data : "");
    be_report_html_verdict(comparison, out);
    be_chart_svg(comparison, &chart);
    be_page_drawing(out, &chart,
                    "Time of a call over size. Bands are 95 % intervals, dashed lines "
                    "the least times that the hardware allows.");
    add_breakevens(comparison, out);
    be_report_text(comparison, &text);
    be_page_whole(out, &text);
    add_surroundings(comparison, out);
    be_page_end(out);
    out->failed |= title.failed || kicker.failed || text.failed;
    be_text_free(&title);
    be_text_free(&kicker);
    be_text_free(&chart);
    be_text_free(&text);
}
