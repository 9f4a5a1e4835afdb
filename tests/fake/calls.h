/* Inside one fake library: its functions by number, their prototypes, and its account. */
#ifndef TESTS_FAKE_CALLS_H
#define TESTS_FAKE_CALLS_H

#include "dyn/nvidia/cuda_types.h"
#include "fake.h"
#ifdef FAKE_TYPES
#include FAKE_TYPES
#endif

/* FAKE_LIST is the list file of the library that is being compiled. */
#define FN(need, type, name, arguments) AT_##name,
enum {
#include FAKE_LIST
};
#undef FN

/* Only the vendor's own names leave the library. */
#pragma GCC visibility push(default)
#define FN(need, type, name, arguments) type name arguments;
#include FAKE_LIST
#undef FN
#pragma GCC visibility pop

extern struct be_fake fake;

/* Counts a call; what it has to return when it was told to fail, else 0. */
int fake_call(int at);

/* Notes the first misuse, returns `code`. */
int fake_misuse(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
