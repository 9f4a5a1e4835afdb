#include "cli/common/settings.h"

#include <errno.h>

#include "cli/common/output.h"
#include "cli/common/values.h"

static enum be_status set(const struct be_setting *setting, char *text,
                          const struct argp_state *state, struct be_error *error) {
    void *place = (char *)state->input + setting->at;
    void *other = (char *)state->input + setting->other_at;
    switch (setting->kind) {
    case BE_SETS_FLAG:
        *(bool *)place = true;
        return BE_OK;
    case BE_SETS_TEXT:
        *(const char **)place = text;
        return BE_OK;
    case BE_SETS_CHECKED:
        *(const char **)place = text;
        return setting->check(setting->name, text, error);
    case BE_SETS_GIVEN:
        *(const char **)place = text;
        *(bool *)other = true;
        return BE_OK;
    case BE_SETS_REST:
        *(char ***)place = state->argv + state->next;
        *(int *)other = state->argc - state->next;
        return BE_OK;
    case BE_SETS_OUTPUT:
        *(struct be_cli_output *)place = be_cli_output_to(text);
        return BE_OK;
    case BE_SETS_DRAWING:
        *(struct be_cli_output *)place = (struct be_cli_output){.asked = true, .file = text};
        return BE_OK;
    case BE_SETS_SECONDS:
        return be_cli_seconds(setting->name, text, place, error);
    case BE_SETS_WHOLE:
        return be_cli_whole(setting->name, text, setting->min, place, error);
    case BE_SETS_NAMES:
        return be_cli_names(setting->name, text, place, other, error);
    case BE_SETS_OPTIONS:
        return setting->read(text, place, error);
    case BE_SETS_OWN:
        break;
    }
    return setting->own(state->input, text, error);
}

error_t be_cli_set(const struct be_setting *list, size_t count, int key, char *text,
                   struct argp_state *state, struct be_error *error) {
    struct be_error misuse = {0};
    for (size_t i = 0; i < count; i++) {
        if (list[i].key != key) {
            continue;
        }
        if (set(&list[i], text, state, error ? error : &misuse) == BE_OK) {
            return 0;
        }
        if (!error) {
            argp_error(state, "%s", misuse.text);
        }
        return EINVAL;
    }
    return ARGP_ERR_UNKNOWN;
}
