/* Parts of a data set: they grow file by file, and give their images. */
#include <stdlib.h>

#include "base/error.h"
#include "data/layout.h"

enum be_status be_data_set_grow(struct be_data_set *set, size_t images, const char *name,
                                struct be_error *error) {
    uint8_t *label = realloc(set->label, set->images + images + 1); /* of none, too */
    if (!label) {
        return be_fail(error, BE_NOMEM, "%s: no host memory for its labels", name);
    }
    set->label = label;
    set->images += images;
    return BE_OK;
}

enum be_status be_data_labels_check(const struct be_data_form *form, const uint8_t *label,
                                    size_t count, const char *name, struct be_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (label[i] >= form->classes) {
            return be_fail(error, BE_WRONG,
                           "%s: record %zu has label %d, and %s has 0 to %d: the file is damaged, "
                           "or another data set; download it again",
                           name, i, (int)label[i], form->title, form->classes - 1);
        }
    }
    return BE_OK;
}

const struct be_data_form *be_data_form_of(const struct be_data *data) {
    return data->form;
}

enum be_data_keep be_data_keep_of(const struct be_data *data) {
    return data->keep;
}

size_t be_data_images(const struct be_data *data, enum be_data_part part) {
    return data->set[part].images;
}

uint8_t be_data_label(const struct be_data *data, enum be_data_part part, size_t image) {
    return data->set[part].label[image];
}

enum be_status be_data_image(const struct be_data *data, enum be_data_part part, size_t image,
                             uint8_t *room, const uint8_t **bytes, struct be_error *error) {
    const struct be_data_piece *piece = data->set[part].piece;
    while (image >= piece->first + piece->images) {
        piece++;
    }
    const size_t record = image - piece->first;
    const size_t at = piece->head + record * piece->record + piece->skip;
    if (piece->file.memory) {
        *bytes = piece->file.memory + at;
        return BE_OK;
    }
    *bytes = room;
    enum be_status status =
        be_data_file_read(&piece->file, at, room, be_data_image_bytes(data->form), error);
    return status ? be_context(error, "record %zu, which was there when it was opened", record)
                  : BE_OK;
}

void be_data_close(struct be_data *data) {
    for (int part = 0; data && part < BE_DATA_PARTS; part++) {
        struct be_data_set *set = &data->set[part];
        for (int i = 0; i < set->pieces; i++) {
            be_data_file_close(&set->piece[i].file);
        }
        free(set->label);
    }
    free(data);
}
