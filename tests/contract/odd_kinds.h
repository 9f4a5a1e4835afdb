/*
 * The workloads and sizes that test_odd_numbers.c gives spoilt inputs, and which of their results these touch. It knows
 * nothing of how.
 */
#ifndef TESTS_CONTRACT_ODD_KINDS_H
#define TESTS_CONTRACT_ODD_KINDS_H

#include <stddef.h>
#include <stdint.h>

#include "workload/distance/distance.h"

/* The results that an infinity touches: the same as in plain C, only that they are not finite, or
 * nothing. */
enum { EXACTLY, NOT_FINITE, UNSAID };

static const struct kind {
    const char *workload;
    uint64_t size;
    const char *also; /* a parameter that is not at its preset */
    uint64_t value;
    int first, last; /* inputs that are spoilt */
    int infinity;
    int scaled; /* where tiny numbers in this input make results as tiny; -1: nowhere */
} kinds[] = {
    {"multiply", 33, NULL, 0, 0, 1, EXACTLY, 0},
    {"multiply", 5003, NULL, 0, 0, 1, EXACTLY, 1},
    {"power", 33, NULL, 0, 0, 1, EXACTLY, -1},
    {"power", 5003, NULL, 0, 0, 1, EXACTLY, -1},
    {"add", 33, NULL, 0, 0, 0, EXACTLY, -1},
    {"add", 5003, NULL, 0, 0, 0, EXACTLY, -1},
    {"chain", 31, NULL, 0, 0, 2, EXACTLY, -1},
    {"chain", 70001, NULL, 0, 0, 2, EXACTLY, -1},
    {"recurrence", 33, NULL, 0, 1, 2, EXACTLY, 1},
    {"recurrence", 5003, NULL, 0, 1, 2, EXACTLY, 2},
    {"recurrence", 70001, NULL, 0, 1, 2, EXACTLY, -1},
    {"distance", 33, NULL, 0, 0, 0, NOT_FINITE, -1},
    {"distance", 130, "dimension", 17, 0, 0, NOT_FINITE, -1},
    {"distance", 130, "consumer", BE_DISTANCE_ROW_MIN, 0, 0, EXACTLY, -1},
    {"distance", 1031, "consumer", BE_DISTANCE_ROW_MIN, 0, 0, EXACTLY, -1},
    {"distance", 130, "consumer", BE_DISTANCE_HISTOGRAM, 0, 0, EXACTLY, -1},
    {"regress", 33, "steps", 3, 0, 1, NOT_FINITE, 1},
    {"regress", 1009, "steps", 3, 0, 1, NOT_FINITE, 1},
    {"matmul", 33, NULL, 0, 0, 1, NOT_FINITE, 0},
    {"matmul", 131, NULL, 0, 0, 1, NOT_FINITE, 1},
    {"stencil", 33, NULL, 0, 0, 0, EXACTLY, 0},
    {"stencil", 64, NULL, 0, 0, 0, EXACTLY, 0},
    {"spmv", 127, NULL, 0, 2, 3, EXACTLY, 3},
    {"spmv", 1009, "nonzeros", 7, 2, 3, EXACTLY, 2},
    {"fft", 2, NULL, 0, 0, 0, NOT_FINITE, 0},
    {"fft", 33, NULL, 0, 0, 0, NOT_FINITE, 0},
    {"fft", 2048, NULL, 0, 0, 0, NOT_FINITE, 0},
    {"reduce", 33, NULL, 0, 0, 0, EXACTLY, 0},
    {"reduce", 70001, NULL, 0, 0, 0, EXACTLY, 0},
    {"gather", 33, NULL, 0, 0, 0, EXACTLY, 0},
    {"gather", 70001, NULL, 0, 0, 0, EXACTLY, 0},
    {"nbody", 33, NULL, 0, 0, 0, UNSAID, -1},
    {"nbody", 1031, NULL, 0, 0, 0, UNSAID, -1},
};

#endif
