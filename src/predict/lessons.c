/* The lessons of a run as facts of a profile, and from there into a place. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "machine/profile.h"
#include "predict/predict.h"

/* The four numbers that are learned: seconds, and shares of what the profile says. */
enum { LAUNCH, OPERATIONS, MEMORY, CACHE, NUMBERS };

static const char *const fact_name[NUMBERS] = {
    [LAUNCH] = "learned_launch_s",
    [OPERATIONS] = "learned_operations",
    [MEMORY] = "learned_memory",
    [CACHE] = "learned_cache",
};

enum be_status be_predict_keep_learned(struct be_profile *profile, const char *device,
                                       const struct be_learned_side *side, struct be_error *error) {
    const struct {
        const char *name;
        double number;
    } fact[] = {
        {fact_name[LAUNCH], side->launch_s},
        {fact_name[OPERATIONS], side->operations},
        {fact_name[MEMORY], side->memory},
        {fact_name[CACHE], side->cache},
        {"learned_lo", side->lo},
        {"learned_hi", side->hi},
        {"learned_times", (double)side->times},
    };
    enum be_status status = BE_OK;
    for (size_t i = 0; i < BE_COUNT(fact) && !status; i++) {
        struct be_fact f = {.number = fact[i].number};
        be_copy_text(f.device, sizeof f.device, device);
        be_copy_text(f.name, sizeof f.name, fact[i].name);
        snprintf(f.text, sizeof f.text, "%.6g", fact[i].number);
        status = be_profile_add_fact(profile, &f, error);
    }
    return status;
}

bool be_predict_has_learned(const struct be_profile *profile, const char *device) {
    return be_profile_fact(profile, device, fact_name[MEMORY]) != NULL;
}

static double learned_number(const struct be_profile *profile, const char *device,
                             const char *name) {
    const struct be_fact *fact = be_profile_fact(profile, device, name);
    return fact && fact->number > 0 ? fact->number : NAN;
}

void be_predict_take_learned(const struct be_profile *profile, const char *device,
                             struct be_predict_place *place) {
    double number[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        number[i] = learned_number(profile, device, fact_name[i]);
        if (isnan(number[i])) {
            return;
        }
    }
    place->learned = (struct be_predict_spread){learned_number(profile, device, "learned_lo"), 1,
                                                learned_number(profile, device, "learned_hi")};
    for (int i = 0; i < BE_ARITHMETICS; i++) {
        place->reached.operations[i] *= number[OPERATIONS];
    }
    for (int i = 0; i < place->reached.points; i++) {
        const bool cached = place->reached.memory[i].bytes < place->limit.cache_bytes;
        place->reached.memory[i].rate *= number[cached ? CACHE : MEMORY];
    }
    if (place->launch.typical_s > 0) {
        const double slower = place->launch.hi_s / place->launch.typical_s;
        place->launch = (struct be_predict_time){fmin(place->launch.lo_s, number[LAUNCH]),
                                                 number[LAUNCH], number[LAUNCH] * slower};
    }
}
