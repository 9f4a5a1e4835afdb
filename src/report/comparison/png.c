/*
 * A picture as a PNG file: one block of fixed Huffman codes, which finds only what is like the pixel
 * before or the pixel above. Pictures of counts are mostly that, and no more is needed.
 */
#include "report/report.h"

enum {
    PIXEL = 3,         /* bytes */
    MATCH_LEAST = 3,   /* bytes; a deflate block copies no fewer */
    MATCH_MOST = 258,  /* and no more */
    REACH = 32768,     /* nor from further back */
    END_OF_BLOCK = 256 /* among the codes of literals and lengths */
};

/* ---- sums over bytes ------------------------------------------------------------------------ */

static uint32_t crc32(const uint8_t *byte, size_t count) {
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < count; i++) {
        crc ^= byte[i];
        for (int k = 0; k < 8; k++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
    }
    return ~crc;
}

static uint32_t adler32(const uint8_t *byte, size_t count) {
    uint32_t a = 1;
    uint32_t b = 0;
    for (size_t i = 0; i < count; i++) {
        a = (a + byte[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* ---- a stream of bits, the lowest first ----------------------------------------------------- */

struct bits {
    struct be_text *out;
    uint32_t kept;
    int count;
};

static void add_byte(struct be_text *out, unsigned byte) {
    const char one = (char)(unsigned char)byte;
    be_text_add_bytes(out, &one, 1);
}

static void put(struct bits *bits, uint32_t value, int count) {
    bits->kept |= value << bits->count;
    for (bits->count += count; bits->count >= 8; bits->count -= 8) {
        add_byte(bits->out, bits->kept & 0xff);
        bits->kept >>= 8;
    }
}

/* Huffman codes alone begin with their highest bit. */
static void put_code(struct bits *bits, uint32_t code, int count) {
    uint32_t turned = 0;
    for (int i = 0; i < count; i++) {
        turned |= (code >> i & 1) << (count - 1 - i);
    }
    put(bits, turned, count);
}

/* RFC 1951, 3.2.6. */
static void put_symbol(struct bits *bits, uint32_t symbol) {
    if (symbol < 144) {
        put_code(bits, 0x30 + symbol, 8);
    } else if (symbol < 256) {
        put_code(bits, 0x190 + symbol - 144, 9);
    } else if (symbol < 280) {
        put_code(bits, symbol - 256, 7);
    } else {
        put_code(bits, 0xc0 + symbol - 280, 8);
    }
}

/* RFC 1951, 3.2.5: codes go up in groups, each group of `each` with one more extra bit than the
 * last; `value` from 0, and the first two groups have none. */
static uint32_t code_of(uint32_t value, int each_log2, int *extra) {
    *extra = 0;
    while (value >> (*extra + each_log2 + 1)) {
        (*extra)++;
    }
    return ((uint32_t)*extra << each_log2) + (value >> *extra);
}

static void put_match(struct bits *bits, size_t length, size_t distance) {
    int extra = 0;
    uint32_t value = (uint32_t)(length - MATCH_LEAST);
    if (length == MATCH_MOST) { /* has a code of its own */
        put_symbol(bits, 285);
    } else {
        put_symbol(bits, 257 + code_of(value, 2, &extra));
        put(bits, value & ((1U << extra) - 1), extra);
    }
    value = (uint32_t)(distance - 1);
    put_code(bits, code_of(value, 1, &extra), 5);
    put(bits, value & ((1U << extra) - 1), extra);
}

/* ---- deflate -------------------------------------------------------------------------------- */

static size_t match(const uint8_t *byte, size_t at, size_t count, size_t distance) {
    size_t length = 0;
    if (distance > at || distance > REACH) {
        return 0;
    }
    while (length < MATCH_MOST && at + length < count &&
           byte[at + length] == byte[at + length - distance]) {
        length++;
    }
    return length;
}

/* As a zlib stream. */
static void deflate(const uint8_t *byte, size_t count, size_t row, struct be_text *out) {
    struct bits bits = {.out = out};
    put(&bits, 0x0178, 16); /* the method and its window; a multiple of 31 with its bytes turned */
    put(&bits, 1, 1);       /* the last block, */
    put(&bits, 1, 2);       /* of fixed codes */
    for (size_t at = 0; at < count;) {
        const size_t left = match(byte, at, count, PIXEL);
        const size_t above = match(byte, at, count, row);
        const size_t length = left >= above ? left : above;
        if (length < MATCH_LEAST) {
            put_symbol(&bits, byte[at++]);
        } else {
            put_match(&bits, length, left >= above ? PIXEL : row);
            at += length;
        }
    }
    put_symbol(&bits, END_OF_BLOCK);
    put(&bits, 0, (8 - bits.count) % 8);
    const uint32_t sum = adler32(byte, count);
    for (int i = 24; i >= 0; i -= 8) {
        add_byte(out, sum >> i & 0xff);
    }
}

/* ---- the file ------------------------------------------------------------------------------- */

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
        add_number(out, crc32((const uint8_t *)out->data + from, out->length - from));
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
        deflate((const uint8_t *)raw.data, raw.length, row + 1, &body);
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
