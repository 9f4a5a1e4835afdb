/*
 * The maximum that a place can do, from a short measurement here: memory and cache bandwidth, arithmetic, bus. The
 * least time of a case follows from it. (`probe` grows this into a profile.) It does not know workloads: it is
 * asked with bytes and operations.
 *
 * A ceiling is the best of several short runs, not their median. It says what is impossible, so it must not be
 * low.
 */
#ifndef BE_MACHINE_CEILINGS_H
#define BE_MACHINE_CEILINGS_H

#include "base/clock.h"
#include "host/stores.h"
#include "host/team.h"
#include "device/device.h"
#include "stat/stat.h"

enum { BE_CEILING_POINTS = 16 };

/* The units that do the operations of a call. Matrix: units that do nothing but matrix products may
 * help. */
enum be_arithmetic { BE_PLAIN32, BE_PLAIN64, BE_MATRIX32, BE_MATRIX64, BE_ARITHMETICS };

struct be_ceilings {
    /* Bandwidth, bytes/s, of working sets of that many bytes, ascending; the last is memory. */
    struct {
        double bytes, rate;
        enum be_stores stores; /* that were the triad's fastest; of the CPU */
        double update; /* rate where arrays are updated in place, each byte read and written; 0: not
                          known, as `rate`: of devices, whose memory reads or writes */
        enum be_stores update_stores; /* that were its fastest */
    } memory[BE_CEILING_POINTS];
    int points;
    double write;       /* memory that is only written, bytes/s; 0: not known, as the last `rate` */
    double cache_bytes; /* up to here a working set fits a cache; NAN not known */
    double operations[BE_ARITHMETICS]; /* a second; NAN not known */
    double bus_in, bus_out; /* bytes/s, host to device and back, page-locked; NAN: no bus */
    double
        latency_s; /* from one float32 operation to the next, which needs it; 0 or NAN: not known */
    double launch_s; /* an empty kernel and its wait; NAN: no such thing */
};

/* Asked between the parts of a measurement, some tenths of a second apart, or one launch where that
 * takes longer: true: it is to end. A zeroed one: never. */
struct be_cancel {
    bool (*asked)(void *context);
    void *context;
};
bool be_cancel_asked(const struct be_cancel *cancel);

/* Some 3 s for a team with a core for each member, and at most about limit_s (INFINITY: no limit). Where the time is
 * short, a working set is measured only in the way that was fastest for the one before; when it is up, only the largest
 * is measured. A missing set has the rate of a smaller one, so its limits are lower and not wrong. Where it was told to end, BE_OK with what it
 * has until then; the rest is NAN, or no point. */
enum be_status be_ceilings_cpu(struct be_team *team, double cache_bytes, double limit_s,
                               struct be_cancel cancel, struct be_ceilings *ceilings,
                               struct be_error *error);

/* Again: the working set of `known` that decides over calls of `working_set` bytes, and the arithmetic; a fifth
 * of a second. For be_ceilings_raise. Ends as be_ceilings_cpu does. */
enum be_status be_ceilings_cpu_again(struct be_team *team, const struct be_ceilings *known,
                                     double working_set, struct be_cancel cancel,
                                     struct be_ceilings *again, struct be_error *error);

/* Samples of one working set, each of which moved that many bytes: of the triad with the stores that
 * were fastest, or of a scale or a sum if that was faster still; or of an update in place. */
struct be_ceiling_samples {
    bool update;
    double set_bytes, bytes;
    enum be_stores stores;
    struct be_samples seconds;
};
typedef enum be_status be_ceiling_take(void *context, const struct be_ceiling_samples *samples,
                                       struct be_error *error);

/* The working sets of be_ceilings_cpu, ascending, with all their samples: each is handed to
 * `take`, which does not keep it, and after it its update in place. budget_s: time for each of the
 * triad's three ways to store, for the scale, for the sum and for the update's two. limit_s: as above. Ends with
 * the first status that is not BE_OK; BE_TIMEOUT: it was told to end. */
enum be_status be_ceilings_cpu_sets(struct be_team *team, double cache_bytes, double budget_s,
                                    double limit_s, struct be_cancel cancel, be_ceiling_take *take,
                                    void *context, struct be_error *error);
enum be_status be_ceilings_device(struct be_device *device, struct be_cancel cancel,
                                  struct be_ceilings *ceilings, struct be_error *error);

/* Its matrix units in float64, through the vendor's library: half a second, of which opening that library is most.
 * BE_ABSENT: there is none, and they stay unknown. A device for which no such library is known has none to use. */
enum be_status be_ceilings_matrix(struct be_device *device, struct be_cancel cancel,
                                  struct be_ceilings *ceilings, struct be_error *error);

/* For a place whose float32 multiply-adds were measured, and nothing else. No hardware does float64 at more than half
 * that rate outside of matrix units. No matrix units multiply float32 as it is: those that are called so round it
 * (TF32). On the CPU there are none. */
void be_ceilings_set_operations(struct be_ceilings *ceilings, double float32, bool cpu);

/* The stores that are fastest where a call touches that many bytes in turn: those of the working set
 * measured that is nearest, as a ratio. update: where it is read. */
enum be_stores be_ceilings_stores(const struct be_ceilings *ceilings, double working_set,
                                  bool update);

/* Takes the higher of two measurements of the same place, number by number. */
void be_ceilings_raise(struct be_ceilings *ceilings, const struct be_ceilings *other);

/* Index of the smallest set measured whose rate counts for such a working set; 0 where there is none. */
int be_ceilings_set(const struct be_ceilings *ceilings, double working_set);

/* Bandwidth, bytes/s, that a working set of that many bytes gets at most. update: each byte is read and written where it
 * lies; write: hardly any byte is read. NAN: not known. */
double be_ceilings_memory(const struct be_ceilings *ceilings, double working_set, bool update,
                          bool write);

#endif
