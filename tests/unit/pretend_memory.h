/*
 * So much memory as is free on the host, by the test's own word. The linker is told to --wrap what it stands
 * for (tests/CMakeLists.txt). One source of a program includes this.
 */
#ifndef TESTS_UNIT_PRETEND_MEMORY_H
#define TESTS_UNIT_PRETEND_MEMORY_H

#include "host/cores.h"

static double pretend_memory_bytes;

double __wrap_be_memory_available(void);

double __wrap_be_memory_available(void) {
    return pretend_memory_bytes;
}

#endif
