/*
 * The loop in which compiled code spends its time, and the time that an iteration takes at least, usually and at most. From
 * its instructions and from where samples met it. It does not know whether an iteration needs the one before. Pure.
 */
#ifndef BE_CODE_LOOP_H
#define BE_CODE_LOOP_H

#include <stddef.h>

#include "code/instruction.h"
#include "sample/sample.h"

/* Whether an iteration takes a result of the one before it, in a vector register. */
enum be_code_chain {
    BE_CHAIN_NONE, /* none that is seen: memory may still pass results on */
    BE_CHAIN_SUM, /* only sums and the like go through it: parts of it can be added up side by side */
    BE_CHAIN_STEPS /* each iteration is computed from the one before */
};

/* Numbers are of one iteration. */
struct be_code_loop {
    uint64_t from, to; /* addresses of its first and last instruction */
    double share;      /* of the samples, in this loop */
    int instructions;
    double flops32, flops64; /* slow ones among them */
    double arithmetic;       /* instructions of floating-point arithmetic */
    double slow;             /* those of them that divide or take a square root */
    int lanes; /* values that most of its arithmetic works on at a time; 0: there is none */
    double read_bytes, write_bytes;
    enum be_code_chain chain;
    int calls;  /* of other functions */
    int others; /* those of them that are no mathematical functions: their work is not known */
    char callee[BE_NAME]; /* one of them; empty: not known */
};

/* The smallest loop that has most of the samples. BE_ABSENT: no loop has; the text says it. */
enum be_status be_code_loop_find(const struct be_instruction *instruction, size_t instructions,
                                 const struct be_sample_spot *spot, size_t spots,
                                 struct be_code_loop *loop, struct be_error *error);

/* Seconds of one iteration on one core. */
struct be_code_time {
    double lo_s, typical_s, hi_s;
};
struct be_code_time be_code_loop_time(const struct be_code_loop *loop);

#endif
