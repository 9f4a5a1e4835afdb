#include "base/error.h"

enum be_status be_profile_diff_write(const struct be_profile *a, const struct be_profile *b,
                                     enum be_format format, FILE *out, struct be_error *error) {
    (void)a;
    (void)b;
    (void)format;
    (void)out;
    return be_fail(error, BE_ABSENT, "not written yet");
}
