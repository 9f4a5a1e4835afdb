#include "cli/compare/kernel.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

static enum be_status check_options(const struct be_cli_kernel *kernel,
                                    const struct be_compare_options *options,
                                    struct be_error *error) {
    if (!kernel->kernel) {
        return !kernel->cpu && !kernel->cpu_library && !kernel->check
                   ? BE_OK
                   : be_fail(error, BE_USAGE,
                             "--cpu, --cpu-library and --check belong to --kernel, which is "
                             "missing");
    }
    if (!kernel->cpu == !kernel->cpu_library) {
        return be_fail(
            error, BE_USAGE,
            "--kernel: the same computation for the CPU is needed, from one place: --cpu "
            "FILE.c, or --cpu-library FILE.so:FUNCTION");
    }
    if (kernel->check && strcmp(kernel->check, "none") != 0) {
        return be_fail(error, BE_USAGE,
                       "--check %.60s: there is none; without it every result is checked",
                       kernel->check);
    }
    if (options->owns > 0) {
        return be_fail(error, BE_USAGE, "--kernel and --expr: give one of the two");
    }
    return options->workloads < BE_LIST_MAX
               ? BE_OK
               : be_fail(error, BE_USAGE, "at most %d workloads", (int)BE_LIST_MAX);
}

enum be_status be_cli_kernel_open(struct be_cli_kernel *kernel, struct be_compare_options *options,
                                  struct be_error *error) {
    enum be_status status = check_options(kernel, options, error);
    if (status != BE_OK || !kernel->kernel) {
        return status;
    }
    status = be_code_file_open(kernel->kernel, &kernel->file, error);
    if (status == BE_OK) {
        status = kernel->cpu ? be_code_file_cpu(kernel->file, kernel->cpu, error)
                             : be_code_file_library(kernel->file, kernel->cpu_library, error);
    }
    if (status != BE_OK) {
        return status;
    }
    if (kernel->check) {
        be_code_file_unchecked(kernel->file);
    }
    kernel->list[0] = be_code_file_computation(kernel->file);
    options->own = kernel->list;
    options->owns = 1;
    if (options->workloads > 0) { /* where workloads are named, it is one of them */
        options->workload[options->workloads++] = kernel->list[0]->name;
    }
    return BE_OK;
}

void be_cli_kernel_close(struct be_cli_kernel *kernel) {
    be_code_file_close(kernel->file);
    kernel->file = NULL;
}
