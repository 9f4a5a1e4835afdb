#include "ask/own_code.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* Operations of a mathematical function, of a division and of a square root, as GPUs work them out (CUDA C++ Programming Guide,
 * throughput of native arithmetic instructions: a division has some ten). */
static const double of_function = 20, of_slow = 10;

/* All operations of an iteration, counted as floating-point ones of the loop's type. Addresses, counters and
 * comparisons are worked out for each value there, and take a turn of a unit of 32 bits. */
static double operations_of(const struct be_code_loop *loop, bool float64) {
    const double lanes = fmax(1, loop->lanes);
    const double leading = (loop->instructions - loop->arithmetic) * lanes;
    return loop->flops32 + loop->flops64 + of_slow * loop->slow * lanes +
           of_function * loop->calls + leading / (float64 ? 2 : 1);
}

static struct be_predict_time on(const struct be_ask_scale *scale, double iterations,
                                 double operations, double bytes, bool float64) {
    struct be_predict_side side = {0};
    const struct be_predict_work work = {.flops = fmax(1, iterations * operations),
                                         .bytes = iterations * bytes,
                                         .calls = 1,
                                         .launches = 1,
                                         .passes = 1,
                                         .batch = 1,
                                         .memory_bytes = 1,
                                         .float64 = float64};
    be_predict_on(&scale->place, &work, &side);
    return side.time;
}

/* An iteration that takes long on the CPU has few others beside it in the time that was seen, and the other way round. Its
 * bytes come from caches at best, from memory at worst. */
void be_ask_own_on(const struct be_ask_own *own, const struct be_ask_scale *scale,
                   struct be_ask_own_there *there) {
    *there = (struct be_ask_own_there){NAN, NAN, NAN};
    if (!own->library[0] || own->why[0] || own->loop.others || !scale->has_place) {
        return;
    }
    static const double usual_share = 0.25; /* of the bytes, from memory */
    static const double usual_longer =
        2; /* than foretold: plain kernels of thirteen loops (docs/measurements/loops.md) */
    const struct be_code_loop *loop = &own->loop;
    const struct be_code_time one = be_code_loop_time(loop);
    const bool float64 = loop->flops64 >= loop->flops32 && loop->flops64 > 0;
    const double operations = operations_of(loop, float64);
    const double bytes = loop->read_bytes + loop->write_bytes;
    there->lo_s = on(scale, own->cpu_s / one.hi_s, operations, 0, float64).lo_s;
    there->typical_s =
        usual_longer *
        on(scale, own->cpu_s / one.typical_s, operations, usual_share * bytes, float64).typical_s;
    there->hi_s = on(scale, own->cpu_s / one.lo_s, operations, bytes, float64).hi_s;
}
