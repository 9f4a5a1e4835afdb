#include "cli/common/settings.h"

#include <errno.h>

#include "cli/common/output.h"
#include "cli/common/values.h"

static enum be_status set(const struct be_setting *setting, char *text, void *asked,
                          struct be_error *error) {
    void *place = (char *)asked + setting->at;
    switch (setting->kind) {
    case BE_SETS_FLAG:
        *(bool *)place = true;
        return BE_OK;
    case BE_SETS_TEXT:
        *(const char **)place = text;
        return BE_OK;
    case BE_SETS_OUTPUT:
        *(struct be_cli_output *)place = be_cli_output_to(text);
        return BE_OK;
    case BE_SETS_SECONDS:
        return be_cli_seconds(setting->name, text, place, error);
    case BE_SETS_NAMES:
        return be_cli_names(setting->name, text, place, (void *)((char *)asked + setting->count_at),
                            error);
    case BE_SETS_OPTIONS:
        return setting->read(text, place, error);
    case BE_SETS_OWN:
        break;
    }
    return setting->own(asked, text, error);
}

error_t be_cli_set(const struct be_setting *list, size_t count, int key, char *text, void *asked,
                   struct be_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (list[i].key == key) {
            return set(&list[i], text, asked, error) == BE_OK ? 0 : EINVAL;
        }
    }
    return ARGP_ERR_UNKNOWN;
}
