/*
 * The picture of escape counts. Half of a count's place among the colours is its rank among the
 * points that escape, half its logarithm, so that any window and any number of steps use all
 * colours; points that stay are black.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "workload/mandelbrot.h"

enum { MOST = 1024, RGB = 3 };

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
    size_t least = kinds;
    size_t most = 0;
    *escaped = 0;
    for (size_t i = 0; having && i < pixels; i++) {
        having[count[i]]++;
    }
    for (size_t k = 0; having && k + 1 < kinds; k++) {
        least = having[k] && least == kinds ? k : least;
        most = having[k] ? k : most;
        *escaped += having[k];
    }
    size_t below = 0;
    for (size_t k = least; table && having && k <= most; k++) {
        const double rank = ((double)below + 0.5 * (double)having[k]) / (double)*escaped;
        const double span = log1p((double)(most - least));
        double rgb[RGB];
        colour(0.5 * rank + (span > 0 ? 0.5 * log1p((double)(k - least)) / span : 0), rgb);
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

/* The mean of the light of the pixels from (x, y) on, `each` by `each` of them. */
static void mean(const int32_t *count, const float *table, size_t width, size_t x, size_t y,
                 size_t each, uint8_t *rgb) {
    const size_t right = x + each < width ? x + each : width;
    const size_t up = y + each < width ? y + each : width;
    double sum[RGB] = {0};
    for (size_t j = y; j < up; j++) {
        for (size_t i = x; i < right; i++) {
            const float *of = table + (size_t)count[j * width + i] * RGB;
            for (int k = 0; k < RGB; k++) {
                sum[k] += (double)of[k];
            }
        }
    }
    for (int k = 0; k < RGB; k++) {
        rgb[k] = encoded(sum[k] / (double)((right - x) * (up - y)));
    }
}

/* Its rows from the top, while the grid's go up. */
enum be_status be_mandelbrot_picture(const struct be_work *work, struct be_picture *picture,
                                     struct be_error *error) {
    const struct be_mandelbrot_grid grid = be_mandelbrot_grid(work->problem);
    const size_t width = (size_t)grid.width;
    const int32_t *count = work->array[0];
    const size_t each = (width + MOST - 1) / MOST;
    const size_t side = (width + each - 1) / each;
    size_t escaped;
    float *table = colours(count, width * width, grid.steps, &escaped);
    if (table && escaped == 0) {
        free(table);
        return be_fail(error, BE_USAGE,
                       "no point of this window leaves within %d steps: more steps", grid.steps);
    }
    picture->rgb = malloc(side * side * RGB);
    picture->width = picture->height = (uint32_t)side;
    for (size_t i = 0; table && picture->rgb && i < side * side; i++) {
        const size_t row = side - 1 - i / side;
        mean(count, table, width, i % side * each, row * each, each, picture->rgb + i * RGB);
    }
    free(table);
    if (!table || !picture->rgb) {
        free(picture->rgb);
        *picture = (struct be_picture){0};
        return be_fail(error, BE_NOMEM, "mandelbrot: no host memory for a picture");
    }
    return BE_OK;
}
