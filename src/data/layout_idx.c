/* The files of MNIST: a head of big-endian numbers, then one byte a pixel, or one a label. */
#include "base/error.h"
#include "data/layout.h"

/* The first number of a file: bytes (0x08), and so many dimensions (the format's page, yann.lecun.com/exdb/mnist). */
enum { LABELS = 0x0801, IMAGES = 0x0803, LABELS_HEAD = 8, IMAGES_HEAD = 16 };

static const struct be_images_entry entry[] = {
    {.name = {"train-images-idx3-ubyte", "train-images.idx3-ubyte"},
     .part = BE_IMAGES_TRAIN,
     .bytes = 47040016,
     .packed_bytes = 9912422},
    {.name = {"train-labels-idx1-ubyte", "train-labels.idx1-ubyte"},
     .part = BE_IMAGES_TRAIN,
     .labels = true,
     .bytes = 60008,
     .packed_bytes = 28881},
    {.name = {"t10k-images-idx3-ubyte", "t10k-images.idx3-ubyte"},
     .part = BE_IMAGES_TEST,
     .bytes = 7840016,
     .packed_bytes = 1648877},
    {.name = {"t10k-labels-idx1-ubyte", "t10k-labels.idx1-ubyte"},
     .part = BE_IMAGES_TEST,
     .labels = true,
     .bytes = 10008,
     .packed_bytes = 4542},
};

static size_t big_endian(const uint8_t *at) {
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

static enum be_status check_kind(const struct be_images_file *file, size_t sign, bool labels,
                                 struct be_error *error) {
    const size_t wanted = labels ? LABELS : IMAGES;
    if (sign == wanted) {
        return BE_OK;
    }
    if (sign == (labels ? IMAGES : LABELS)) {
        return be_fail(error, BE_IO, "%s: holds %s, not %s: two files have changed names",
                       file->name, labels ? "images" : "labels", labels ? "labels" : "images");
    }
    return be_fail(error, BE_IO,
                   "%s: no idx file of %s: it begins with 0x%08zx, not 0x%08zx; download it again",
                   file->name, labels ? "labels" : "images", sign, wanted);
}

/* The number of records that the head says, which the length must bear out. */
static enum be_status check_length(const struct be_images_file *file, size_t head, size_t record,
                                   size_t count, struct be_error *error) {
    if (file->bytes == head + count * record) {
        return BE_OK;
    }
    if (file->bytes < head + count * record) {
        return be_fail(error, BE_IO,
                       "%s: ends in record %zu of the %zu that its head says; download it again",
                       file->name, (file->bytes - head) / record, count);
    }
    return be_fail(error, BE_IO,
                   "%s: its head says %zu records, and there are %zu bytes behind them; download "
                   "it again",
                   file->name, count, file->bytes - head - count * record);
}

static enum be_status read_head(const struct be_images_form *form,
                                const struct be_images_file *file, bool labels, size_t *count,
                                struct be_error *error) {
    uint8_t head[IMAGES_HEAD] = {0};
    const size_t bytes = labels ? LABELS_HEAD : IMAGES_HEAD;
    if (file->bytes < bytes) {
        return be_fail(error, BE_IO, "%s: %zu bytes: it ends within its head; download it again",
                       file->name, file->bytes);
    }
    enum be_status status = be_images_file_read(file, 0, head, bytes, error);
    status = status ? status : check_kind(file, big_endian(head), labels, error);
    if (status) {
        return status;
    }
    *count = big_endian(head + 4);
    const size_t rows = big_endian(head + 8), columns = big_endian(head + 12);
    if (!labels && (rows != (size_t)form->height || columns != (size_t)form->width)) {
        return be_fail(error, BE_IO, "%s: images of %zu x %zu pixels, and %s has %d x %d",
                       file->name, rows, columns, form->title, form->height, form->width);
    }
    return check_length(file, bytes, labels ? 1 : be_images_bytes(form), *count, error);
}

static enum be_status take_labels(struct be_images *data, enum be_images_part part, size_t count,
                                  const struct be_images_file *file, struct be_error *error) {
    struct be_images_set *set = &data->set[part];
    const size_t of_images = set->piece[0].images;
    if (count != of_images) {
        return be_fail(error, BE_IO,
                       "%s: %zu labels, and %s has %zu images: the files are of different sets",
                       file->name, count, set->piece[0].file.name, of_images);
    }
    enum be_status status = be_images_set_grow(set, count, file->name, error);
    status = status ? status : be_images_file_read(file, LABELS_HEAD, set->label, count, error);
    return status ? status
                  : be_images_labels_check(data->form, set->label, count, file->name, error);
}

/* Images come before their labels, as in the table. */
static enum be_status take(struct be_images *data, const struct be_images_options *options,
                           const struct be_images_entry *of, struct be_images_file *file,
                           struct be_error *error) {
    struct be_images_set *set = &data->set[of->part];
    size_t count = 0;
    enum be_status status = read_head(data->form, file, of->labels, &count, error);
    if (!status && !options->incomplete && count != data->form->images[of->part]) {
        status = be_fail(error, BE_IO,
                         "%s: %zu records, and %s has %zu; --incomplete takes what there is",
                         file->name, count, data->form->title, data->form->images[of->part]);
    }
    if (!status && count == 0) {
        status = be_fail(error, BE_IO, "%s: holds no record", file->name);
    }
    if (!status && !of->labels) {
        set->piece[set->pieces++] = (struct be_images_piece){.file = *file,
                                                             .images = count,
                                                             .head = IMAGES_HEAD,
                                                             .record = be_images_bytes(data->form)};
        return BE_OK;
    }
    status = status ? status : take_labels(data, of->part, count, file, error);
    be_images_file_close(file);
    return status;
}

const struct be_images_layout be_images_idx = {
    .entry = entry, .entries = BE_COUNT(entry), .take = take};
