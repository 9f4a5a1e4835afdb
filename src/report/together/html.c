#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "observe/trace.h"
#include "report/common/page.h"
#include "report/together/together.h"

void be_together_name(const char *path, char name[BE_NAME]) {
    const char *slash = strrchr(path, '/');
    const char *begin = slash ? slash + 1 : path;
    const char *dot = strrchr(begin, '.');
    const size_t length = dot && dot > begin ? (size_t)(dot - begin) : strlen(begin);
    snprintf(name, BE_NAME, "%.*s", (int)(length < BE_NAME - 1 ? length : BE_NAME - 1), begin);
}

static const char *date_of(const struct be_saved *saved) {
    return saved->trace        ? saved->trace->date
           : saved->is_profile ? saved->profile.environment.date
                               : saved->comparison.environment.date;
}

static const char *kind_of(const struct be_saved *saved) {
    return saved->trace ? "run" : saved->is_profile ? "profile" : "comparison";
}

static void add_made(const struct be_together *t, struct be_text *out) {
    struct be_page_fact fact[BE_TOGETHER_MAX];
    char value[BE_TOGETHER_MAX][2 * BE_NAME];
    for (int i = 0; i < t->count; i++) {
        snprintf(value[i], sizeof value[i], "%s%s%s", kind_of(&t->saved[i]),
                 *date_of(&t->saved[i]) ? ", " : "", date_of(&t->saved[i]));
        fact[i] = (struct be_page_fact){t->name[i], value[i]};
    }
    be_page_made(
        out, fact, t->count,
        "Each file was measured on its own, at its own time: what else ran beside it is not "
        "known.",
        &t->made);
}

void be_together_html(const struct be_together *together, struct be_text *out) {
    char title[BE_NAME], kicker[2 * BE_NAME];
    const char *kind = kind_of(&together->saved[0]);
    bool mixed = false;
    for (int i = 1; i < together->count; i++) {
        mixed |= strcmp(kind_of(&together->saved[i]), kind) != 0;
    }
    snprintf(title, sizeof title, "%d %ss side by side", together->count,
             mixed                           ? "saved result"
             : together->saved[0].is_profile ? "machine"
                                             : kind);
    snprintf(kicker, sizeof kicker, "breakeven report, %.10s", together->made.date);
    be_page_begin(out, title, kicker);
    be_together_runs(together, out);
    be_together_machines(together, out);
    be_together_comparisons(together, out);
    add_made(together, out);
    be_page_end(out);
}
