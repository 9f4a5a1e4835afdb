#include "model/effort.h"

#include <math.h>

double be_effort_growth(struct be_effort from, struct be_effort to) {
    const double bytes = to.bytes / from.bytes;
    const double operations = from.operations > 0 ? to.operations / from.operations : NAN;
    return operations > bytes ? operations : bytes;
}
