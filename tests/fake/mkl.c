/* An oneMKL of a few functions, as pip installs it into a virtual environment. It computes nothing, and takes its time
 * where FAKE_MKL_SLOW is set. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SHOWN __attribute__((visibility("default")))

SHOWN void mkl_get_version_string(char *text, int capacity);
SHOWN void mkl_get_version_string(char *text, int capacity) {
    static const char version[] = "Intel(R) oneAPI Math Kernel Library Version 2026.2-Product "
                                  "Build 20260915 for Intel(R) 64 architecture applications   ";
    strncpy(text, version, (size_t)capacity - 1);
}

SHOWN void MKL_Set_Num_Threads(int threads);
SHOWN void MKL_Set_Num_Threads(int threads) {
    (void)threads;
}

static void work(void) {
    const struct timespec slowly = {.tv_nsec = 20 * 1000 * 1000};
    if (getenv("FAKE_MKL_SLOW")) {
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
