/*
 * Two panels beside each other. Left: samples, and the line that was fitted: y over x where there is
 * one variable, else y over Xw, whose line is y = Xw. Right: the mean square of Xw - y over the steps,
 * both logarithmic.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "workload/numbers.h"
#include "workload/regress/regress.h"

enum { PANEL = 480, HEIGHT = 400, EDGE = 20, RGB = 3, SAMPLES = 4000 };

static const uint8_t grey[RGB] = {160, 160, 160};
static const uint8_t blue[RGB] = {70, 120, 200};
static const uint8_t red[RGB] = {205, 45, 40};

/* The range that a panel shows: [low, high] across and up. */
struct panel {
    struct be_picture *picture;
    double left; /* pixels */
    double low[2], high[2];
};

static void widen(struct panel *p, double x, double y) {
    const double at[2] = {x, y};
    for (int i = 0; i < 2; i++) {
        p->low[i] = fmin(p->low[i], at[i]);
        p->high[i] = fmax(p->high[i], at[i]);
    }
}

/* The pixel, at least 2 x 2 of it, of a point that may lie outside or be no number. */
static void dot(const struct panel *p, double x, double y, const uint8_t *colour) {
    const double u = (x - p->low[0]) / fmax(p->high[0] - p->low[0], 1e-300);
    const double v = (y - p->low[1]) / fmax(p->high[1] - p->low[1], 1e-300);
    if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) {
        return;
    }
    const size_t column = (size_t)(p->left + EDGE + u * (PANEL - 2 * EDGE - 1));
    const size_t row = (size_t)(EDGE + (1 - v) * (HEIGHT - 2 * EDGE - 1));
    for (size_t i = 0; i < 4; i++) {
        const size_t at = (row + i / 2) * p->picture->width + column + i % 2;
        memcpy(p->picture->rgb + at * RGB, colour, RGB);
    }
}

static void line(const struct panel *p, double x, double y, double to_x, double to_y,
                 const uint8_t *colour) {
    for (int i = 0; i <= 2 * PANEL; i++) {
        const double share = i / (2.0 * PANEL);
        dot(p, x + share * (to_x - x), y + share * (to_y - y), colour);
    }
}

static void frame(const struct panel *p) {
    line(p, p->low[0], p->low[1], p->high[0], p->low[1], grey);
    line(p, p->low[0], p->high[1], p->high[0], p->high[1], grey);
    line(p, p->low[0], p->low[1], p->low[0], p->high[1], grey);
    line(p, p->high[0], p->low[1], p->high[0], p->high[1], grey);
}

static double number(const struct be_work *work, int array, size_t i) {
    return be_number(work->problem->real, work->array[array], i);
}

static double fitted(const struct be_work *work, size_t i) {
    const size_t k = be_regress_size(work->problem).k;
    double sum = 0;
    for (size_t j = 0; j < k; j++) {
        sum += number(work, BE_REGRESS_X, i * k + j) * number(work, BE_REGRESS_W, j);
    }
    return sum;
}

static void draw_samples(const struct be_work *work, struct panel *p) {
    const struct be_regress_size s = be_regress_size(work->problem);
    const size_t each = (s.n + SAMPLES - 1) / SAMPLES;
    for (size_t i = 0; i < s.n; i += each) {
        const double across = s.k == 2 ? number(work, BE_REGRESS_X, i * s.k) : fitted(work, i);
        widen(p, across, number(work, BE_REGRESS_Y, i));
    }
    frame(p);
    for (size_t i = 0; i < s.n; i += each) {
        const double across = s.k == 2 ? number(work, BE_REGRESS_X, i * s.k) : fitted(work, i);
        dot(p, across, number(work, BE_REGRESS_Y, i), blue);
    }
    const double slope = s.k == 2 ? number(work, BE_REGRESS_W, 0) : 1;
    const double start = s.k == 2 ? number(work, BE_REGRESS_W, 1) : 0;
    line(p, p->low[0], start + slope * p->low[0], p->high[0], start + slope * p->high[0], red);
}

/* ---- the loss ------------------------------------------------------------------------------- */

