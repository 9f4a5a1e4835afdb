/*
 * The sizes and parameters that test_workloads.c runs every workload at, beside the presets. It knows nothing of how.
 */
#ifndef TESTS_CONTRACT_WORKLOAD_SIZES_H
#define TESTS_CONTRACT_WORKLOAD_SIZES_H

#include <stddef.h>
#include <stdint.h>

/* Sizes of the parameter that is swept, as far as the workload takes them. */
static const uint64_t sizes[] = {1, 2, 3, 31, 33, 127, 1009};

/* A CPU's OpenCL compiles each of these anew, for seconds: values that take the same way through the
 * code share out the types among them there. Orders of solve share them with test_solve.c: each is
 * compiled by one of the two programs. */
enum { ANY_TYPE, COMPILED_32, COMPILED_64 };

/* Other parameters than the presets, one at a time or with `also`, with the sizes above up to
 * most_size; or, of the parameter that is swept, one more size. Everything runs at the presets, or
 * what stands in `instead`, too. */
static const struct {
    const char *workload, *parameter;
    uint64_t value, max_size;
    int compiled;
    const char *also;
    uint64_t also_value;
} others[] = {
    {"solve", "order", 1, UINT64_MAX, COMPILED_32, NULL, 0},
    {"solve", "order", 2, UINT64_MAX, COMPILED_64, NULL, 0},
    {"solve", "order", 5, UINT64_MAX, COMPILED_32, NULL, 0},
    {"solve", "order", 3, UINT64_MAX, COMPILED_64, NULL, 0},
    {"solve", "order", 16, UINT64_MAX, COMPILED_32, NULL, 0},
    {"solve", "order", 31, 127, COMPILED_64, NULL, 0},
    {"solve", "order", 33, 127, COMPILED_32, NULL, 0},
    {"solve", "order", 61, 33, COMPILED_64, NULL, 0},
    {"solve", "order", 64, 33, COMPILED_32, NULL, 0},
    {"solve", "order", 65, 33, COMPILED_64, NULL, 0},
    {"solve", "order", 97, 33, COMPILED_32, NULL, 0},
    {"solve", "order", 128, 31, COMPILED_64, NULL, 0},
    {"solve", "order", 131, 3, COMPILED_64, NULL, 0},
    {"solve", "order", 130, 3, COMPILED_32, NULL, 0},
    {"solve", "order", 300, 3, COMPILED_32, NULL, 0},
    {"solve", "order", 777, 1, COMPILED_64, NULL, 0},
    {"eigen", "order", 1, UINT64_MAX, COMPILED_32, NULL, 0},
    {"eigen", "order", 2, UINT64_MAX, COMPILED_64, NULL, 0},
    {"eigen", "order", 3, UINT64_MAX, COMPILED_32, NULL, 0},
    {"eigen", "order", 6, UINT64_MAX, COMPILED_64, NULL, 0},
    {"eigen", "order", 7, 127, COMPILED_32, NULL, 0},
    {"eigen", "order", 13, 127, COMPILED_64, NULL, 0},
    {"eigen", "order", 33, 33, COMPILED_32, NULL, 0},
    {"eigen", "order", 64, 33, COMPILED_64, NULL, 0},
    {"eigen", "order", 100, 3, COMPILED_32, NULL, 0},
    {"eigen", "order", 128, 3, COMPILED_64, NULL, 0},
    {"eigen", "order", 1, 33, COMPILED_64, "what", 1},
    {"eigen", "order", 3, 127, COMPILED_32, "what", 1},
    {"eigen", "order", 33, 33, COMPILED_64, "what", 1},
    {"eigen", "order", 128, 3, COMPILED_32, "what", 1},
    {"eigen", "order", 1, 33, COMPILED_64, "what", 2},
    {"eigen", "order", 6, 127, COMPILED_32, "what", 2},
    {"eigen", "order", 128, 3, COMPILED_32, "what", 2},
    {"mandelbrot", "steps", 1, 127, ANY_TYPE, NULL, 0},
    {"mandelbrot", "steps", 37, 127, ANY_TYPE, NULL, 0},
    {"mandelbrot", "steps", 200, 127, ANY_TYPE, NULL, 0},
    {"mandelbrot", "window", 1, 127, ANY_TYPE, NULL, 0},
    {"mandelbrot", "window", 3, 127, ANY_TYPE, NULL, 0},
    {"matvec", "batch", 5, 127, ANY_TYPE, NULL, 0},
    {"matvec", "batch", 9, 127, ANY_TYPE, "steps", 3},
    {"matvec", "order", 64, 0, ANY_TYPE, "batch", 3},
    {"steps", "map", 1, 127, ANY_TYPE, NULL, 0},
    {"steps", "map", 2, 2000, ANY_TYPE, NULL, 0},
    {"steps", "steps", 1, 33, ANY_TYPE, "map", 1},
    {"steps", "steps", 500, 127, ANY_TYPE, "map", 2},
    {"stencil", "sweeps", 3, 127, ANY_TYPE, NULL, 0},
    {"stencil", "sweeps", 37, 127, ANY_TYPE, NULL, 0},
    {"stencil", "side", 2063, 0, ANY_TYPE, "sweeps", 16},
    {"stencil", "side", 32, 0, ANY_TYPE, NULL, 0},
    {"stencil", "side", 260, 0, ANY_TYPE, NULL, 0},
    {"stencil", "side", 1024, 0, ANY_TYPE, NULL, 0},
    {"spmv", "nonzeros", 1, 2000, ANY_TYPE, NULL, 0},
    {"spmv", "nonzeros", 7, 2000, ANY_TYPE, NULL, 0},
    {"spmv", "nonzeros", 300, 2000, ANY_TYPE, NULL, 0},
    {"spmv", "steps", 2, 127, ANY_TYPE, NULL, 0},
    {"spmv", "steps", 7, 2000, ANY_TYPE, "nonzeros", 5},
    {"spmv", "rows", 70001, 0, COMPILED_64, "steps", 3},
    {"spmv", "band", 1, 2000, ANY_TYPE, NULL, 0},
    {"spmv", "band", 40, 2000, ANY_TYPE, NULL, 0},
    {"spmv", "rows", 20000, 0, ANY_TYPE, NULL, 0},
    {"fft", "size", 4, 0, ANY_TYPE, NULL, 0},
    {"fft", "size", 8, 0, ANY_TYPE, NULL, 0},
    {"fft", "size", 16, 0, ANY_TYPE, NULL, 0},
    {"fft", "size", 512, 0, ANY_TYPE, NULL, 0},
    {"fft", "size", 2048, 0, ANY_TYPE, NULL, 0},
    {"fft", "size", 8192, 0, ANY_TYPE, NULL, 0},
    {"fft", "size", 16384, 0, ANY_TYPE, NULL, 0},
    {"fft", "size", 131072, 0, ANY_TYPE, NULL, 0},
    {"fft", "size", 1 << 21, 0, ANY_TYPE, NULL, 0},
    {"fft", "size", 1 << 22, 0, ANY_TYPE, NULL, 0}, /* alone two passes, by three members three */
    {"fft", "size", 3000, 0, ANY_TYPE, NULL, 0},
    {"fft", "kind", 1, 64, ANY_TYPE, NULL, 0},
    {"fft", "kind", 2, 33, ANY_TYPE, "rows", 5},
    {"fft", "kind", 3, 33, ANY_TYPE, "batch", 3},
    {"fft", "batch", 5, 64, ANY_TYPE, NULL, 0},
    {"trisolve", "rows", 20000, 0, ANY_TYPE, NULL, 0},
    {"cg", "rows", 66000, 0, COMPILED_32, "iterations", 1},
    {"convolve", "taps", 4, 33, ANY_TYPE, "filter", 1},
    {"convolve", "taps", 31, 33, ANY_TYPE, NULL, 0},
    {"convolve", "width", 77, 33, ANY_TYPE, "filter", 1},
    {"convolve", "width", 0, 33, ANY_TYPE, NULL, 0},
    {"histogram", "bins", 4095, 3, COMPILED_32, NULL, 0},
    {"histogram", "size", 70001, 0, ANY_TYPE, NULL, 0},
    {"neighbours", "dimension", 17, 33, COMPILED_64, NULL, 0},
    {"neighbours", "k", 32, 33, COMPILED_32, NULL, 0},
    {"neighbours", "k", 1, 127, COMPILED_32, "queries", 1},
    {"neighbours", "points", 5000, 0, COMPILED_64, NULL, 0},
    {"matmul", "order", 131, 0, ANY_TYPE, "m", 3},
    {"matmul", "order", 131, 0, ANY_TYPE, "n", 5},
    {"matmul", "order", 45, 0, ANY_TYPE, "k", 131},
    {"matmul", "order", 33, 0, ANY_TYPE, "batch", 7},
    {"matmul", "order", 131, 0, COMPILED_32, "batch", 2},
    {"matmul", "batch", 3, 1, ANY_TYPE, "k", 70},
    {"matmul", "k", 4099, 1, ANY_TYPE, "m", 2},
    {"distance", "dimension", 1, 127, ANY_TYPE, NULL, 0},
    {"distance", "dimension", 2, 127, ANY_TYPE, NULL, 0},
    {"distance", "dimension", 4, 127, ANY_TYPE, NULL, 0},
    {"distance", "dimension", 5, 127, ANY_TYPE, NULL, 0},
    {"distance", "dimension", 17, 127, ANY_TYPE, NULL, 0},
    {"distance", "dimension", 128, 127, ANY_TYPE, NULL, 0},
    {"distance", "consumer", 1, 2000, ANY_TYPE, NULL, 0},
    {"distance", "consumer", 2, 2000, ANY_TYPE, NULL, 0},
    {"distance", "bins", 1, 33, COMPILED_32, "consumer", 2},
    {"distance", "bins", 37, 127, ANY_TYPE, "consumer", 2},
    {"distance", "bins", 1024, 127, ANY_TYPE, "consumer", 2},
    {"distance", "dimension", 1, 127, ANY_TYPE, "consumer", 2},
    {"distance", "dimension", 17, 127, COMPILED_64, "consumer", 2},
    {"distance", "dimension", 128, 127, COMPILED_32, "consumer", 2},
    {"distance", "points", 4099, 0, ANY_TYPE, "consumer", 2},
    {"regress", "features", 1, 3, COMPILED_64, NULL, 0},
    {"regress", "features", 2, 33, ANY_TYPE, NULL, 0},
    {"regress", "features", 3, 3, COMPILED_32, NULL, 0},
    {"regress", "features", 4, 3, COMPILED_64, NULL, 0},
    {"regress", "features", 5, 33, ANY_TYPE, NULL, 0},
    {"regress", "features", 17, 3, COMPILED_32, NULL, 0},
    {"regress", "features", 64, 3, COMPILED_64, NULL, 0},
    {"regress", "features", 128, 33, ANY_TYPE, NULL, 0},
    {"regress", "steps", 1, 127, ANY_TYPE, NULL, 0},
    {"regress", "steps", 2, 127, ANY_TYPE, NULL, 0},
    {"regress", "steps", 100, 127, ANY_TYPE, NULL, 0},
    {"regress", "steps", 1000, 33, ANY_TYPE, NULL, 0},
    {"regress", "samples", 20011, 0, ANY_TYPE, NULL, 0},
};

