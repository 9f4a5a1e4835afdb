#include "ask/usual_code.h"

#include "base/error.h"

/* docs/prediction.md, "Your own computation": 5 %, median and 95 %, 5 % as 1. */
const struct be_over_rates be_code_operations = {1, 2.60, 6.77}, be_code_memory = {1, 2.45, 5.50};

/* Products come from a library, near the rate. A CPU with matrix units for 16 bits multiplies up to eight times as fast
 * as its float32 units do (AMX of Sapphire Rapids: 1024 against 128 operations a clock and core). */
const struct be_over_rates be_code_products = {1.0 / 8, 1.3, 3.42};

/* Twenty programs in NumPy on one core of another machine (bench/numpy_limits.py; docs/run.md, "On cores"): none of them is
 * among those that the verdict was tried on. */
const struct be_over_rates be_code_arrays = {1.30, 4.11, 13.01};

/* The first that is there counts: CuPy's programs have PyTorch's libraries mapped now and then, not the other way round. */
static const struct {
    enum be_mapped library;
    struct be_cpu_side side;
} sides[] = {
    {BE_LIB_CUPY, {"NumPy", true, false}},
    {BE_LIB_JAX, {"JAX", true, false}}, /* an assumption for the loops that XLA compiles */
    {BE_LIB_TORCH, {"PyTorch", false, true}},
    {BE_LIB_TENSORFLOW, {"TensorFlow", false, true}},
};
static const struct be_cpu_side unknown = {"", true, true};

const struct be_cpu_side *be_cpu_side_of(const char *libraries) {
    const be_library_set set = be_libraries_read(libraries);
    for (size_t i = 0; i < BE_COUNT(sides); i++) {
        if (set & be_library_bit(sides[i].library)) {
            return &sides[i].side;
        }
    }
    return &unknown;
}
