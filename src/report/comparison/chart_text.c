/* Charts of time over size in 80 columns of text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/common/names.h"
#include "report/comparison/block.h"
#include "report/comparison/chart.h"

enum { LABEL = 10, WIDE = BE_COLUMNS - LABEL - 1, HIGH = 16, MARKS_HIGH = 6, MARKS_WIDE = 9 };

/* One sign in each cell; NULL: a blank. */
struct canvas {
    const struct be_chart_row *row;
    bool unicode;
    const char *cell[HIGH][WIDE];
};

/* ASCII, and where there is more. */
struct sign {
    const char *plain, *fine;
};

static const struct sign measured[BE_PLACEMENTS] = {[BE_HOST] = {"#", "#"},
                                                    [BE_COPY] = {"c", "c"},
                                                    [BE_PRELOAD] = {"p", "p"},
                                                    [BE_RESIDENT] = {"r", "r"}};
static const struct sign cpu_between = {":", ":"};
static const struct sign between = {".", "\xc2\xb7"};
static const struct sign least = {"-", "\xe2\x95\x8c"};
static const struct sign ahead_at = {"X", "X"};
static const struct sign upright = {"|", "\xe2\x94\x82"};
static const struct sign ground = {"-", "\xe2\x94\x80"};
static const struct sign corner = {"+", "\xe2\x94\x94"};
static const struct sign doubt = {"?", "\xe2\x96\x91"};
static const struct sign sure = {"=", "\xe2\x96\x88"};

static const char *sign_of(const struct sign *sign, bool unicode) {
    return unicode ? sign->fine : sign->plain;
}

/* -1: beside the canvas. */
static int column_of(const struct canvas *canvas, double size) {
    const double share = be_axis_share(&canvas->row->size, size);
    return share >= 0 && share <= 1 ? (int)lround(share * (WIDE - 1)) : -1;
}

static int line_of(const struct canvas *canvas, double s) {
    const double share = be_axis_share(&canvas->row->time, s);
    return share >= 0 && share <= 1 ? (int)lround((1 - share) * (HIGH - 1)) : -1;
}

static double size_at(const struct canvas *canvas, int column) {
    const struct be_axis *axis = &canvas->row->size;
    return pow(10, axis->from + (axis->to - axis->from) * column / (WIDE - 1));
}

static void put(struct canvas *canvas, double size, double s, const struct sign *sign, bool over) {
    const int column = column_of(canvas, size), line = line_of(canvas, s);
    if (column >= 0 && line >= 0 && (over || !canvas->cell[line][column])) {
        canvas->cell[line][column] = sign_of(sign, canvas->unicode);
    }
}

static void draw_points(struct canvas *canvas, const struct be_chart_panel *panel) {
    for (int c = panel->curves - 1; c >= 0; c--) {
        const struct be_chart_curve *curve = &panel->curve[c];
        for (int i = 0; i < curve->points; i++) {
            put(canvas, curve->point[i].size, curve->point[i].s, &measured[curve->placement], true);
        }
    }
    for (int c = 1; c < panel->curves; c++) {
        if (panel->curve[c].even) {
            const struct be_chart_ahead ahead = be_chart_ahead_of(panel->curve[c].even);
            put(canvas, ahead.at, be_chart_time_at(&panel->curve[c], ahead.at), &ahead_at, true);
        }
    }
}

