/*
 * A computation as a table: its parameters and arrays, its operation and byte counts, a plain reference, and its
 * variants. A variant is one way to compute the same result, with the best CPU code and the best device code for it.
 * A new workload is a folder with such a table (builtin/builtin.h). A workload does not know placements, clocks or
 * statistics.
 *
 * All work is on ranges of items. An item is the smallest part that can be computed by itself: one element of an
 * elementwise operation, one system of a batch, or the whole problem. The same range functions serve chunks of a
 * pipeline and several copies of a problem side by side, which is how cold caches are measured.
 */
#ifndef BE_WORKLOAD_WORKLOAD_H
#define BE_WORKLOAD_WORKLOAD_H

#include "base/error.h"
#include "host/stores.h"
#include "host/team.h"
#include "device/device.h"
#include "dyn/host/blas.h"
#include "dyn/host/fftw.h"
#include "workload/prefetch.h"

enum { BE_ARRAYS = 8, BE_PARAMETERS = 6, BE_VARIANTS = 8, BE_KERNELS = 16 };

struct be_workload;

/* ---- what is asked -------------------------------------------------------------------------- */

struct be_problem;

struct be_parameter {
    const char *name;        /* as an option says it: "order" */
    const char *what;        /* one line: "unknowns of each system" */
    uint64_t preset;         /* unless it is asked for, or swept */
    uint64_t min, max;       /* what makes sense */
    uint64_t from, to;       /* when a comparison sweeps it, unless asked otherwise */
    uint64_t look[4];        /* the sizes of a quick look, ascending, ended by a 0 if fewer */
    const char *const *kind; /* values 0 .. max are kinds of these names, and are not swept; NULL:
                                it is a number */
    /* It has no meaning beside the other values, or at its own, and is neither written nor swept unasked then; NULL:
     * it always has. */
    bool (*idle)(const struct be_problem *problem);
    /* Gives it a meaning, as an option: "--consumer=histogram": asked for without that it is a mistake. NULL: it may
     * be asked for. */
    const char *unless;
};

/* Types of floating-point numbers. */
enum be_real { BE_REAL32, BE_REAL64, BE_REALS };
#define BE_TAKES(real) (1u << (real))

/* A workload with a value for each of its parameters. */
struct be_problem {
    const struct be_workload *workload;
    uint64_t value[BE_PARAMETERS];
    int swept; /* the parameter that a comparison varies: its value is the size */
    enum be_real real;
};

/* Every parameter at its preset, the first one swept, the workload's first type. */
struct be_problem be_problem_preset(const struct be_workload *workload);
uint64_t be_problem_size(const struct be_problem *problem);
/* The same problem at another size. */
struct be_problem be_problem_sized(const struct be_problem *problem, uint64_t size);
/* The parameters that are not swept: "steps 100, window deep"; empty: none. */
void be_problem_text(const struct be_problem *problem, char *text, size_t capacity);
size_t be_real_bytes(enum be_real real);     /* 4 or 8 */
const char *be_real_name(enum be_real real); /* "float32" */

/* Numbers that follow from a problem. */
struct be_shape {
    size_t items;                 /* 1: the whole problem is one item */
    size_t item_bytes[BE_ARRAYS]; /* of each array; a whole problem's are rounded up, see below */
    size_t reference;             /* doubles of reference an item; 0: residual needs none */
    size_t together;              /* fewer items at a time do not fill a device: what is copied
                                     beside the work is cut at multiples of this; 0: anywhere */
    double operations;            /* minimum floating-point operations; source in the .c */
    double
        dependent; /* operations that wait for one another, each for the one before; a fused multiply-add is one */
    double narrow; /* those of them that float32 may serve, whatever the problem's type */
    double bytes;  /* minimum bytes through memory: inputs read once, outputs written
                                      once */
    double
        passes; /* steps that wait each for the one before and go through these bytes again, unless a cache
                                      holds them; 0: one */
    double
        again; /* bytes that later steps read and write again, from the cache that holds all of them if one does:
                     where no code can save that */
    double tolerance; /* largest |z - ref| / |ref| that is right */
};
/* As the workload says it. With grain 0 the item's bytes are rounded up to BE_WHOLE_ALIGN, so that
 * copies of the problem lie aligned: what is behind the end is never looked at. */
enum { BE_WHOLE_ALIGN = 512 };
struct be_shape be_problem_shape(const struct be_problem *problem);

/* ---- work on the CPU ------------------------------------------------------------------------ */

/* Libraries of the host, opened once; those not here have a zeroed table. */
struct be_host_libraries {
    struct be_host_blas blas;
    struct be_error blas_error; /* why it is not here */
    struct be_fftw fftw;
    struct be_error fftw_error;
};

/* One member's part of something that all members of a team call. Each member takes its share of a
 * range of items (be_work_share); of a whole problem (items is 1) it takes its rows, or whatever
 * the workload cuts it into. */
