/* Compiles only where the lines of src/dyn/nvidia/dcgm_list.h and the values of dcgm_constants.h are those of NVIDIA's own
 * headers. Its object file is not linked into anything. */
#include <stddef.h>

#include <dcgm_agent.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in dcgm_agent.h");
#include "dyn/nvidia/dcgm_list.h"
#undef FN

#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/nvidia/dcgm_constants.h"
#undef CONST

/* Layouts that dyn/nvidia/dcgm.h repeats. */
_Static_assert(sizeof(dcgmReturn_t) == sizeof(int) && sizeof(dcgmGroupType_t) == sizeof(int) &&
                   sizeof(dcgm_field_entity_group_t) == sizeof(int) &&
                   sizeof(dcgm_field_eid_t) == sizeof(int) &&
                   sizeof(dcgmHandle_t) == sizeof(uintptr_t),
               "results, selectors and handles");
_Static_assert(dcgmConnectV2Params_version == (16 | 2u << 24), "options of a connection");
_Static_assert(dcgmFieldValue_version2 == (4128 | 2u << 24) &&
                   offsetof(dcgmFieldValue_v2, status) == 16 &&
                   offsetof(dcgmFieldValue_v2, ts) == 24 &&
                   offsetof(dcgmFieldValue_v2, value) == 32,
               "values");
_Static_assert(dcgmProfGetMetricGroups_version == (1376 | 3u << 24), "groups of metrics");
_Static_assert(sizeof(dcgmMigHierarchyInfo_v2) == 164 &&
                   dcgmMigHierarchy_version2 == ((8 + 448 * 164) | 2u << 24),
               "parts");
