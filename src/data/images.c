#include "data/images.h"

#include <stdlib.h>

#include "base/error.h"
#include "data/layout.h"

size_t be_images_bytes(const struct be_images_form *form) {
    return (size_t)form->channels * (size_t)form->height * (size_t)form->width;
}

const struct be_images_form *be_images_form_of(const struct be_images *data) {
    return data->form;
}

enum be_images_keep be_images_keep_of(const struct be_images *data) {
    return data->keep;
}

size_t be_images_count(const struct be_images *data, enum be_images_part part) {
    return data->set[part].images;
}

uint8_t be_images_label(const struct be_images *data, enum be_images_part part, size_t image) {
    return data->set[part].label[image];
}

enum be_status be_images_read(const struct be_images *data, enum be_images_part part, size_t image,
                              uint8_t *room, const uint8_t **bytes, struct be_error *error) {
    const struct be_images_piece *piece = data->set[part].piece;
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
        be_images_file_read(&piece->file, at, room, be_images_bytes(data->form), error);
    return status ? be_context(error, "record %zu, which was there when it was opened", record)
                  : BE_OK;
}

void be_images_close(struct be_images *data) {
    for (int part = 0; data && part < BE_IMAGES_PARTS; part++) {
        struct be_images_set *set = &data->set[part];
        for (int i = 0; i < set->pieces; i++) {
            be_images_file_close(&set->piece[i].file);
        }
        free(set->label);
    }
    free(data);
}
