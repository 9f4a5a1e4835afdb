/* Charts of time over size as SVG: readable on light and dark ground, without scripts or fonts of others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    LETTER = 6,  /* about, of the small text */
};

struct sheet {
    struct be_text *out;
    int columns;
    double width, height; /* of a plot */
    bool large;           /* one panel alone */
};

/* One panel where it lies. */
struct place {
    struct be_text *out;
    const struct be_chart_row *row;
    const struct be_chart_panel *panel;
    double left, top, width, height; /* of the plot */
    bool large;
};

static double x_of(const struct place *place, double size) {
    return place->left + place->width * be_chart_share(&place->row->size, size);
}

static double y_of(const struct place *place, double s) {
    return place->top + place->height * (1 - be_chart_share(&place->row->time, s));
}

/* Within the plot. */
static double x_within(const struct place *place, double size) {
    return fmin(fmax(x_of(place, size), place->left), place->left + place->width);
}

/* ---- one curve ------------------------------------------------------------------------------ */

static void add_band(const struct place *place, const struct be_chart_curve *curve) {
    if (curve->points < 2) {
        return;
    }
    be_text_add(place->out, "<path class=\"k%d i\" d=\"", (int)curve->placement);
    for (int i = 0; i < curve->points; i++) {
        be_text_add(place->out, "%c%.1f %.1f", i ? 'L' : 'M', x_of(place, curve->point[i].size),
                    y_of(place, curve->point[i].hi_s));
    }
    for (int i = curve->points - 1; i >= 0; i--) {
        be_text_add(place->out, "L%.1f %.1f", x_of(place, curve->point[i].size),
                    y_of(place, curve->point[i].lo_s));
    }
    be_text_add(place->out, "Z\"/>\n");
}

/* limit: the least times instead. Where one is not known the line has a gap. */
static void add_line(const struct place *place, const struct be_chart_curve *curve, bool limit) {
    bool pen = false;
    be_text_add(place->out, "<path class=\"k%d %s\" d=\"", (int)curve->placement,
                limit ? "t" : "l");
    for (int i = 0; i < curve->points; i++) {
        const double s = limit ? curve->point[i].limit_s : curve->point[i].s;
        if (isfinite(s)) {
            be_text_add(place->out, "%c%.1f %.1f", pen ? 'L' : 'M',
                        x_of(place, curve->point[i].size), y_of(place, s));
        }
        pen = isfinite(s);
    }
    be_text_add(place->out, "\"/>\n");
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
        const double x = x_of(place, point->size);
        be_text_add(place->out, "<path class=\"k%d w\" d=\"M%.1f %.1fV%.1f\"/>\n",
                    (int)curve->placement, x, y_of(place, point->lo_s), y_of(place, point->hi_s));
        add_mark(place->out, curve->placement, x, y_of(place, point->s));
    }
}

/* A ring where the device gets ahead, on its curve, and the interval of that across. */
static void add_crossing(const struct place *place, const struct be_chart_curve *curve) {
    const struct be_chart_ahead ahead = be_chart_ahead_of(curve->even);
    const double s = be_chart_time_at(curve, ahead.at);
    if (!isnormal(s)) {
        return;
    }
    const double x = x_of(place, ahead.at), y = y_of(place, s);
    be_text_add(place->out,
                "<path class=\"k%d d\" d=\"M%.1f %.1fV%.1f\"/>\n"
                "<circle class=\"k%d r\" cx=\"%.1f\" cy=\"%.1f\" r=\"6.5\"/>\n",
                (int)curve->placement, x, y, place->top + place->height, (int)curve->placement, x,
                y);
    if (ahead.doubt > 0 && ahead.doubt_end >= ahead.doubt) {
        be_text_add(place->out, "<path class=\"k%d w\" d=\"M%.1f %.1fv8m0-4H%.1fm0-4v8\"/>\n",
                    (int)curve->placement, x_within(place, ahead.doubt), y - 4,
                    x_within(place, ahead.doubt_end));
    }
}

/* ---- around the curves ---------------------------------------------------------------------- */

