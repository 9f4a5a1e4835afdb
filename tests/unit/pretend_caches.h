/*
 * Cores whose last caches hold 32 MB at most: what is to lie beyond those of a large server is gigabytes. The
 * linker is told to --wrap what this stands for (tests/CMakeLists.txt). One source of a program includes this.
 */
#ifndef TESTS_UNIT_PRETEND_CACHES_H
#define TESTS_UNIT_PRETEND_CACHES_H

#include "host/cores.h"

enum be_status __real_be_cores_find(struct be_cores *cores, struct be_error *error);
enum be_status __wrap_be_cores_find(struct be_cores *cores, struct be_error *error);

enum be_status __wrap_be_cores_find(struct be_cores *cores, struct be_error *error) {
    const enum be_status status = __real_be_cores_find(cores, error);
    if (cores->cache_bytes > 32e6) { /* not known stays so */
        cores->cache_bytes = 32e6;
    }
    return status;
}

#endif
