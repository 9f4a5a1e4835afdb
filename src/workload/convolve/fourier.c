/* A filter by Fourier transforms on the CPU: which parts of the image are whose, and what is done where one cannot be. */
#include "workload/convolve/fourier.h"

enum { LINE = 64 / sizeof(float) };

static size_t lines(size_t floats) {
    return (floats + LINE - 1) / LINE * LINE;
}

enum {
    STRIP = 2 * BE_FOURIER_ROWS * BE_FOURIER_WIDE,
    ONE = 2 * BE_FOURIER_ROWS * BE_FOURIER_LANES,
    CIRCLE = 2 * BE_FOURIER_ROWS
};

static size_t floats_of(const struct be_convolve_sizes *s) {
    return STRIP + ONE + CIRCLE + lines(2 * BE_FOURIER_ROWS * s->taps);
}

size_t be_convolve_fourier_scratch(const struct be_problem *problem, int members) {
    const struct be_convolve_sizes s = be_convolve_sizes_of(problem);
    return (size_t)members * floats_of(&s) * sizeof(float);
}

struct be_fourier_room be_fourier_room_of(float *memory) {
    return (struct be_fourier_room){.strip = memory,
                                    .one = memory + STRIP,
                                    .circle = memory + STRIP + ONE,
                                    .filter = memory + STRIP + ONE + CIRCLE};
}

static size_t over(size_t n, size_t each) {
    return (n + each - 1) / each;
}

void be_convolve_host_fourier(const struct be_work *work) {
    const struct be_convolve_sizes s = be_convolve_sizes_of(work->problem);
    const size_t rows = 2 * be_fourier_step(&s);
    const size_t across = over(s.width, BE_FOURIER_COLUMNS);
    float *memory = (float *)work->scratch + (size_t)work->member * floats_of(&s);
    struct be_fourier_room room = be_fourier_room_of(memory);
    struct be_convolve_part part = {.size = &s,
                                    .x = be_work_array(work, BE_CONVOLVE_X),
                                    .w = be_work_array(work, BE_CONVOLVE_W),
                                    .z = be_work_array(work, BE_CONVOLVE_Z)};
    size_t first;
    size_t count;
    be_work_rows(work, across * over(s.height, rows), 1, &first, &count);
    if (count > 0) {
        BE_SIMD_BEST(be_convolve_fourier_begin)(&part, &room);
    }
    for (size_t i = first; i < first + count; i++) {
        part.first = i / across * rows;
        part.rows = s.height - part.first < rows ? s.height - part.first : rows;
        part.left = i % across * BE_FOURIER_COLUMNS;
        part.columns =
            s.width - part.left < BE_FOURIER_COLUMNS ? s.width - part.left : BE_FOURIER_COLUMNS;
        if (!BE_SIMD_BEST(be_convolve_fourier)(&part, &room)) {
            BE_SIMD_BEST(be_convolve_tiles)(&part);
        }
    }
}
