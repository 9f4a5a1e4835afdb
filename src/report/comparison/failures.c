/* Cases that should have a time and have none: where no table shows it, a line each. */
#include <string.h>

#include "report/common/lines.h"
#include "report/common/names.h"
#include "report/comparison/comparison.h"

static bool is_bad(const struct be_result *r) {
    bool counted = strcmp(r->variant, BE_AS_PUBLISHED) != 0;
    return counted && (r->status == BE_RESULT_WRONG || r->status == BE_RESULT_IMPOSSIBLE ||
                       r->status == BE_RESULT_FAILED);
}

/* The first failure of a variant on a device is named: the others fail likewise. */
static bool is_told(const struct be_result *r, const struct be_result *first) {
    for (const struct be_result *other = first; other < r; other++) {
        if (is_bad(other) && other->status == r->status &&
            strcmp(other->workload, r->workload) == 0 && strcmp(other->dtype, r->dtype) == 0 &&
            strcmp(other->variant, r->variant) == 0 && strcmp(other->device, r->device) == 0) {
            return true;
        }
    }
    return false;
}

/* In the table the cell of this place has the time of another variant. */
static bool is_hidden(const struct be_comparison *all, const struct be_result *r) {
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *other = &all->result[i];
        if (other->status == BE_RESULT_OK && strcmp(other->workload, r->workload) == 0 &&
            strcmp(other->dtype, r->dtype) == 0 && strcmp(other->device, r->device) == 0 &&
            other->size == r->size && other->placement == r->placement &&
            other->threads == r->threads && other->cache == r->cache) {
            return true;
        }
    }
    return false;
}

void be_report_bad(const struct be_comparison *comparison, bool tables, struct be_text *out) {
    bool any = false;
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *r = &comparison->result[i];
        if (!is_bad(r) || is_told(r, comparison->result) || (tables && !is_hidden(comparison, r))) {
            continue;
        }
        char line[2 * BE_NOTE];
        char size[BE_WORD];
        snprintf(line, sizeof line, "%s: %s, %s, size %s on %s: %s",
                 be_names_word(&be_names_status, (int)r->status), r->workload, r->variant,
                 be_format_n(size, sizeof size, (double)r->size), r->device, r->note);
        be_text_add(out, "%s", any ? "" : "\n");
        be_lines_wrap(out, "", line, 2);
        any = true;
    }
}
