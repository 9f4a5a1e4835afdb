/* Samples, features and steps, and how far a step goes. */
#include "workload/regress/regress.h"

/* 0.1 is what is published, and converges where no eigenvalue of X'X / n exceeds 10; with about as
 * many samples as features or more none exceeds 3. With fewer none exceeds k, the most that a row's
 * square can be. */
static double rate_of(size_t n, size_t k) {
    return n < k && k > 10 ? 1 / (double)k : 0.1;
}

struct be_regress_size be_regress_size(const struct be_problem *problem) {
    const size_t n = (size_t)problem->value[BE_REGRESS_SAMPLES];
    const size_t k = (size_t)problem->value[BE_REGRESS_FEATURES];
    return (struct be_regress_size){.n = n,
                                    .k = k,
                                    .steps = (size_t)problem->value[BE_REGRESS_STEPS],
                                    .factor = 2 * rate_of(n, k) / (double)n};
}