static void add_grid(const struct place *place, double bottom) {
    char word[BE_WORD];
    double value;
    for (int i = 0; isfinite(value = be_chart_mark(&place->row->size, place->large ? 12 : 6, i));
         i++) {
        const double x = x_of(place, value);
        be_text_add(place->out, "<path class=\"g\" d=\"M%.1f %.1fV%.1f\"/>\n", x, place->top,
                    bottom);
        be_svg_label(place->out, x, bottom + 14, "middle", "q",
                     be_format_n(word, sizeof word, value));
    }
    for (int i = 0; isfinite(value = be_chart_mark(&place->row->time, place->large ? 10 : 6, i));
         i++) {
        const double y = y_of(place, value);
        be_text_add(place->out, "<path class=\"g\" d=\"M%.1f %.1fh%.1f\"/>\n", place->left, y,
                    place->width);
        be_svg_label(place->out, place->left - 6, y + 4, "end", "q",
                     be_format_seconds(word, sizeof word, value, ""));
    }
    be_text_add(place->out,
                "<rect class=\"a\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                place->left, place->top, place->width, place->height);
    be_svg_label(place->out, place->left + place->width / 2, bottom + 29, "middle", "q",
                 be_size_words(place->panel->like));
}

static void add_stretch(const struct place *place, const struct be_chart_curve *curve, double y,
                        double from, double to, const char *class) {
    if (from > 0 && to >= from) {
        be_text_add(place->out,
                    "<rect class=\"k%d %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n",
                    (int)curve->placement, class, x_within(place, from), y + 3,
                    fmax(x_within(place, to) - x_within(place, from), 1), STRIP - 6);
    }
}

/* The sizes at which a device is ahead, as a bar, and its answer in words. */
static void add_strip(const struct place *place, const struct be_chart_curve *curve, double y) {
    char words[BE_NAME];
    be_svg_label(place->out, place->left - 6, y + 10, "end", "q",
                 be_names_word(&be_names_placement, (int)curve->placement));
    be_text_add(place->out, "<path class=\"g\" d=\"M%.1f %.1fh%.1f\"/>\n", place->left,
                y + STRIP / 2.0, place->width);
    if (curve->even) {
        const struct be_chart_ahead ahead = be_chart_ahead_of(curve->even);
        add_stretch(place, curve, y, ahead.doubt, ahead.doubt_end, "f");
        add_stretch(place, curve, y, ahead.from, ahead.to, "s");
        be_chart_answer(place->panel, curve->placement, words);
        be_svg_label(place->out, place->left + place->width + 6, y + 10, "start", "q", words);
    }
}

/* In as many letters as there is room for. */
static void add_cut(const struct place *place, double y, const char *class,
                    const struct be_text *text) {
    const size_t most = (size_t)(place->width + RIGHT) / LETTER;
    char words[BE_NOTE];
    const char *from = text->data ? text->data : "";
    snprintf(words, sizeof words, "%.*s%s", (int)(most < sizeof words - 4 ? most : 0), from,
             strlen(from) > most ? "..." : "");
    be_svg_label(place->out, place->left, y, "start", class, words);
}

static void add_panel(const struct place *place) {
    const struct be_chart_panel *panel = place->panel;
    struct be_text title = {0}, device = {0};
    double bottom = place->top + place->height;
    be_chart_title(panel, &title);
    be_chart_device(panel, &device);
    add_cut(place, place->top - 24, "h", &title);
    add_cut(place, place->top - 8, "q", &device);
    add_grid(place, bottom + (panel->curves > 1 ? 4 + STRIP * (panel->curves - 1) : 0));
    be_text_add(place->out,
                "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "viewBox=\"%.1f %.1f %.1f %.1f\">\n",
                place->left, place->top, place->width, place->height, place->left, place->top,
                place->width, place->height);
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
    be_text_add(place->out, "</svg>\n");
    for (int i = 1; i < panel->curves; i++) {
        add_strip(place, &panel->curve[i], bottom + 4 + STRIP * (i - 1));
    }
    be_text_free(&title);
    be_text_free(&device);
}

/* ---- the sheet ------------------------------------------------------------------------------ */

static const char style[] =
    "<style>text{font:13px system-ui,\"DejaVu Sans\",Verdana,sans-serif;fill:#1b2430}"
    ".h{font-weight:bold}.q{font-size:11px}.z{fill:#fff}.g{stroke:#e2e6ea;fill:none}"
    ".a{stroke:#8a94a0;fill:none}"
    ".k0{stroke:#1b2430;fill:#1b2430}.k1{stroke:#c2410c;fill:#c2410c}"
    ".k2{stroke:#0067b1;fill:#0067b1}.k3{stroke:#007a55;fill:#007a55}"
    ".l{fill:none;stroke-width:2}.t{fill:none;stroke-width:.9;stroke-dasharray:2 3}"
    ".i{stroke:none;fill-opacity:.16}.s{stroke:none}.f{stroke:none;fill-opacity:.35}"
    ".w{fill:none;stroke-width:1.2}.d{fill:none;stroke-dasharray:4 3}.r{fill:none;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.z{fill:#14181f}.g{stroke:#2b333d}"
    ".a{stroke:#77828f}.k0{stroke:#e6edf3;fill:#e6edf3}.k1{stroke:#ff9d5c;fill:#ff9d5c}"
    ".k2{stroke:#6cb6ff;fill:#6cb6ff}.k3{stroke:#3fd19b;fill:#3fd19b}.l,.t,.w,.d,.r{fill:none}"
    ".i,.s,.f{stroke:none}}</style>\n";

static void add_description(struct be_text *out, const struct be_chart *chart) {
    struct be_text words = {0};
    be_text_add(&words, "Time of a call over size, both logarithmic.");
    for (int r = 0; r < chart->rows; r++) {
        for (int p = 0; p < chart->row[r].panels; p++) {
            const struct be_chart_panel *panel = &chart->row[r].panel[p];
            const char *comma = " ";
            be_text_add(&words, " %s, %s:", panel->like->workload,
                        panel->device ? panel->device : "the CPU alone");
            for (int c = 1; c < panel->curves; c++) {
                char answer[BE_NAME];
                be_chart_answer(panel, panel->curve[c].placement, answer);
                be_text_add(&words, "%s%s %s", comma,
                            be_names_word(&be_names_placement, (int)panel->curve[c].placement),
                            answer);
                comma = ", ";
            }
            be_text_add(&words, "%s.", panel->curves > 1 ? " (from which size it is ahead)" : "");
        }
    }
    be_text_add(out, "<title id=\"t\">Time of a call over size</title>\n<desc id=\"d\">");
    be_svg_escape(out, words.data ? words.data : "");
    be_text_add(out, "</desc>\n");
    out->failed |= words.failed;
    be_text_free(&words);
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
            const struct place place = {.out = sheet->out,
                                        .row = row,
                                        .panel = &row->panel[p],
                                        .left = LEFT + wide * column,
                                        .top = LEGEND + TITLES + high * line,
                                        .width = sheet->width,
                                        .height = sheet->height,
                                        .large = sheet->large};
            add_panel(&place);
            column++;
        }
    }
    return (int)(LEGEND + high * (line + 1));
}

