/* Numbers that rounding alone may tell apart. After cmocka.h. */
#ifndef TESTS_UNIT_ASSERT_NEAR_H
#define TESTS_UNIT_ASSERT_NEAR_H

#include <math.h>

static inline void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected))) {
        fail_msg("%.17g instead of %.17g", value, expected);
    }
}

#endif
