/* The advice below the verdict of `ask`: changes on the CPU that come before any GPU. */
#include <string.h>

#include "report/ask/ask.h"
#include "report/common/lines.h"

/* Shares of the time: with less, the change would hardly be felt. */
static const double much_products = 0.1, much_interpreter = 0.5;

/* The reference BLAS has the work in its Fortran functions ("dgemm_"). Fast ones, some of which have a libblas.so of their
 * own, have it in kernels ("dgemm_kernel_ZEN"). */
static bool is_reference_blas(const struct be_ask_part *part) {
    const size_t length = strlen(part->function);
    return strncmp(part->library, "libblas.so", 10) == 0 && length > 0 &&
           part->function[length - 1] == '_';
}

static void add_reference_blas(const struct be_ask *ask, struct be_text *out) {
    const char *library = NULL;
    double wall_s = 0;
    for (size_t i = 0; i < ask->parts; i++) {
        if (is_reference_blas(&ask->part[i])) {
            library = library ? library : ask->part[i].library;
            wall_s += ask->part[i].wall_s;
        }
    }
    if (library && wall_s >= much_products * ask->own_s) {
        struct be_text line = {0};
        be_text_add(&line,
                    "First: %s is the reference BLAS, the slowest one there is, and has %.0f %% of "
                    "the time. Install OpenBLAS (apt-get install libopenblas0; NumPy from pip "
                    "brings it along) and ask again. The program stays as it is.",
                    library, 100 * wall_s / ask->own_s);
        be_lines_wrap(out, "", line.data ? line.data : "", 0);
        out->failed |= line.failed;
        be_text_free(&line);
    }
}

static void add_interpreter(const struct be_ask *ask, struct be_text *out) {
    if (ask->wall_s[BE_WORK_INTERPRETER] >= much_interpreter * ask->own_s) {
        be_lines_wrap(out, "",
                      "An interpreter's own time stays on the CPU with any GPU. Where it is loops "
                      "over numbers, make them operations on whole arrays, or have them compiled "
                      "(Python: NumPy, Numba), and ask again.",
                      0);
    }
}

void be_ask_advice_text(const struct be_ask *ask, struct be_text *out) {
    add_reference_blas(ask, out);
    add_interpreter(ask, out);
}
