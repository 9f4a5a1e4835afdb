/*
 * A kernel in a file of a user's becomes a computation of arrays (breakeven_workload.h). Lines of the file that have
 * "breakeven:" in a comment describe it; docs/own-code.md has them:
 *
 *     // breakeven: kernel saxpy
 *     // breakeven: size n = 1e3..1e7
 *     // breakeven: read float x[n]
 *     // breakeven: update float y[n]
 *     // breakeven: value int n
 *     // breakeven: value float a = 2.5
 *
 * Lines with read, write, update and value are the kernel's arguments, in their order. It does not know how computations
 * are compared.
 */
#ifndef BE_EXPR_CODE_FILE_H
#define BE_EXPR_CODE_FILE_H

#include "breakeven_workload.h"

struct be_code_file;

/* BE_USAGE: its name ends neither in .cl nor in .cu, or a line is no description; error says which line and why.
 * BE_IO: it cannot be read. The CPU's code is still missing. */
enum be_status be_code_file_open(const char *path, struct be_code_file **opened,
                                 struct be_error *error);
/* The same of a text in memory, as if it stood in a file of this name; it is copied. */
enum be_status be_code_file_text(const char *name, const char *text, size_t length,
                                 struct be_code_file **opened, struct be_error *error);
void be_code_file_close(struct be_code_file *file); /* accepts NULL */

/* The CPU's code: a file in C with the function that `cpu` of the description names, compiled here. */
enum be_status be_code_file_cpu(struct be_code_file *file, const char *path,
                                struct be_error *error);
/* "FILE.so:function". */
enum be_status be_code_file_library(struct be_code_file *file, const char *text,
                                    struct be_error *error);
/* Results are held against nothing. */
void be_code_file_unchecked(struct be_code_file *file);

/* Lasts as long as the file. BE_USAGE of be_own_open without CPU code. */
const struct be_computation *be_code_file_computation(const struct be_code_file *file);

#endif
