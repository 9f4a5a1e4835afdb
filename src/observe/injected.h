/*
 * The libraries of ours that are loaded into other programs: where they lie. It does not know what they do (inject/).
 */
#ifndef BE_OBSERVE_INJECTED_H
#define BE_OBSERVE_INJECTED_H

#include "breakeven.h"

/* Absolute path of that file: beside this program, or where it is installed. BE_ABSENT: it is not there; `without`
 * says what cannot be done then ("GPU programs cannot be traced"). */
enum be_status be_injected_find(const char *file, const char *without, char *path, size_t capacity,
                                struct be_error *error);

#endif
