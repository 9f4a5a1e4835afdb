/* Outputs of two programs, word by word. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/programs.h"

static const char blanks[] = " \t\r";

struct reader {
    const char *at;
    int line;
};

/* The next word; an end of line is a word of its own, of length 0, and so is the end. */
static size_t next_word(struct reader *reader) {
    reader->at += strspn(reader->at, blanks);
    return strcspn(reader->at, " \t\r\n");
}

/* Blank lines at the end do not count. */
static bool is_at_end(const struct reader *reader) {
    return reader->at[strspn(reader->at, " \t\r\n")] == '\0';
}

static int line_of_next(const struct reader *reader) {
    int line = reader->line;
    for (const char *at = reader->at; *at && strchr(" \t\r\n", *at); at++) {
        line += *at == '\n';
    }
    return line;
}

/* A number that fills the whole word, up to a comma or a bracket behind it. */
static bool read_number(const char *word, size_t length, double *number, size_t *used) {
    char *end = NULL;
    *number = strtod(word, &end);
    *used = (size_t)(end - word);
    return *used > 0 && *used <= length;
}

/* Not finite numbers agree if they are the same. */
static bool are_close(double a, double b, double tolerance) {
    if (!isfinite(a) || !isfinite(b)) {
        return (isnan(a) && isnan(b)) || a == b;
    }
    return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

static void say_numbers(int line, double a, double b, char *why, size_t capacity) {
    double off = fabs(a - b) / fmax(fabs(a), fabs(b));
    if (isfinite(off)) {
        snprintf(why, capacity, "line %d: %.9g and %.9g differ by %.2g of the larger", line, a, b,
                 off);
    } else {
        snprintf(why, capacity, "line %d: %g and %g", line, a, b);
    }
}

/* Words alternate between numbers and other text, as "(1.5,2e3)": part by part. */
static bool words_agree(const char *a, size_t a_length, const char *b, size_t b_length,
                        double tolerance, int line, char *why, size_t capacity) {
    const char *a_word = a, *b_word = b;
    const size_t a_whole = a_length, b_whole = b_length;
    while (a_length > 0 && b_length > 0) {
        double x = 0, y = 0;
        size_t x_used = 0, y_used = 0;
        if (read_number(a, a_length, &x, &x_used) && read_number(b, b_length, &y, &y_used)) {
            if (!are_close(x, y, tolerance)) {
                say_numbers(line, x, y, why, capacity);
                return false;
            }
        } else if (*a == *b) {
            x_used = y_used = 1;
        } else {
            break;
        }
        a += x_used;
        a_length -= x_used;
        b += y_used;
        b_length -= y_used;
    }
    if (a_length || b_length) {
        snprintf(why, capacity, "line %d: \"%.*s\" and \"%.*s\"", line,
                 (int)(a_whole < 40 ? a_whole : 40), a_word, (int)(b_whole < 40 ? b_whole : 40),
                 b_word);
    }
    return !a_length && !b_length;
}

bool be_outputs_agree(const char *one, const char *other, double tolerance, char *why,
                      size_t capacity) {
    struct reader a = {one, 1}, b = {other, 1};
    while (!is_at_end(&a) && !is_at_end(&b)) {
        size_t a_length = next_word(&a), b_length = next_word(&b);
        if (a_length == 0 || b_length == 0) { /* ends of lines */
            if (a_length != b_length) {
                snprintf(why, capacity, "line %d: one has more words", a.line);
                return false;
            }
            a.at++;
            b.at++;
            a.line++;
            continue;
        }
        if (!words_agree(a.at, a_length, b.at, b_length, tolerance, a.line, why, capacity)) {
            return false;
        }
        a.at += a_length;
        b.at += b_length;
    }
    if (!is_at_end(&a) || !is_at_end(&b)) {
        bool first = is_at_end(&b);
        snprintf(why, capacity, "line %d: the %s goes on, the other ends",
                 line_of_next(first ? &a : &b), first ? "first" : "second");
        return false;
    }
    return true;
}
