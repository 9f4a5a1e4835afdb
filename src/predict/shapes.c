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
enum { HALVINGS = 5 };

/* Sides of tiles, halved from 256 on. */
enum { LARGEST = 256, SIDES = 4 };

static const struct tile {
    int rows, columns, halvings; /* halvings of the sides, and those of the area below 128 x 128 */
} tiles[] = {{0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {1, 2, 1}, {2, 1, 1}, {2, 2, 2},
             {1, 3, 2}, {3, 1, 2}, {2, 3, 3}, {3, 2, 3}, {3, 3, 4}};

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
    double least = INFINITY, reaches[HALVINGS] = {1}, rows[SIDES], columns[SIDES];
    for (int i = 1; i < HALVINGS; i++) {
        reaches[i] = reaches[i - 1] * half_tile;
    }
    for (int i = 0; i < SIDES; i++) { /* in whole tiles */
        rows[i] = ceil(work->m / (LARGEST >> i));
        columns[i] = ceil(work->n / (LARGEST >> i)) * work->batch;
    }
    for (size_t i = 0; i < BE_COUNT(tiles); i++) {
        const struct tile *t = &tiles[i];
        const double area = (double)((LARGEST >> t->rows) * (LARGEST >> t->columns));
        const double each = ceil(rows[t->rows] * columns[t->columns] / gpu->units);
        least = fmin(least, each * area / reaches[t->halvings]);
    }
    return work->calls * least * 2 * depth * gpu->units / rate;
}
