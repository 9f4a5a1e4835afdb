/* Waits over time and by size, as bars of text and as SVG. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/queue/queue.h"
#include "report/common/out.h"
#include "report/common/svg.h"

/* ---- a scale from a second to the longest wait, by its logarithm ---------------------------- */

static double longest(const struct be_wait_table *table) {
    double max = 60;
    for (int i = 0; i < table->spans; i++) {
        max = table->span[i].high_s > max ? table->span[i].high_s : max;
    }
    for (int i = 0; i < table->rows * table->columns; i++) {
        double lo_s, hi_s;
        be_wait_spread(table, &table->cell[i], &lo_s, &hi_s);
        max = table->cell[i].wait_s > max ? table->cell[i].wait_s : max;
        max = hi_s > max ? hi_s : max;
    }
    return max;
}

/* 0 .. 1 */
static double share(double wait_s, double max_s) {
    return wait_s > 0 ? fmin(log1p(wait_s) / log1p(max_s), 1) : 0;
}

/* ---- text ----------------------------------------------------------------------------------- */

enum { BAR = 40, SIZE_BAR = 31 };

/* `width` signs are the longest wait. */
static void add_bar(struct be_text *out, double wait_s, double high_s, double max_s, int width) {
    int full = (int)lround(share(wait_s, max_s) * width);
    int high = isfinite(high_s) ? (int)lround(share(high_s, max_s) * width) : full;
    char bar[BAR + 1];
    for (int i = 0; i < width; i++) {
        bar[i] = i < full ? '#' : i < high ? '.' : ' ';
    }
    bar[width] = '\0';
    be_text_add(out, "%s", bar);
}

static void chart_spans(const struct be_wait_table *table, double max_s, struct be_text *out) {
    char quantile[BE_WORD], from[BE_WORD], wait[BE_WORD], high[BE_WORD], count[BE_WORD];
    char title[BE_NOTE];
    snprintf(title, sizeof title,
             "Waits by time of submission, %.0f day%s a line: # %s, . nine in ten; jobs",
             table->span_s / 86400, table->span_s > 86400 ? "s" : "",
             be_format_quantile(quantile, sizeof quantile, table->quantile));
    be_text_add(out, "\n");
    be_lines_wrap(out, "", title, 2);
    for (int i = 0; i < table->spans; i++) {
        const struct be_wait_span *span = &table->span[i];
        be_text_add(out, "%s ", be_format_moment(from, sizeof from, span->from_s, true));
        add_bar(out, span->cell.wait_s, span->high_s, max_s, BAR);
        if (span->cell.n) {
            be_text_add(out, "%8s %8s %8s",
                        be_format_wait(wait, sizeof wait, span->cell.wait_s, ""),
                        be_format_wait(high, sizeof high, span->high_s, ""),
                        be_format_count(count, sizeof count, (double)span->cell.n, ""));
        }
        be_text_end_line(out);
    }
}

/* Seven letters. */
static const char *format_jobs(char *to, size_t capacity, uint64_t jobs) {
    return jobs < 1000000 ? be_format_count(to, capacity, (double)jobs, "")
                          : be_format_size(to, capacity, (double)jobs, "");
}

static void chart_sizes(const struct be_wait_table *table, double max_s, struct be_text *out) {
    char quantile[BE_WORD], wait[BE_WORD], column[BE_NAME], count[BE_WORD], high[BE_WORD];
    const bool median = fabs(table->quantile - 0.5) < 1e-9;
    be_text_add(out, "\nWaits by size: # %s, . %s; jobs\n",
                be_format_quantile(quantile, sizeof quantile, table->quantile),
                median ? "three in four" : "the end of its 95 % interval");
    for (int i = 0; i < table->rows; i++) {
        struct be_text name = {0};
        be_lines_ascii(&name, table->row[i].name);
        be_text_add(out, "%.60s\n", name.data ? name.data : "");
        be_text_free(&name);
        for (int k = 0; k < table->columns; k++) {
            const struct be_wait_cell *cell = &table->cell[i * table->columns + k];
            double lo_s, hi_s;
            be_wait_column(table, k, column, sizeof column);
            be_text_add(out, "  %-20.20s ", column);
            be_wait_spread(table, cell, &lo_s, &hi_s);
            add_bar(out, cell->wait_s, hi_s, max_s, SIZE_BAR);
            be_text_add(out, "%8s %8s %7s", be_format_wait(wait, sizeof wait, cell->wait_s, "NA"),
                        be_format_wait(high, sizeof high, hi_s, cell->n ? "?" : ""),
                        format_jobs(count, sizeof count, cell->n));
            be_text_end_line(out);
        }
    }
    be_text_add(out, "Bars are logarithmic: a full one is %s\n",
                be_format_wait(wait, sizeof wait, max_s, ""));
}

void be_wait_chart_text(const struct be_wait_table *table, struct be_text *out) {
    double max_s = longest(table);
    if (table->spans) {
        chart_spans(table, max_s, out);
    }
    chart_sizes(table, max_s, out);
}

/* ---- SVG ------------------------------------------------------------------------------------ */

enum { WIDTH = 720, LEFT = 70, RIGHT = 20, TOP = 40, HEIGHT = 200, LEGEND = 24 };

/* Lines across at waits that people know. */
static void add_axis(struct be_text *out, double top, double max_s) {
    static const double mark_s[] = {1, 60, 600, 3600, 21600, 86400, 604800, 2592000};
    char text[BE_WORD];
    for (size_t i = 0; i < BE_COUNT(mark_s) && mark_s[i] <= max_s; i++) {
        double y = top + HEIGHT * (1 - share(mark_s[i], max_s));
        be_text_add(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"g\"/>\n", LEFT,
                    WIDTH - RIGHT, y, y);
        be_svg_label(out, LEFT - 6, y + 4, "end", NULL,
                     be_format_wait(text, sizeof text, mark_s[i], ""));
    }
}

