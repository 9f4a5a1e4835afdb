/* Waits over time and by size, as bars of text and as SVG. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/queue/queue.h"
#include "report/common/plot.h"
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

enum { WIDTH = 720, LEFT = 70, RIGHT = 20, TOP = 40, HEIGHT = 200, LEGEND = 24, LABEL = 44 };

static const char *wait_word(char *to, size_t capacity, double wait_s) {
    return be_format_wait(to, capacity, wait_s, "");
}

/* Waits of less than a second lie on the ground. */
static double on_axis(double wait_s) {
    return isnan(wait_s) ? NAN : fmax(wait_s, 1);
}

static struct be_plot plot_at(struct be_text *out, double top, double max_s) {
    return (struct be_plot){.out = out,
                            .left = LEFT,
                            .top = top,
                            .width = WIDTH - LEFT - RIGHT,
                            .height = HEIGHT,
                            .y = be_axis_around(1, max_s, BE_AXIS_LOG_TIME),
                            .y_word = wait_word};
}

static void add_line(const struct be_plot *plot, const struct be_wait_table *table, bool high,
                     const char *class) {
    double *at = calloc(2 * (size_t)table->spans + 1, sizeof *at), *wait_s = at + table->spans;
    for (int i = 0; at && i < table->spans; i++) {
        at[i] = i + 0.5;
        wait_s[i] = on_axis(high ? table->span[i].high_s : table->span[i].cell.wait_s);
    }
    if (at) {
        be_plot_curve(plot, class, at, wait_s, table->spans);
    }
    plot->out->failed |= !at;
    free(at);
}

static void svg_spans(struct be_plot *plot, const struct be_wait_table *table) {
    char text[BE_NAME * 2], quantile[BE_WORD], day[BE_WORD];
    const double foot = plot->top + HEIGHT + 16;
    plot->x = be_axis_around(0, table->spans, BE_AXIS_LINEAR);
    snprintf(text, sizeof text, "Waits by time of submission: %s (thick), nine in ten (thin)",
             be_format_quantile(quantile, sizeof quantile, table->quantile));
    be_svg_label(plot->out, LEFT, plot->top - 10, "start", "h", text);
    be_plot_frame(plot, 0);
    add_line(plot, table, true, "k2 w");
    add_line(plot, table, false, "k2 l");
    be_svg_label(plot->out, LEFT, foot, "start", "q",
                 be_format_moment(day, sizeof day, table->span[0].from_s, true));
    be_svg_label(plot->out, WIDTH - RIGHT, foot, "end", "q",
                 be_format_moment(day, sizeof day, table->last_s, true));
}

/* A bar, and over its middle a line from one end of the spread to the other. */
static void add_svg_bar(const struct be_plot *plot, const struct be_wait_table *table,
                        const struct be_wait_cell *cell, const char *name, int colour, double x,
                        double width) {
    const double bottom = plot->top + plot->height;
    char class[BE_WORD], tip[3 * BE_NAME], wait[BE_WORD];
    double lo_s, hi_s;
    be_wait_spread(table, cell, &lo_s, &hi_s);
    snprintf(class, sizeof class, "k%d s", colour % BE_SVG_COLOURS);
    snprintf(tip, sizeof tip, "%.120s: %s, %.0f jobs", name,
             be_format_wait(wait, sizeof wait, cell->wait_s, "no wait known"), (double)cell->n);
    if (isfinite(cell->wait_s)) {
        const double y = be_plot_y_within(plot, on_axis(cell->wait_s));
        be_svg_bar(plot->out, class, x, y, width, bottom - y, tip);
    }
    if (isfinite(lo_s) && isfinite(hi_s)) {
        be_svg_line(plot->out, "a w", x + width / 2, be_plot_y_within(plot, on_axis(lo_s)),
                    x + width / 2, be_plot_y_within(plot, on_axis(hi_s)));
    }
}

static void add_title(const struct be_plot *plot, const struct be_wait_table *table,
                      const char *by) {
    char text[BE_NAME * 2], quantile[BE_WORD];
    snprintf(text, sizeof text, "Waits by %s: %s (bar), %s (line)", by,
             be_format_quantile(quantile, sizeof quantile, table->quantile),
             fabs(table->quantile - 0.5) < 1e-9 ? "middle half" : "its 95 % interval");
    be_svg_label(plot->out, LEFT, plot->top - 10, "start", "h", text);
    be_plot_frame(plot, 0);
}

/* Hours, weekdays, processors: a bar each, over all sizes of jobs. */
static void svg_rows(const struct be_plot *plot, const struct be_wait_table *table) {
    static const char *const by[BE_ROWS_KINDS] = {
        [BE_ROWS_PARTITION] = "partition", [BE_ROWS_HOUR] = "hour of submission",
        [BE_ROWS_WEEKDAY] = "weekday",     [BE_ROWS_GPUS] = "GPUs",
        [BE_ROWS_CPUS] = "CPUs",           [BE_ROWS_MEMORY] = "memory"};
    const double group = plot->width / (double)(table->rows ? table->rows : 1);
    const int every = (int)ceil(LABEL / group);
    add_title(plot, table, by[table->kind]);
    for (int i = 0; i < table->rows; i++) {
        add_svg_bar(plot, table, &table->all[i], table->row[i].name, 2, LEFT + group * (i + 0.1),
                    0.8 * group);
        if (i % every == 0) {
            be_svg_label(plot->out, LEFT + group * (i + 0.5), plot->top + plot->height + 16,
                         "middle", "q", table->row[i].name);
        }
    }
}

static void svg_sizes(const struct be_plot *plot, const struct be_wait_table *table) {
    char text[BE_NAME * 2], name[3 * BE_NAME], class[BE_WORD];
    const double group = plot->width / (double)(table->columns ? table->columns : 1);
    const double bar = group * 0.8 / (table->rows ? table->rows : 1);
    const double bottom = plot->top + plot->height;
    add_title(plot, table, "size");
    for (int k = 0; k < table->columns; k++) {
        be_wait_column(table, k, text, sizeof text);
        for (int i = 0; i < table->rows; i++) {
            snprintf(name, sizeof name, "%.60s, %s", table->row[i].name, text);
            add_svg_bar(plot, table, &table->cell[i * table->columns + k], name, i,
                        LEFT + group * (k + 0.1) + bar * i, bar);
        }
        be_svg_label(plot->out, LEFT + group * (k + 0.5), bottom + 16, "middle", "q", text);
    }
    for (int i = 0; i < table->rows; i++) {
        double y = bottom + 36 + LEGEND * i;
        snprintf(class, sizeof class, "k%d s", i % BE_SVG_COLOURS);
        be_svg_bar(plot->out, class, LEFT, y - 10, 12, 12, NULL);
        be_svg_label(plot->out, LEFT + 18, y, "start", "q", table->row[i].name);
    }
}

void be_wait_chart_svg(const struct be_wait_table *table, struct be_text *out) {
    const double max_s = longest(table);
    const double below = table->spans ? TOP + HEIGHT + 60 : TOP;
    struct be_plot plot = plot_at(out, TOP, max_s);
    const bool sizes = table->kind == BE_ROWS_PARTITION;
    be_svg_begin(out, WIDTH, below + HEIGHT + 50 + (sizes ? LEGEND * table->rows : 0),
                 "Waits in the queue",
                 "Waits over time and by size of the job, logarithmic; the table has them.");
    if (table->spans) {
        svg_spans(&plot, table);
    }
    plot = plot_at(out, below, max_s);
    (sizes ? svg_sizes : svg_rows)(&plot, table);
    be_svg_end(out);
}
