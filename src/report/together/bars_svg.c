/* Rows of bars on one axis. */
#include <math.h>

#include "report/common/svg.h"
#include "report/together/together.h"

enum { WIDTH = 860, LEFT = 220, RIGHT = 180, TOP = 36, ROW = 24, BAR = 14, BOTTOM = 46 };

static void draw_bar(const struct be_plot *plot, const struct be_bar *bar, double y) {
    for (int i = 0; i < 2; i++) {
        if (isfinite(bar->from[i]) && isfinite(bar->to[i]) && bar->class[i]) {
            const double x = be_plot_x_within(plot, bar->from[i]);
            be_svg_bar(plot->out, bar->class[i], x, y,
                       fmax(be_plot_x_within(plot, bar->to[i]) - x, 1), BAR, bar -> words);
        }
    }
}

void be_bars_svg(const char *title, const char *description, const struct be_bar *bar, int bars,
                 const struct be_plot *axis, struct be_text *out) {
    struct be_plot plot = *axis;
    plot.out = out;
    plot.left = LEFT;
    plot.top = TOP;
    plot.width = WIDTH - LEFT - RIGHT;
    plot.height = ROW * bars;
    be_svg_begin(out, WIDTH, TOP + ROW * bars + BOTTOM, title, description);
    be_svg_label(out, 12, 22, "start", "h", title);
    be_plot_frame(&plot, 0);
    for (int i = 0; i < bars; i++) {
        const double y = TOP + ROW * i + (ROW - BAR) / 2.0, foot = y + BAR - 3;
        be_svg_label_in(out, bar[i].heading ? 12 : 24, foot, LEFT - 24, bar[i].heading ? "h" : "q",
                        bar[i].label);
        if (!bar[i].heading) {
            draw_bar(&plot, &bar[i], y);
            be_svg_label_in(out, plot.left + plot.width + 8, foot, RIGHT - 8, "q", bar[i].words);
        }
    }
    be_svg_end(out);
}