static void add_line(struct be_text *out, const struct be_wait_table *table, double top,
                     double max_s, bool high, const char *class) {
    double step = (WIDTH - LEFT - RIGHT) / (double)table->spans;
    be_text_add(out, "<path class=\"%s\" d=\"", class);
    bool pen = false;
    for (int i = 0; i < table->spans; i++) {
        double wait_s = high ? table->span[i].high_s : table->span[i].cell.wait_s;
        if (!isfinite(wait_s)) {
            pen = false;
            continue;
        }
        be_text_add(out, "%c%.1f %.1f", pen ? 'L' : 'M', LEFT + (i + 0.5) * step,
                    top + HEIGHT * (1 - share(wait_s, max_s)));
        pen = true;
    }
    be_text_add(out, "\"/>\n");
}

static void svg_spans(struct be_text *out, const struct be_wait_table *table, double top,
                      double max_s) {
    char text[BE_NAME * 2], quantile[BE_WORD], day[BE_WORD];
    snprintf(text, sizeof text, "Waits by time of submission: %s (thick), nine in ten (thin)",
             be_format_quantile(quantile, sizeof quantile, table->quantile));
    be_svg_label(out, LEFT, top - 10, "start", NULL, text);
    add_axis(out, top, max_s);
    add_line(out, table, top, max_s, true, "h");
    add_line(out, table, top, max_s, false, "m");
    be_svg_label(out, LEFT, top + HEIGHT + 16, "start", NULL,
                 be_format_moment(day, sizeof day, table->span[0].from_s, true));
    be_svg_label(out, WIDTH - RIGHT, top + HEIGHT + 16, "end", NULL,
                 be_format_moment(day, sizeof day, table->last_s, true));
}

/* From one end of the spread to the other, over the middle of a bar. */
static void add_whisker(struct be_text *out, const struct be_wait_table *table,
                        const struct be_wait_cell *cell, double x, double top, double max_s) {
    double lo_s, hi_s;
    be_wait_spread(table, cell, &lo_s, &hi_s);
    if (isfinite(lo_s) && isfinite(hi_s)) {
        be_text_add(out, "<line class=\"w\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", x,
                    x, top + HEIGHT * (1 - share(lo_s, max_s)),
                    top + HEIGHT * (1 - share(hi_s, max_s)));
    }
}

static void svg_sizes(struct be_text *out, const struct be_wait_table *table, double top,
                      double max_s) {
    static const char *const colour[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                         "#66ccee", "#aa3377", "#bbbbbb"};
    char text[BE_NAME * 2], quantile[BE_WORD];
    const bool median = fabs(table->quantile - 0.5) < 1e-9;
    double group = (WIDTH - LEFT - RIGHT) / (double)table->columns;
    double bar = group * 0.8 / (table->rows ? table->rows : 1);
    snprintf(text, sizeof text, "Waits by size: %s (bar), %s (line)",
             be_format_quantile(quantile, sizeof quantile, table->quantile),
             median ? "middle half" : "its 95 % interval");
    be_svg_label(out, LEFT, top - 10, "start", NULL, text);
    add_axis(out, top, max_s);
    for (int k = 0; k < table->columns; k++) {
        for (int i = 0; i < table->rows; i++) {
            const struct be_wait_cell *cell = &table->cell[i * table->columns + k];
            double height = HEIGHT * share(cell->wait_s, max_s);
            be_text_add(
                out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                LEFT + group * (k + 0.1) + bar * i, top + HEIGHT - height, bar, height,
                colour[(size_t)i % BE_COUNT(colour)]);
            add_whisker(out, table, cell, LEFT + group * (k + 0.1) + bar * (i + 0.5), top, max_s);
        }
        be_wait_column(table, k, text, sizeof text);
        be_svg_label(out, LEFT + group * (k + 0.5), top + HEIGHT + 16, "middle", NULL, text);
    }
    for (int i = 0; i < table->rows; i++) {
        double y = top + HEIGHT + 36 + LEGEND * i;
        be_text_add(out, "<rect x=\"%d\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n",
                    LEFT, y - 10, colour[(size_t)i % BE_COUNT(colour)]);
        be_svg_label(out, LEFT + 18, y, "start", NULL, table->row[i].name);
    }
}

void be_wait_chart_svg(const struct be_wait_table *table, struct be_text *out) {
    double max_s = longest(table);
    double below = table->spans ? TOP + HEIGHT + 60 : TOP;
    int height = (int)below + HEIGHT + 50 + LEGEND * table->rows;
    be_text_add(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 "
        "%d %d\">\n<style>text{font:12px sans-serif;fill:#222}.g{stroke:#ddd}"
        ".w{stroke:#222;stroke-width:1.5}.m{fill:none;stroke:#4477aa;stroke-width:2.5}.h{fill:none;"
        "stroke:#4477aa;"
        "stroke-width:1}</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        WIDTH, height, WIDTH, height, WIDTH, height);
    if (table->spans) {
        svg_spans(out, table, TOP, max_s);
    }
    svg_sizes(out, table, below, max_s);
    be_text_add(out, "</svg>\n");
}

enum be_status be_wait_chart_write(const struct be_wait_table *table, enum be_format format,
                                   FILE *out, struct be_error *error) {
    struct be_text text = {0};
    if (format != BE_TEXT && format != BE_SVG) {
        return be_fail(error, BE_USAGE, "a chart of waits: text or SVG");
    }
    (format == BE_SVG ? be_wait_chart_svg : be_wait_chart_text)(table, &text);
    return be_report_out(&text, out, error);
}
