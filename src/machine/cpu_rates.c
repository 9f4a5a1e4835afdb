#include "machine/cpu_rates.h"

#if defined(__x86_64__)
const struct be_cpu_rates *be_cpu_rates(void) {
    return __builtin_cpu_supports("x86-64-v4")   ? &be_cpu_rates_v4
           : __builtin_cpu_supports("x86-64-v3") ? &be_cpu_rates_v3
                                                 : &be_cpu_rates_plain;
}
#else
const struct be_cpu_rates *be_cpu_rates(void) {
    return &be_cpu_rates_plain;
}
#endif
