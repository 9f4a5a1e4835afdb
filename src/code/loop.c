#include "code/loop.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "code/chain.h"

/* ---- which loop ----------------------------------------------------------------------------- */

static double samples_within(const struct be_sample_spot *spot, size_t spots, uint64_t from,
                             uint64_t to) {
    double sum = 0;
    for (size_t i = 0; i < spots; i++) {
        sum += spot[i].address >= from && spot[i].address <= to ? spot[i].samples : 0;
    }
    return sum;
}

/* Functions of <math.h>, as libraries name them: exp, expf, __exp_finite. */
static bool is_mathematical(const char *name) {
    static const char *const known[] = {
        "exp",  "exp2",  "exp10", "expm1",  "log",       "log2", "log10",  "log1p", "pow",
        "sin",  "cos",   "tan",   "sincos", "sqrt",      "cbrt", "hypot",  "erf",   "erfc",
        "asin", "acos",  "atan",  "atan2",  "sinh",      "cosh", "tanh",   "fmod",  "floor",
        "ceil", "round", "trunc", "lround", "nearbyint", "rint", "tgamma", "lgamma"};
    name += strspn(name, "_");
    for (size_t i = 0; i < BE_COUNT(known); i++) {
        const size_t length = strlen(known[i]);
        const char *rest = name + length;
        if (strncmp(name, known[i], length) == 0 &&
            (!*rest || strcmp(rest, "f") == 0 || strcmp(rest, "_finite") == 0 ||
             strcmp(rest, "f_finite") == 0)) {
            return true;
        }
    }
    return false;
}

static void count(const struct be_instruction *one, struct be_code_loop *loop, double *by_lanes) {
    loop->instructions++;
    loop->flops64 += one->float64 ? one->flops : 0;
    loop->flops32 += one->float64 ? 0 : one->flops;
    loop->arithmetic += one->flops > 0;
    loop->slow += one->slow;
    loop->read_bytes += one->read_bytes;
    loop->write_bytes += one->write_bytes;
    by_lanes[one->lanes] += one->flops;
    if (one->call) {
        loop->calls++;
        loop->others += !is_mathematical(one->callee);
        be_copy_text(loop->callee, sizeof loop->callee, one->callee);
    }
}

enum be_status be_code_loop_find(const struct be_instruction *instruction, size_t instructions,
                                 const struct be_sample_spot *spot, size_t spots,
                                 struct be_code_loop *loop, struct be_error *error) {
    enum { LANES = 17 };
    static const double most_of_them = 0.6;
    const double all = samples_within(spot, spots, 0, UINT64_MAX);
    double by_lanes[LANES] = {0};
    *loop = (struct be_code_loop){0};
    for (size_t i = 0; i < instructions; i++) {
        const uint64_t from = instruction[i].target, to = instruction[i].address;
        const bool back = from && from <= to && from >= instruction[0].address;
        if (back && (!loop->to || to - from < loop->to - loop->from) &&
            samples_within(spot, spots, from, to) >= most_of_them * all) {
            loop->from = from;
            loop->to = to;
        }
    }
    if (!loop->to || !(all > 0)) {
        return be_fail(error, BE_ABSENT, "no loop has most of its time");
    }
    loop->share = samples_within(spot, spots, loop->from, loop->to) / all;
    size_t first = 0;
    while (first < instructions && instruction[first].address < loop->from) {
        first++;
    }
    for (size_t i = first; i < instructions && instruction[i].address <= loop->to; i++) {
        count(&instruction[i], loop, by_lanes);
    }
    loop->chain = be_code_chain_of(instruction + first, (size_t)loop->instructions);
    for (int lanes = 1; lanes < LANES; lanes++) {
        loop->lanes = by_lanes[lanes] > by_lanes[loop->lanes] ? lanes : loop->lanes;
    }
    return BE_OK;
}

/* ---- its time ------------------------------------------------------------------------------- */

/* Cores of the last ten years, as Agner Fog's instruction tables and uops.info have them: at most 6 instructions a clock tick, 2
 * of them arithmetic; a division or a square root occupies its unit for 4 ticks, a wide one longer; 128 bytes come from the
 * first cache. Loops as people write them take about twice that, and up to 9 times where they wait for memory
 * (docs/measurements/loops.md); a third of the instructions may lie in branches that are seldom taken. */
static const double most_hz = 5e9, usual_hz = 3.2e9, least_hz = 2.5e9;
static const double usual_wait = 2, longest_wait = 8, least_taken = 0.65;

struct be_code_time be_code_loop_time(const struct be_code_loop *loop) {
    const double wide = fmax(1, loop->lanes / 4.0);
    const double bytes = loop->read_bytes + loop->write_bytes;
    const double issue = fmax(loop->instructions / 6.0, loop->arithmetic / 2);
    const double ticks = fmax(fmax(fmax(issue, 4 * wide * loop->slow), bytes / 128), 1);
    return (struct be_code_time){least_taken * ticks / most_hz, usual_wait * ticks / usual_hz,
                                 longest_wait * ticks / least_hz};
}
