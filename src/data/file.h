/* One file of a data set: plain, or compressed by gzip; on disk, or in memory. It does not know what it holds. */
#ifndef BE_DATA_FILE_H
#define BE_DATA_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "data/images.h"

/* Zero-initialise with .descriptor = -1. */
struct be_images_file {
    char *name;      /* for messages */
    int descriptor;  /* -1: it is in memory */
    uint8_t *memory; /* NULL: it is on disk */
    size_t bytes;    /* once it is unpacked */
};

/* Opens and, where it is compressed, unpacks it. BE_IO: it cannot be read, or what is compressed is damaged. */
enum be_status be_images_file_open(const char *path, enum be_images_keep keep,
                                   struct be_images_file *file, struct be_error *error);
/* A file of ours: `bytes` zeroes to be written to, in memory or in a file without a name. */
enum be_status be_images_file_make(const char *name, enum be_images_keep keep, size_t bytes,
                                   struct be_images_file *file, struct be_error *error);
enum be_status be_images_file_put(struct be_images_file *file, size_t at, const uint8_t *from,
                                  size_t count, struct be_error *error);
/* BE_IO: it has fewer bytes, or cannot be read. May be called by several threads. */
enum be_status be_images_file_read(const struct be_images_file *file, size_t at, uint8_t *to,
                                   size_t count, struct be_error *error);
void be_images_file_close(struct be_images_file *file); /* accepts one that is closed */

#endif
