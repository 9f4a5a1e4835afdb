/* How the files of a data set are laid out, and what reads them. It is for src/data alone. */
#ifndef BE_DATA_LAYOUT_H
#define BE_DATA_LAYOUT_H

#include "data/file.h"

enum { BE_IMAGES_FILES = 6, BE_IMAGES_SPELLINGS = 2 };

/* A file as it is published. */
struct be_images_entry {
    const char *name[BE_IMAGES_SPELLINGS]; /* as downloads spell it; NULL: no second way */
    enum be_images_part part;
    bool labels;         /* labels alone; else images, perhaps with their labels */
    size_t bytes;        /* plain */
    size_t packed_bytes; /* as published with .gz; 0: it is not */
};

/* Where the images of one file lie. */
struct be_images_piece {
    struct be_images_file file;
    size_t first, images; /* of the part */
    size_t head, record;  /* bytes before the first record, and of one */
    size_t skip;          /* bytes of a record before its image */
};

struct be_images_set {
    struct be_images_piece piece[BE_IMAGES_FILES];
    int pieces;
    size_t images;
    uint8_t *label; /* one an image */
};

struct be_images {
    const struct be_images_form *form;
    enum be_images_keep keep;
    struct be_images_set set[BE_IMAGES_PARTS];
};

struct be_images_layout {
    const struct be_images_entry *entry;
    int entries;
    /* A file that is a sign of another version of the set, and what to do then; NULL: there is none. */
    const char *other, *other_advice;
    const char *archive; /* in which the files come; NULL: one by one */
    /* Takes an opened file into the data: all of its labels are looked at. It owns the file from then on, also where
     * it fails. */
    enum be_status (*take)(struct be_images *data, const struct be_images_options *options,
                           const struct be_images_entry *entry, struct be_images_file *file,
                           struct be_error *error);
};

/* Labels and pieces of several files make one part. BE_NOMEM. */
enum be_status be_images_set_grow(struct be_images_set *set, size_t images, const char *name,
                                  struct be_error *error);
/* BE_IO: a label is none of the classes. `name`: of their file. */
enum be_status be_images_labels_check(const struct be_images_form *form, const uint8_t *label,
                                      size_t count, const char *name, struct be_error *error);
extern const struct be_images_layout be_images_idx, be_images_cifar;

/* Images in the shapes of the form, from the seed: each class has a pattern of its own, with noise. */
enum be_status be_images_make_up(struct be_images *data, const struct be_images_options *options,
                                 struct be_error *error);

#endif
