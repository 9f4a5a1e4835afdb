/* Images for timing steps: bytes from a seed, as they lie on a device, and as a step takes them. It is for src/train
 * alone. */
#ifndef BE_TRAIN_MADE_H
#define BE_TRAIN_MADE_H

#include "nn/net.h"

enum { BE_TRAIN_LEVELS = 256 };

struct be_train_made {
    float *images;
    uint8_t *labels, *bytes;
    uint32_t *number; /* 0, 1, ...: all of them, as a batch */
    float levels[BE_NET_CHANNELS * BE_TRAIN_LEVELS];
};

/* The net of that name. BE_USAGE: there is none; the text lists them. */
enum be_status be_train_kind(const char *name, const struct be_net_kind **kind,
                             struct be_error *error);

/* `copied`: with images; else with bytes alone. BE_NOMEM; *made is to be dropped in any case. */
enum be_status be_train_make(struct be_train_made *made, const struct be_net_kind *kind,
                             size_t count, uint64_t seed, bool copied, struct be_error *error);
void be_train_drop_made(struct be_train_made *made); /* accepts a zeroed one */

/* The length of the difference over that of b. */
double be_train_difference(const float *a, const float *b, size_t count);

/* The median of some rounds, where these are 1 to 3. */
double be_train_middle(const double *value, int rounds);

#endif
