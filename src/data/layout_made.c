/* Images from a seed: a pattern of its class, and noise, so that a net has something to learn. */
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "data/layout.h"

/* Streams of numbers of one seed: patterns, and the noise of each part. */
enum { PATTERN = 1, NOISE = 2 };

enum { LEVELS_OF_NOISE = 96, SPAN = 8 };

/* Patterns are blocks of 4 x 4 pixels: what a convolution and a pool can see. */
static uint8_t pattern_at(const struct be_images_form *form, uint64_t seed, int kind,
                          size_t pixel) {
    const size_t width = (size_t)form->width, row = pixel / width % (size_t)form->height;
    const size_t block =
        (pixel / width / (size_t)form->height * 64 + row / 4 * 8 + pixel % width / 4) *
            (size_t)form->classes +
        (size_t)kind;
    return (uint8_t)(be_random_bits(seed ^ PATTERN, block) >> 57);
}

static void make_image(const struct be_images_form *form, uint64_t seed, uint64_t number,
                       const uint8_t *pattern, uint8_t *image) {
    const size_t bytes = be_images_bytes(form);
    for (size_t i = 0; i < bytes; i += SPAN) {
        uint64_t bits = be_random_bits(seed ^ NOISE, number * bytes + i);
        for (size_t k = i; k < i + SPAN && k < bytes; k++, bits >>= SPAN) {
            image[k] = (uint8_t)(pattern[k] + (bits & 0xff) * LEVELS_OF_NOISE / BE_IMAGES_LEVELS);
        }
    }
}

static enum be_status make_part(struct be_images *data, const struct be_images_options *options,
                                enum be_images_part part, const uint8_t *pattern, uint8_t *image,
                                struct be_error *error) {
    const struct be_images_form *form = options->form;
    const size_t bytes = be_images_bytes(form);
    const size_t count = options->images[part] ? options->images[part] : form->images[part];
    struct be_images_set *set = &data->set[part];
    struct be_images_piece *piece = &set->piece[0];
    *piece = (struct be_images_piece){.images = count, .record = bytes};
    enum be_status status =
        be_images_file_make("--synthetic", options->keep, count * bytes, &piece->file, error);
    set->pieces = status ? 0 : 1;
    status = status ? status : be_images_set_grow(set, count, "--synthetic", error);
    for (size_t i = 0; !status && i < count; i++) {
        const uint64_t number = 2 * (uint64_t)i + (uint64_t)part; /* no image is in both parts */
        const int kind = (int)(be_random_bits(options->seed, number) % (uint64_t)form->classes);
        make_image(form, options->seed, number, pattern + (size_t)kind * bytes, image);
        set->label[i] = (uint8_t)kind;
        status = be_images_file_put(&piece->file, i * bytes, image, bytes, error);
    }
    return status;
}

enum be_status be_images_make_up(struct be_images *data, const struct be_images_options *options,
                                 struct be_error *error) {
    const struct be_images_form *form = options->form;
    const size_t bytes = be_images_bytes(form);
    uint8_t *pattern = malloc(bytes * ((size_t)form->classes + 1));
    if (!pattern) {
        return be_fail(error, BE_NOMEM, "--synthetic: no host memory");
    }
    for (int kind = 0; kind < form->classes; kind++) {
        for (size_t i = 0; i < bytes; i++) {
            pattern[(size_t)kind * bytes + i] = pattern_at(form, options->seed, kind, i);
        }
    }
    uint8_t *image = pattern + bytes * (size_t)form->classes;
    enum be_status status = make_part(data, options, BE_IMAGES_TRAIN, pattern, image, error);
    status = status ? status : make_part(data, options, BE_IMAGES_TEST, pattern, image, error);
    free(pattern);
    return status;
}
