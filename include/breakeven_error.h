/*
 * Errors: the status that every function returns that can fail, the error beside it, and the
 * lengths of names and notes. The other public headers include it. C11, usable from C++.
 */
#ifndef BREAKEVEN_ERROR_H
#define BREAKEVEN_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

enum be_status {
    BE_OK,
    BE_ABSENT,  /* hardware, driver or library is not here: a result, not a failure */
    BE_USAGE,   /* the caller asked for something that makes no sense */
    BE_NOMEM,   /* host or device memory does not suffice */
    BE_IO,      /* a file or folder */
    BE_DRIVER,  /* a foreign library reported an error */
    BE_BUILD,   /* device code did not compile */
    BE_WRONG,   /* a result failed its check, or is faster than the hardware allows */
    BE_TIMEOUT, /* something took longer than it was given */
    BE_STOPPED  /* the caller asked to stop */
};

/* Owned by the caller; nothing in it is allocated. text is one line: operation, object, cause,
 * and what can be done. */
struct be_error {
    enum be_status status;
    char text[512];
};

const char *be_status_name(enum be_status status);

/* Bytes of a name and of a note, with the zero that ends them. */
enum { BE_NAME = 64, BE_NOTE = 320 };

#ifdef __cplusplus
}
#endif

#endif
