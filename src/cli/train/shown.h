/* A training run on the terminal while it goes on. The context of each is a struct be_cli_train_shown. */
#ifndef BE_CLI_TRAIN_SHOWN_H
#define BE_CLI_TRAIN_SHOWN_H

#include <stdio.h>

#include "breakeven.h"
#include "train/compare.h"

struct be_cli_train_shown {
    bool live;      /* the text goes to standard output, each epoch as it ends */
    bool quiet;     /* no progress */
    uint64_t batch; /* images of a step */
};

void be_cli_train_begin(void *context, const struct be_train_result *result);
void be_cli_train_progress(void *context, const struct be_train_epoch *so_far, uint64_t of_images,
                           double left_s);
void be_cli_train_epoch(void *context, const struct be_train_epoch *epoch);
void be_cli_train_remark(void *context, const char *text);
void be_cli_train_way(void *context, const struct be_train_way *way, int done, int left,
                      double left_s);

void be_cli_train_round(void *context, int done, int left, double left_s);
void be_cli_train_batch(void *context, uint64_t batch, int done, int left, double left_s);

/* A result in any format; as text the end alone, since head and epochs are there already. */
enum be_status be_cli_train_end(const void *result, enum be_format format, FILE *out,
                                struct be_error *error);

#endif
