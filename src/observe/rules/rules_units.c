/* Which units of a GPU work: occupancy, tensor units, double precision, memory. */
#include <math.h>
#include <stdio.h>

#include "observe/rules/words.h"

/* Occupancy hides the latency of memory: more warps in flight, more loads under way. Where arithmetic
 * decides, a few warps with independent instructions keep every unit busy (a good matrix product runs
 * at 12 %), so a low number means nothing there. */
bool be_check_occupancy(const struct be_trace *trace, struct be_run_finding *finding) {
    char words[BE_NOTE];
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    bool computing = look.tensor >= be_t(BE_T_FP32) || look.fp32 >= be_t(BE_T_SM_LOW) ||
                     look.fp64 >= be_t(BE_T_FP64);
    if (!(look.occupancy < be_t(BE_T_OCCUPANCY)) || !(look.dram >= be_t(BE_T_DRAM)) ||
        look.dram >= be_t(BE_T_DRAM_NEAR) || computing) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, look.length_s * (1 - look.dram / be_t(BE_T_DRAM_NEAR)));
    be_found_evidence(finding,
                      "too few warps to keep memory busy: occupancy %.0f %% where memory decides "
                      "(bandwidth %.0f %%).",
                      100 * look.occupancy, 100 * look.dram);
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_WARPS, 0, words));
    return true;
}

bool be_check_tensor_idle(const struct be_trace *trace, struct be_run_finding *finding) {
    char words[BE_NOTE];
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    if (!(look.tensor < be_t(BE_T_TENSOR)) || !(look.fp32 >= be_t(BE_T_FP32))) {
        return false;
    }
    be_found(finding, BE_WEIGHT_COST, look.length_s * look.fp32);
    be_found_evidence(finding,
                      "matrix units are idle (%.0f %%) while FP32 units work %.0f %% of the time: "
                      "where that is matrix products, TF32 or mixed precision would use them.",
                      100 * look.tensor, 100 * look.fp32);
    be_found_advice(finding, "%s", be_words(trace, BE_SAY_TENSOR, 0, words));
    return true;
}

bool be_check_fp64(const struct be_trace *trace, struct be_run_finding *finding) {
    char words[BE_NOTE];
    struct be_gpu_look look;
    double ratio = trace->gpu[finding->gpu].fp64_ratio;
    be_look_gpu(trace, finding->gpu, &look);
    if (!(look.fp64 >= be_t(BE_T_FP64)) || !(ratio > 0)) {
        return false;
    }
    bool weak = ratio < be_t(BE_T_FP64_WEAK);
    be_found(finding, weak ? BE_WEIGHT_COST : BE_WEIGHT_NOTE,
             look.length_s * look.fp64 * (1 - ratio));
    be_found_evidence(
        finding,
        "double precision: FP64 units work %.0f %% of the time, at 1/%.0f of the FP32 "
        "rate on this GPU.",
        100 * look.fp64, 1 / ratio);
    be_found_advice(finding, "where single precision is enough: %s",
                    be_words(trace, BE_SAY_SINGLE, 0, words));
    return true;
}

bool be_check_memory_bound(const struct be_trace *trace, struct be_run_finding *finding) {
    struct be_gpu_look look;
    be_look_gpu(trace, finding->gpu, &look);
    bool near = look.dram >= be_t(BE_T_DRAM_NEAR);
    bool few = look.dram >= be_t(BE_T_SM_LOW) && look.sm < be_t(BE_T_SM_LOW);
    if (!near && !few) {
        return false;
    }
    be_found(finding, BE_WEIGHT_GOOD, NAN);
    be_found_evidence(finding, "memory decides: %.0f %% of the GPU's memory bandwidth in use%s.",
                      100 * look.dram, near ? ", about all there is" : "");
    be_found_advice(finding, "only fewer bytes make it faster: fuse steps, use smaller types");
    return true;
}
