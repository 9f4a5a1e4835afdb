/* Compiles only where the lines of src/dyn/host/fftw_list.h and fftw_threads_list.h and the values of
 * fftw_constants.h are those of FFTW's own header. Its object file is not linked into anything. */
#include <fftw3.h>

#define FN(need, type, name, arguments)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(type(*) arguments), __typeof__(&name)), \
                   #name " has another type in fftw3.h");
#include "dyn/host/fftw_list.h"
#include "dyn/host/fftw_threads_list.h"
#undef FN

/* Cast: the header's flags are unsigned. */
#define CONST(name, value) _Static_assert((int)(name) == (value), #name " has another value");
#include "dyn/host/fftw_constants.h"
#undef CONST

/* Layouts that dyn/host/fftw.h repeats. */
_Static_assert(sizeof(fftwf_complex) == 2 * sizeof(float) && sizeof(fftwf_plan) == sizeof(void *),
               "numbers and plans");
