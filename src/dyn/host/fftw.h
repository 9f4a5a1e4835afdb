/*
 * FFTW in single precision as a table of functions: Fourier transforms on the CPU. Its planner keeps
 * state of its own: one thread at a time may make and destroy plans; executing them is free to all.
 */
#ifndef BE_DYN_HOST_FFTW_H
#define BE_DYN_HOST_FFTW_H

#include "dyn/dyn.h"

typedef float fftwf_complex[2]; /* real, imaginary */
typedef struct fftwf_plan_s *fftwf_plan;

#define CONST(name, value) enum { name = value };
#include "dyn/host/fftw_constants.h"
#undef CONST

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_fftw {
#include "dyn/host/fftw_list.h"
    struct be_fftw_threads {
#include "dyn/host/fftw_threads_list.h"
        void *handle; /* NULL: not here; plans then are for one thread */
    } threads;
    struct be_fftw_plans *plans; /* those that be_fftw_plan made */
    const char *version;         /* its own text; NULL: it has none */
    void *handle;
};
#undef FN

/* With its threads where those are here too. They start when a plan is executed and inherit that
 * thread's affinity: it must not be pinned. */
enum be_status be_fftw_open(struct be_fftw *table, struct be_error *error);
void be_fftw_close(struct be_fftw *table); /* accepts a zeroed one */

/* Forward transforms that lie one behind the other: of `columns` numbers each, or of images with more rows than one. */
struct be_fftw_form {
    int rows, columns, batch;
    bool real; /* of float numbers into columns / 2 + 1 complex ones a row; else of complex ones */
};

/* For be_fftw_execute, from one array into another, both aligned to 64 bytes. Made at the first call, by trial on in and
 * out, which it overwrites (seconds, where they are large), and kept until be_fftw_close or until BE_LIST_MAX others
 * were asked for. NULL: no memory, or so many threads cannot be had. */
fftwf_plan be_fftw_plan(const struct be_fftw *fftw, const struct be_fftw_form *form, int threads,
                        float *in, fftwf_complex *out);
void be_fftw_execute(const struct be_fftw *fftw, const struct be_fftw_form *form, fftwf_plan plan,
                     float *in, fftwf_complex *out);

/* Its parallel loops can be given to threads of the caller's (FFTW 3.3.9 and newer). */
bool be_fftw_shares(const struct be_fftw *fftw);

/* For plans made from now on; false: only one thread can be had. */
bool be_fftw_set_threads(const struct be_fftw *fftw, int threads);

/* "FFTW 3.3.10"; "FFTW" where it does not say. */
void be_fftw_name(const struct be_fftw *fftw, char *name, size_t capacity);

#endif
