/* A library that a program loads itself, with a BLAS of its own beside it, as Python loads NumPy's. */
#include "fake_blas.h"

int plugin_copy(void);
void (*plugin_function(void))(void);

/* The number of the BLAS that answers. */
int plugin_copy(void) {
    const int32_t n = 2;
    const double one = 1, zero = 0, a[4] = {1, 0, 0, 1};
    double c[4];
    dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n, 1, 1);
    return fake_notes.copy;
}

/* Its address, which another library calls: SciPy hands out such. */
void (*plugin_function(void))(void) {
    return (void (*)(void))dgemm_;
}
