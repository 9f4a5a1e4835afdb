/* Compiles only where the lines of inject/cupti_list.h, the values of cupti_constants.h and the
 * beginnings of records in cupti_types.h are those of NVIDIA's own headers. Its object file is not
 * linked into anything. */
#include <cupti.h>

#include <stddef.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in cupti.h");
#include "cupti_list.h"
#undef FN

/* Cast: an enumerator and the plain number we wrote differ in type, not in value. */
#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "cupti_constants.h"
#undef CONST

_Static_assert(sizeof(CUptiResult) == sizeof(int) && sizeof(CUpti_ActivityKind) == sizeof(int) &&
                   sizeof(CUpti_CallbackDomain) == sizeof(int),
               "results and selectors");

/* Ours beside theirs, under other names for what would be declared twice. */
#define CUptiResult our_result
#define CUpti_ActivityKind our_kind
#define CUpti_CallbackDomain our_domain
#define CUpti_CallbackId our_id
#define CUpti_SubscriberHandle our_subscriber
#define CUpti_CallbackFunc our_callback
#define CUpti_BuffersCallbackRequestFunc our_request
#define CUpti_BuffersCallbackCompleteFunc our_complete
#define CUpti_Activity our_activity
#include "cupti_types.h"

#define AT(ours, field, theirs, member)                                                            \
    _Static_assert(offsetof(struct ours, field) == offsetof(theirs, member) &&                     \
                       sizeof(((struct ours *)0)->field) == sizeof(((theirs *)0)->member),         \
                   #theirs "." #member " is elsewhere");

#define KERNEL(theirs)                                                                             \
    AT(cupti_kernel, start, theirs, start)                                                         \
    AT(cupti_kernel, end, theirs, end)                                                             \
    AT(cupti_kernel, device, theirs, deviceId)                                                     \
    AT(cupti_kernel, stream, theirs, streamId)                                                     \
    AT(cupti_kernel, correlation, theirs, correlationId)                                           \
    AT(cupti_kernel, name, theirs, name)
#define COPY(theirs)                                                                               \
    AT(cupti_copy, way, theirs, copyKind)                                                          \
    AT(cupti_copy, from, theirs, srcKind)                                                          \
    AT(cupti_copy, to, theirs, dstKind)                                                            \
    AT(cupti_copy, bytes, theirs, bytes)                                                           \
    AT(cupti_copy, start, theirs, start)                                                           \
    AT(cupti_copy, end, theirs, end)                                                               \
    AT(cupti_copy, device, theirs, deviceId)

KERNEL(CUpti_ActivityKernel3)
KERNEL(CUpti_ActivityKernel4)
KERNEL(CUpti_ActivityKernel10)
COPY(CUpti_ActivityMemcpy)
COPY(CUpti_ActivityMemcpy6)
COPY(CUpti_ActivityMemcpyPtoP)
COPY(CUpti_ActivityMemcpyPtoP4)
AT(cupti_callback, site, CUpti_CallbackData, callbackSite)
AT(cupti_cost, what, CUpti_ActivityOverhead, overheadKind)
AT(cupti_cost, start, CUpti_ActivityOverhead, start)
AT(cupti_cost, end, CUpti_ActivityOverhead3, end)