struct be_work {
    const struct be_problem *problem;
    void *const *array; /* item i of array k begins at i * item_bytes[k] */
    size_t first, items;
    int member, members;
    struct be_team *team;
    void *scratch; /* host_scratch bytes, the same for all members and from call to call of one
                      problem; before the first call the first BE_WHOLE_ALIGN are 0 */
    const struct be_host_libraries *library; /* NULL: none */
    bool beyond_cache;                       /* the arrays are too large to stay in the caches */
    bool cold;                               /* they are not there when a call begins */
    enum be_stores stores;                   /* what is fastest here for long outputs */
    double first_cache_bytes;                /* a core's first-level data cache; 0 or NAN unknown */
    int pass;                                /* 0: all of it; k: the k-th of the variant's passes */
};

/* [*first, *first + *count): this member's share of the range, in whole multiples of grain from
 * its start. */
void be_work_share(const struct be_work *work, size_t grain, size_t *first, size_t *count);
/* Likewise of n rows of a whole problem: [*first, *first + *count) of 0 .. n. */
void be_work_rows(const struct be_work *work, size_t n, size_t grain, size_t *first, size_t *count);
/* Into which cache lines are asked for that come from memory. */
enum be_prefetch be_work_prefetch(const struct be_work *work);
/* Item `first` of array k. */
void *be_work_array(const struct be_work *work, int k);

/* ---- work on a device ----------------------------------------------------------------------- */

/* A variant's code on one open device. */
struct be_prepared {
    struct be_module module;
    struct be_kernel kernel[BE_KERNELS];
    struct be_blas blas;
    void *extra; /* what else a variant keeps, such as plans; its discard frees it */
};

/* A range to put into a queue, without waiting. */
struct be_launch {
    struct be_device *device;
    enum be_queue queue;
    struct be_prepared *prepared;
    const struct be_problem *problem;
    const struct be_buffer *buffer;  /* one an array */
    const struct be_buffer *scratch; /* device_scratch bytes */
    size_t first, items;
    struct {
        size_t first, count; /* of the output; count 0: all, where they belong */
        size_t at;           /* the first of them comes to slice `at` of the output's buffer */
    } slice;
    int pass; /* as of be_work */
};

/* Is the k-th pass (from 1 on) wanted? */
static inline bool be_pass_wanted(int pass, int k) {
    return pass == 0 || pass == k;
}

/* Equal parts of a whole problem with one output, one after the other, each of which can be
 * computed by itself. */
struct be_slices {
    size_t count, bytes; /* bytes: of one */
};

/* Builds the program, with `defines` ("#define ORDER 32\n"; NULL: none) before its source and the
 * type of the problem's numbers defined as REAL, and looks up the kernels, in the order of the
 * names (NULL-terminated). After an error nothing is left to discard. */
enum be_status be_prepare_kernels(struct be_device *device, const struct be_problem *problem,
                                  const struct be_program *program, const char *defines,
                                  const char *const *names, struct be_prepared *prepared,
                                  struct be_error *error);
void be_discard_kernels(struct be_device *device, struct be_prepared *prepared);

/* Arguments of a launch. */
#define BE_BUFFER(b)                                                                               \
    { .kind = BE_ARGUMENT_BUFFER, .buffer = (b) }
#define BE_BUFFER_FROM(b, bytes)                                                                   \
    { .kind = BE_ARGUMENT_BUFFER, .buffer = (b), .offset = (bytes) }
#define BE_INT(i)                                                                                  \
    { .kind = BE_ARGUMENT_INT, .integer = (int64_t)(i) }
#define BE_DOUBLE(d)                                                                               \
    { .kind = BE_ARGUMENT_DOUBLE, .real64 = (double)(d) }
#define BE_LONG(i)                                                                                 \
    { .kind = BE_ARGUMENT_LONG, .integer = (int64_t)(i) }
#define BE_FLOAT(f)                                                                                \
    { .kind = BE_ARGUMENT_FLOAT, .real = (float)(f) }
/* Array k of the range: its buffer from item `first` on; of slices of the output all of it. */
struct be_argument be_launch_array(const struct be_launch *launch, int k);
/* A number of the problem's type. */
struct be_argument be_launch_real(const struct be_launch *launch, double value);
enum be_status be_launch_kernel(const struct be_launch *launch, int kernel, size_t groups,
                                size_t lanes, const struct be_argument *arguments, int count,
                                struct be_error *error);

/* ---- variants and workloads ----------------------------------------------------------------- */

/* One way to compute it: the same result at another cost. */
struct be_variant {
    const char *name;    /* "fused"; "plain" where there is but one */
    const char *summary; /* one line */
    /* Passes that follow one another, at most BE_PASSES_MAX, NULL-terminated, where it is of use to know what each
     * takes: code of both sides then does one alone when told to, also many times over. NULL: it is one. */
    const char *const *passes;
    bool as_written; /* as published code does it: has a break-even of its own beside the best */
    enum be_code host_code, device_code; /* who can have its code on that side */
    /* Bit i: output i begins as a copy of input i, and is updated where it is; input i is not touched. Inputs
     * without their bit are read where they are. A call goes on from what the one before left: no number may
     * make it slower. */
    unsigned updates;
    /* On a device: the CPU code makes the outputs in the host's memory, and they are copied there, where they
     * stay. It has no device code; its CPU code needs no inputs, scratch or library. */
    bool made_on_host;

