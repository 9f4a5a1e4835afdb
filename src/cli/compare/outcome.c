#include "cli/compare/outcome.h"

#include <string.h>

#include "cli/cli.h"
#include "cli/common/fail.h"

static bool failed_a_check(const struct be_comparison *comparison) {
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *r = &comparison->result[i];
        bool counted = strcmp(r->variant, BE_AS_PUBLISHED) != 0;
        if (counted && (r->status == BE_RESULT_WRONG || r->status == BE_RESULT_IMPOSSIBLE)) {
            return true;
        }
    }
    return false;
}

/* `asked` is a device, or a kind of device. */
static bool is_of(const char *device, const char *asked) {
    const size_t length = strlen(asked);
    return strncmp(device, asked, length) == 0 && (!device[length] || device[length] == ':');
}

/* Nothing has a time, for want of devices or libraries. */
static bool all_is_absent(const struct be_comparison *comparison) {
    bool absent = false, any = false;
    for (size_t i = 0; i < comparison->results; i++) {
        any |= comparison->result[i].status == BE_RESULT_OK;
        absent |= comparison->result[i].status == BE_RESULT_ABSENT;
    }
    return absent && !any;
}

/* A device asked for by name on which nothing could be measured might as well not be here; nor is a
 * picture when there is nothing to see. */
static bool asked_in_vain(const struct be_compare_options *options,
                          const struct be_comparison *comparison) {
    for (int i = 0; i < options->devices; i++) {
        bool any = false;
        for (size_t k = 0; k < comparison->results; k++) {
            const struct be_result *r = &comparison->result[k];
            any |= r->status == BE_RESULT_OK && is_of(r->device, options->device[i]);
        }
        if (!any) {
            return true;
        }
    }
    return all_is_absent(comparison) || (options->picture && !comparison->picture.rgb);
}

int be_cli_compare_outcome(const struct be_compare_options *options,
                           const struct be_comparison *comparison) {
    return comparison->partial                  ? BE_EXIT_INTERRUPTED
           : failed_a_check(comparison)         ? BE_EXIT_WRONG
           : asked_in_vain(options, comparison) ? BE_EXIT_ABSENT
                                                : BE_EXIT_OK;
}