/* Several parameters at once. */
static const struct {
    const char *workload;
    struct {
        const char *parameter;
        uint64_t value;
    } set[4]; /* ended by NULL, if fewer */
} forms[] = {
    {"fft", {{"size", 64}, {"rows", 16}, {"batch", 3}, {"kind", 3}}},
    {"fft", {{"size", 16}, {"rows", 64}, {"kind", 2}, {NULL, 0}}},
    {"fft", {{"size", 128}, {"batch", 37}, {"kind", 1}, {NULL, 0}}},
    {"fft", {{"size", 16384}, {"batch", 2}, {"kind", 1}, {NULL, 0}}},
};

/* More sizes where several groups share the work, or a team works in rounds. */
static const struct {
    const char *workload;
    uint64_t size;
} larger[] = {
    {"add", 70001},        {"chain", 70001},    {"reduce", 70001},   {"recurrence", 4097},
    {"recurrence", 70001}, {"gather", 70001},   {"generate", 70001}, {"sort", 70001},
    {"matmul", 523},       {"gather", 1100003},
};

/* Where the presets take too long; with SHORT nothing above `brief`: each step is a launch or two. */
static const struct {
    const char *workload, *parameter;
    uint64_t value, brief;
} instead[] = {
    {"regress", "steps", 30, 3}, {"mandelbrot", "steps", 50, 50},   {"steps", "steps", 50, 50},
    {"matvec", "steps", 5, 5},   {"neighbours", "queries", 61, 61}, {"convolve", "width", 61, 61},
    {"cg", "iterations", 2, 2},
};

#endif
