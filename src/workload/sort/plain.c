#include "workload/sort/plain.h"

#include <string.h>

#include "base/error.h"
#include "kernel_programs.h"

/* ---- CPU ------------------------------------------------------------------------------------ */

enum { DIGITS = 256, PASSES = 4 };

static size_t keys_bytes(const struct be_problem *problem) {
    return ((size_t)problem->value[0] * sizeof(uint32_t) + BE_WHOLE_ALIGN - 1) / BE_WHOLE_ALIGN *
           BE_WHOLE_ALIGN;
}

/* The keys once more, and each member's counts. */
size_t be_sort_plain_host_scratch(const struct be_problem *problem, int members) {
    return keys_bytes(problem) + (size_t)members * DIGITS * sizeof(size_t);
}

/* place: where this member's first key of each digit comes, behind all smaller digits and behind those of the members
 * before it. */
static void find_places(const struct be_work *work, const size_t *counts, size_t *place) {
    size_t before = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        for (int m = 0; m < work->members; m++) {
            if (m == work->member) {
                place[digit] = before;
            }
            before += counts[(size_t)m * DIGITS + digit];
        }
    }
}

/* By the digit at `shift`; equal ones keep their order. */
static void pass(const struct be_work *work, const uint32_t *from, uint32_t *to, int shift) {
    size_t *counts =
        (size_t *)(void *)((char *)work->scratch + keys_bytes(work->problem)); /* of all members */
    size_t *mine = counts + (size_t)work->member * DIGITS;
    size_t place[DIGITS];
    size_t first;
    size_t count;
    be_work_rows(work, (size_t)work->problem->value[0], 1, &first, &count);
    memset(mine, 0, DIGITS * sizeof *mine);
    for (size_t i = first; i < first + count; i++) {
        mine[from[i] >> shift & (DIGITS - 1)]++;
    }
    be_team_barrier(work->team);
    find_places(work, counts, place);
    for (size_t i = first; i < first + count; i++) {
        to[place[from[i] >> shift & (DIGITS - 1)]++] = from[i];
    }
    be_team_barrier(work->team);
}

void be_sort_plain_host(const struct be_work *work) {
    uint32_t *sorted = be_work_array(work, 1), *other = work->scratch;
    const uint32_t *from = be_work_array(work, 0);
    for (int k = 0; k < PASSES; k++) {
        uint32_t *to = k % 2 ? sorted : other;
        pass(work, from, to, 8 * k);
        from = to;
    }
}

/* ---- devices -------------------------------------------------------------------------------- */

enum { BLOCK, MERGE, FINISH };

/* As in plain.cl. */
enum { LANES = 256, TILE = 2 * LANES };

enum be_status be_sort_plain_prepare(struct be_device *device, const struct be_problem *problem,
                                     struct be_prepared *prepared, struct be_error *error) {
    static const char *const names[] = {"k_bitonic_block", "k_bitonic_merge", "k_bitonic_finish",
                                        NULL};
    return be_prepare_kernels(device, problem, &be_program_sort_plain, NULL, names, prepared,
                              error);
}

/* Sorted runs of half of `run` become sorted ones of `run`. The last run may lie behind the end for the most part, and
 * still all its pairs are gone through: which of them are there the kernel looks up. */
static enum be_status merge(const struct be_launch *launch, size_t tiles, size_t run,
                            struct be_error *error) {
    const struct be_argument keys = be_launch_array(launch, 1);
    const struct be_argument n = BE_LONG(launch->problem->value[0]);
    enum be_status status = BE_OK;
    for (size_t apart = run / 2; status == BE_OK && apart >= TILE; apart /= 2) {
        const size_t groups = (tiles * TILE + 2 * apart - 1) / (2 * apart) * apart / LANES;
        const struct be_argument step[] = {keys, n, BE_LONG(apart), BE_INT(apart == run / 2)};
        status = be_launch_kernel(launch, MERGE, groups, LANES, step, BE_COUNT(step), error);
    }
    const struct be_argument last[] = {keys, n};
    return status == BE_OK
               ? be_launch_kernel(launch, FINISH, tiles, LANES, last, BE_COUNT(last), error)
               : status;
}

enum be_status be_sort_plain_enqueue(const struct be_launch *launch, struct be_error *error) {
    const size_t n = (size_t)launch->problem->value[0];
    const size_t tiles = (n + TILE - 1) / TILE;
    const struct be_argument block[] = {be_launch_array(launch, 0), be_launch_array(launch, 1),
                                        BE_LONG(n)};
    enum be_status status =
        be_launch_kernel(launch, BLOCK, tiles, LANES, block, BE_COUNT(block), error);
    for (size_t run = 2 * TILE; status == BE_OK && run / 2 < n; run *= 2) {
        status = merge(launch, tiles, run, error);
    }
    return status;
}
