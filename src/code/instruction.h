/*
 * One instruction of x86-64 code, as `objdump --disassemble` prints it: its arithmetic, the memory that it reads and
 * writes, and where it may go on. Pure.
 */
#ifndef BE_CODE_INSTRUCTION_H
#define BE_CODE_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "breakeven_error.h"

/* The way a vector register's new value comes from others. */
enum be_flow {
    BE_FLOW_NONE, /* it writes no such register, or a value from elsewhere: memory, integers, zero */
    BE_FLOW_COPY,  /* a copy */
    BE_FLOW_ADDED, /* a sum, a maximum: partial results may be taken in any order */
    BE_FLOW_OTHER  /* anything else */
};
enum { BE_VECTOR_REGISTERS = 32, BE_FLOW_SOURCES = 3 };

struct be_instruction {
    uint64_t address;
    uint64_t target;     /* of a jump within code; 0: it is none */
    int lanes;           /* values that its floating-point arithmetic works on; 0: it has none */
    int flops;           /* floating-point operations: a fused one counts as two a value */
    bool float64;        /* they are of 64 bits, else of 32 */
    bool slow;           /* a division or a square root */
    int read_bytes;      /* from memory; the stack of the function is left out */
    int write_bytes;     /* to memory; likewise */
    int target_register; /* the vector register that it writes; -1: none */
    int source[BE_FLOW_SOURCES]; /* vector registers that the new value comes from; -1: none */
    enum be_flow flow[BE_FLOW_SOURCES]; /* of each source */
    bool call;                          /* another function is called */
    char callee[BE_NAME];               /* by name; empty: not known */
};

/* False: the line is no instruction (a heading, an empty one, data). */
bool be_instruction_read(const char *line, struct be_instruction *instruction);

#endif
