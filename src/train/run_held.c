/* The images of a run go to its device once, as bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "train/run.h"

static enum be_status fill(const struct be_images *images, enum be_images_part part, uint8_t *bytes,
                           uint8_t *labels, struct be_error *error) {
    const size_t each = be_images_bytes(be_images_form_of(images));
    enum be_status status = BE_OK;
    for (size_t i = 0; !status && i < be_images_count(images, part); i++) {
        const uint8_t *from;
        status = be_images_read(images, part, i, bytes + i * each, &from, error);
        if (!status && from != bytes + i * each) {
            memcpy(bytes + i * each, from, each);
        }
        labels[i] = be_images_label(images, part, i);
    }
    return status;
}

enum be_status be_train_hold(struct be_train_run *run, const struct be_images *images,
                             enum be_images_part part, struct be_error *error) {
    const size_t count = be_images_count(images, part);
    uint8_t *bytes = malloc(count * be_images_bytes(be_images_form_of(images)) + 1);
    uint8_t *labels = malloc(count + 1);
    enum be_status status = bytes && labels ? fill(images, part, bytes, labels, error)
                                            : be_fail(error, BE_NOMEM, "train: no host memory");
    if (!status) {
        const struct be_net_set set = {count, bytes, labels, run->levels};
        status = be_net_hold(run->net, (int)part, &set, error);
    }
    free(labels);
    free(bytes);
    return status;
}
