#include "report/train/fields.h"

#include "report/common/field_rows.h"
#include "train/train.h"

static const struct be_field epoch[] = {
    FIELD_AS(be_train_epoch, INT, "epoch", number),
    FIELD(be_train_epoch, WHOLE, images),
    FIELD(be_train_epoch, REAL, loss),
    FIELD(be_train_epoch, REAL, accuracy),
    FIELD(be_train_epoch, REAL, test_loss),
    FIELD(be_train_epoch, REAL, test_accuracy),
    FIELD(be_train_epoch, REAL, seconds),
    FIELD(be_train_epoch, REAL, images_per_s),
};
const struct be_fields be_train_epoch_fields = FIELDS(epoch);

static const struct be_field rates[] = {
    FIELD(be_train_rates, INT, cores),      FIELD(be_train_rates, INT, threads),
    FIELD(be_train_rates, REAL, batch),     FIELD(be_train_rates, REAL, step_s),
    FIELD(be_train_rates, REAL, compute_s), FIELD(be_train_rates, REAL, blocked_s),
};
static const struct be_fields rate_fields = FIELDS(rates);

static const struct be_field foretold[] = {
    FIELD(be_train_foretold, INT, workers),       FIELD(be_train_foretold, REAL, step_s),
    FIELD(be_train_foretold, REAL, wait_s),       FIELD(be_train_foretold, REAL, wait_share),
    FIELD(be_train_foretold, REAL, images_per_s),
};
static const struct be_fields foretold_fields = FIELDS(foretold);

#define SECONDS(called, part)                                                                      \
    {                                                                                              \
        .name = (called), .kind = BE_FIELD_REAL,                                                   \
        .at = offsetof(struct be_train_result, part_s) + (part) * sizeof(double),                  \
        .capacity = sizeof(double)                                                                 \
    }

static const struct be_field result[] = {
    FIELD(be_train_result, TEXT, net),
    FIELD(be_train_result, TEXT, data),
    FIELD(be_train_result, NOTE, folder),
    FIELD(be_train_result, TEXT, cpu),
    FIELD(be_train_result, NOTE, device),
    FIELD(be_train_result, INT, devices),
    FIELD(be_train_result, FLAG, tf32),
    FIELD_AS(be_train_result, NOTE, "all_reduce_by", sums),
    FIELD(be_train_result, FLAG, memory),
    FIELD_AS(be_train_result, FLAG, "on_device", there),
    FIELD(be_train_result, WHOLE, images),
    FIELD(be_train_result, WHOLE, test_images),
    FIELD(be_train_result, WHOLE, parameters),
    FIELD(be_train_result, WHOLE, batch),
    FIELD(be_train_result, WHOLE, seed),
    FIELD(be_train_result, WHOLE, steps),
    FIELD(be_train_result, INT, epochs_planned),
    FIELD(be_train_result, INT, workers),
    FIELD(be_train_result, INT, prefetch),
    FIELD(be_train_result, INT, threads),
    FIELD(be_train_result, INT, cores),
    FIELD_AS(be_train_result, REAL, "decode_at_least_s", decode_asked_s),
    FIELD(be_train_result, FLAG, partial),
    FIELD(be_train_result, NOTE, checkpoint),
    FIELD(be_train_result, REAL, images_per_s),
    FIELD(be_train_result, REAL, steady_per_s),
    FIELD(be_train_result, REAL, train_s),
    SECONDS("wait_s", BE_TRAIN_WAIT),
    SECONDS("forward_s", BE_TRAIN_FORWARD),
    SECONDS("loss_s", BE_TRAIN_LOSS),
    SECONDS("backward_s", BE_TRAIN_BACKWARD),
    SECONDS("all_reduce_s", BE_TRAIN_SUM),
    SECONDS("update_s", BE_TRAIN_UPDATE),
    SECONDS("other_s", BE_TRAIN_OTHER),
    FIELD_AS(be_train_result, REAL, "all_reduce_least_s", sum_least_s),
    FIELD(be_train_result, REAL, test_s),
    FIELD(be_train_result, REAL, open_s),
    FIELD(be_train_result, REAL, read_s),
    FIELD(be_train_result, REAL, decode_s),
    PART(be_train_result, rates, rate_fields),
    PART(be_train_result, now, foretold_fields),
    PART(be_train_result, fewest, foretold_fields),
    PART(be_train_result, fastest, foretold_fields),
    PART(be_train_result, advised, foretold_fields),
    FIELD(be_train_result, FLAG, suffices),
};
const struct be_fields be_train_fields = FIELDS(result);
