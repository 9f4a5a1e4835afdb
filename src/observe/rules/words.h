/*
 * Advice in the words of the libraries that a trace names: one table of what is said to whom. A trace that names none
 * gets words that hold for any program, and a way to find out.
 */
#ifndef BE_OBSERVE_RULES_WORDS_H
#define BE_OBSERVE_RULES_WORDS_H

#include "observe/rules/rules.h"

enum be_words {
    /* GPUs */
    BE_SAY_SEES_GPU,
    BE_SAY_ALL_GPUS,
    BE_SAY_EVEN,
    BE_SAY_WARPS,
    BE_SAY_TENSOR,
    BE_SAY_SINGLE,
    BE_SAY_PINNED,
    BE_SAY_LAUNCHES,
    BE_SAY_WORKERS, /* so many of those that prepare data */
    BE_SAY_PREPARE,
    BE_SAY_FETCH,
    BE_SAY_COMPILE,
    BE_SAY_EXCHANGE,
    BE_SAY_GPU_MEMORY,
    /* cores */
    BE_SAY_PARALLEL,
    BE_SAY_AGAIN, /* what memory is taken for */
    BE_SAY_TURNS,
    BE_SAY_MEET, /* at barriers, too often */
    BE_SAY_FEWER_PROCESSES,
    BE_SAY_BARRIERS,
    BE_SAY_SHARE,
    BE_SAY_BUILD,
    BE_SAYS
};

/* `number` stands where the text has one. */
const char *be_words(const struct be_trace *trace, enum be_words what, int number,
                     char to[BE_NOTE]);

/* ---- how many threads (words_threads.c) -------------------------------------------------------- */

/* For a program that wants more cores than it has: fewer threads, in fewer processes. */
void be_advise_fewer(const struct be_trace *trace, struct be_run_finding *finding, int cores);
/* For one that uses fewer than it has. */
void be_advise_more(const struct be_trace *trace, struct be_run_finding *finding, double used);
/* Processes that share the work, and threads of each that want to run at a time; 0: not known. */
void be_look_team(const struct be_trace *trace, int *processes, int *threads);

#endif
