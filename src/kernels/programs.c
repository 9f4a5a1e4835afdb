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

const struct be_program be_program_solve_cuda = {
    .name = "solve_cuda", .source = be_source_solve_cuda, .host = none};

const struct be_program be_program_solve_large = {
    .name = "solve_large", .source = be_source_solve_large, .host = none};

const struct be_program be_program_solve_tall = {
    .name = "solve_tall", .source = be_source_solve_tall, .host = none};

const struct be_program be_program_solve_turn = {
    .name = "solve_turn", .source = be_source_solve_turn, .host = none};

const struct be_program be_program_solve_butterfly = {
    .name = "solve_butterfly", .source = be_source_solve_butterfly, .host = none};

const struct be_program be_program_distance = {
    .name = "distance", .source = be_source_distance, .host = none};

const struct be_program be_program_stream = {
    .name = "stream", .source = be_source_stream, .host = none};

const struct be_program be_program_scan = {.name = "scan", .source = be_source_scan, .host = none};

const struct be_program be_program_mandelbrot = {
    .name = "mandelbrot", .source = be_source_mandelbrot, .host = none};

const struct be_program be_program_matmul = {
    .name = "matmul", .source = be_source_matmul, .host = none};

const struct be_program be_program_nbody = {
    .name = "nbody", .source = be_source_nbody, .host = none};

const struct be_program be_program_philox = {
    .name = "philox", .source = be_source_philox, .host = none};

const struct be_program be_program_radix = {
    .name = "radix", .source = be_source_radix, .host = none};

const struct be_program be_program_onesweep = {
    .name = "onesweep", .source = be_source_onesweep, .host = none};

const struct be_program be_program_gather_binned = {
    .name = "gather_binned", .source = be_source_gather_binned, .host = none};

const struct be_program be_program_stencil = {
    .name = "stencil", .source = be_source_stencil, .host = none};

const struct be_program be_program_spmv = {.name = "spmv", .source = be_source_spmv, .host = none};

const struct be_program be_program_fft = {.name = "fft", .source = be_source_fft, .host = none};

const struct be_program be_program_regress = {
    .name = "regress", .source = be_source_regress, .host = none};

const struct be_program be_program_regress_gram = {
    .name = "regress_gram", .source = be_source_regress_gram, .host = none};

const struct be_program be_program_regress_together = {
    .name = "regress_together", .source = be_source_regress_together, .host = none};
