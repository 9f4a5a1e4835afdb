/* Charts of time over size as SVG: readable on light and dark ground, without scripts or fonts of others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "report/common/names.h"
#include "report/common/svg.h"
#include "report/comparison/block.h"
#include "report/comparison/chart.h"

/* ---- where things lie ----------------------------------------------------------------------- */

enum {
    LEFT = 62,
    RIGHT = 122, /* the answers have their room there */
    TITLES = 44, /* above a plot */
    STRIP = 14,  /* a placement's bar below it */
    BELOW = 44,  /* marks and name of the axis of sizes */
    LEGEND = 74, /* above all */
    MARGIN = 12,
    COLUMNS = 3, /* panels side by side */
};

struct sheet {
    struct be_text *out;
    int columns;
    double width, height; /* of a plot */
};

/* One panel where it lies. */
struct place {
    struct be_plot plot;
    const struct be_chart_panel *panel;
};

/* ---- one curve ------------------------------------------------------------------------------ */

enum curve_part { MIDDLE, LOW, HIGH, LIMIT };

static double part_of(const struct be_chart_point *point, enum curve_part part) {
    return part == LOW     ? point->lo_s
           : part == HIGH  ? point->hi_s
           : part == LIMIT ? point->limit_s
                           : point->s;
}

/* Points of a curve as columns: the caller frees the first. NULL: no memory. */
struct columns {
    double *x, *y, *hi;
};

static struct columns columns_of(const struct be_chart_curve *curve, enum curve_part low,
                                 enum curve_part high) {
    const size_t n = (size_t)curve->points;
    double *room = calloc(3 * n + 1, sizeof *room);
    const struct columns columns = {room, room ? room + n : NULL, room ? room + 2 * n : NULL};
    for (size_t i = 0; room && i < n; i++) {
        columns.x[i] = curve->point[i].size;
        columns.y[i] = part_of(&curve->point[i], low);
        columns.hi[i] = part_of(&curve->point[i], high);
    }
    return columns;
}

static void add_band(const struct place *place, const struct be_chart_curve *curve) {
    char class[BE_WORD];
    const struct columns at = columns_of(curve, LOW, HIGH);
    snprintf(class, sizeof class, "k%d i", (int)curve->placement);
    if (at.x && curve->points > 1) {
        be_plot_band(&place->plot, class, at.x, at.y, at.hi, curve->points);
    }
    place->plot.out->failed |= !at.x;
    free(at.x);
}

/* limit: the least times instead. Where one is not known the line has a gap. */
static void add_line(const struct place *place, const struct be_chart_curve *curve, bool limit) {
    char class[BE_WORD];
    const struct columns at = columns_of(curve, limit ? LIMIT : MIDDLE, MIDDLE);
    snprintf(class, sizeof class, "k%d %s", (int)curve->placement, limit ? "t" : "l");
    if (at.x) {
        be_plot_curve(&place->plot, class, at.x, at.y, curve->points);
    }
    place->plot.out->failed |= !at.x;
    free(at.x);
}

/* A form of its own for each placement, for those who do not tell the colours apart. */
static void add_mark(struct be_text *out, enum be_placement placement, double x, double y) {
    static const char *const form[BE_PLACEMENTS] = {
        [BE_HOST] = "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z",
        [BE_COPY] = "m-2.8-2.8h5.6v5.6h-5.6z",
        [BE_PRELOAD] = "m0-3.8l3.6 6.4h-7.2z",
        [BE_RESIDENT] = "m0-4l4 4l-4 4l-4-4z",
    };
    be_text_add(out, "<path class=\"k%d s\" d=\"M%.1f %.1f%s\"/>\n", (int)placement, x, y,
                form[placement]);
}

static void add_points(const struct place *place, const struct be_chart_curve *curve) {
    for (int i = 0; i < curve->points; i++) {
        const struct be_chart_point *point = &curve->point[i];
        const double x = be_plot_x(&place->plot, point->size);
        be_text_add(place->plot.out, "<path class=\"k%d w\" d=\"M%.1f %.1fV%.1f\"/>\n",
                    (int)curve->placement, x, be_plot_y(&place->plot, point->lo_s),
                    be_plot_y(&place->plot, point->hi_s));
        add_mark(place->plot.out, curve->placement, x, be_plot_y(&place->plot, point->s));
    }
}

