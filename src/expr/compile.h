/*
 * C that was made up while the program runs, compiled by the system's compiler ($CC, else cc) and loaded at once. No file
 * of it stays. It does not know what the code does.
 */
#ifndef BE_EXPR_COMPILE_H
#define BE_EXPR_COMPILE_H

#include "base/text.h"
#include "dyn/dyn.h"

/* Fills `table` with the functions that `as` lists (but for its files). vector_math: functions of the C library may be its
 * vector functions, which are off by some units in the last place. BE_ABSENT: there is no compiler. BE_IO: it failed,
 * with its words. */
enum be_status be_compile(const struct be_text *code, bool vector_math, const struct be_library *as,
                          void *table, void **handle, struct be_error *error);

#endif
