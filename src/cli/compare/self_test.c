#include "cli/compare/self_test.h"

#include <stdio.h>

#include "base/error.h"
#include "cli/common/fail.h"
#include "cli/common/terminal.h"

int be_cli_self_test(const struct be_compare_options *options, const struct be_cli_outputs *outputs,
                     int pairs, struct be_error *error) {
    struct be_self_test test;
    if (outputs->json.asked || outputs->csv.asked || outputs->picture.asked ||
        be_cli_outputs_drawn(outputs)) {
        be_fail(error, BE_USAGE,
                "--self-test: has no results for --json, --csv, --chart or --picture");
        return be_cli_fail(error);
    }
    if (options->energy) {
        be_fail(error, BE_USAGE, "--self-test: measures no energy: leave --energy out");
        return be_cli_fail(error);
    }
    enum be_status status = be_compare_self_test(options, pairs, &test, error);
    be_cli_progress_clear();
    if (status != BE_OK) {
        return be_cli_fail(error);
    }
    printf("a case against itself, %d pairs each\n", test.pairs);
    printf("%-12s %8s %8s %8s   (same: within 2 %%, beyond doubt)\n", "device", "same", "differ",
           "unclear");
    bool sound = true;
    for (int i = 0; i < test.devices; i++) {
        printf("%-12s %8d %8d %8d   %s\n", test.device[i].id, test.same[i], test.differ[i],
               test.close[i], test.device[i].name);
        /* One in a hundred may differ by chance. */
        sound &= 100 * test.differ[i] <= test.same[i] + test.differ[i] + test.close[i];
    }
    if (be_cli_interrupted(NULL)) {
        printf("partial: ended before all pairs were made\n");
    }
    return be_cli_interrupted(NULL) ? BE_EXIT_INTERRUPTED : sound ? BE_EXIT_OK : BE_EXIT_WRONG;
}
