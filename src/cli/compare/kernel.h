/*
 * A kernel file of the command line and the CPU's code beside it as a computation to compare (expr/code_file.h).
 */
#ifndef BE_CLI_COMPARE_KERNEL_H
#define BE_CLI_COMPARE_KERNEL_H

#include "expr/code_file.h"

/* Zero-initialise; the texts are those of options, NULL where one was not given. */
struct be_cli_kernel {
    const char *kernel, *cpu, *cpu_library, *check;
    struct be_code_file *file;
    const struct be_computation *list[1];
};

/* Once all options are read: hands it to `options`, if there is one. BE_USAGE: an option without the others that it
 * needs; what be_code_file_open and the compiler say. */
enum be_status be_cli_kernel_open(struct be_cli_kernel *kernel, struct be_compare_options *options,
                                  struct be_error *error);
void be_cli_kernel_close(struct be_cli_kernel *kernel);

#endif
