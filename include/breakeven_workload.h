/*
 * breakeven: your own computation, measured and compared like the built-in ones.
 *
 * This header has two entries. be_measure() times any function. A be_computation describes parameters, arrays,
 * operations, the code for the CPU and, if there is one, the code for a device. be_compare() treats it like a
 * built-in workload: placements of the data, the limit of the hardware, a check of every result, a break-even.
 *
 *     static const struct be_computation mine = {.name = "axpy", .array = ..., .cpu = axpy};
 *     const struct be_computation *const computations[] = {&mine};
 *     struct be_compare_options options = {.own = computations, .owns = 1};
 *     be_compare(&options, &comparison, &error);
 *
 * It does not know how computations are compared. docs/library.md explains it, and examples/ has whole
 * programs. C11 and C++11 compile it. Times are seconds.
 */
#ifndef BREAKEVEN_WORKLOAD_H
#define BREAKEVEN_WORKLOAD_H

#include "breakeven.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- any function --------------------------------------------------------------------------- */

/* Zero-initialise, then set what differs; a zero means the default said beside it. */
struct be_measure_options {
    double budget_s;  /* time for samples; default 0.25 */
    double precision; /* width of the interval / median that suffices; default 0.02 */
    /* Waits for work that run() left unfinished, in a device's queue for example. The clock stops when it
     * returns. NULL: run() returns when the work is done. */
    void (*wait)(void *payload);
    /* Least time that the hardware allows a call, if it is known. A faster call is BE_WRONG. 0: not known. */
    double limit_s;
};

/* Calls run(payload) until the median of its time is known: once untimed beforehand, in batches where a call is
 * short. *result: seconds a call, with the 95 % interval of the median. BE_WRONG: faster than limit_s allows: the
 * clock stopped before the work did. BE_USAGE: no run. */
enum be_status be_measure(void (*run)(void *payload), void *payload,
                          const struct be_measure_options *options, struct be_summary *result,
                          struct be_error *error);

/* ---- a computation -------------------------------------------------------------------------- */

/* Limits of a description; more is BE_USAGE. An array that is updated counts twice: its inputs are kept. */
enum {
    BE_OWN_ARRAYS_MAX = 8,
    BE_OWN_PARAMETERS_MAX = 6,
    BE_OWN_SCALARS_MAX = 4,
    BE_OWN_LAUNCHES_MAX = 4,
    BE_OWN_ARGUMENTS_MAX = 16
};

struct be_own_parameter {
    const char *name;  /* as an option says it: "order" */
    const char *what;  /* one line: "unknowns of each system" */
    uint64_t preset;   /* unless it is asked for, or swept; 0: min */
    uint64_t min, max; /* values that make sense; max 0: no bound but memory */
    uint64_t from, to; /* range of a sweep unless asked otherwise; 0: min, max */
};

/* The type of an array's elements. BE_OWN_REAL: float or double, whichever the comparison asks for. */
enum be_element {
    BE_OWN_REAL,
    BE_OWN_FLOAT32,
    BE_OWN_FLOAT64,
    BE_OWN_INT32,
    BE_OWN_INT64,
    BE_OWN_BYTE,
    BE_OWN_ELEMENTS
};

enum be_role {
    BE_OWN_READ,    /* an input */
    BE_OWN_WRITTEN, /* an output; its elements are not there before the call */
    BE_OWN_UPDATED, /* both: it is changed where it lies. A call goes on from what the one before left */
    BE_OWN_ROLES
};

struct be_own_array {
    const char *name;
    enum be_element element;
    enum be_role role;
    /* Elements of it; value: of the parameters, in their order. NULL: the first parameter. */
    uint64_t (*count)(const void *self, const uint64_t *value);
};

/* The argument of a function of yours. */
struct be_call {
    const void *self;      /* be_computation.self */
    const uint64_t *value; /* of the parameters, in their order */
    void *const *array;    /* in the order of the description, each from its first element on */
    uint64_t first, count; /* this thread's part of 0 .. items: [first, first + count) */
    int thread, threads;   /* from 0 */
    double *scratch;       /* of cpu_scratch, the same for all threads; NULL: there is none */
    bool float64;          /* BE_OWN_REAL is double */
};

/* Code for devices: one source in CUDA C and OpenCL C. Words that both languages share are defined before it:
 * KERNEL, GLOBAL, SHARED, DEVICE, GROUP(0), LANE(0), LANES(0), BARRIER(), LONG (64 bits), REAL (float or double,
 * whichever the comparison asks for).
 *
 * The kernel's arguments: each array in the order of the description; GLOBAL REAL *scratch, where there is one; LONG
 * count, the items to do; each parameter as LONG; the scalars as REAL. The arrays of an elementwise computation begin
 * where these items begin. */

/* One of several kernels, each of which begins when the one before is done. All have the same arguments. */
struct be_own_launch {
    const char *kernel;             /* its name; two launches may have the same */
    unsigned lanes, items_per_lane; /* as of be_own_device */
    /* Its range: one group alone; or as many groups as this says; or, NULL, one for lanes * items_per_lane items. */
    bool one_group;
    uint64_t (*groups)(const void *self, const uint64_t *value);
};

