/* Stand-ins for kernels of distance.cl: the fake driver finds them as it finds others. */
#ifndef TESTS_FAKE_DISTANCE_H
#define TESTS_FAKE_DISTANCE_H

#include "kernels/host.h"

enum { FAKE_DISTANCE_ARGUMENTS = 7 }; /* of those whose names begin with k_fused */

extern const struct be_host_kernel fake_distance32[], fake_distance64[];

#endif
