/* The maximum arithmetic rates of the CPU's cores, and the clock that they keep meanwhile. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "machine/cpu_rates.h"
#include "machine/probe/cpu/cpu.h"

enum {
    ROUNDS = 4096,      /* of multiply-adds that count as one time: tens of microseconds */
    BURST = 50000,      /* about half a millisecond: the clock has time to settle */
    ADDITIONS = 1 << 20 /* a third of a millisecond: over before the clock rises again */
};

struct rates {
    struct be_team *team;
    const struct be_clock *clock;
    long rounds;
    bool wide;       /* float64 */
    double *seconds; /* of each member's additions */
    double additions;
};

static void multiply_add_share(void *context, int member, int members) {
    const struct rates *r = context;
    (void)member;
    (void)members;
    volatile double kept; /* keeps the loop alive */
    if (r->wide) {
        double sink = 0;
        be_cpu_rates()->multiply_add64(r->rounds, &sink);
        kept = sink;
    } else {
        float sink = 0;
        be_cpu_rates()->multiply_add(r->rounds, &sink);
        kept = (double)sink;
    }
    (void)kept;
}

static enum be_status multiply_add(void *context, long times, struct be_error *error) {
    struct rates *r = context;
    (void)error;
    r->rounds = ROUNDS * times;
    be_team_run(r->team, multiply_add_share, r);
    return BE_OK;
}

static enum be_status measure_fma(struct be_probe *probe, const struct be_target *target,
                                  struct rates *r, struct be_error *error) {
    float sink = 0;
    double sink64 = 0;
    double one = r->wide ? be_cpu_rates()->multiply_add64(1, &sink64)
                         : be_cpu_rates()->multiply_add(1, &sink);
    int threads = be_team_size(r->team);
    struct be_figure key = be_cpu_key(target, "fma", r->wide ? "float64" : "float32", threads, NAN);
    be_copy_text(key.note, sizeof key.note, be_cpu_rates()->name);
    return be_probe_measure(probe, target, &key, one * ROUNDS * threads, multiply_add, r, error);
}

/* Additions right behind multiply-adds: the clock is the one that wide vectors leave. */
static void clock_share(void *context, int member, int members) {
    struct rates *r = context;
    multiply_add_share(context, member, members);
    unsigned long sink;
    double start = be_now(r->clock);
    double additions = be_cpu_additions(ADDITIONS, &sink);
    r->seconds[member] = be_now(r->clock) - start;
    if (member == 0) {
        r->additions = additions;
    }
}

static enum be_status measure_clock(struct be_probe *probe, const struct be_target *target,
                                    struct rates *r, struct be_error *error) {
    int threads = be_team_size(r->team);
    struct be_figure key = be_cpu_key(target, "clock", "", threads, NAN);
    struct be_samples samples = {0};
    enum be_status status = BE_OK;
    double begun = be_now(r->clock);
    r->rounds = BURST;
    r->wide = false;
    while (status == BE_OK &&
           be_stop_check(&samples, be_now(r->clock) - begun, &probe->rule) == BE_STOP_NONE) {
        be_team_run(r->team, clock_share, r);
        status = be_samples_add(&samples, be_median(r->seconds, threads), error);
        status = status == BE_OK ? be_probe_pause(probe, error) : status;
    }
    status = status == BE_OK ? be_probe_add(probe, &key, r->additions, &samples, error) : status;
    be_samples_free(&samples);
    return status;
}

static enum be_status measure_team(struct be_probe *probe, const struct be_target *target,
                                   int threads, struct be_error *error) {
    struct rates r = {.clock = &probe->clock, .seconds = calloc((size_t)threads, sizeof(double))};
    enum be_status status = r.seconds ? be_team_open(&probe->cores, threads, &r.team, error)
                                      : be_fail(error, BE_NOMEM, "arithmetic: no memory");
    status = status == BE_OK ? measure_fma(probe, target, &r, error) : status;
    r.wide = true;
    status = status == BE_OK ? measure_fma(probe, target, &r, error) : status;
    status = status == BE_OK ? measure_clock(probe, target, &r, error) : status;
    be_team_close(r.team);
    free(r.seconds);
    return status;
}

enum be_status be_probe_cpu_rates(struct be_probe *probe, const struct be_target *target,
                                  struct be_error *error) {
    return be_probe_each_count(probe, target, measure_team, error);
}