/* The language of device code: both, by the words above; or one of the two, as it is without them. Then devices of the
 * other are absent. CUDA's kernels are extern "C". */
enum be_own_language { BE_OWN_WORDS, BE_OWN_OPENCL, BE_OWN_CUDA, BE_OWN_LANGUAGES };

/* An argument of kernels that have others, or in another order, than said above. */
enum be_own_argument_kind { BE_OWN_ARRAY, BE_OWN_PARAMETER, BE_OWN_NUMBER };
struct be_own_argument {
    enum be_own_argument_kind kind;
    int index;               /* of the array, or of the parameter */
    enum be_element element; /* of a parameter or number: FLOAT32, FLOAT64, INT32 or INT64 */
    double number;
};

struct be_own_device {
    const char *source;
    const char *kernel;  /* its name; begin it with k_: "distance" is a word of OpenCL's */
    const char *defines; /* lines before the source; NULL: none */
    unsigned lanes;      /* threads of a group; 0: 256 */
    unsigned
        items_per_lane; /* 0: 1. A multiple of 64 items begins each piece of an elementwise computation */
    /* Groups of a launch; NULL: count / (lanes * items_per_lane), rounded up. */
    uint64_t (*groups)(const void *self, const uint64_t *value);
    double scalar[BE_OWN_SCALARS_MAX];
    int scalars;
    /* In place of kernel, lanes, items_per_lane and groups: at most BE_OWN_LAUNCHES_MAX kernels, in this order. */
    const struct be_own_launch *launch;
    int launches;
    /* Numbers (REAL) of working memory on the device, which kernels leave for each other; what is in it when a call
     * begins is not known. NULL: none. */
    uint64_t (*scratch)(const void *self, const uint64_t *value);
    enum be_own_language language;
    const char *file; /* as a compiler's messages name the source; NULL: the computation's name */
    const struct be_own_argument
        *argument; /* in place of those said above; at most BE_OWN_ARGUMENTS_MAX */
    int arguments;
};

/* Zero-initialise, then set what there is. Everything it points to stays the caller's, unchanged until the
 * comparison is over. */
struct be_computation {
    const char *name;  /* one word, and no built-in workload's */
    const char *title; /* the formula: "y = a x + y"; NULL: the name */
    const void *self;  /* handed to each function */
    /* A built-in workload whose calls are as long where they touch as many bytes ("axpy": it streams, and arithmetic
     * does not decide): times of other machines are taken from it (breakeven_results.h). NULL: none. */
    const char *like;

    const struct be_own_parameter
        *parameter; /* the first is the size unless another is swept; at least one */
    int parameters;
    const struct be_own_array *array; /* at least one is written or updated */
    int arrays;
    bool float32, float64; /* the types that BE_OWN_REAL can be; neither: float32 */

    /* Element i of the outputs follows from elements i of the inputs alone, wherever they lie, and all arrays have
     * as many as the first parameter says: then copies to a device and back overlap with the work. */
    bool elementwise;
    /* Each thread does a part of 0 .. items; NULL: the first parameter. */
    uint64_t (*items)(const void *self, const uint64_t *value);
    /* Floating-point operations that a call must do; NULL: not known, and the limit is that of memory and bus. */
    double (*operations)(const void *self, const uint64_t *value);
    /* Least bytes through memory; NULL: each array read once, written once, or both, as its role says. */
    double (*bytes)(const void *self, const uint64_t *value);

    /* Fills this thread's part of the inputs; the same for any number of threads. NULL: uniform random numbers in
     * [0, 1), integers below 65536. */
    void (*fill)(const struct be_call *call, uint64_t seed);

    /* The CPU's code: each thread does its part. Not NULL. one_thread: it is called by one alone. */
    void (*cpu)(const struct be_call *call);
    bool one_thread;
    /* Called by one thread once all threads have done their part, to put together what they left: count is all of the
     * items. NULL: nothing is to be put together. */
    void (*cpu_finish)(const struct be_call *call);
    /* Numbers of working memory of `cpu` and `cpu_finish`, where threads leave parts for each other; what is in it when a
     * call begins is not known. It asks for a reference. NULL: none. */
    uint64_t (*cpu_scratch)(const void *self, const uint64_t *value, int threads);
    struct be_own_device device; /* source NULL: the CPU alone */

    /* Plain code that is obviously right, called by one thread with all of the items; every array that is written
     * or updated is one of doubles here, an updated one with its inputs in it. NULL: `cpu` is what a device is held
     * against, and results say so. */
    void (*reference)(const struct be_call *call);
    /* Largest |z - reference| / |reference| of any output that is right; 0: 1e-5 of float32, 1e-12 of float64. */
    double tolerance;
    bool unchecked;     /* results are held against nothing, and that is said of them */
    const char *remark; /* to be said of its results; NULL: nothing */
};

#ifdef __cplusplus
}
#endif
#endif
