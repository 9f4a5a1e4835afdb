/* An OpenBLAS that takes the code FAKE_OPENBLAS_OWN by itself, OPENBLAS_CORETYPE where it is set, and is slow with
 * the one that FAKE_OPENBLAS_SLOW names. It computes nothing. Like a real one it asks as it is loaded. With WHEEL its
 * functions are called as in a wheel of NumPy. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(WHEEL)
#define openblas_get_corename scipy_openblas_get_corename64_
#define openblas_get_config scipy_openblas_get_config64_
#define openblas_set_num_threads scipy_openblas_set_num_threads64_
#define dgemm_ scipy_dgemm_64_
#define sgemm_ scipy_sgemm_64_
#endif

#define SHOWN __attribute__((visibility("default")))

static char code[64];

__attribute__((constructor)) static void choose(void) {
    const char *own = getenv("FAKE_OPENBLAS_OWN"), *asked = getenv("OPENBLAS_CORETYPE");
    strncpy(code, asked ? asked : own ? own : "", sizeof code - 1);
}

SHOWN char *openblas_get_corename(void);
SHOWN char *openblas_get_corename(void) {
    return code;
}

SHOWN char *openblas_get_config(void);
SHOWN char *openblas_get_config(void) {
    static char config[] = "OpenBLAS 1.2.3 DYNAMIC_ARCH Prescott";
    return config;
}

SHOWN void openblas_set_num_threads(int threads);
SHOWN void openblas_set_num_threads(int threads) {
    (void)threads;
}

static void work(void) {
    const struct timespec slowly = {.tv_nsec = 20 * 1000 * 1000};
    const char *slow = getenv("FAKE_OPENBLAS_SLOW");
    if (slow && strcmp(slow, code) == 0) {
        nanosleep(&slowly, NULL);
    }
}

SHOWN void dgemm_(void);
SHOWN void dgemm_(void) {
    work();
}

SHOWN void sgemm_(void);
SHOWN void sgemm_(void) {
    work();
}
