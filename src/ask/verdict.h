/*
 * The verdict on a program and a GPU: the time that it would take with that GPU, as an interval, and why. Pure.
 */
#ifndef BE_ASK_VERDICT_H
#define BE_ASK_VERDICT_H

#include "ask/ask.h"
#include "ask/gpu_library.h"
#include "ask/own_code.h"
#include "ask/recorded.h"
#include "ask/scale.h"

enum be_ask_verdict {
    BE_ASK_UNKNOWN, /* nothing was sampled, or code of the program's own decides */
    BE_ASK_NO,
    BE_ASK_YES,
    BE_ASK_CLOSE, /* the interval has both in it */
    BE_ASK_VERDICTS
};

enum be_ask_cause {
    BE_ASK_BY_NONE,
    BE_ASK_BY_SHORTNESS, /* too few samples tell anything */
    BE_ASK_BY_STAYING,   /* work that stays on the CPU takes most of the time */
    BE_ASK_BY_START,     /* the GPU's start takes too much of so short a run */
    BE_ASK_BY_OWN,       /* code whose kind of work is not known */
    BE_ASK_BY_SIZES,     /* it depends on how large the arrays are */
    BE_ASK_BY_SPEED,     /* the GPU is faster, or not, at what there is */
    BE_ASK_CAUSES
};

struct be_ask_machine {
    char name[BE_NAME], gpu[BE_NAME * 2], scaled_from[BE_NAME];
    struct be_ask_time kind[BE_WORK_KINDS]; /* of the work of each kind */
    struct be_ask_time start, all;
    bool any_library; /* of Python for GPUs: nobody said which, and their starts differ */
    bool recorded;    /* times of matrix products and LAPACK are those of their calls */
    double gain, gain_lo, gain_hi; /* own_s / all: above 1 the GPU is faster */
    double gain_copy;              /* with data that are copied with every call */
    double most;                   /* the gain if all that may move took no time there at all */
    enum be_ask_verdict verdict;
    enum be_ask_cause cause;
    /* The same for a run that is much longer, by more of its time since it had begun; NAN: it never had. */
    double long_gain, long_lo, long_hi;
    enum be_ask_verdict long_verdict;
    struct be_ask_own_there
        own;           /* the loop of be_ask_answer.own, if its iterations are independent */
    double large_gain; /* if every call took 1 ms or more on the CPU; NAN: that changes nothing */
};

/* All of it, as it is reported. */
struct be_ask_answer {
    struct be_ask ask;
    struct be_ask_own own;
    struct be_ask_machine machine[BE_LIST_MAX];
    int machines;
    char no_machines[BE_NOTE];  /* why there are none; empty: there are */
    char longest_call[BE_NOTE]; /* of those that were recorded; empty: none was */
    char calls_note[BE_NOTE]; /* why calls were not recorded; empty: they were, or were not to be */
};

/* A gain below this is not worth another machine: so much lies between runs and between codes. */
extern const double be_ask_worth;

extern const char *const be_ask_verdict_words[BE_ASK_VERDICTS]; /* "no" */
extern const char *const be_ask_cause_words[BE_ASK_CAUSES];     /* "staying" */

/* More that is known of the run. */
struct be_ask_seen {
    double peak_bytes; /* the program's memory, which no array exceeds; NAN not known */
    const struct be_trace_calls *calls; /* NULL: none were recorded */
    const struct be_gpu_library *with;  /* of a version for GPUs in Python; NULL: not known */
};

void be_ask_judge(const struct be_ask *ask, const struct be_ask_scale *scale,
                  const struct be_ask_seen *seen, struct be_ask_machine *machine);

/* The most that a GPU can bring, whichever it is: with chance in the samples at its most favourable (2 standard
 * deviations). INFINITY: nothing stays. NAN: nothing was sampled. */
double be_ask_most(const struct be_ask *ask);

#endif
