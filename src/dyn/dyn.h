/*
 * The only dlopen of the project: it opens foreign libraries. A foreign library is a list file with a line
 *     FN(must|may, type, name, (arguments))
 * per function. The list is included as struct members (the table), as the symbol list that the loader fills, as
 * a fake library in the tests, and as a check against the vendor's own header.
 *
 * It does not know what the functions do.
 */
#ifndef BE_DYN_DYN_H
#define BE_DYN_DYN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "breakeven_error.h"

enum be_need { BE_NEED_must, BE_NEED_may };

struct be_symbol {
    const char *name;
    size_t offset; /* of the function pointer in the table */
    enum be_need need;
};

struct be_library {
    const char *what;          /* for messages: "CUDA driver" */
    const char *const *file;   /* names to try, newest first, NULL-terminated */
    const char *const *folder; /* after the loader's own search; "$NAME" at the front is taken from
                                  the environment, '*' stands for any
                                  letters; NULL-terminated; may be NULL */
    const struct be_symbol *symbol;
    size_t symbols;
};

/* Fills the function pointers of `table`; *handle is for be_dyn_close. BE_ABSENT: the library is
 * not here, or it lacks a function that must be there (the text says which). */
enum be_status be_dyn_open(const struct be_library *library, void *table, void **handle,
                           struct be_error *error);
/* The same for a moment: be_dyn_close takes it out of memory again, which drivers do not stand. */
enum be_status be_dyn_look(const struct be_library *library, void *table, void **handle,
                           struct be_error *error);
void be_dyn_close(void *handle); /* accepts NULL */

#endif
