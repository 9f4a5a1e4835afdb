/*
 * breakeven: what a computation would take on a CPU and on a GPU, from their profiles.
 *
 * This header serves a program that has numbers of its own computation (operations, bytes, calls) and asks whether a
 * GPU would pay, at run time or before it has one. A profile or a data sheet says what the hardware can do
 * (breakeven_profile.h).
 *
 * It measures nothing, and it does not know workloads. Every time has an interval that holds 90 % of the times of code
 * that was held against this rule (docs/prediction.md), and no time is below what the hardware allows. "Too close to
 * call" is an answer. The rules of breakeven.h apply.
 */
#ifndef BREAKEVEN_PREDICT_H
#define BREAKEVEN_PREDICT_H

#include "breakeven.h"

#ifdef __cplusplus
extern "C" {
#endif

struct be_profile;

/* ---- the computation ------------------------------------------------------------------------ */

/* The framework that code is written with. A call of it takes time beside its work, on both sides: each operation on an array of
 * NumPy (CuPy on the GPU) or PyTorch, each compiled function of JAX, each method of pandas (cuDF). Code for arrays of NumPy
 * and pandas runs on one thread. */
enum be_framework {
    BE_FRAMEWORK_NONE, /* compiled code */
    BE_FRAMEWORK_NUMPY,
    BE_FRAMEWORK_TORCH,
    BE_FRAMEWORK_JAX,
    BE_FRAMEWORK_PANDAS,
    BE_FRAMEWORKS
};

/* LU also stands for a solve and a determinant; eigen is of symmetric matrices, with vectors; SVD has both sides. */
enum be_factor {
    BE_FACTOR_NONE,
    BE_FACTOR_LU,
    BE_FACTOR_INVERSE,
    BE_FACTOR_CHOLESKY,
    BE_FACTOR_QR,
    BE_FACTOR_EIGEN,
    BE_FACTOR_SVD,
    BE_FACTORS
};

/* Items whose place in memory the data choose. HASH: looked up in a hash table or put into one (sums by a key, joins, unique
 * values); `width` keys each. SORT: sorted; `width` numbers each. SCATTER: added to sums that they choose (histograms);
 * `width` sums each. TREES: the additions of boosted trees: levels x features x rows of a tree. */
enum be_irregular {
    BE_IRREGULAR_NONE,
    BE_IRREGULAR_HASH,
    BE_IRREGULAR_SORT,
    BE_IRREGULAR_SCATTER,
    BE_IRREGULAR_TREES,
    BE_IRREGULARS
};

/* Zero-initialise, then set what there is. */
struct be_predict_work {
    double flops;        /* floating-point operations of one call; of one item where batch is set */
    double bytes;        /* read and written through memory by one call, or by one item */
    double chain_flops;  /* those of them that wait each for the one before; 0: none */
    double once_bytes;   /* over the bus once for all calls, both directions together */
    double each_bytes;   /* over the bus with every call, or with every item */
    double memory_bytes; /* that lie in memory at a time; 0: as many as cross the bus */
    double calls;        /* 0: one */
    double launches;     /* kernels that a call starts; 0: one */
    /* Steps of a call that wait each for the one before, and go through its bytes again: sweeps, iterations; 0: one. Usual
     * code starts a kernel for each, and has all bytes pass each time. The least time is that of code which keeps them
     * in a cache in between. */
    double passes;
    double batch; /* independent items that a call does side by side; 0: one */
    /* An item is the product of an m x k by a k x n matrix; 0: it is none. Where flops and bytes are 0, they are those of
     * such a product, each matrix once through memory. */
    double m, n, k;
    /* An item is the factorisation of a factor_m x factor_n matrix. Where flops, bytes and launches are 0, they are those
     * of textbooks, with a kernel or some a column. */
    double factor_m, factor_n;
    enum be_factor factor;
    /* Items of one call. Where flops, bytes and launches are 0, they are those of usual code. width 0: one. */
    double items, width;
    enum be_irregular irregular;
    enum be_framework framework;
    bool stream;     /* element by element over whole arrays, each read or written once */
    bool float64;    /* else float32 */
    bool matrix;     /* its operations are products of matrices, which some units do faster */
    bool first_call; /* the GPU's start counts: context, code */
};

/* ---- what is foretold ----------------------------------------------------------------------- */

/* Seconds. lo..hi: 90 % interval. NAN: not known. */
struct be_predict_time {
    double lo_s, typical_s, hi_s;
};

/* The parts of a time. Operations, memory and chain happen at the same time: the longest counts. */
enum be_predict_term {
    BE_TERM_FIRST,      /* the GPU's start */
    BE_TERM_LAUNCH,     /* starting kernels; on a CPU: starting threads */
    BE_TERM_OPERATIONS, /* operations / rate */
    BE_TERM_MEMORY,     /* bytes / bandwidth */
    BE_TERM_CHAIN,      /* dependent operations x latency of one */
    BE_TERM_BUS,        /* copies */
    BE_TERMS
};

/* How a time came about. All but the first are of built-in workloads. */
enum be_predict_origin {
    BE_PREDICTED_BY_RULE, /* operations, bytes and calls by the rates of a profile */
    BE_PREDICTED_SCALED,  /* from times of another GPU, as the rates of both are */
    BE_PREDICTED_BETWEEN, /* between two sizes that were measured there */
    BE_PREDICTED_MEASURED,
    BE_PREDICTED_BEYOND,  /* by the rule, from the nearest size that has a time on */
    BE_PREDICTED_UNKNOWN, /* it is not known */
    BE_PREDICT_ORIGINS
};

/* All calls on one place. */
struct be_predict_side {
    struct be_predict_time time;
    enum be_predict_origin origin;
    struct be_predict_time term[BE_TERMS];
    enum be_predict_term dominant; /* the longest that counts */
    double limit_s;                /* no code is faster on this hardware; NAN not known */
    int threads;                   /* of the CPU; 0 otherwise */
    bool overflows; /* its memory does not suffice: the rest crosses the bus with every call */
};

enum be_predict_verdict {
    BE_WORTH_UNKNOWN, /* a rate that decides is not known */
    BE_WORTH_GPU,
    BE_WORTH_CPU,
    BE_WORTH_CLOSE, /* the interval of the ratio has both in it */
    BE_WORTH_VERDICTS
};

/* Why the GPU is not worth it, or where nothing speaks against it, what sets its time. */
enum be_predict_cause {
    BE_CAUSE_LAUNCH,       /* starting kernels takes longer than their work */
    BE_CAUSE_LOOPED_BATCH, /* the same, call by call: they could be one call */
    BE_CAUSE_SEQUENTIAL,   /* each step waits for the one before */
    BE_CAUSE_COPY,
    BE_CAUSE_FIRST_CALL,
    BE_CAUSE_FLOAT64, /* a GPU that has few float64 units */
    BE_CAUSE_BANDWIDTH,
    BE_CAUSE_BATCH_OF_ONE, /* each call reads the same data again */
    BE_CAUSE_DOES_NOT_FIT,
    BE_CAUSE_OPERATIONS,
    BE_CAUSE_STEPS, /* it takes longer than bytes, operations and one kernel a call explain */
    BE_CAUSES
};

/* A change of the computation after which the GPU is faster. Each was tried by the same rule. */
enum be_predict_change {
    BE_CHANGE_STAY,  /* data stay on the GPU between calls */
    BE_CHANGE_BATCH, /* `amount` calls (or chains) side by side, in one call */
    BE_CHANGE_FUSE,  /* one kernel a call */
    BE_CHANGE_FLOAT32,
    BE_CHANGE_CALLS, /* `amount` calls */
    BE_CHANGES
};

struct be_predict_flip {
    enum be_predict_change change;
    double amount; /* NAN: has none */
    double ratio;  /* CPU / GPU after it */
    bool sure;     /* the interval is above 1 as well */
};

struct be_prediction {
    struct be_predict_side cpu, gpu;
    double ratio, ratio_lo,
        ratio_hi; /* CPU time / GPU time: above 1 the GPU is faster; NAN not known */
    enum be_predict_verdict verdict;
    enum be_predict_cause cause;
    struct be_predict_flip flip[BE_CHANGES];
    int flips; /* none where the GPU is faster anyway */
};

/* A CPU and a GPU with what is known of both, ready to be asked. It keeps no pointer to the profiles. */
struct be_predictor;

/* `cpu`: a profile with figures of its CPU; `gpu`: one with a GPU, or its data sheet. Both may be the same. BE_ABSENT: a
 * profile lacks what every prediction needs. be_predictor_close accepts NULL. */
enum be_status be_predictor_open(const struct be_profile *cpu, const struct be_profile *gpu,
                                 struct be_predictor **opened, struct be_error *error);
void be_predictor_close(struct be_predictor *predictor);

/* The whole picture at one size. BE_USAGE: a number is negative or not finite, or there is nothing to do. */
enum be_status be_predict(const struct be_predictor *predictor, const struct be_predict_work *work,
                          struct be_prediction *prediction, struct be_error *error);

/* ---- at run time ---------------------------------------------------------------------------- */

struct be_worth {
    enum be_predict_verdict verdict;
    double margin, margin_lo, margin_hi; /* CPU time / GPU time at that size */
    enum be_predict_cause reason;
    double likely_from; /* from this size to `largest` the GPU is ahead of the CPU; NAN: nowhere */
    double sure_from;   /* the same with the whole interval; NAN: nowhere */
};

/* Is the GPU worth it at size n, and from which size up to `largest`? Takes microseconds; no file is read. work_at fills
 * *work, which is zeroed, for a computation of size n. */
enum be_status be_worth(const struct be_predictor *predictor,
                        void (*work_at)(void *context, double n, struct be_predict_work *work),
                        void *context, double n, double largest, struct be_worth *worth,
                        struct be_error *error);

/* ---- learning from a run -------------------------------------------------------------------- */

/* The fewest workloads from which a side is learned. */
enum { BE_LEARN_FEWEST = 3 };

/* The lessons of a profile, of its CPU or its GPU. */
struct be_learned_side {
    bool learned;
    int times, workloads; /* of the results, that are of this side */
    double launch_s;      /* starting a kernel, or a team of threads, and waiting for it */
    double operations, memory, cache; /* what code reaches of the rates of the profile */
    double off_before, off_after;     /* median |foretold - measured| / measured */
    double off_left_out;              /* the same, each workload foretold from the others alone */
    double lo, hi; /* 90 % of measured / foretold, of workloads that were left out */
};

struct be_learned {
    struct be_learned_side cpu, gpu;
};

/* Corrects a profile by times that were measured on its machine, of a comparison or of results that travel. Predictions
 * from it take what it learned. Device code counts with the data there, the fastest of each case. BE_USAGE: the results
 * are of another machine, or the profile has learned before. */
enum be_status be_profile_learn(struct be_profile *profile, const struct be_machine *machine,
                                const struct be_result *result, size_t results,
                                struct be_learned *learned, struct be_error *error);

/* Writes what a profile learned: BE_TEXT or BE_JSON (docs/json.md). */
enum be_status be_learned_write(const struct be_profile *profile, const struct be_learned *learned,
                                enum be_format format, FILE *out, struct be_error *error);

/* ---- the stop-loss limit -------------------------------------------------------------------- */

/* Three rates of a machine, and the bytes of a value. */
struct be_predict_rates {
    double cpu_flop_s, gpu_flop_s, bus_bytes_s, value_bytes;
};

/* How many operations for each value that crosses the bus make the GPU pay; a value that is used by r calls counts r
 * times. INFINITY: it never does, since the GPU is no faster. BE_USAGE: a rate is not above 0. */
enum be_status be_stop_loss(const struct be_predict_rates *rates, double *operations,
                            struct be_error *error);
/* Writes that number. BE_TEXT, BE_JSON, BE_HTML, or the picture BE_SVG: where the GPU loses, over operations a value and
 * uses of a value. */
enum be_status be_stop_loss_write(const struct be_predict_rates *rates, double operations,
                                  enum be_format format, FILE *out, struct be_error *error);

/* ---- a table of sizes and machines ---------------------------------------------------------- */

struct be_predict_machine {
    char name[BE_NAME];            /* as it was asked for */
    enum be_placement placement;   /* of a workload's data; BE_HOST: it is described by numbers */
    char scaled_from[BE_NAME];     /* the machine whose GPU's times were scaled; empty: none were */
    char cpu_scaled_from[BE_NAME]; /* the same of the CPU */
    char gpu[BE_NAME * 2];         /* "NVIDIA A100-SXM4-80GB" */
    bool data_sheet;               /* nobody measured it */
    struct be_worth worth;         /* at the largest size */
    struct be_prediction *row;     /* one a size */
};

struct be_predict_table {
    char workload[BE_NAME];   /* empty: the computation is described by numbers */
    char dtype[BE_NAME];      /* of a workload, as the next two */
    char parameters[BE_NOTE]; /* those that are not the size */
    char size_name[BE_NAME];
    char cpu_name[BE_NAME], cpu[BE_NAME * 2]; /* of the profile; what it is */
    struct be_predict_work work;              /* at the first size */
    double *n;
    size_t sizes;
    struct be_predict_machine *machine;
    size_t machines;
    double measured_s; /* a time whose possibility is asked, of the first size; NAN: none */
    const char *remark[4];
    int remarks;
    struct be_made made;
};

/* BE_TEXT, BE_JSON (docs/json.md), BE_SVG (times over size) or BE_HTML (one page). */
enum be_status be_predict_write(const struct be_predict_table *table, enum be_format format,
                                FILE *out, struct be_error *error);

#ifdef __cplusplus
}
#endif
#endif
