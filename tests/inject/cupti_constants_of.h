#define CONST(name, value) enum { name = value };
#include "cupti_constants.h"
#undef CONST
