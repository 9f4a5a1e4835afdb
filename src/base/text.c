#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Room for `more` bytes and the terminator. */
static bool grow(struct be_text *text, size_t more) {
    if (text->failed || more > SIZE_MAX / 4 - text->length) {
        text->failed = true;
        return false;
    }
    size_t need = text->length + more + 1;
    if (need <= text->capacity) {
        return true;
    }
    size_t capacity = need < 256 ? 256 : need * 2;
    char *data = realloc(text->data, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void be_text_add_bytes(struct be_text *text, const char *bytes, size_t count) {
    if (grow(text, count)) {
        if (count > 0) { /* of none the address may be NULL */
            memcpy(text->data + text->length, bytes, count);
        }
        text->length += count;
        text->data[text->length] = '\0';
    }
}

void be_text_add(struct be_text *text, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int count = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (count < 0) {
        text->failed = true;
    } else if (grow(text, (size_t)count)) {
        vsnprintf(text->data + text->length, (size_t)count + 1, format, again);
        text->length += (size_t)count;
    }
    va_end(again);
}

void be_text_end_line(struct be_text *text) {
    while (text->length && text->data[text->length - 1] == ' ') {
        text->length--;
    }
    be_text_add_bytes(text, "\n", 1);
}

void be_text_add_utf8(struct be_text *text, const char *from) {
    while (*from) {
        size_t length = be_utf8_length(from);
        be_text_add_bytes(text, length ? from : "?", length ? length : 1);
        from += length ? length : 1;
    }
}

void be_text_free(struct be_text *text) {
    free(text->data);
    *text = (struct be_text){0};
}

/* '.' where the locale has another decimal point, which may be of several bytes. */
static void set_point(char *number) {
    static const char own[] = "0123456789+-einfa";
    char *point = number + strspn(number, own);
    if (*point) {
        const char *rest = point + strcspn(point, own);
        *point = '.';
        memmove(point + 1, rest, strlen(rest) + 1);
    }
}

/* snprintf of one number. */
static void print(char *to, size_t capacity, const char *format, int digits, double value) {
    snprintf(to, capacity, format, digits, value);
    set_point(to);
}

/* Without the zeros that end a fraction: "3.60" -> "3.6", "1.00" -> "1". */
static void trim(char *number) {
    if (strchr(number, '.') && !strchr(number, 'e')) {
        size_t length = strlen(number);
        while (number[length - 1] == '0') {
            length--;
        }
        length -= number[length - 1] == '.';
        number[length] = '\0';
    }
}

struct scale {
    double unit;
    const char *name;
};

static const struct scale times[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};
static const struct scale energies[] = {{1e-9, "nJ"}, {1e-6, "uJ"}, {1e-3, "mJ"}, {1, "J"}};
static const struct scale powers[] = {{1e-3, "mW"}, {1, "W"}};
static const struct scale prefixes[] = {{1, ""},     {1e3, "k"},  {1e6, "M"}, {1e9, "G"},
                                        {1e12, "T"}, {1e15, "P"}, {1e18, "E"}};

/* The largest unit that leaves at least 1 before the point once rounded: 999.6 us is 1.00 ms. */
static const struct scale *pick(double value, const struct scale *scale, size_t count) {
    size_t at = count - 1;
    while (at > 0 && fabs(value) < scale[at].unit * 0.9995) {
        at--;
    }
    return &scale[at];
}

/* Three significant digits; what no unit is large enough for as "1.23e45", not in 300 digits. */
static void scaled(char *to, size_t capacity, double value, const struct scale *scale) {
    double shown = value / scale->unit;
    double size = fabs(shown);
    if (size >= 1e6) {
        be_format_size(to, capacity, shown, "");
        return;
    }
    int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    print(to, capacity, "%.*f", decimals, shown);
}

/* The last scale is the plain unit. */
static const char *rounded(char *to, size_t capacity, double value, int digits, const char *none,
                           const struct scale *scales, size_t count) {
    if (!isfinite(value) || !(value > 1e-15)) {
        char zero[BE_WORD];
        snprintf(zero, sizeof zero, "0 %s", scales[count - 1].name);
        snprintf(to, capacity, "%s", isfinite(value) ? zero : none);
        return to;
    }
    const double step = pow(10, floor(log10(value)) - digits + 1);
    const double whole_steps = round(value / step) * step;
    const struct scale *scale = pick(whole_steps, scales, count);
    const double shown = whole_steps / scale->unit;
    char number[BE_WORD];
    if (shown < 1e6) {
        const int whole = shown < 9.995 ? 1 : shown < 99.95 ? 2 : 3;
        print(number, sizeof number, "%.*f", digits > whole ? digits - whole : 0, shown);
    } else {
        be_format_size(number, sizeof number, shown, none);
    }
    snprintf(to, capacity, "%s %s", number, scale->name);
    return to;
}

const char *be_format_joules(char *to, size_t capacity, double joules, int digits,
                             const char *none) {
    return rounded(to, capacity, joules, digits, none, energies, BE_COUNT(energies));
}

const char *be_format_watts(char *to, size_t capacity, double watts, int digits, const char *none) {
    return rounded(to, capacity, watts, digits, none, powers, BE_COUNT(powers));
}

enum { DIGITS = 400 }; /* the longest double in %f */

const char *be_format_seconds(char *to, size_t capacity, double seconds, const char *none) {
    if (!isfinite(seconds)) {
        snprintf(to, capacity, "%s", none);
    } else if (seconds == 0) {
        snprintf(to, capacity, "0 s");
    } else {
        const struct scale *scale = pick(seconds, times, BE_COUNT(times));
        char number[DIGITS];
        scaled(number, sizeof number, seconds, scale);
        snprintf(to, capacity, "%s %s", number, scale->name);
    }
    return to;
}

static const char *prefixed(char *to, size_t capacity, double value, const char *none,
                            const char *unit) {
    if (!isfinite(value)) {
        snprintf(to, capacity, "%s", none);
    } else {
        const struct scale *scale = pick(value, prefixes, BE_COUNT(prefixes));
        char number[DIGITS];
        scaled(number, sizeof number, value, scale);
        trim(number);
        snprintf(to, capacity, "%s %s%s", number, scale->name, unit);
    }
    return to;
}

const char *be_format_bytes(char *to, size_t capacity, double bytes, const char *none) {
    return prefixed(to, capacity, bytes, none, "B");
}

const char *be_format_asked(char *to, size_t capacity, double bytes) {
    const double gib = bytes / 0x1p30;
    const bool whole = gib >= 1 && floor(gib) >= gib;
    snprintf(to, capacity, "%.0f%c", whole ? gib : ceil(bytes / 0x1p20), whole ? 'G' : 'M');
    return to;
}

const char *be_format_rate(char *to, size_t capacity, double rate, const char *none) {
    return prefixed(to, capacity, rate, none, "B/s");
}

const char *be_format_flops(char *to, size_t capacity, double rate, const char *none) {
    return prefixed(to, capacity, rate, none, "FLOP/s");
}

const char *be_format_hertz(char *to, size_t capacity, double hertz, const char *none) {
    return prefixed(to, capacity, hertz, none, "Hz");
}

const char *be_format_size(char *to, size_t capacity, double elements, const char *none) {
    char number[BE_WORD];
    if (!isfinite(elements)) {
        snprintf(to, capacity, "%s", none);
    } else if (fabs(elements) < 999.5) {
        print(number, sizeof number, "%.*f", 0, elements);
        snprintf(to, capacity, "%s", number);
    } else {
        print(number, sizeof number, "%.*e", 2, elements);
        char *exponent = strchr(number, 'e');
        int power = (int)strtol(exponent + 1, NULL, 10);
        *exponent = '\0';
        trim(number);
        snprintf(to, capacity, "%se%d", number, power);
    }
    return to;
}

const char *be_format_n(char *to, size_t capacity, double n) {
    const double max = 99999;
    const double digits = fabs(n) > 0 ? pow(10, fmax(floor(log10(fabs(n))) - 2, 0)) : 1;
    if (!(fabs(n) <= max) || floor(n) < n || fmod(n, digits) == 0) {
        return be_format_size(to, capacity, n, "?");
    }
    print(to, capacity, "%.*f", 0, n);
    return to;
}

const char *be_format_ratio(char *to, size_t capacity, double ratio, const char *none) {
    static const struct scale one = {1, ""};
    if (!isfinite(ratio) || fabs(ratio) >= 99999.5) {
        return be_format_size(to, capacity, ratio, none);
    }
    scaled(to, capacity, ratio, &one);
    return to;
}

const char *be_format_count(char *to, size_t capacity, double count, const char *none) {
    if (!isfinite(count) || fabs(count) >= 1e15) {
        return be_format_size(to, capacity, count, none);
    }
    char digits[BE_WORD];
    print(digits, sizeof digits, "%.*f", 0, count);
    size_t length = strlen(digits), used = 0;
    for (size_t i = 0; i < length && used + 2 < capacity; i++) {
        size_t left = length - i;
        if (left % 3 == 0 && i > 0 && digits[i - 1] != '-') {
            to[used++] = ',';
        }
        to[used++] = digits[i];
    }
    to[used] = '\0';
    return to;
}

const char *be_format_exact(char *to, size_t capacity, double value, const char *none) {
    char number[2 * BE_WORD]; /* with the point of the locale, as strtod wants it */
    if (!isfinite(value)) {
        snprintf(to, capacity, "%s", none);
        return to;
    }
    const bool few = fabs(value) < 1e9 && floor(value) >= value && (value != 0 || !signbit(value));
    if (few) { /* answers in microseconds are full of these */
        snprintf(number, sizeof number, "%d", (int)value);
    } else {
        snprintf(number, sizeof number, "%.15g", value);
        if (strtod(number, NULL) != value) {
            snprintf(number, sizeof number, "%.16g", value);
        }
        if (strtod(number, NULL) != value) {
            snprintf(number, sizeof number, "%.17g", value);
        }
    }
    set_point(number);
    snprintf(to, capacity, "%s", number);
    return to;
}

/* Bytes that a character with this first byte has; 0 for a byte that starts none. */
static size_t utf8_announced(unsigned first) {
    static const struct {
        unsigned mask, value;
    } start[] = {{0x80, 0x00}, {0xE0, 0xC0}, {0xF0, 0xE0}, {0xF8, 0xF0}};
    for (size_t i = 0; i < BE_COUNT(start); i++) {
        if ((first & start[i].mask) == start[i].value) {
            return first ? i + 1 : 0;
        }
    }
    return 0;
}

size_t be_utf8_length(const char *text) {
    static const unsigned min[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned code = (unsigned char)text[0];
    size_t length = utf8_announced(code);
    if (length <= 1) {
        return length;
    }
    code &= 0x7Fu >> length;
    for (size_t i = 1; i < length; i++) {
        unsigned next = (unsigned char)text[i];
        if ((next & 0xC0u) != 0x80u) {
            return 0;
        }
        code = code << 6 | (next & 0x3Fu);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < min[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

const char *be_format_duration(char *to, size_t capacity, double seconds) {
    double minutes = floor(round(seconds) / 60);
    if (!isfinite(seconds)) {
        snprintf(to, capacity, "not measured");
    } else if (seconds < 60) {
        be_format_seconds(to, capacity, seconds, "not measured");
    } else if (minutes < 60) {
        snprintf(to, capacity, "%.0f min %02.0f s", minutes, round(seconds) - 60 * minutes);
    } else {
        snprintf(to, capacity, "%.0f h %02.0f min", floor(minutes / 60), fmod(minutes, 60));
    }
    return to;
}
