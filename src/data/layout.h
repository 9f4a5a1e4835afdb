/* How the files of a data set are laid out, and what reads them. It is for src/data alone. */
#ifndef BE_DATA_LAYOUT_H
#define BE_DATA_LAYOUT_H

#include "data/data_file.h"

enum { BE_DATA_FILES = 6, BE_DATA_SPELLINGS = 2 };

/* A file as it is published. */
struct be_data_entry {
    const char *name[BE_DATA_SPELLINGS]; /* as downloads spell it; NULL: no second way */
    enum be_data_part part;
    bool labels;         /* labels alone; else images, perhaps with their labels */
    size_t bytes;        /* plain */
    size_t packed_bytes; /* as published with .gz; 0: it is not */
};

/* Where the images of one file lie. */
struct be_data_piece {
    struct be_data_file file;
    size_t first, images; /* of the part */
    size_t head, record;  /* bytes before the first record, and of one */
    size_t skip;          /* bytes of a record before its image */
};

struct be_data_set {
    struct be_data_piece piece[BE_DATA_FILES];
    int pieces;
    size_t images;
    uint8_t *label; /* one an image */
};

struct be_data {
    const struct be_data_form *form;
    enum be_data_keep keep;
    struct be_data_set set[BE_DATA_PARTS];
};

struct be_data_layout {
    const struct be_data_entry *entry;
    int entries;
    /* A file that is a sign of another version of the set, and what to do then; NULL: there is none. */
    const char *other, *other_advice;
    const char *archive; /* in which the files come; NULL: one by one */
    /* Takes an opened file into the data: all of its labels are looked at. It owns the file from then on, also where
     * it fails. */
    enum be_status (*take)(struct be_data *data, const struct be_data_options *options,
                           const struct be_data_entry *entry, struct be_data_file *file,
                           struct be_error *error);
};

/* Labels and pieces of several files make one part. BE_NOMEM. */
enum be_status be_data_set_grow(struct be_data_set *set, size_t images, const char *name,
                                struct be_error *error);
/* BE_WRONG: a label is none of the classes. `name`: of their file. */
enum be_status be_data_labels_check(const struct be_data_form *form, const uint8_t *label,
                                    size_t count, const char *name, struct be_error *error);
extern const struct be_data_layout be_data_idx, be_data_cifar;

/* Images in the shapes of the form, from the seed: each class has a pattern of its own, with noise. */
enum be_status be_data_make_up(struct be_data *data, const struct be_data_options *options,
                               struct be_error *error);

#endif
