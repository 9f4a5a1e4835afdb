#include "data/layout.h"

#include <stdlib.h>

#include "base/error.h"

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
            return be_fail(error, BE_IO,
                           "%s: record %zu has label %d, and %s has 0 to %d: the file is damaged, "
                           "or another data set; download it again",
                           name, i, (int)label[i], form->title, form->classes - 1);
        }
    }
    return BE_OK;
}
