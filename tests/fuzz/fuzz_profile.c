/*
 * Any bytes as a saved profile. A profile that is accepted must come out the same when it is
 * written and read again.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "page.h"
#include "report/together/together.h"
#include "report/profile/profile.h"
#include "screen.h"

static const char *const words[] = {
    "bytes",   "s",      "measured", "data sheet",       "cpu",  "value", "figures", "probe",
    "compare", "device", "",         "\\u0000",          "\\",   "\"",    "\xff",    "\\ud800",
    "dtype",   "null",   "lo",       "\xf0\x9f\x98\x80", "unit", "hi",    "remarks", "source",
};

static enum be_status read_text(const struct be_text *text, struct be_profile *profile,
                                struct be_error *error) {
    FILE *in = be_fuzz_open(text);
    enum be_status status = be_profile_read(in, "fuzzed", profile, error);
    fclose(in);
    return status;
}

static bool said_why(const struct be_error *error) {
    return error->status != BE_OK && strncmp(error->text, "fuzzed", 6) == 0;
}

enum { PAGE = 16 /* a page takes longer than all else */ };

/* Alone, and beside itself. */
static bool is_shown(const struct be_profile *profile) {
    static char name[2][BE_NAME] = {"a", "b<&>"};
    struct be_text page = {0}, both = {0};
    const struct be_saved saved[2] = {{.is_profile = true, .profile = *profile},
                                      {.is_profile = true, .profile = *profile}};
    const struct be_together together = {.saved = saved, .name = name, .count = 2};
    be_profile_html(profile, &page);
    be_together_html(&together, &both);
    const bool is = be_is_page(&page) && be_is_page(&both);
    be_text_free(&page);
    be_text_free(&both);
    return is;
}

/* Says what is wrong with how this text was read, or NULL; *accepted counts. */
static const char *check(const struct be_text *text, long *accepted) {
    struct be_profile first, second = {0};
    struct be_error error = {0};
    if (read_text(text, &first, &error) != BE_OK) {
        return said_why(&error) && !first.figure ? NULL : "refused without a word";
    }
    ++*accepted;
    struct be_text written = {0}, again = {0}, shown = {0};
    be_profile_json(&first, &written);
    be_profile_text(&first, &shown);
    const char *wrong = NULL;
    if (read_text(&written, &second, &error) != BE_OK) {
        fprintf(stderr, "%s\n", error.text);
        wrong = "accepted, but not what was written of it";
    } else {
        be_profile_json(&second, &again);
        wrong = strcmp(written.data, again.data) != 0 ? "comes out otherwise" : NULL;
    }
    wrong = wrong || be_fits_screen(&shown, true) ? wrong
                                                  : "a summary that is no plain text of 80 columns";
    wrong = wrong || *accepted % PAGE != 0 || is_shown(&first) ? wrong : "a page that is none";
    be_profile_free(&first);
    be_profile_free(&second);
    be_text_free(&written);
    be_text_free(&again);
    be_text_free(&shown);
    return wrong;
}

const struct be_fuzz be_fuzzed = {
    .name = "fuzz_profile", .word = words, .words = sizeof words / sizeof *words, .check = check};
