/* A picture as a PNG file. */
#include <stdlib.h>

#include <zlib.h>

#include "report/comparison/comparison.h"

enum { PIXEL = 3 /* bytes */ };

static void add_byte(struct be_text *out, unsigned byte) {
    const char one = (char)(unsigned char)byte;
    be_text_add_bytes(out, &one, 1);
}

/* Appends `from` as a zlib stream. */
static void deflate_text(const struct be_text *from, struct be_text *out) {
    uLongf bytes = compressBound((uLong)from->length);
    Bytef *packed = malloc(bytes);
    if (packed && compress2(packed, &bytes, (const Bytef *)from->data, (uLong)from->length,
                            Z_BEST_COMPRESSION) == Z_OK) {
        be_text_add_bytes(out, (const char *)packed, bytes);
    } else {
        out->failed = true;
    }
    free(packed);
}

static void add_number(struct be_text *out, uint32_t number) {
    for (int i = 24; i >= 0; i -= 8) {
        add_byte(out, number >> i & 0xff);
    }
}

static void add_chunk(struct be_text *out, const char *name, const struct be_text *content) {
    add_number(out, (uint32_t)content->length);
    const size_t from = out->length;
    be_text_add_bytes(out, name, 4);
    be_text_add_bytes(out, content->data, content->length);
    if (!out->failed) {
        add_number(out, (uint32_t)crc32_z(0, (const Bytef *)out->data + from, out->length - from));
    }
}

void be_report_png(const struct be_picture *picture, struct be_text *out) {
    const size_t row = (size_t)picture->width * PIXEL;
    struct be_text head = {0};
    struct be_text raw = {0};
    struct be_text body = {0};
    struct be_text end = {0};
    add_number(&head, picture->width);
    add_number(&head, picture->height);
    be_text_add_bytes(&head, "\x08\x02\0\0\0", 5); /* 8 bits each of red, green, blue */
    for (size_t y = 0; y < picture->height; y++) {
        add_byte(&raw, 0); /* this row is not filtered */
        be_text_add_bytes(&raw, (const char *)picture->rgb + y * row, row);
    }
    if (!raw.failed) {
        deflate_text(&raw, &body);
    }
    be_text_add_bytes(out, "\x89PNG\r\n\x1a\n", 8);
    add_chunk(out, "IHDR", &head);
    add_chunk(out, "IDAT", &body);
    add_chunk(out, "IEND", &end);
    out->failed |= head.failed || raw.failed || body.failed;
    be_text_free(&head);
    be_text_free(&raw);
    be_text_free(&body);
}
