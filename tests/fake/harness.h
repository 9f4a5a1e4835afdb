/*
 * The parts that the fake-driver tests share: the fake libraries as the program's loader finds them
 * (and nothing else: no real driver, no OpenCL), and what must hold when a job is over.
 */
#ifndef TESTS_FAKE_HARNESS_H
#define TESTS_FAKE_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "breakeven.h"
#include "fake.h"

enum fake_library {
    FAKE_CUDA,
    FAKE_NVRTC,
    FAKE_NVML,
    FAKE_ROCM,
    FAKE_SYSMAN,
    FAKE_NCCL,
    FAKE_DCGM,
    FAKE_CUBLAS,
    FAKE_CUSOLVER,
    FAKE_CUFFT,
    FAKE_CUSPARSE,
    FAKE_CUDNN,
    FAKE_LIBRARIES
};

extern struct be_fake *fakes[FAKE_LIBRARIES];
extern bool fake_absent[FAKE_LIBRARIES]; /* dlopen does not find it */
extern const char *fake_lacks[8];        /* dlsym does not find these; NULL: nothing */

void fake_open_all(void); /* once, before anything else */

/* All libraries here and whole, nothing told to fail, counts from zero. */
void fake_reset(void);

/* Calls `from`..`to` of a function return `code`. */
void fake_fail(const char *function, long from, long to, int code);

long fake_calls(const char *function);
long fake_failed(const char *function); /* calls that were made to */

/* Says what was not given back or was done wrong; empty: nothing. */
const char *fake_untidy(void);

/* One line a problem, all of them, then the test fails in fake_settle. */
void fake_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fake_settle(void);

/* A function's name as messages have it: without its version. */
const char *fake_plain_name(const char *function);

/* Which of a function's calls are made to fail: every one of a few, else the first, second, middle
 * and last. Returns how many. */
enum { FAKE_CHOSEN = 6 };
int fake_choose(long calls, long chosen[FAKE_CHOSEN]);

#endif
