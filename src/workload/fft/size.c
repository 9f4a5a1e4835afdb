/* Numbers that follow from the parameters of Fourier transforms. */
#include "workload/fft/fft.h"
#include "workload/fft/steps.h"

struct be_fft_size be_fft_size(const struct be_problem *problem) {
    const uint64_t kind = problem->value[BE_FFT_KIND];
    const uint64_t rows = problem->value[BE_FFT_ROWS];
    struct be_fft_size size = {
        .real = kind == BE_FFT_REAL || kind == BE_FFT_REAL_IMAGE,
        .image = kind == BE_FFT_IMAGE || kind == BE_FFT_REAL_IMAGE,
        .columns = (size_t)problem->value[BE_FFT_SIZE],
        .rows = 1,
        .batch = (size_t)problem->value[BE_FFT_BATCH],
    };
    if (size.image) {
        size.rows = rows > 0 ? (size_t)rows : size.columns;
    }
    size.width = size.real ? size.columns / 2 + 1 : size.columns;
    size.lines = size.rows * size.batch;
    return size;
}

size_t be_fft_input_floats(const struct be_fft_size *size) {
    return size->lines * size->columns * (size->real ? 1 : 2);
}

const char *be_fft_too_large(const struct be_problem *problem) {
    const struct be_fft_size size = be_fft_size(problem);
    return size.lines > INT32_MAX / size.columns ? "takes fewer than 2^31 numbers" : NULL;
}

static bool is_power(size_t n) {
    return (n & (n - 1)) == 0;
}

static size_t line_of(const struct be_fft_size *size) {
    return size->columns / (size->real ? 2 : 1);
}

static bool are_powers(const struct be_fft_size *size) {
    return is_power(size->columns) && is_power(size->rows);
}

bool be_fft_has_many(const struct be_fft_size *size) {
    return size->image || (size->batch > 1 && line_of(size) <= BE_FFT_LINE_MAX);
}

/* Lines that are done side by side, and images, have a least and a largest size. */
static const char *many_unfit(const struct be_fft_size *size) {
    const size_t line = line_of(size);
    if (size->batch > 1 && line < BE_FFT_LINE_MIN) {
        return "takes at least 16 complex or 32 real numbers in a batch";
    }
    if (size->image && (size->rows < BE_FFT_LINE_MIN || size->rows > BE_FFT_LINE_MAX ||
                        line < BE_FFT_LINE_MIN || line > BE_FFT_LINE_MAX)) {
        return "takes images of 16 to 4096 rows of 16 to 4096 complex or 32 to 8192 real numbers";
    }
    return NULL;
}

const char *be_fft_unfit(const struct be_problem *problem) {
    const struct be_fft_size size = be_fft_size(problem);
    if (!are_powers(&size)) {
        return "takes powers of two only";
    }
    if (line_of(&size) < 2) {
        return "takes at least 4 real numbers";
    }
    const char *unfit = many_unfit(&size);
    return unfit ? unfit : be_fft_too_large(problem);
}

const char *be_fft_mixed_unfit(const struct be_problem *problem) {
    const struct be_fft_size size = be_fft_size(problem);
    struct be_fft_steps steps;
    if (!be_fft_has_many(&size)) {
        return "takes images, and batches of at most 4096 complex or 8192 real numbers";
    }
    if (are_powers(&size)) {
        return "takes what is no power of two";
    }
    if (size.real && size.columns % 2 != 0) {
        return "takes an even number of real numbers";
    }
    const char *unfit = many_unfit(&size);
    if (unfit) {
        return unfit;
    }
    if (!be_fft_steps_plan(line_of(&size), &steps) ||
        (size.image && !be_fft_steps_plan(size.rows, &steps))) {
        return "takes sizes of prime factors up to 13 only";
    }
    return be_fft_too_large(problem);
}
