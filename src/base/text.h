/*
 * A text that grows, and numbers as people read them. Knows nothing of what the text says.
 * The decimal point is always '.', whatever the locale.
 */
#ifndef BE_BASE_TEXT_H
#define BE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise. data is terminated, or NULL while nothing was added. Out of memory is
 * remembered in `failed`; what is added after that is dropped, so only the end needs a check. */
struct be_text {
    char *data;
    size_t length, capacity;
    bool failed;
};

void be_text_add(struct be_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void be_text_add_bytes(struct be_text *text, const char *bytes, size_t count);
/* Ends the line, without blanks before its end. */
void be_text_end_line(struct be_text *text);
/* A foreign text, as well-formed UTF-8: '?' for each byte that is not (a name cut short). */
void be_text_add_utf8(struct be_text *text, const char *from);
void be_text_free(struct be_text *text); /* leaves it empty and usable */

enum { BE_WORD = 32 }; /* room that suffices for every format below */

/* Each writes at most `room` bytes and returns `to`. `none` stands for a number that was not
 * measured (not finite): "not measured", "-". At most three significant digits:
 * "1.79 ms", "5.1e6" (below 1000: "999"), "3.6 GB", "4.25 TB/s", "1.07", "2,900" (a count: all
 * digits). */
const char *be_format_seconds(char *to, size_t capacity, double seconds, const char *none);
const char *be_format_size(char *to, size_t capacity, double elements, const char *none);
/* A size that was measured: as be_format_size, but up to five digits where those are it: "2048". */
const char *be_format_n(char *to, size_t capacity, double n);
const char *be_format_bytes(char *to, size_t capacity, double bytes, const char *none);
/* As one writes it after --mem=, where G is 2^30: "32G", "32001M". */
const char *be_format_asked(char *to, size_t capacity, double bytes);
const char *be_format_rate(char *to, size_t capacity, double rate, const char *none);
/* "55.3 TFLOP/s", "2.5 GHz" */
const char *be_format_flops(char *to, size_t capacity, double rate, const char *none);
const char *be_format_hertz(char *to, size_t capacity, double hertz, const char *none);
const char *be_format_ratio(char *to, size_t capacity, double ratio, const char *none);
const char *be_format_count(char *to, size_t capacity, double count, const char *none);

/* In so many significant digits: "5.1 J", "270 mJ", "1200 J"; "690 W". */
const char *be_format_joules(char *to, size_t capacity, double joules, int digits,
                             const char *none);
const char *be_format_watts(char *to, size_t capacity, double watts, int digits, const char *none);

/* The shortest decimal that reads back as exactly `value`. */
const char *be_format_exact(char *to, size_t capacity, double value, const char *none);

/* Bytes of the well-formed UTF-8 character at `text`; 0 when it is malformed or the end. */
size_t be_utf8_length(const char *text);

/* "12 min 04 s", "3.42 s", "2 h 05 min"; "not measured" */
const char *be_format_duration(char *to, size_t capacity, double seconds);

#endif
