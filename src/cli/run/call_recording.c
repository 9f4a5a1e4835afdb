#include "cli/run/call_recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "observe/calls/call_record.h"
#include "observe/calls/calls.h"
#include "observe/calls/preload.h"
#include "observe/injected.h"

/* Ours comes last: what was to be loaded before stays first. */
static enum be_status set_environment(struct be_call_recording *recording, const char *library,
                                      struct be_error *error) {
    const char *others = getenv("LD_PRELOAD");
    bool more = others && others[0];
    int length = snprintf(recording->variable[0], sizeof recording->variable[0],
                          "LD_PRELOAD=%s%s%s", more ? others : "", more ? ":" : "", library);
    if (length < 0 || (size_t)length >= sizeof recording->variable[0]) {
        return be_fail(error, BE_USAGE,
                       "--calls: LD_PRELOAD is too long to add to it: unset it, or leave --calls "
                       "out");
    }
    snprintf(recording->variable[1], sizeof recording->variable[1], "%s=%s", BE_CALL_RECORD_FILE,
             recording->file);
    recording->environment[0] = recording->variable[0];
    recording->environment[1] = recording->variable[1];
    return BE_OK;
}

enum be_status be_call_recording_begin(struct be_call_recording *recording, const char *command,
                                       struct be_error *error) {
    char library[1024], why[BE_NOTE / 2];
    memset(recording, 0, sizeof *recording);
    enum be_status status =
        be_injected_find(BE_CALLS_LIBRARY, BE_CALLS_WITHOUT, library, sizeof library, error);
    if (status == BE_OK && library[strcspn(library, " :;$")]) {
        status = be_fail(error, BE_USAGE,
                         "--calls: %s: the dynamic linker takes no path with a blank, a colon, a "
                         "semicolon or a dollar sign: install breakeven elsewhere",
                         library);
    }
    if (status != BE_OK) {
        return status;
    }
    enum be_preload reach = be_preload_reaches(command, why, sizeof why);
    if (reach != BE_PRELOAD_YES) {
        snprintf(recording->note, sizeof recording->note,
                 "the command %s: its own calls could not be recorded", why);
    }
    if (reach == BE_PRELOAD_NEVER) {
        return BE_OK;
    }
    status = be_run_folder_make("--calls", recording->folder, error);
    if (status == BE_OK) {
        snprintf(recording->file, sizeof recording->file, "%s/calls", recording->folder);
        status = be_calls_make(recording->file, error) ? be_context(error, "--calls") : BE_OK;
    }
    status = status ? status : set_environment(recording, library, error);
    if (status != BE_OK) {
        be_call_recording_end(recording);
    }
    return status;
}

void be_call_recording_end(const struct be_call_recording *recording) {
    be_run_folder_remove(recording->folder);
}
