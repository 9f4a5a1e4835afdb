/* Times of computations whose shape is known, on a GPU: products of matrices by tiles, and streams. */
#include <math.h>

#include "base/error.h"
#include "predict/predict.h"

/*
 * A GPU computes a product in tiles of the output, each by one multiprocessor. The busiest one decides: the last round of
 * tiles counts as a whole one, and a tile that reaches over the edge as a whole tile. Tiles of half the area reach
 * less of the rate. The library takes the best of them.
 *
 * A GPU with many units for its power lowers its clock where all of them compute.
 *
 * The constants are fitted to 12,334 products on five GPUs, by bench/predict_gpus.py, which predicts each of the five with
 * those of the other four (docs/prediction.md, "Shapes").
 */
static const double keeps_clock = 55.9e9; /* operations a second of the sheet per watt */
static const double falls_with = 0.58;    /* clock ~ (power for a unit) to this */
static const double half_tile = 0.909;    /* rate of a tile of half the area */
static const double hbm_share = 0.883, gddr_share = 0.766; /* memory reaches of its sheet */
static const double usual_clock = 0.85;                    /* where the power is not known */

/* A GPU that does float64 at more than this part of its float32 rate is made for it, and has stacked memory (HBM). */
static const double made_for_float64 = 0.4;

enum { DEPTH = 8 }; /* a tile goes over the sum in steps of so many */

static const struct tile {
    int rows, columns, halvings;
} tiles[] = {{256, 128, 0}, {128, 256, 0}, {128, 128, 0}, {128, 64, 1}, {64, 128, 1}, {64, 64, 2},
             {128, 32, 2},  {32, 128, 2},  {64, 32, 3},   {32, 64, 3},  {32, 32, 4}};

double be_predict_clock_share(double operations_s, double watt) {
    return operations_s > 0 && watt > 0
               ? fmin(1, pow(keeps_clock / (operations_s / watt), falls_with))
               : usual_clock;
}

double be_predict_stream_share(double float32_s, double float64_s) {
    return float64_s > made_for_float64 * float32_s ? hbm_share : gddr_share;
}

double be_predict_tiles_s(const struct be_predict_place *gpu, const struct be_predict_work *work) {
    const double rate = work->float64 ? gpu->reached.operations[BE_MATRIX64]
                                      : gpu->limit.operations[BE_PLAIN32] * gpu->clock_share;
    const double depth = ceil(work->k / DEPTH) * DEPTH;
    double least = INFINITY;
    for (size_t i = 0; i < BE_COUNT(tiles); i++) {
        const struct tile *t = &tiles[i];
        const double count = ceil(work->m / t->rows) * ceil(work->n / t->columns) * work->batch;
        const double area = ceil(count / gpu->units) * t->rows * t->columns;
        least = fmin(least, area / pow(half_tile, t->halvings));
    }
    return work->calls * least * 2 * depth * gpu->units / rate;
}
