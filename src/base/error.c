#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    [BE_OK] = "ok",           [BE_ABSENT] = "absent",   [BE_USAGE] = "usage",
    [BE_NOMEM] = "no memory", [BE_IO] = "input/output", [BE_DRIVER] = "driver",
    [BE_BUILD] = "build",     [BE_WRONG] = "wrong",     [BE_TIMEOUT] = "timeout",
    [BE_STOPPED] = "stopped",
};

const char *be_status_name(enum be_status status) {
    return (size_t)status < BE_COUNT(names) ? names[status] : "unknown";
}

#undef be_fail /* what stands for it where clang analyzes others */
enum be_status be_fail(struct be_error *error, enum be_status status, const char *format, ...) {
    if (error) {
        va_list list;
        va_start(list, format);
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, list);
        va_end(list);
    }
    return status;
}

enum be_status be_context(struct be_error *error, const char *format, ...) {
    if (!error) {
        return BE_DRIVER;
    }
    char cause[sizeof error->text];
    memcpy(cause, error->text, sizeof cause);
    va_list list;
    va_start(list, format);
    int used = vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
    size_t at = used > 0 ? (size_t)used : 0;
    if (at + 3 < sizeof error->text) {
        memcpy(error->text + at, ": ", 3);
        be_copy_text(error->text + at + 2, sizeof error->text - at - 2, cause);
    }
    return error->status;
}

void be_copy_text(char *to, size_t capacity, const char *from) {
    size_t length = strnlen(from, capacity - 1);
    memcpy(to, from, length);
    to[length] = '\0';
}

void be_first_error(const char *log, char *to, size_t capacity) {
    const char *start = strstr(log, "error");
    start = start ? start : log;
    while (start > log && start[-1] != '\n') {
        start--;
    }
    start += strspn(start, " \t\r\n");
    be_copy_text(to, capacity, start);
    for (char *at = to; *at; at++) {
        *at = *at == '\n' || *at == '\r' || *at == '\t' ? ' ' : *at;
    }
}