/* A ring where the device gets ahead, on its curve, and the interval of that across. */
static void add_crossing(const struct place *place, const struct be_chart_curve *curve) {
    const struct be_chart_ahead ahead = be_chart_ahead_of(curve->even);
    const double s = be_chart_time_at(curve, ahead.at);
    if (!isnormal(s)) {
        return;
    }
    const double x = be_plot_x(&place->plot, ahead.at), y = be_plot_y(&place->plot, s);
    be_text_add(place->plot.out,
                "<path class=\"k%d d\" d=\"M%.1f %.1fV%.1f\"/>\n"
                "<circle class=\"k%d r\" cx=\"%.1f\" cy=\"%.1f\" r=\"6.5\"/>\n",
                (int)curve->placement, x, y, place->plot.top + place->plot.height,
                (int)curve->placement, x, y);
    if (ahead.doubt > 0 && ahead.doubt_end >= ahead.doubt) {
        be_text_add(place->plot.out, "<path class=\"k%d w\" d=\"M%.1f %.1fv8m0-4H%.1fm0-4v8\"/>\n",
                    (int)curve->placement, be_plot_x_within(&place->plot, ahead.doubt), y - 4,
                    be_plot_x_within(&place->plot, ahead.doubt_end));
    }
}

/* ---- around the curves ---------------------------------------------------------------------- */

static void add_stretch(const struct place *place, const struct be_chart_curve *curve, double y,
                        double from, double to, const char *class) {
    if (from > 0 && to >= from) {
        be_text_add(
            place->plot.out,
            "<rect class=\"k%d %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n",
            (int)curve->placement, class, be_plot_x_within(&place->plot, from), y + 3,
            fmax(be_plot_x_within(&place->plot, to) - be_plot_x_within(&place->plot, from), 1),
            STRIP - 6);
    }
}

/* The sizes at which a device is ahead, as a bar, and its answer in words. */
static void add_strip(const struct place *place, const struct be_chart_curve *curve, double y) {
    char words[BE_NAME];
    be_svg_label(place->plot.out, place->plot.left - 6, y + 10, "end", "q",
                 be_names_word(&be_names_placement, (int)curve->placement));
    be_text_add(place->plot.out, "<path class=\"g\" d=\"M%.1f %.1fh%.1f\"/>\n", place->plot.left,
                y + STRIP / 2.0, place->plot.width);
    if (curve->even) {
        const struct be_chart_ahead ahead = be_chart_ahead_of(curve->even);
        add_stretch(place, curve, y, ahead.doubt, ahead.doubt_end, "f");
        add_stretch(place, curve, y, ahead.from, ahead.to, "s");
        be_chart_answer(place->panel, curve->placement, words);
        be_svg_label(place->plot.out, place->plot.left + place->plot.width + 6, y + 10, "start",
                     "q", words);
    }
}

static void add_panel(const struct place *place) {
    const struct be_chart_panel *panel = place->panel;
    struct be_text title = {0}, device = {0};
    double bottom = place->plot.top + place->plot.height;
    be_chart_title(panel, &title);
    be_chart_device(panel, &device);
    const struct be_plot *plot = &place->plot;
    be_svg_label_in(plot->out, plot->left, plot->top - 24, plot->width + RIGHT, "h",
                    title.data ? title.data : "");
    be_svg_label_in(plot->out, plot->left, plot->top - 8, plot->width + RIGHT, "q",
                    device.data ? device.data : "");
    be_plot_frame(plot, panel->curves > 1 ? 4 + STRIP * (panel->curves - 1) : 0);
    be_text_add(place->plot.out,
                "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "viewBox=\"%.1f %.1f %.1f %.1f\">\n",
                place->plot.left, place->plot.top, place->plot.width, place->plot.height,
                place->plot.left, place->plot.top, place->plot.width, place->plot.height);
    for (int i = 0; i < panel->curves; i++) {
        add_band(place, &panel->curve[i]);
        add_line(place, &panel->curve[i], true);
        add_line(place, &panel->curve[i], false);
        add_points(place, &panel->curve[i]);
    }
    for (int i = 1; i < panel->curves; i++) {
        if (panel->curve[i].even) {
            add_crossing(place, &panel->curve[i]);
        }
    }
    be_text_add(place->plot.out, "</svg>\n");
    for (int i = 1; i < panel->curves; i++) {
        add_strip(place, &panel->curve[i], bottom + 4 + STRIP * (i - 1));
    }
    be_text_free(&title);
    be_text_free(&device);
}

/* ---- the sheet ------------------------------------------------------------------------------ */

