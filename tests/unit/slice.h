/* Text as a part of a line. */
#ifndef TESTS_UNIT_SLICE_H
#define TESTS_UNIT_SLICE_H

#include <string.h>

#include "accounting/record.h"

static inline struct be_slice slice(const char *text) {
    return (struct be_slice){text, (uint32_t)strlen(text)};
}

#endif