static void draw_lines(struct canvas *canvas, const struct be_chart_panel *panel, bool limits) {
    for (int c = 0; c < panel->curves; c++) {
        const struct sign *way = panel->curve[c].placement == BE_HOST ? &cpu_between : &between;
        for (int column = 0; column < WIDE; column++) {
            const double size = size_at(canvas, column);
            put(canvas, size,
                (limits ? be_chart_limit_at : be_chart_time_at)(&panel->curve[c], size),
                limits ? &least : way, false);
        }
    }
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* The word of the mark that lies on this line; several: the first. */
static void label_of(const struct canvas *canvas, int line, char word[BE_WORD]) {
    double value;
    word[0] = '\0';
    for (int i = 0; isfinite(value = be_axis_mark(&canvas->row->time, MARKS_HIGH, i)); i++) {
        if (line_of(canvas, value) == line) {
            be_format_seconds(word, BE_WORD, value, "");
            return;
        }
    }
}

static void add_lines(struct be_text *out, const struct canvas *canvas) {
    for (int line = 0; line < HIGH; line++) {
        char word[BE_WORD];
        label_of(canvas, line, word);
        be_text_add(out, "%*s%s", LABEL, word, sign_of(&upright, canvas->unicode));
        for (int column = 0; column < WIDE; column++) {
            const char *sign = canvas->cell[line][column];
            be_text_add(out, "%s", sign ? sign : " ");
        }
        be_text_end_line(out);
    }
}

/* Sizes below the axis, each below its mark and none beside the line. */
static void add_sizes(struct be_text *out, const struct canvas *canvas) {
    char line[WIDE + 1];
    int used = 0;
    double value;
    memset(line, ' ', WIDE);
    line[WIDE] = '\0';
    for (int i = 0; isfinite(value = be_axis_mark(&canvas->row->size, MARKS_WIDE, i)); i++) {
        char word[BE_WORD];
        const int length = (int)strlen(be_format_n(word, sizeof word, value));
        int at = column_of(canvas, value) - length / 2;
        at = at + length > WIDE ? WIDE - length : at < 0 ? 0 : at;
        if (at >= used) {
            memcpy(line + at, word, (size_t)length);
            used = at + length + 1;
        }
    }
    be_text_add(out, "%*s%s", LABEL, "", sign_of(&corner, canvas->unicode));
    for (int column = 0; column < WIDE; column++) {
        be_text_add(out, "%s", sign_of(&ground, canvas->unicode));
    }
    be_text_add(out, "\n%*s %s", LABEL, "", line);
    be_text_end_line(out);
}

/* Is the column between two sizes, which may lie beside the canvas? */
static bool is_within(const struct canvas *canvas, int column, double from, double to) {
    const double first = be_axis_share(&canvas->row->size, from) * (WIDE - 1);
    const double last = be_axis_share(&canvas->row->size, to) * (WIDE - 1);
    return column >= round(first) && column <= round(last);
}

/* Where the device is ahead, on the axis of sizes. */
static void add_strip(struct be_text *out, const struct canvas *canvas,
                      const struct be_chart_curve *curve) {
    const struct be_chart_ahead ahead = be_chart_ahead_of(curve->even);
    be_text_add(out, "%*s%s", LABEL, be_names_word(&be_names_placement, (int)curve->placement),
                sign_of(&upright, canvas->unicode));
    for (int column = 0; column < WIDE; column++) {
        const struct sign *sign = is_within(canvas, column, ahead.from, ahead.to)           ? &sure
                                  : is_within(canvas, column, ahead.doubt, ahead.doubt_end) ? &doubt
                                                                                            : NULL;
        be_text_add(out, "%s", sign ? sign_of(sign, canvas->unicode) : " ");
    }
    be_text_end_line(out);
}

static void add_answers(struct be_text *out, const struct be_chart_panel *panel) {
    struct be_text line = {0};
    be_text_add(&line, "Ahead of the CPU:");
    for (int c = 1; c < panel->curves; c++) {
        char words[BE_NAME];
        be_chart_answer(panel, panel->curve[c].placement, words);
        be_text_add(&line, "%s %s %s", c > 1 ? ";" : "",
                    be_names_word(&be_names_placement, (int)panel->curve[c].placement), words);
    }
    if (panel->curves > 1) {
        be_lines_wrap(out, "  ", line.data ? line.data : "", 4);
    }
    be_text_free(&line);
}

static void add_panel(struct be_text *out, const struct be_chart_row *row,
                      const struct be_chart_panel *panel, bool unicode) {
    struct canvas canvas = {.row = row, .unicode = unicode};
    struct be_text title = {0}, device = {0};
    be_chart_title(panel, &title);
    be_chart_device(panel, &device);
    be_text_add(out, "\n");
    be_lines_wrap(out, "", title.data ? title.data : "", 2);
    be_lines_wrap(out, "  ", device.data ? device.data : "", 4);
    draw_points(&canvas, panel);
    draw_lines(&canvas, panel, false);
    draw_lines(&canvas, panel, true);
    add_lines(out, &canvas);
    add_sizes(out, &canvas);
    for (int c = 1; c < panel->curves; c++) {
        if (panel->curve[c].even) {
            add_strip(out, &canvas, &panel->curve[c]);
        }
    }
    add_answers(out, panel);
    be_text_free(&title);
    be_text_free(&device);
}

void be_chart_text(const struct be_comparison *comparison, bool unicode, struct be_text *out) {
    struct be_chart chart;
    be_chart_of(comparison, &chart);
    const char *curves = be_report_has_programs(comparison)
                             ? "#  first program    c  second program"
                             : "#  best CPU code    c  copy    p  preload    r  resident";
    be_text_add(out,
                "\nTime of a call over size, both logarithmic\n"
                "  %s\n"
                "  %s  least time that the hardware allows    X  the device gets ahead\n"
                "  %s  below the chart: ahead at these sizes\n"
                "  %s  it gets ahead, or falls behind, somewhere in these\n",
                curves, sign_of(&least, unicode), sign_of(&sure, unicode),
                sign_of(&doubt, unicode));
    for (int r = 0; r < chart.rows; r++) {
        for (int p = 0; p < chart.row[r].panels; p++) {
            add_panel(out, &chart.row[r], &chart.row[r].panel[p], unicode);
        }
    }
    if (chart.panels == 0) {
        be_text_add(out, "\nNothing has a time.\n");
    }
    out->failed |= chart.failed;
    be_chart_free(&chart);
}
