/* Compiled once per instruction set, with -DBE_SIMD=suffix: the optimisers' rules. */
#include <math.h>

#include "host/simd.h"
#include "host/vector.h"
#include "nn/update/update.h"

#define EACH(i) (size_t i = first; i < first + count; i += (size_t)lanes32)

void BE_SIMD_NAME(be_nn_update_sgd)(const struct be_nn_update *update, size_t first, size_t count) {
    const float rate = (float)update->rate;
    const float momentum = (float)update->rule->momentum;
    const float shrink = (float)update->rule->weight_decay;
    float *velocity = update->state[0];
    for
        EACH(i) {
            vector32 v = load32(update->gradients + i);
            if (shrink != 0) {
                v += shrink * load32(update->weights + i);
            }
            if (momentum != 0) {
                v += momentum * load32(velocity + i);
                store32(velocity + i, v);
            }
            store32(update->weights + i, load32(update->weights + i) - rate * v);
        }
}

void BE_SIMD_NAME(be_nn_update_adadelta)(const struct be_nn_update *update, size_t first,
                                         size_t count) {
    const float rate = (float)update->rate;
    const float keep = (float)update->rule->momentum;
    const float take = (float)(1 - update->rule->momentum);
    const float epsilon = (float)update->rule->epsilon;
    for
        EACH(i) {
            const vector32 g = load32(update->gradients + i);
            const vector32 square = keep * load32(update->state[0] + i) + take * g * g;
            const vector32 before = load32(update->state[1] + i);
            const vector32 delta = g * root32((before + epsilon) / (square + epsilon));
            store32(update->state[0] + i, square);
            store32(update->state[1] + i, keep * before + take * delta * delta);
            store32(update->weights + i, load32(update->weights + i) - rate * delta);
        }
}

void BE_SIMD_NAME(be_nn_update_adam)(const struct be_nn_update *update, size_t first,
                                     size_t count) {
    const struct be_nn_rule *rule = update->rule;
    const double steps = (double)update->step;
    const float rate = (float)(update->rate / (1 - pow(rule->momentum, steps)));
    const float root = (float)sqrt(1 - pow(rule->second, steps));
    const float keep[] = {(float)rule->momentum, (float)rule->second};
    const float take[] = {(float)(1 - rule->momentum), (float)(1 - rule->second)};
    const float epsilon = (float)rule->epsilon;
    for
        EACH(i) {
            const vector32 g = load32(update->gradients + i);
            const vector32 mean = keep[0] * load32(update->state[0] + i) + take[0] * g;
            const vector32 square = keep[1] * load32(update->state[1] + i) + take[1] * g * g;
            store32(update->state[0] + i, mean);
            store32(update->state[1] + i, square);
            store32(update->weights + i,
                    load32(update->weights + i) - rate * mean / (root32(square) / root + epsilon));
        }
}