static void add_description(struct be_text *words, const struct be_chart *chart) {
    be_text_add(words, "Both axes are logarithmic.");
    for (int r = 0; r < chart->rows; r++) {
        for (int p = 0; p < chart->row[r].panels; p++) {
            const struct be_chart_panel *panel = &chart->row[r].panel[p];
            const char *comma = " ";
            be_text_add(words, " %s, %s:", panel->like->workload,
                        panel->device ? panel->device : "the CPU alone");
            for (int c = 1; c < panel->curves; c++) {
                char answer[BE_NAME];
                be_chart_answer(panel, panel->curve[c].placement, answer);
                be_text_add(words, "%s%s %s", comma,
                            be_names_word(&be_names_placement, (int)panel->curve[c].placement),
                            answer);
                comma = ", ";
            }
            be_text_add(words, "%s.", panel->curves > 1 ? " (from which size it is ahead)" : "");
        }
    }
}

static void add_legend(struct be_text *out, const struct be_comparison *all) {
    static const char *const places[BE_PLACEMENTS] = {"best CPU code", "copy", "preload",
                                                      "resident"};
    static const char *const programs[BE_PLACEMENTS] = {"first program", "second program", "", ""};
    const char *const *name = be_report_has_programs(all) ? programs : places;
    static const int at[BE_PLACEMENTS] = {0, 124, 192, 276};
    char words[BE_NOTE];
    snprintf(words, sizeof words, "Time of a call over size: %.100s, %d core%s", all->machine.cpu,
             all->machine.cores_allowed, all->machine.cores_allowed == 1 ? "" : "s");
    be_svg_label(out, MARGIN, 24, "start", "h", words);
    for (int i = 0; i < BE_PLACEMENTS && *name[i]; i++) {
        const int x = MARGIN + 12 + at[i];
        be_text_add(out, "<path class=\"k%d l\" d=\"M%d 42h20\"/>\n", i, x - 10);
        add_mark(out, (enum be_placement)i, x, 42);
        be_svg_label(out, x + 14, 46, "start", "q", name[i]);
    }
    be_text_add(out, "<path class=\"k0 t\" d=\"M%d 42h20\"/>\n", MARGIN + 372);
    be_svg_label(out, MARGIN + 396, 46, "start", "q", "least time that the hardware allows");
    be_svg_label(out, MARGIN, 64, "start", "q",
                 "Bars below: sizes where the device is ahead; pale: the interval of where it gets "
                 "ahead. Bands: intervals of times.");
}

/* Where the sheet has no room beside the last panel, or another workload has several, a new line begins. */
static int draw_rows(const struct sheet *sheet, const struct be_chart *chart) {
    const double wide = LEFT + sheet->width + RIGHT;
    const double high = TITLES + sheet->height + 4 + 3 * STRIP + BELOW;
    int column = 0, line = 0;
    for (int r = 0; r < chart->rows; r++) {
        const struct be_chart_row *row = &chart->row[r];
        for (int p = 0; p < row->panels; p++) {
            if (column == sheet->columns || (p == 0 && column > 0 && chart->columns > 1)) {
                column = 0;
                line++;
            }
            const struct place place = {.panel = &row->panel[p],
                                        .plot = {.out = sheet->out,
                                                 .left = LEFT + wide * column,
                                                 .top = LEGEND + TITLES + high * line,
                                                 .width = sheet->width,
                                                 .height = sheet->height,
                                                 .x = row->size,
                                                 .y = row->time,
                                                 .x_word = be_plot_size,
                                                 .y_word = be_plot_seconds,
                                                 .x_name = be_size_words(row->panel[p].like)}};
            add_panel(&place);
            column++;
        }
    }
    return (int)(LEGEND + high * (line + 1));
}

void be_chart_svg(const struct be_comparison *comparison, struct be_text *out) {
    struct be_chart chart;
    struct be_text body = {0}, words = {0};
    be_chart_of(comparison, &chart);
    const int beside = chart.columns > 1 ? chart.columns : chart.panels;
    const bool large = chart.panels <= 1;
    const struct sheet sheet = {.out = &body,
                                .columns = beside > COLUMNS ? COLUMNS : beside,
                                .width = large ? 560 : 250,
                                .height = large ? 330 : 160};
    const int height = draw_rows(&sheet, &chart) + MARGIN;
    const double wide = (LEFT + sheet.width + RIGHT) * (sheet.columns > 1 ? sheet.columns : 1);
    const int width = (int)fmax(wide, 720);
    add_description(&words, &chart);
    be_svg_begin(out, width, height, "Time of a call over size", words.data ? words.data : "");
    add_legend(out, comparison);
    if (chart.panels == 0) {
        be_svg_label(out, MARGIN, LEGEND + TITLES, "start", NULL, "Nothing has a time.");
    }
    be_text_add_bytes(out, body.data ? body.data : "", body.length);
    be_svg_end(out);
    out->failed |= body.failed || words.failed || chart.failed;
    be_text_free(&words);
    be_text_free(&body);
    be_chart_free(&chart);
}
