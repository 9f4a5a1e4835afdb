/* The files of CIFAR-10, binary version: records of a label and an image, which is red, green and blue planes. */
#include <stdlib.h>

#include "base/error.h"
#include "data/layout.h"

#define BATCH(of, file)                                                                            \
    { .name = {file}, .part = (of), .bytes = 30730000 }
static const struct be_images_entry entry[] = {
    BATCH(BE_IMAGES_TRAIN, "data_batch_1.bin"), BATCH(BE_IMAGES_TRAIN, "data_batch_2.bin"),
    BATCH(BE_IMAGES_TRAIN, "data_batch_3.bin"), BATCH(BE_IMAGES_TRAIN, "data_batch_4.bin"),
    BATCH(BE_IMAGES_TRAIN, "data_batch_5.bin"), BATCH(BE_IMAGES_TEST, "test_batch.bin"),
};

/* Labels are read with a span of records each, so that a file of 30 MB is read once and in large parts. */
enum { SPAN = 256 };

static enum be_status read_labels(const struct be_images_form *form,
                                  const struct be_images_file *file, size_t count, uint8_t *label,
                                  struct be_error *error) {
    const size_t record = 1 + be_images_bytes(form);
    uint8_t *bytes = malloc(SPAN * record);
    enum be_status status =
        bytes ? BE_OK : be_fail(error, BE_NOMEM, "%s: no host memory", file->name);
    for (size_t first = 0; !status && first < count; first += SPAN) {
        const size_t some = count - first < SPAN ? count - first : SPAN;
        status = be_images_file_read(file, first * record, bytes, some * record, error);
        for (size_t i = 0; !status && i < some; i++) {
            label[first + i] = bytes[i * record];
        }
    }
    free(bytes);
    return status ? status : be_images_labels_check(form, label, count, file->name, error);
}

static enum be_status check_length(const struct be_images_form *form,
                                   const struct be_images_options *options,
                                   const struct be_images_entry *of,
                                   const struct be_images_file *file, struct be_error *error) {
    const size_t record = 1 + be_images_bytes(form), count = file->bytes / record;
    if (file->bytes % (record + 1) == 0 && file->bytes % record != 0) {
        return be_fail(error, BE_IO,
                       "%s: records of %zu bytes, as CIFAR-100 has them, and %s has %zu; %s is at "
                       "%s",
                       file->name, record + 1, form->title, record, form->title, form->site);
    }
    if (file->bytes % record != 0) {
        return be_fail(error, BE_IO,
                       "%s: ends in the middle of record %zu: %zu bytes, and a record has %zu; "
                       "download it again",
                       file->name, count, file->bytes, record);
    }
    if (count == 0) {
        return be_fail(error, BE_IO, "%s: holds no record", file->name);
    }
    if (!options->incomplete && file->bytes != of->bytes) {
        return be_fail(error, BE_IO,
                       "%s: %zu records, and that of %s has %zu; --incomplete takes what there is",
                       file->name, count, form->title, of->bytes / record);
    }
    return BE_OK;
}

static enum be_status take(struct be_images *data, const struct be_images_options *options,
                           const struct be_images_entry *of, struct be_images_file *file,
                           struct be_error *error) {
    struct be_images_set *set = &data->set[of->part];
    const size_t record = 1 + be_images_bytes(data->form), first = set->images;
    const size_t count = file->bytes / record;
    enum be_status status = check_length(data->form, options, of, file, error);
    status = status ? status : be_images_set_grow(set, count, file->name, error);
    status = status ? status : read_labels(data->form, file, count, set->label + first, error);
    if (status) {
        be_images_file_close(file);
        return status;
    }
    set->piece[set->pieces++] = (struct be_images_piece){
        .file = *file, .first = first, .images = count, .record = record, .skip = 1};
    return BE_OK;
}

const struct be_images_layout be_images_cifar = {
    .entry = entry,
    .entries = BE_COUNT(entry),
    .other = "data_batch_1",
    .other_advice = "is the Python version: the binary version is needed",
    .archive = "cifar-10-binary.tar.gz",
    .take = take,
};
