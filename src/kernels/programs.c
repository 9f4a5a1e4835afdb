/* The device programs: a source for the devices' compilers, and the same as host C. */
#include <stddef.h>

#include "kernel_sources.h"
#include "kernels/kernels.h"

const struct be_program be_program_elementwise = {
    .name = "elementwise", .source = be_source_elementwise, .host = be_elementwise_host};

const struct be_program be_program_ceilings = {
    .name = "ceilings", .source = be_source_ceilings, .host = be_ceilings_host};

const struct be_program be_program_probe = {
    .name = "probe", .source = be_source_probe, .host = be_probe_host};

const struct be_program be_program_probe64 = {
    .name = "probe64", .source = be_source_probe64, .host = be_probe64_host};

static const struct be_host_kernel none[] = {{NULL, NULL}};

const struct be_program be_program_probe_float16 = {
    .name = "probe_float16", .source = be_source_probe_float16, .host = none};

const struct be_program be_program_probe_bfloat16 = {
    .name = "probe_bfloat16", .source = be_source_probe_bfloat16, .host = none};

const struct be_program be_program_solve_small = {
    .name = "solve_small", .source = be_source_solve_small, .host = none};

const struct be_program be_program_solve_large = {
    .name = "solve_large", .source = be_source_solve_large, .host = none};
