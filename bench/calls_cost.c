/*
 * The time of a small matrix product by its name, as a program calls it, and by its address in the library, past
 * whatever was loaded before it: in turn, in blocks, on one core. Prints nanoseconds of a call each way, a line a pair.
 * usage: calls_cost LIBRARY ORDER PAIRS
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void product(const char *, const char *, const int32_t *, const int32_t *, const int32_t *,
                     const double *, const double *, const int32_t *, const double *,
                     const int32_t *, const double *, double *, const int32_t *, size_t, size_t);
product dgemm_;

static double block(product *function, int32_t n, const double *a, const double *b, double *c) {
    const double one = 1, zero = 0;
    struct timespec begin, end;
    const int calls = 40000000 / (n * n * n) + 1;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (int i = 0; i < calls; i++) {
        function("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    return (1e9 * (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec)) /
           calls;
}

int main(int argc, char **argv) {
    void *library = argc == 4 ? dlopen(argv[1], RTLD_NOW) : NULL;
    void *address = library ? dlsym(library, "dgemm_") : NULL;
    product *direct = NULL;
    memcpy(&direct, &address, sizeof direct);
    const int32_t n = direct ? (int32_t)strtol(argv[2], NULL, 10) : 0;
    double *numbers = n > 0 ? calloc((size_t)n * (size_t)n * 3, sizeof *numbers) : NULL;
    if (!numbers) {
        fprintf(stderr, "usage: calls_cost LIBRARY ORDER PAIRS\n");
        return 2;
    }
    double *b = numbers + n * n, *c = b + n * n;
    for (int i = 0; i < 2 * n * n; i++) {
        numbers[i] = i % 7;
    }
    block(direct, n, numbers, b, c);
    block(dgemm_, n, numbers, b, c);
    for (int i = 0; i < atoi(argv[3]); i++) {
        double first = block(i % 2 ? dgemm_ : direct, n, numbers, b, c);
        double second = block(i % 2 ? direct : dgemm_, n, numbers, b, c);
        printf("%.3f %.3f\n", i % 2 ? second : first, i % 2 ? first : second);
    }
    free(numbers);
    return 0;
}
