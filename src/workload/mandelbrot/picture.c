/*
 * The picture of escape counts. Half of a count's place among the colours is its rank among the
 * points that escape, half its logarithm, so that any window and any number of steps use all
 * colours; points that stay are black.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "workload/mandelbrot/mandelbrot.h"

enum { MAX = 1024, RGB = 3 };

/* ---- colours -------------------------------------------------------------------------------- */

static double clamp(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* As the eye sees it (Oklab): lightness grows evenly from dark blue over red to pale yellow. Linear
 * red, green and blue come out. */
static void colour(double rank, double rgb[RGB]) {
    const double lightness = 0.16 + 0.80 * rank;
    const double hue = (-95 + 200 * rank) / 180 * acos(-1.0);
    const double chroma = 0.05 + 0.13 * sin(acos(-1.0) * clamp(rank * 1.05));
    const double a = chroma * cos(hue);
    const double b = chroma * sin(hue);
    const double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    rgb[0] = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    rgb[1] = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    rgb[2] = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

static uint8_t encoded(double linear) {
    double x = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    return (uint8_t)lround(255 * clamp(x));
}

/* The colour of each count, 0 .. steps; *escaped: points that have one but black. */
static float *colours(const int32_t *count, size_t pixels, int steps, size_t *escaped) {
    const size_t kinds = (size_t)steps + 1;
    float *table = calloc(kinds, RGB * sizeof *table);
    size_t *having = calloc(kinds, sizeof *having);
    size_t min = kinds;
    size_t max = 0;
    *escaped = 0;
    for (size_t i = 0; having && i < pixels; i++) {
        having[count[i]]++;
    }
    for (size_t k = 0; having && k + 1 < kinds; k++) {
        min = having[k] && min == kinds ? k : min;
        max = having[k] ? k : max;
        *escaped += having[k];
    }
    size_t below = 0;
    for (size_t k = min; table && having && k <= max; k++) {
        const double rank = ((double)below + 0.5 * (double)having[k]) / (double)*escaped;
        const double span = log1p((double)(max - min));
        double rgb[RGB];
        colour(0.5 * rank + (span > 0 ? 0.5 * log1p((double)(k - min)) / span : 0), rgb);
        for (int i = 0; i < RGB; i++) {
            table[k * RGB + (size_t)i] = (float)rgb[i];
        }
        below += having[k];
    }
    if (!having) {
        free(table);
        table = NULL;
    }
    free(having);
    return table;
}

/* ---- the raster ----------------------------------------------------------------------------- */

/* A box of pixels: columns x .. right - 1, rows y .. up - 1. */
struct box {
    size_t x, right, y, up;
};

/* The mean of the light of its pixels. */
static void mean(const int32_t *count, const float *table, size_t width, const struct box *box,
                 uint8_t *rgb) {
    double sum[RGB] = {0};
    for (size_t j = box->y; j < box->up; j++) {
        for (size_t i = box->x; i < box->right; i++) {
            const float *of = table + (size_t)count[j * width + i] * RGB;
            for (int k = 0; k < RGB; k++) {
                sum[k] += (double)of[k];
            }
        }
    }
    for (int k = 0; k < RGB; k++) {
        rgb[k] = encoded(sum[k] / (double)((box->right - box->x) * (box->up - box->y)));
    }
}

/* The picture has the shape of the window, while the grid has as many points across as up; and rows
 * from the top. */
static void draw(const struct be_mandelbrot_grid *grid, const int32_t *count, const float *table,
                 struct be_picture *picture) {
    const size_t width = (size_t)grid->width;
    const size_t across = picture->width;
    const size_t up = picture->height;
    uint8_t *rgb = picture->rgb;
    for (size_t row = up; row-- > 0;) {
        for (size_t column = 0; column < across; column++, rgb += RGB) {
            struct box box = {.x = column * width / across,
                              .right = (column + 1) * width / across,
                              .y = row * width / up,
                              .up = (row + 1) * width / up};
            mean(count, table, width, &box, rgb);
        }
    }
}

enum be_status be_mandelbrot_picture(const struct be_work *work, struct be_picture *picture,
                                     struct be_error *error) {
    const struct be_mandelbrot_grid grid = be_mandelbrot_grid(work->problem);
    const size_t width = (size_t)grid.width;
    const size_t across = width < MAX ? width : MAX;
    const size_t up = (size_t)lround(fmin(1, grid.step_y / grid.step_x) * (double)across);
    size_t escaped;
    float *table = colours(work->array[0], width * width, grid.steps, &escaped);
    if (table && escaped == 0) {
        free(table);
        return be_fail(error, BE_USAGE,
                       "no point of this window leaves within %d steps: more steps", grid.steps);
    }
    *picture = (struct be_picture){
        .width = (uint32_t)across, .height = (uint32_t)up, .rgb = malloc(across * up * RGB)};
    if (table && picture->rgb) {
        draw(&grid, work->array[0], table, picture);
        free(table);
        return BE_OK;
    }
    free(table);
    free(picture->rgb);
    *picture = (struct be_picture){0};
    return be_fail(error, BE_NOMEM, "mandelbrot: no host memory for a picture");
}
