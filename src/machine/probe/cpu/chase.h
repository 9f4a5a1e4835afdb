/*
 * Chains of dependent loads through memory: one cycle in random order over its cache lines, so that
 * no prefetcher guesses the next.
 */
#ifndef BE_MACHINE_PROBE_CPU_CHASE_H
#define BE_MACHINE_PROBE_CPU_CHASE_H

#include <stddef.h>
#include <stdint.h>

enum { BE_CHASE_LINE = 64 };

struct be_chase_line {
    struct be_chase_line *next;
    char rest[BE_CHASE_LINE - sizeof(struct be_chase_line *)];
};

/* Links the `lines` (at least 1) to a single cycle, in an order that the seed says. */
void be_chase_link(struct be_chase_line *line, size_t lines, uint64_t seed);

/* Follows the chain for `hops` loads and returns where it ends. */
struct be_chase_line *be_chase_follow(struct be_chase_line *at, long hops);

/* Puts the lines out of all caches, where the CPU has an instruction for it. */
void be_chase_flush(const struct be_chase_line *line, size_t lines);

#endif
