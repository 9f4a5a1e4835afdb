/*
 * Sets of images with labels, from the files that their makers publish: MNIST (idx) and CIFAR-10 (binary version). A
 * set is checked as a whole when it is opened: its files, their sizes, every label. It does not know what a net does
 * with an image, nor in which order images are read (data/loader.h).
 */
#ifndef BE_DATA_IMAGES_H
#define BE_DATA_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "breakeven_error.h"

enum be_images_part { BE_IMAGES_TRAIN, BE_IMAGES_TEST, BE_IMAGES_PARTS };

enum be_images_keep {
    BE_IMAGES_DISK,  /* a read of a file for each image */
    BE_IMAGES_MEMORY /* all images in memory as bytes, as they are in the file */
};

enum { BE_IMAGES_CHANNELS = 3, BE_IMAGES_LEVELS = 256 };

/* One kind of data set. An image is channels x height x width bytes, in that order. */
struct be_images_form {
    const char *name;  /* "mnist", "cifar10" */
    const char *title; /* "MNIST" */
    int channels, height, width, classes;
    size_t images[BE_IMAGES_PARTS]; /* of the whole set */
    const char *site;               /* where its makers have it */
    const char *const
        *folders; /* where downloads put the files, inside --data; NULL behind the last */
    const struct be_images_layout *layout;
};

extern const struct be_images_form be_images_mnist, be_images_cifar10;

/* NULL: there is none of that name. */
const struct be_images_form *be_images_form_find(const char *name);
size_t be_images_bytes(const struct be_images_form *form);

/* Where the set can be had, and the names and sizes of its files: lines of at most 80 columns. */
void be_images_form_files(const struct be_images_form *form, struct be_text *out);

struct be_images_options {
    const struct be_images_form *form;
    const char *folder; /* NULL: images are made from the seed, in the shapes of the set */
    enum be_images_keep keep;
    bool incomplete;                /* files may be missing, and may have fewer images */
    size_t images[BE_IMAGES_PARTS]; /* only the first so many; 0: all */
    uint64_t seed;                  /* of made images */
};

struct be_images;

/*
 * A file compressed by gzip is unpacked once: into memory, or into a file without a name in TMPDIR or /tmp.
 * BE_USAGE: a file is missing, or the set is another one. BE_IO: a file cannot be read, is damaged or ends early, or a
 * label cannot be. Each says the file, the record and what to do.
 */
enum be_status be_images_open(const struct be_images_options *options, struct be_images **data,
                              struct be_error *error);
void be_images_close(struct be_images *data); /* accepts NULL */

const struct be_images_form *be_images_form_of(const struct be_images *data);
enum be_images_keep be_images_keep_of(const struct be_images *data);
size_t be_images_count(const struct be_images *data, enum be_images_part part);
uint8_t be_images_label(const struct be_images *data, enum be_images_part part, size_t image);

/* The bytes of an image: where they lie in memory, or read into `room`, which has be_images_bytes. May be called
 * by several threads. BE_IO: the file cannot be read any more. */
enum be_status be_images_read(const struct be_images *data, enum be_images_part part, size_t image,
                              uint8_t *room, const uint8_t **bytes, struct be_error *error);

#endif
