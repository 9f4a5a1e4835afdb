/* Results as plain data: what they own. */
#include <stdlib.h>
#include <string.h>

#include "breakeven.h"

void be_comparison_free(struct be_comparison *comparison) {
    free(comparison->result);
    free(comparison->breakeven);
    free(comparison->remark);
    free(comparison->picture.rgb);
    memset(comparison, 0, sizeof *comparison);
}