/* The mean square before each of `steps` steps, of so many rows at most, and after the last. */
static void follow(const struct be_work *work, size_t steps, size_t max, double *loss) {
    const struct be_regress_size s = be_regress_size(work->problem);
    const size_t each = (s.n + max - 1) / max;
    const size_t rows = (s.n + each - 1) / each;
    const double factor = s.factor * (double)s.n / (double)rows;
    double w[BE_REGRESS_MAX] = {0};
    for (size_t step = 0; step <= steps; step++) {
        double gradient[BE_REGRESS_MAX] = {0};
        loss[step] = 0;
        for (size_t i = 0; i < s.n; i += each) {
            double r = -number(work, BE_REGRESS_Y, i);
            for (size_t j = 0; j < s.k; j++) {
                r += number(work, BE_REGRESS_X, i * s.k + j) * w[j];
            }
            for (size_t j = 0; j < s.k; j++) {
                gradient[j] += r * number(work, BE_REGRESS_X, i * s.k + j);
            }
            loss[step] += r * r / (double)rows;
        }
        for (size_t j = 0; j < s.k; j++) {
            w[j] -= factor * gradient[j];
        }
    }
}

/* Step i at log(1 + i). */
static void draw_loss(const double *loss, size_t steps, struct panel *p) {
    for (size_t i = 0; i <= steps; i++) {
        widen(p, log1p((double)i), log(fmax(loss[i], 1e-30)));
    }
    frame(p);
    for (size_t i = 0; i < steps; i++) {
        line(p, log1p((double)i), log(fmax(loss[i], 1e-30)), log1p((double)(i + 1)),
             log(fmax(loss[i + 1], 1e-30)), red);
    }
}

enum be_status be_regress_picture(const struct be_work *work, struct be_picture *picture,
                                  struct be_error *error) {
    enum { STEPS = 1000 }; /* more do not show */
    const size_t bytes = (size_t)2 * PANEL * HEIGHT * RGB;
    const size_t steps = be_regress_size(work->problem).steps;
    const size_t shown = steps < STEPS ? steps : STEPS;
    double *loss = calloc(shown + 1, sizeof *loss);
    struct panel left = {picture, 0, {1e300, 1e300}, {-1e300, -1e300}};
    struct panel right = {picture, PANEL, {1e300, 1e300}, {-1e300, -1e300}};
    picture->rgb = malloc(bytes);
    if (!loss || !picture->rgb) {
        free(loss);
        free(picture->rgb);
        *picture = (struct be_picture){0};
        return be_fail(error, BE_NOMEM, "regress: no host memory for a picture");
    }
    picture->width = 2 * PANEL;
    picture->height = HEIGHT;
    memset(picture->rgb, 255, bytes);
    draw_samples(work, &left);
    follow(work, shown, SAMPLES, loss);
    draw_loss(loss, shown, &right);
    free(loss);
    return BE_OK;
}

/* ---- in words ------------------------------------------------------------------------------- */

/* The mean square with the weights that came out, of so many rows at most. */
static double loss_of_result(const struct be_work *work, size_t max) {
    const size_t n = be_regress_size(work->problem).n;
    const size_t each = (n + max - 1) / max;
    const size_t rows = (n + each - 1) / each;
    double sum = 0;
    for (size_t i = 0; i < n; i += each) {
        const double r = fitted(work, i) - number(work, BE_REGRESS_Y, i);
        sum += r * r;
    }
    return sum / (double)rows;
}

void be_regress_tell(const struct be_work *work, char note[BE_NOTE]) {
    enum { STEPS = 100, ROWS = 500 };
    const struct be_regress_size s = be_regress_size(work->problem);
    const size_t steps = s.steps < STEPS ? s.steps : STEPS;
    double loss[STEPS + 1];
    char line[BE_NAME] = "";
    char before[BE_NOTE / 2] = "";
    if (s.k == 2) {
        snprintf(line, sizeof line, "y = %.4g x + %.4g; ", number(work, BE_REGRESS_W, 0),
                 number(work, BE_REGRESS_W, 1));
    }
    follow(work, steps, ROWS, loss);
    for (size_t i = 1; i <= steps && i < s.steps; i *= 10) {
        const size_t at = strlen(before);
        snprintf(before + at, sizeof before - at, ", %.3g after %zu", loss[i], i);
    }
    snprintf(note, BE_NOTE,
             "regress, %zu samples: %smean square of Xw - y %.3g at first%s, %.3g after %zu step%s",
             s.n, line, loss[0], before, loss_of_result(work, ROWS), s.steps,
             s.steps == 1 ? "" : "s");
}