    /* The problems that it takes instead, after "it" (a verb first); NULL: this one it can. May
     * itself be NULL. */
    const char *(*unfit)(const struct be_problem *problem);

    /* The CPU code: every member calls it. NULL: none. */
    void (*host)(const struct be_work *work);
    /* BE_ABSENT: not on this host with so many members, for want of a library. NULL: it can. */
    enum be_status (*host_ready)(const struct be_host_libraries *library, int members,
                                 struct be_error *error);
    size_t (*host_scratch)(const struct be_problem *problem, int members); /* NULL: none */

    /* The device code: build and look up once (each_size: once a size), then put a range into a
     * queue without waiting. prepare NULL: none; BE_ABSENT: not on this kind of device. */
    enum be_status (*prepare)(struct be_device *device, const struct be_problem *problem,
                              struct be_prepared *prepared, struct be_error *error);
    enum be_status (*enqueue)(const struct be_launch *launch, struct be_error *error);
    void (*discard)(struct be_device *device, struct be_prepared *prepared);
    size_t (*device_scratch)(const struct be_problem *problem); /* bytes; NULL: none */
    /* Parts that enqueue can cut the output into, so that a device need not hold all of it; count 0: not this
     * problem. NULL: never. */
    struct be_slices (*slices)(const struct be_problem *problem);
    bool each_size;
    unsigned each_of; /* bit i: once a size where parameter i is swept */
};

struct be_workload {
    const void *self;    /* data of its own, for its functions; NULL: it has none */
    const char *name;    /* one word: "power" */
    const char *title;   /* the formula: "z = x^y" */
    const char *like;    /* a workload that does the same to memory; NULL: none is said */
    const char *summary; /* one line for --help and lists */
    const char *remark;  /* to be said of its results, after its name; may be NULL */

    const struct be_parameter *parameter; /* the first is swept unless asked otherwise */
    int parameters;
    enum be_real real; /* of its numbers unless asked otherwise */
    unsigned reals;    /* BE_TAKES of each type that it can be asked for */
    const char *dtype; /* what its numbers are called where they are not `real`; may be NULL */
    bool matrix;       /* a device's matrix units may be used: its limit counts them */
    bool
        uncounted; /* its operations are far fewer than those of any code, or of another kind: no time follows from them */

    const char *const *array; /* names: inputs first, then outputs */
    int inputs, outputs;
    size_t grain;      /* work may be cut at multiples of this many items; 0: not at all, and a
                          problem is one item */
    size_t host_grain; /* copies of the problem lie whole multiples of this many items apart */
    bool wants_blas;   /* opens the host's BLAS */
    bool wants_fftw;   /* opens FFTW */

    /* The table that the functions of workload/elementwise.h go by, in a workload that has those; NULL: it has not. */
    const struct be_elementwise *elementwise;

    void (*shape)(const struct be_problem *problem, struct be_shape *shape);

    /* Each is called by every member of a team and does its share of the range. */
    /* Inputs from the seed: the same for any cut and any team. */
    void (*fill)(const struct be_work *work, uint64_t seed);
    /* Plain C in double precision, obviously right; item i's part begins at i * shape.reference.
     * NULL: residual needs none. */
    void (*reference)(const struct be_work *work, double *reference);
    /* Where only the reference tells how many operations these very inputs take at least: as
     * shape.operations, of one problem. Called by one; may be NULL. */
    double (*operations)(const struct be_work *work, const double *reference);
    /* Adds up |z - reference|^2 and |reference|^2; NAN where the result has one and the reference
     * has none. */
    void (*residual)(const struct be_work *work, const double *reference, double *difference,
                     double *norm);
    /* A remark on a wrong result: "system 17 is singular". Called by one; may be NULL. */
    void (*explain)(const struct be_work *work, const double *reference, char note[BE_NOTE]);

    /* A right result in one line; at most some hundredths of a second. Called by one; may be NULL. */
    void (*tell)(const struct be_work *work, char note[BE_NOTE]);

    /* Draws a right result, at most about 1000 pixels across. Called by one; NULL: it looks like
     * nothing. */
    enum be_status (*picture)(const struct be_work *work, struct be_picture *picture,
                              struct be_error *error);

    const struct be_variant *variant; /* the plainest first */
    int variants;
};

/* The part of the table that a workload's file fills with what it has under these names. */
#define BE_WORKLOAD_FUNCTIONS                                                                      \
    .shape = shape, .fill = fill, .reference = reference, .residual = residual
#define BE_WORKLOAD_VARIANTS .variant = variant, .variants = BE_COUNT(variant)

/* Does it update input i where output i is? */
static inline bool be_variant_updates(const struct be_variant *variant, int i) {
    return (variant->updates >> i & 1U) != 0;
}
/* Is there code of it for a device, or for the CPU? */
bool be_variant_has_code(const struct be_variant *variant, bool device);
/* That nothing of the problem keeps it from. */
bool be_variant_can(const struct be_variant *variant, const struct be_problem *problem);
const struct be_variant *be_variant_find(const struct be_workload *workload, const char *name);

#endif