void be_chart_svg(const struct be_comparison *comparison, struct be_text *out) {
    struct be_chart chart;
    struct be_text body = {0};
    be_chart_of(comparison, &chart);
    const int beside = chart.columns > 1 ? chart.columns : chart.panels;
    const bool large = chart.panels <= 1;
    const struct sheet sheet = {.out = &body,
                                .columns = beside > COLUMNS ? COLUMNS : beside,
                                .width = large ? 560 : 250,
                                .height = large ? 330 : 160,
                                .large = large};
    const int height = draw_rows(&sheet, &chart) + MARGIN;
    const double wide = (LEFT + sheet.width + RIGHT) * (sheet.columns > 1 ? sheet.columns : 1);
    const int width = (int)fmax(wide, 720);
    be_text_add(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"t d\">\n",
                width, height, width, height);
    add_description(out, &chart);
    be_text_add(out, "%s<rect class=\"z\" width=\"%d\" height=\"%d\"/>\n", style, width, height);
    add_legend(out, comparison);
    if (chart.panels == 0) {
        be_svg_label(out, MARGIN, LEGEND + TITLES, "start", NULL, "Nothing has a time.");
    }
    be_text_add_bytes(out, body.data ? body.data : "", body.length);
    be_text_add(out, "</svg>\n");
    out->failed |= body.failed || chart.failed;
    be_text_free(&body);
    be_chart_free(&chart);
}
