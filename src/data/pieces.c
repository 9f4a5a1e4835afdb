#include "data/pieces.h"

#include <stdlib.h>

#include "base/error.h"

enum { LINE = 64 };

bool be_batch_room_open(struct be_batch_room *room, size_t images, size_t image_bytes) {
    const size_t bytes = images * image_bytes * sizeof(float);
    room->images = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    room->labels = malloc(images);
    return room->images && room->labels;
}

void be_batch_room_close(struct be_batch_room *room) {
    free(room->images);
    free(room->labels);
}

void be_loader_levels(const struct be_loader_options *options, float *levels) {
    const int channels = be_images_form_of(options->data)->channels;
    for (int c = 0; c < channels; c++) {
        for (int i = 0; i < BE_IMAGES_LEVELS; i++) { /* rounded three times, as others do */
            const float level = (float)i / (BE_IMAGES_LEVELS - 1);
            levels[c * BE_IMAGES_LEVELS + i] = (level - options->mean[c]) / options->deviation[c];
        }
    }
}

bool be_decoder_open(struct be_decoder *decoder, const struct be_loader_options *options,
                     size_t piece) {
    const struct be_images_form *form = be_images_form_of(options->data);
    const int channels = form->channels;
    decoder->clock = be_clock_host();
    decoder->level = malloc((size_t)channels * BE_IMAGES_LEVELS * sizeof *decoder->level);
    decoder->raw = malloc(piece * be_images_bytes(form));
    decoder->from = malloc(piece * sizeof *decoder->from);
    if (decoder->level) {
        be_loader_levels(options, decoder->level);
    }
    return decoder->level && decoder->raw && decoder->from;
}

void be_decoder_close(struct be_decoder *decoder) {
    free(decoder->level);
    free(decoder->raw);
    free(decoder->from);
}

static void add(_Atomic uint64_t *sum, double seconds) {
    const double ns = 1e9;
    atomic_fetch_add_explicit(sum, seconds > 0 ? (uint64_t)(seconds * ns) : 0,
                              memory_order_relaxed);
}

static enum be_status read_piece(const struct be_loader_options *options,
                                 struct be_decoder *decoder, const uint32_t *image, size_t count,
                                 struct be_error *error) {
    const size_t bytes = be_images_bytes(be_images_form_of(options->data));
    enum be_status status = BE_OK;
    for (size_t i = 0; !status && i < count; i++) {
        status = be_images_read(options->data, options->part, image[i], decoder->raw + i * bytes,
                                &decoder->from[i], error);
    }
    return status;
}

static void decode_image(const struct be_images_form *form, const float *level, const uint8_t *from,
                         float *to) {
    const size_t plane = (size_t)form->height * (size_t)form->width;
    for (int c = 0; c < form->channels; c++, level += BE_IMAGES_LEVELS) {
        for (size_t i = 0; i < plane; i++) {
            *to++ = level[*from++];
        }
    }
}

/* Stands for a format that takes longer to decode: computes until the thread has had that much of its core. */
static void compute_until(double thread_s) {
    while (be_thread_time() < thread_s) {
    }
}

enum be_status be_decode(const struct be_loader_options *options, struct be_decoder *decoder,
                         const uint32_t *image, size_t count, struct be_batch_room *room, size_t at,
                         struct be_error *error) {
    const struct be_images_form *form = be_images_form_of(options->data);
    const size_t bytes = be_images_bytes(form);
    const double began_s = be_now(&decoder->clock), began_cpu_s = be_thread_time();
    enum be_status status = read_piece(options, decoder, image, count, error);
    if (status) {
        return status;
    }
    const double read_s = be_now(&decoder->clock), read_cpu_s = be_thread_time();
    for (size_t i = 0; i < count; i++) {
        decode_image(form, decoder->level, decoder->from[i], room->images + (at + i) * bytes);
        room->labels[at + i] = be_images_label(options->data, options->part, image[i]);
    }
    if (options->decode_s > 0) {
        compute_until(read_cpu_s + (double)count * options->decode_s);
    }
    add(&decoder->read_ns, read_s - began_s);
    add(&decoder->read_cpu_ns, read_cpu_s - began_cpu_s);
    add(&decoder->decode_cpu_ns, be_thread_time() - read_cpu_s);
    atomic_fetch_add_explicit(&decoder->images, count, memory_order_relaxed);
    return BE_OK;
}

void be_decoder_times(const struct be_decoder *decoder, struct be_loader_times *times) {
    const double s = 1e-9;
    times->images += atomic_load_explicit(&decoder->images, memory_order_relaxed);
    times->read_s += s * (double)atomic_load_explicit(&decoder->read_ns, memory_order_relaxed);
    times->read_cpu_s +=
        s * (double)atomic_load_explicit(&decoder->read_cpu_ns, memory_order_relaxed);
    times->decode_cpu_s +=
        s * (double)atomic_load_explicit(&decoder->decode_cpu_ns, memory_order_relaxed);
}
