#include "kinds.h"

#include <stdio.h>

static const struct {
    CUpti_ActivityKind kind;
    bool must;
} kinds[] = {
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, true}, /* KERNEL would put them in line */
    {CUPTI_ACTIVITY_KIND_MEMCPY, true},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, false},
    {CUPTI_ACTIVITY_KIND_MEMSET, false},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, false},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, false},
};

bool kinds_enable(const struct cupti *cupti, char *why, size_t room) {
    char said[96];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        CUptiResult result = cupti->cuptiActivityEnable(kinds[i].kind);
        if (result != CUPTI_SUCCESS && kinds[i].must) {
            snprintf(why, room, "cuptiActivityEnable of kind %d: %s", kinds[i].kind,
                     cupti_said(cupti, result, said, sizeof said));
            while (i-- > 0) {
                cupti->cuptiActivityDisable(kinds[i].kind);
            }
            return false;
        }
    }
    return true;
}

void kinds_disable(const struct cupti *cupti) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        cupti->cuptiActivityDisable(kinds[i].kind);
    }
}

/* What starting a kernel costs the host: of all calls only these, since records of every call cost
 * more than everything else together. */
bool kinds_launches(const struct cupti *cupti, bool on) {
    static const CUpti_CallbackId runtime[] = {
        CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
        CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_ptsz_v7000,
        CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_v9000,
        CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000,
        CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060,
    };
    static const CUpti_CallbackId driver[] = {
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    };
    bool known = false;
    if (!cupti->cuptiActivityEnableRuntimeApi || !cupti->cuptiActivityEnableDriverApi) {
        return false;
    }
    for (size_t i = 0; i < sizeof runtime / sizeof runtime[0]; i++) {
        known |= cupti->cuptiActivityEnableRuntimeApi(runtime[i], on) == CUPTI_SUCCESS;
    }
    for (size_t i = 0; i < sizeof driver / sizeof driver[0]; i++) {
        known |= cupti->cuptiActivityEnableDriverApi(driver[i], on) == CUPTI_SUCCESS;
    }
    return known;
}
