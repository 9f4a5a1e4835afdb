/*
 * The one convention for functions that can fail: a function returns enum be_status and takes a struct be_error *
 * last. It does not know what failed.
 */
#ifndef BE_BASE_ERROR_H
#define BE_BASE_ERROR_H

#include <stddef.h>

#include "breakeven_error.h"

#define BE_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Writes the text and the status, returns the status. error may be NULL. */
enum be_status be_fail(struct be_error *error, enum be_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "format: " in front of the text already there; returns the status in error, so error must
 * not be NULL where the return value is used (BE_DRIVER is returned then). */
enum be_status be_context(struct be_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Copies text, cut to fit, always terminated. */
void be_copy_text(char *to, size_t capacity, const char *from);

/* Copies a compiler's log from its first error on, as one line, cut to fit. */
void be_first_error(const char *log, char *to, size_t capacity);

/* clang's analyzer does not look into error.c: the status comes back. */
#ifdef __clang_analyzer__
#define be_fail(error, status, ...) ((void)be_fail(error, status, __VA_ARGS__), status)
#endif

#endif
