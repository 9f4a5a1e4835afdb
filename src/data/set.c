/* Parts of a data set: they grow file by file, and give their images. */
#include <stdlib.h>

#include "base/error.h"
#include "data/layout.h"

enum be_status be_images_set_grow(struct be_images_set *set, size_t images, const char *name,
                                  struct be_error *error) {
    uint8_t *label = realloc(set->label, set->images + images + 1); /* of none, too */
    if (!label) {
        return be_fail(error, BE_NOMEM, "%s: no host memory for its labels", name);
    }
    set->label = label;
    set->images += images;
    return BE_OK;
}

enum be_status be_images_labels_check(const struct be_images_form *form, const uint8_t *label,
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
