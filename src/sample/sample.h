/*
 * Where a program spends its CPU time: samples of all its threads and of its children, taken by the kernel (perf
 * events), as places, which are functions of mapped files. The program is not touched. It does not know what a function
 * does.
 *
 * The events are opened by the process that starts the command, and begin with the exec of its child. The process that
 * watches reads them.
 */
#ifndef BE_SAMPLE_SAMPLE_H
#define BE_SAMPLE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "breakeven_error.h"

enum { BE_SAMPLE_HZ = 199, BE_SAMPLE_SYMBOL = 160 };

struct be_sampling;

/* How much it may cost. Zeros: all that BE_SAMPLE_HZ takes. */
struct be_sampling_options {
    double rate_hz;   /* samples a second of CPU time */
    int cpus_most;    /* on more CPUs none are taken: each makes beginning a thread 3 us longer */
    size_t kept_most; /* samples that are kept in their order, for the time of the run */
};

/* To be called by the process that starts the command, before that. BE_ABSENT: the kernel forbids it or has no such
 * events; the text says what would allow it. be_sampling_close accepts NULL. */
enum be_status be_sampling_open(const struct be_sampling_options *options,
                                struct be_sampling **opened, struct be_error *error);
void be_sampling_close(struct be_sampling *sampling);

/* The descriptors that the process that watches must keep. */
const int *be_sampling_files(const struct be_sampling *sampling, int *count);

/* In the process that watches: begins to read, and reads what has come since. Half a second between two reads is short
 * enough. */
enum be_status be_sampling_begin(struct be_sampling *sampling, struct be_error *error);
void be_sampling_read(struct be_sampling *sampling);

/* ---- results -------------------------------------------------------------------------------- */

/* A mapped file. */
struct be_sample_file {
    char *path;   /* "[kernel]" and "[memory]" (code that was made at run time) are none */
    bool missing; /* it was removed before its functions could be looked up */
    int *beside;  /* of [memory]: the files that its processes had mapped, by index */
    int besides;
};

/* A function. Times are estimates from the number of samples. */
struct be_sample_place {
    int file;                      /* by index */
    char symbol[BE_SAMPLE_SYMBOL]; /* empty: not known */
    double samples;
    double cpu_s;
    double wall_s;  /* of the run: where n threads work at a time, each counts as 1 / n */
    double later_s; /* of wall_s: when the program had begun, and had not ended */
    uint32_t id;    /* for be_sampling_spots */
};

/* Samples of one instruction; its address as the symbols of its file have it. */
struct be_sample_spot {
    uint64_t address;
    double samples;
};

struct be_samples_taken {
    double samples, lost;
    double rate_hz;
    double cpu_s, wall_s; /* sums over the places */
    double processes;     /* that were started */
    bool kernel;          /* time in the kernel is among them */
    double begun_s;       /* since the first sample: the program had begun; NAN: it never did */
    double ended_s; /* likewise: it had done what it is for, and only ended; INFINITY: not known */
    const struct be_sample_file *file;
    int files;
    const struct be_sample_place *place; /* the longest first */
    size_t places;
};

/* Threads that wait by spinning use CPU time, and none of the run's time while others work. A program has begun in the first
 * stretch of time in which its purpose has as large a part as in the whole run: before that it is loaded and prepares. It has
 * ended behind the last such stretch, where only 0.15 s follow: then it is taken down. */
enum be_sample_role { BE_SAMPLE_WORK, BE_SAMPLE_PURPOSE, BE_SAMPLE_IDLE };
struct be_sample_roles {
    enum be_sample_role (*of)(const void *context, const struct be_samples_taken *taken,
                              const struct be_sample_place *place);
    const void *context;
};

/* Reads the last and looks up the names of the functions. The result is valid until the close. */
const struct be_samples_taken *be_sampling_end(struct be_sampling *sampling,
                                               const struct be_sample_roles *roles);
/* After that: the instructions of a place which samples met, in the order of their addresses. At most `most`; how many. None
 * of code without a file. */
size_t be_sampling_spots(const struct be_sampling *sampling, const struct be_sample_place *place,
                         struct be_sample_spot *spot, size_t most);

#endif
