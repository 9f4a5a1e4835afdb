/* The data sets there are, as their makers publish them. */
#include <string.h>

#include "base/error.h"
#include "data/layout.h"

static const char *const mnist_folders[] = {"", "MNIST/raw", "mnist", "raw", NULL};
static const char *const cifar10_folders[] = {"", "cifar-10-batches-bin", "cifar10", NULL};

const struct be_images_form be_images_mnist = {
    .name = "mnist",
    .title = "MNIST",
    .channels = 1,
    .height = 28,
    .width = 28,
    .classes = 10,
    .images = {[BE_IMAGES_TRAIN] = 60000, [BE_IMAGES_TEST] = 10000},
    .site = "http://yann.lecun.com/exdb/mnist/",
    .folders = mnist_folders,
    .layout = &be_images_idx,
};

const struct be_images_form be_images_cifar10 = {
    .name = "cifar10",
    .title = "CIFAR-10",
    .channels = 3,
    .height = 32,
    .width = 32,
    .classes = 10,
    .images = {[BE_IMAGES_TRAIN] = 50000, [BE_IMAGES_TEST] = 10000},
    .site = "https://www.cs.toronto.edu/~kriz/cifar.html",
    .folders = cifar10_folders,
    .layout = &be_images_cifar,
};

const struct be_images_form *be_images_form_find(const char *name) {
    static const struct be_images_form *const form[] = {&be_images_mnist, &be_images_cifar10};
    for (size_t i = 0; i < BE_COUNT(form); i++) {
        if (strcmp(form[i]->name, name) == 0) {
            return form[i];
        }
    }
    return NULL;
}

void be_images_form_files(const struct be_images_form *form, struct be_text *out) {
    const struct be_images_layout *layout = form->layout;
    char bytes[BE_WORD], packed[BE_WORD];
    be_text_add(out, "%s is at %s\n", form->title, form->site);
    if (layout->archive) {
        be_text_add(out, "  %s has all files: unpack it with tar -xzf\n", layout->archive);
    }
    for (int i = 0; i < layout->entries; i++) {
        const struct be_images_entry *entry = &layout->entry[i];
        be_text_add(out, "  %-24s %12s bytes", entry->name[0],
                    be_format_count(bytes, sizeof bytes, (double)entry->bytes, "-"));
        if (entry->packed_bytes) {
            be_text_add(out, ", or .gz of %s",
                        be_format_count(packed, sizeof packed, (double)entry->packed_bytes, "-"));
        }
        be_text_add(out, "\n");
    }
}
