/*
 * A program whose calls are recorded. Each way to call is one word on the command line; the exit code is 0 if all is as
 * it is without a recorder.
 */
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_blas.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "victim: line %d: %s\n", __LINE__, #condition);                        \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

enum { M = 30, N = 20, K = 10 };
static double a[M * K], b[K * N], c[M * N];
static const char *self;

static void product(double beta) {
    const int32_t m = M, n = N, k = K;
    const double alpha = 1;
    dgemm_("N", "N", &m, &n, &k, &alpha, a, &m, b, &k, &beta, c, &m, 1, 1);
}

static int all_arguments(void) {
    const int32_t m = M, n = N, k = K, lda = M, ldb = K, ldc = M;
    const double alpha = 3, beta = 0;
    a[0] = b[0] = 2;
    errno = 77;
    dgemm_("N", "n", &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc, 5, 6);
    const void *expected[] = {"N", "n", &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc};
    for (int i = 2; i < 13; i++) {
        MUST(fake_notes.argument[i] == expected[i]);
    }
    MUST(errno == 77 && fake_notes.length[0] == 5 && fake_notes.length[1] == 6 && c[0] == 12);
    scipy_cblas_dgemm64_(102, 111, 111, 2, 2, 2, 0.5, a, 2, b, 2, 0.25, c, 2);
    MUST(fake_notes.number[0] == 0.5 && fake_notes.number[1] == 0.25);
    MUST(fake_notes.order == 102111111);
    float x[4] = {1, 2, 3, 4};
    cblas_sgemm(102, 111, 111, 2, 2, 2, 1.5f, x, 2, x, 2, 2.5f, x, 2);
    MUST(fake_notes.number[0] == 1.5 && fake_notes.number[1] == 2.5 && x[0] == 6);
    return 0;
}

/* The first operand comes back; the second changes; the result of one call is an operand of the next. The calls are so
 * long that each is looked at. */
static int operands(void) {
    enum { ROWS = 200, COLUMNS = 150, INNER = 100 };
    static double left[ROWS * INNER], right[INNER * COLUMNS], result[ROWS * COLUMNS],
        other[COLUMNS * ROWS], last[ROWS * ROWS];
    const int32_t m = ROWS, n = COLUMNS, k = INNER;
    const double alpha = 1, beta = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < INNER * COLUMNS; j++) {
            right[j] = i + j;
        }
        dgemm_("N", "N", &m, &n, &k, &alpha, left, &m, right, &k, &beta, result, &m, 1, 1);
    }
    dgemm_("N", "N", &m, &m, &n, &alpha, result, &m, other, &n, &beta, last, &m, 1, 1);
    return 0;
}

static int nested(void) {
    const int32_t m = M, n = N;
    const double alpha = 1;
    static double square[M * M], right[M * N];
    dtrsm_("L", "U", "N", "N", &m, &n, &alpha, square, &m, right, &m, 1, 1, 1, 1);
    return fake_notes.calls != 1;
}

/* Calls that are left by longjmp do not end; the next is an outer one all the same. */
static int jumped(void) {
    jmp_buf here;
    fake_leave = &here;
    if (setjmp(here) == 0) {
        product(0);
    }
    fake_leave = NULL;
    product(0);
    product(0);
    return fake_notes.calls != 3;
}

static int batch(void) {
    static double out[10 * 4], in[10 * 4];
    for (int i = 0; i < 10; i++) {
        scipy_cblas_dgemm64_(102, 111, 111, 2, 2, 2, 1, in + 4 * i, 2, in + 4 * i, 2, 0,
                             out + 4 * i, 2);
    }
    return 0;
}

static int many_shapes(void) {
    static double wide[400 * 400], result[400 * 400];
    const double alpha = 1, beta = 0;
    for (int32_t n = 1; n <= 300; n++) {
        const int32_t one = 1;
        dgemm_("N", "N", &n, &one, &one, &alpha, wide, &n, wide, &one, &beta, result, &n, 1, 1);
    }
    return 0;
}

/* Flags of floating-point arithmetic are the program's. */
static int flags(void) {
    feclearexcept(FE_ALL_EXCEPT);
    const int32_t zero = 0, one = 1;
    const double number = 1;
    dgemm_("N", "N", &zero, &zero, &zero, &number, a, &one, b, &one, &number, c, &one, 1, 1);
    return fetestexcept(FE_ALL_EXCEPT);
}

static void *calls_of_thread(void *nothing) {
    const int32_t n = 4;
    const double alpha = 1, beta = 0;
    double x[16] = {0}, y[16];
    for (int i = 0; i < 1000; i++) {
        dgemm_("N", "N", &n, &n, &n, &alpha, x, &n, x, &n, &beta, y, &n, 1, 1);
    }
    return nothing;
}

/* More threads, one after the other, than there are slots. */
static int threads(void) {
    for (int i = 0; i < 150; i++) {
        pthread_t thread[4];
        for (int j = 0; j < 4; j++) {
            MUST(pthread_create(&thread[j], NULL, calls_of_thread, NULL) == 0);
        }
        for (int j = 0; j < 4; j++) {
            MUST(pthread_join(thread[j], NULL) == 0);
        }
    }
    return 0;
}

/* Children that end at once are more than there are slots, too. */
static int forks(void) {
    product(0);
    for (int i = 0; i < 600; i++) {
        int status = 0;
        pid_t pid = fork();
        if (pid == 0) {
            product(0);
            _exit(3);
        }
        MUST(pid > 0 && waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 3);
    }
    product(0);
    return 0;
}

static int executes(void) {
    product(0);
    execl(self, self, "batch", (char *)NULL);
    return 1;
}

static int killed(void) {
    product(0);
    kill(getpid(), SIGKILL);
    return 1;
}

static int transforms(void) {
    static double in[4096], out[8192];
    const int n[] = {8, 16};
    void *plan = fftw_plan_dft_1d(1024, in, out, -1, 64);
    for (int i = 0; i < 5; i++) {
        fftw_execute(plan);
    }
    MUST(out[0] == 1024);
    plan = fftw_plan_many_dft_r2c(2, n, 3, in, NULL, 1, 5, out, NULL, 1, 144, 64);
    fftw_execute(plan);
    MUST(out[0] == 2 * 8 * 16 * 3 + 5);
    struct fake_plan unknown = {7, in, out};
    fftw_execute(&unknown);
    MUST(out[0] == 7 && !fftw_plan_dft_1d(1, in, out, 0, 0));
    return 0;
}

static const struct {
    const char *name;
    int (*run)(void);
} way[] = {
    {"all_arguments", all_arguments},
    {"operands", operands},
    {"nested", nested},
    {"jumped", jumped},
    {"batch", batch},
    {"many_shapes", many_shapes},
    {"flags", flags},
    {"transforms", transforms},
    {"threads", threads},
    {"forks", forks},
    {"executes", executes},
    {"killed", killed},
};

int main(int argc, char **argv) {
    self = argv[0];
    for (size_t i = 0; argc == 2 && i < sizeof way / sizeof way[0]; i++) {
        if (strcmp(way[i].name, argv[1]) == 0) {
            return way[i].run();
        }
    }
    return 99;
}
