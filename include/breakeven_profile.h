/*
 * breakeven: the maximum of a machine, as a profile that travels.
 *
 * This header serves a program that measures a machine or reads its profile. A profile has figures, fits and
 * facts, measured or from a data sheet. It is written, read, found by its name, and compared with another one.
 *
 * It does not know workloads. The rules of breakeven.h apply: the library never prints, and a number that was
 * not measured is NAN.
 */
#ifndef BREAKEVEN_PROFILE_H
#define BREAKEVEN_PROFILE_H

#include "breakeven.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a profile ------------------------------------------------------------------------------ */

enum be_unit {
    BE_UNIT_BYTES_S, /* bytes a second */
    BE_UNIT_FLOP_S,  /* floating-point operations a second; a multiply-add counts as two */
    BE_UNIT_SECONDS,
    BE_UNIT_PER_S, /* things a second */
    BE_UNIT_HZ,
    BE_UNITS
};

enum be_source {
    BE_SOURCE_MEASURED,
    BE_SOURCE_DATA_SHEET, /* the maker's figure: nobody measured it here */
    BE_SOURCES
};

/*
 * One number of a profile. Device, what, dtype, threads, bytes and peer together identify it. No two figures
 * of a profile have all of them in common. `what` is one of be_figure_kind (docs/json.md).
 *
 * value is the headline. The value of a rate is the best of the samples, because a ceiling says what can be
 * reached and disturbance only slows. The value of a time is the median. median, lo..hi: the median of the
 * samples and its 95 % interval, in the same unit. lo, hi: NAN where there is one sample.
 */
struct be_figure {
    char device[BE_NAME]; /* be_device_info.id */
    char what[BE_NAME];   /* "fma", "triad", "launch_wait" */
    char dtype[BE_NAME];  /* "float64"; empty where it has none */
    int threads;          /* of the CPU; 0 otherwise */
    double bytes;         /* size it was measured at; NAN where it has none */
    char peer[BE_NAME];   /* the other end: "cuda:1", "node 1"; empty where there is none */
    enum be_unit unit;
    enum be_source source;
    double value, median, lo, hi;
    int n;                /* samples; 0: a data sheet */
    double achievable;    /* of a data sheet: share of value that programs reach, measured on
                             another device of the family; NAN not known */
    char date[BE_NAME];   /* ISO 8601, UTC; of a data sheet: of its reading */
    char method[BE_NOTE]; /* how it was measured, in one clause; of a data sheet: its source */
    char note[BE_NOTE];   /* "L2", "OpenBLAS 0.3.21": what belongs to this number; may be empty */
};

/* time(bytes) = latency_s + bytes / rate, fitted to figures of one `what` over sizes. */
struct be_fit {
    char device[BE_NAME];
    char what[BE_NAME];
    char peer[BE_NAME];
    double latency_s, rate;        /* seconds; bytes a second */
    double smallest, largest;      /* bytes it rests on */
    double typical_off, worst_off; /* |fitted - measured| / measured: median and largest */
    int points;
};

/* A fact as text, and as a number where it is one (NAN otherwise): "ecc" "on" 1. */
struct be_fact {
    char device[BE_NAME]; /* empty: the machine */
    char name[BE_NAME];
    char text[BE_NOTE];
    double number;
};

/* A finding: the machine is not as it should be. It says what was seen and what to do. */
struct be_finding {
    char device[BE_NAME];
    char name[BE_NAME]; /* "pcie-narrow" */
    char evidence[BE_NOTE];
    char advice[BE_NOTE];
};

struct be_profile {
    char name[BE_NAME];       /* what `--machine` calls it */
    char provenance[BE_NOTE]; /* where it comes from, for a reader who was not there */
    enum be_source source;
    struct be_machine machine;
    struct be_environment environment;
    bool partial; /* ended by the user: not everything is here */
    struct be_figure *figure;
    size_t figures;
    struct be_fit *fit;
    size_t fits;
    struct be_fact *fact;
    size_t facts;
    struct be_finding *finding;
    size_t findings;
    char (*remark)[BE_NOTE]; /* one line each: what was not measured, and why */
    size_t remarks;
};

void be_profile_free(struct be_profile *profile); /* accepts a zeroed one */

/* The figure of exactly this kind, or NULL. threads 0, bytes NAN, dtype and peer NULL: has none.
 * bytes are matched to 1 %. */
const struct be_figure *be_profile_figure(const struct be_profile *profile, const char *device,
                                          const char *what, const char *dtype, int threads,
                                          double bytes, const char *peer);

/* ---- measuring one -------------------------------------------------------------------------- */

/* Zero-initialise, then set what differs. */
struct be_probe_options {
    const char *name;                /* of the profile; NULL: the host's */
    const char *device[BE_LIST_MAX]; /* ids or backends; none: every device here */
    int devices;
    const char *folder; /* its disk is read, through a file of up to 1 GiB; NULL: no disk */
    bool quick; /* fewer sizes and samples: for a look, and for tests; never kept as fresh */
    void (*progress)(void *context, const struct be_progress *progress); /* may be NULL */
    bool (*cancelled)(void *context); /* asked between figures; may be NULL */
    void *context;
};

/* Measures this machine: under 90 s. A figure that cannot be measured is a remark, not an error. On success,
 * and when the caller stopped it (BE_OK, partial set), *profile owns memory: be_profile_free. */
enum be_status be_probe(const struct be_probe_options *options, struct be_profile *profile,
                        struct be_error *error);

/* ---- out and in ----------------------------------------------------------------------------- */

/* Writes all of it to `out`. JSON: docs/json.md; BE_TEXT: a summary of one screen with a roofline;
 * BE_SVG: the roofline; BE_HTML: one page. */
enum be_status be_profile_write(const struct be_profile *profile, enum be_format format, FILE *out,
                                struct be_error *error);
enum be_status be_profile_read(FILE *in, const char *name, struct be_profile *profile,
                               struct be_error *error);

/* Two profiles side by side, as ratios of b to a, and the facts in which they differ. The text
 * has the largest size of what was measured over many. */
enum be_status be_profile_diff_write(const struct be_profile *a, const struct be_profile *b,
                                     enum be_format format, FILE *out, struct be_error *error);

/* The profile in the file `name`, or of that name among the user's own, the site's and those that
 * come with breakeven, in this order. BE_USAGE: there is none; the text lists what there is. */
enum be_status be_profile_load(const char *name, struct be_profile *profile,
                               struct be_error *error);

/* The contents of a saved file: a comparison, a profile, or the trace of a run. */
struct be_saved {
    bool is_profile;
    struct be_trace *trace; /* of a run; NULL: it holds none */
    struct be_comparison comparison;
    struct be_profile profile;
};

/* Reads any of them. On success *saved owns memory: be_saved_free. */
enum be_status be_saved_read(FILE *in, const char *name, struct be_saved *saved,
                             struct be_error *error);
void be_saved_free(struct be_saved *saved); /* accepts a zeroed one */

#ifdef __cplusplus
}
#endif
#endif
