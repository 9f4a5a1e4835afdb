#include "report/common/printable.h"

#include <langinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/error.h"

/* Blanks that look like the plain one, the soft hyphen, signs and letters of scripts written from right
 * to left (Unicode's Bidi_Class: R, AL and what sets a direction), noncharacters of plane 0. */
static const struct {
    unsigned first, last;
} hidden[] = {{0x00a0, 0x00a0},   {0x00ad, 0x00ad},   {0x0590, 0x08ff}, {0x1680, 0x1680},
              {0x180e, 0x180e},   {0x2000, 0x200f},   {0x2028, 0x202f}, {0x205f, 0x206f},
              {0x3000, 0x3000},   {0x3164, 0x3164},   {0xd800, 0xf8ff}, {0xfb1d, 0xfdff},
              {0xfe00, 0xfe0f},   {0xfe70, 0xfeff},   {0xfff0, 0xffff}, {0x10800, 0x10fff},
              {0x1e800, 0x1efff}, {0xe0000, 0x10ffff}};

static bool is_hidden(unsigned code) {
    for (size_t i = 0; i < BE_COUNT(hidden); i++) {
        if (code >= hidden[i].first && code <= hidden[i].last) {
            return true;
        }
    }
    return false;
}

static unsigned code_of(const char *sign, size_t length) {
    unsigned code = (unsigned char)sign[0];
    code &= length > 1 ? 0x7fu >> length : 0x7fu;
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | ((unsigned char)sign[i] & 0x3fu);
    }
    return code;
}

static bool in_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

struct be_shown be_shown_next(const char *from, size_t left) {
    struct be_shown one = {.bytes = 1, .columns = 1};
    const size_t length = left > 0 ? be_utf8_length(from) : 0;
    const unsigned code = code_of(from, length);
    if (left == 0) {
        one.columns = 0;
    } else if (*from == '\t' || *from == '\r' || *from == '\n') {
        one.text[0] = ' ';
    } else if (length == 1 && *from >= ' ' && *from <= '~') {
        one.text[0] = *from;
    } else if (length <= 1 || length > left) {
        one.columns = snprintf(one.text, sizeof one.text, "\\x%02x", (unsigned char)*from);
    } else {
        one.bytes = length;
        one.columns = is_hidden(code) || !in_utf8() ? 0 : wcwidth((wchar_t)code);
        if (one.columns > 0) {
            memcpy(one.text, from, length);
        } else {
            one.columns =
                snprintf(one.text, sizeof one.text, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
        }
    }
    return one;
}

int be_shown_columns(const char *text, size_t bytes) {
    int columns = 0;
    for (size_t at = 0; at < bytes;) {
        struct be_shown one = be_shown_next(text + at, bytes - at);
        columns += one.columns;
        at += one.bytes;
    }
    return columns;
}

size_t be_shown_fit(const char *text, size_t bytes, int columns) {
    size_t at = 0;
    while (at < bytes) {
        struct be_shown one = be_shown_next(text + at, bytes - at);
        columns -= one.columns;
        if (columns < 0) {
            break;
        }
        at += one.bytes;
    }
    return at;
}

void be_shown_add(struct be_text *out, const char *from) {
    for (size_t left = strlen(from); left > 0;) {
        struct be_shown one = be_shown_next(from, left);
        be_text_add(out, "%s", one.text);
        from += one.bytes;
        left -= one.bytes;
    }
}
