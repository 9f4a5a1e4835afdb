/* Compiles only where the lines of src/dyn/nvidia/nvrtc_list.h are those of NVIDIA's own header. Its
 * object file is not linked into anything. */
#include <nvrtc.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in nvrtc.h");
#include "dyn/nvidia/nvrtc_list.h"
#undef FN

/* Checks what dyn/nvidia/cuda_types.h repeats, and what device/cuda/build.c takes for success. */
_Static_assert(sizeof(nvrtcResult) == sizeof(int) && NVRTC_SUCCESS == 0, "NVRTC results");
