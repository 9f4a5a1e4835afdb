/* Small data sets in the form of the published ones, written to a folder of the test's own. */
#ifndef TESTS_UNIT_IMAGE_FILES_H
#define TESTS_UNIT_IMAGE_FILES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "base/text.h"

enum { IDX_TRAIN = 70, IDX_TEST = 9, IDX_BYTES = 28 * 28, CIFAR_RECORD = 3073, CIFAR_BATCH = 11 };

/* The byte that pixel `i` of image `image` has, and its label. */
static inline uint8_t pixel_of(size_t image, size_t i) {
    return (uint8_t)(image * 31 + i * 7 + i / 251);
}

static inline uint8_t label_of(size_t image) {
    return (uint8_t)(image * 3 % 10);
}

static char folder[] = "/tmp/breakeven_images.XXXXXX";

static void place_of(const char *name, char path[512]) {
    snprintf(path, 512, "%s/%s", folder, name);
}

static void write_bytes(const char *name, const uint8_t *bytes, size_t count) {
    char path[512];
    place_of(name, path);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, count, out), count);
    assert_int_equal(fclose(out), 0);
}

static void write_packed(const char *name, const uint8_t *bytes, size_t count) {
    char path[512];
    place_of(name, path);
    gzFile out = gzopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(gzwrite(out, bytes, (unsigned)count), count);
    assert_int_equal(gzclose(out), Z_OK);
}

static inline void add_big_endian(struct be_text *text, uint32_t number) {
    const char byte[] = {(char)(number >> 24), (char)(number >> 16), (char)(number >> 8),
                         (char)number};
    be_text_add_bytes(text, byte, sizeof byte);
}

/* `from`: number of the first image. */
static struct be_text idx_images(size_t from, size_t count) {
    struct be_text text = {0};
    add_big_endian(&text, 0x803);
    add_big_endian(&text, (uint32_t)count);
    add_big_endian(&text, 28);
    add_big_endian(&text, 28);
    for (size_t i = 0; i < count * IDX_BYTES; i++) {
        const char byte = (char)pixel_of(from + i / IDX_BYTES, i % IDX_BYTES);
        be_text_add_bytes(&text, &byte, 1);
    }
    return text;
}

static struct be_text idx_labels(size_t from, size_t count) {
    struct be_text text = {0};
    add_big_endian(&text, 0x801);
    add_big_endian(&text, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        const char byte = (char)label_of(from + i);
        be_text_add_bytes(&text, &byte, 1);
    }
    return text;
}

static struct be_text cifar_batch(size_t from, size_t count) {
    struct be_text text = {0};
    for (size_t i = 0; i < count * CIFAR_RECORD; i++) {
        const size_t image = from + i / CIFAR_RECORD, at = i % CIFAR_RECORD;
        const char byte = (char)(at ? pixel_of(image, at - 1) : label_of(image));
        be_text_add_bytes(&text, &byte, 1);
    }
    return text;
}

static inline void put(const char *name, struct be_text text) {
    assert_false(text.failed);
    write_bytes(name, (const uint8_t *)text.data, text.length);
    be_text_free(&text);
}

static inline void put_packed(const char *name, struct be_text text) {
    assert_false(text.failed);
    write_packed(name, (const uint8_t *)text.data, text.length);
    be_text_free(&text);
}

static inline void put_idx(void) {
    put("train-images-idx3-ubyte", idx_images(0, IDX_TRAIN));
    put("train-labels-idx1-ubyte", idx_labels(0, IDX_TRAIN));
    put("t10k-images-idx3-ubyte", idx_images(IDX_TRAIN, IDX_TEST));
    put("t10k-labels-idx1-ubyte", idx_labels(IDX_TRAIN, IDX_TEST));
}

/* Two of the five batches, and the test batch. */
static inline void put_cifar(void) {
    put("data_batch_1.bin", cifar_batch(0, CIFAR_BATCH));
    put("data_batch_2.bin", cifar_batch(CIFAR_BATCH, CIFAR_BATCH));
    put("test_batch.bin", cifar_batch((size_t)2 * CIFAR_BATCH, 3));
}

static int make_folder(void **state) {
    (void)state;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
    char command[600];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

#endif
