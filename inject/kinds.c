#include "kinds.h"

#include <stdio.h>

static const struct {
    CUpti_ActivityKind kind;
    bool must;
} kinds[] = {
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, true}, /* KERNEL would put them in line */
    {CUPTI_ACTIVITY_KIND_MEMCPY, true},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, false},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, false},
};
/* Not ..._MEMSET: CUPTI's own thread has crashed over such records, one program in thirty, and for no more
 * than the count of memory filled. Not ..._SYNCHRONIZATION: see calls.h. */

bool kinds_enable(const struct cupti *cupti, char *why, size_t capacity) {
    char said[96];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        CUptiResult result = cupti->cuptiActivityEnable(kinds[i].kind);
        if (result != CUPTI_SUCCESS && kinds[i].must) {
            snprintf(why, capacity, "cuptiActivityEnable of kind %d: %s", kinds[i].kind,
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
