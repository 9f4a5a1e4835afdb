/*
 * A program that ran on CPUs: its time by kinds of work, and a verdict on GPUs. Pure: it starts no
 * program, reads no file and measures nothing.
 */
#ifndef BE_ASK_ASK_H
#define BE_ASK_ASK_H

#include "ask/kinds.h"
#include "breakeven_predict.h"
#include "sample/sample.h"

/* All that fits one rule of the table, or rules that say the same of it. */
struct be_ask_part {
    enum be_work_kind kind;
    char what[BE_NAME];     /* "the Python interpreter" */
    char library[BE_NAME];  /* the file with most of it; empty: none */
    char function[BE_NAME]; /* the function with most of it; empty: not known */
    double samples;         /* NAN: it was counted, not sampled */
    double cpu_s;           /* of all threads */
    double wall_s;          /* of the run */
    double later_s;         /* of wall_s: when the program had begun, and had not ended */
};

/* The run as the kernel counted it. */
struct be_ask_run {
    char command[BE_NOTE];
    double elapsed_s, user_s, system_s;
    double core_wait_s; /* in which it could have run, and others had the cores */
    int threads;        /* cores that it could use; 0: not known */
};

struct be_ask {
    struct be_ask_run run;
    double own_s;            /* elapsed_s without core_wait_s: shares are of this */
    char unsampled[BE_NOTE]; /* why kinds are not known; empty: they are */
    double samples, lost, rate_hz;
    bool kernel;              /* the kernel's part was sampled, and not only counted */
    struct be_ask_part *part; /* the longest first; time that no thread ran, too */
    size_t parts;
    double cpu_s[BE_WORK_KINDS], wall_s[BE_WORK_KINDS], later_s[BE_WORK_KINDS]; /* sums of parts */
    /* The part of own_s before the first work that may move, and after the last: the program is loaded, prepares, and is taken
     * down. A run that is longer by more of the same has it once. NAN: there is no such work. */
    double prepare_s;
    double known; /* share of the CPU time whose kind is known; NAN: nothing was sampled */
    int missing;  /* files that were removed before their functions could be looked up */
    char missing_file[BE_NAME * 2]; /* one of them */
};

/* Whether the place waits, or is what a program is for: work that may move. For struct be_sample_roles; `kinds`: struct
 * be_kinds. */
enum be_sample_role be_ask_role_of(const void *kinds, const struct be_samples_taken *taken,
                                   const struct be_sample_place *place);

/* The part of a C++ name that people know: "_ZN9pocketfft6detail5rfftpIdE4execEv" is pocketfft::detail::rfftp::exec. Others stay
 * as they are. */
void be_ask_plain_name(const char *symbol, char *to, size_t capacity);

enum be_work_kind be_ask_kind_of(const struct be_samples_taken *taken, const struct be_kinds *kinds,
                                 const struct be_sample_place *place);

/* Sums the samples by kind. BE_NOMEM. be_ask_free accepts a zeroed one. */
enum be_status be_ask_sum(const struct be_samples_taken *taken, const struct be_kinds *kinds,
                          const struct be_ask_run *run, struct be_ask *ask, struct be_error *error);
/* Without samples: `why` says why there are none. */
enum be_status be_ask_unsampled(const struct be_ask_run *run, const char *why, struct be_ask *ask,
                                struct be_error *error);
void be_ask_free(struct be_ask *ask);

#endif
