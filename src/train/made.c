#include "train/made.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

enum be_status be_train_kind(const char *name, const struct be_net_kind **kind,
                             struct be_error *error) {
    struct be_net *none = NULL;
    const struct be_net_plan unknown = {.name = name};
    *kind = be_net_kind_find(name);
    return *kind ? BE_OK : be_net_open(&unknown, &none, error); /* it knows the names */
}

enum be_status be_train_make(struct be_train_made *made, const struct be_net_kind *kind,
                             size_t count, uint64_t seed, bool copied, struct be_error *error) {
    const size_t pixels = (size_t)kind->channels * (size_t)kind->height * (size_t)kind->width;
    *made = (struct be_train_made){
        .images = malloc((copied ? count : 0) * pixels * sizeof *made->images + 1),
        .labels = malloc(count + 1),
        .bytes = malloc(count * pixels + 1),
        .number = malloc(count * sizeof *made->number + 1)};
    if (!made->images || !made->bytes || !made->labels || !made->number) {
        return be_fail(error, BE_NOMEM, "train: no host memory for %zu images: a smaller --batch",
                       count);
    }
    for (size_t i = 0; i < BE_COUNT(made->levels); i++) {
        made->levels[i] = (float)(i % BE_TRAIN_LEVELS) / (BE_TRAIN_LEVELS - 1) * 2 - 1;
    }
    for (size_t i = 0; i < count * pixels; i++) {
        made->bytes[i] = (uint8_t)be_random_bits(seed, i);
    }
    for (size_t i = 0; copied && i < count * pixels; i++) {
        made->images[i] = made->levels[made->bytes[i]];
    }
    for (size_t i = 0; i < count; i++) {
        made->labels[i] = (uint8_t)(be_random_bits(seed + 1, i) % BE_NET_CLASSES);
        made->number[i] = (uint32_t)i;
    }
    return BE_OK;
}

void be_train_drop_made(struct be_train_made *made) {
    free(made->number);
    free(made->labels);
    free(made->bytes);
    free(made->images);
    *made = (struct be_train_made){0};
}

double be_train_difference(const float *a, const float *b, size_t count) {
    double off = 0;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        off += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
        squares += (double)b[i] * (double)b[i];
    }
    return squares > 0 ? sqrt(off / squares) : sqrt(off);
}

double be_train_middle(const double *value, int rounds) {
    double least = value[0];
    double most = value[0];
    double sum = 0;
    for (int i = 0; i < rounds; i++) {
        least = fmin(least, value[i]);
        most = fmax(most, value[i]);
        sum += value[i];
    }
    return rounds == 3 ? sum - least - most : sum / rounds;
}
