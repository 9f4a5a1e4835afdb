/* A profile as a summary of one screen: the machine, its devices, the roofline, what was found. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "report/common/lines.h"
#include "report/profile/profile.h"

static void add_heading(const struct be_profile *profile, struct be_text *out) {
    struct be_text line = {0};
    be_text_add(&line, "%s: %s, %.10s; %s", profile->name,
                profile->source == BE_SOURCE_DATA_SHEET ? "DATA SHEET, nobody measured this machine"
                                                        : "ceilings of this machine",
                *profile->environment.date ? profile->environment.date : "no date",
                profile->provenance);
    be_lines_wrap(out, "", line.data ? line.data : "", 2);
    out->failed |= line.failed;
    be_text_free(&line);
}

static bool has_figures(const struct be_profile *profile, const char *device) {
    for (size_t i = 0; i < profile->figures; i++) {
        if (strcmp(profile->figure[i].device, device) == 0) {
            return true;
        }
    }
    return false;
}

static void add_devices(const struct be_profile *profile, struct be_text *out) {
    const struct be_machine *machine = &profile->machine;
    int shown = 0;
    for (int i = 0; i < machine->devices; i++) {
        const struct be_device_info *info = &machine->device[i];
        bool cpu = strcmp(info->backend, "cpu") == 0 || strcmp(info->id, "cpu") == 0;
        if (!has_figures(profile, info->id)) {
            continue;
        }
        be_text_add(out, "%s", shown++ ? "\n" : "");
        if (cpu) {
            be_profile_cpu(profile, info, out);
        } else {
            be_profile_device_block(profile, info, out);
        }
    }
}

static void add_findings(const struct be_profile *profile, struct be_text *out) {
    be_text_add(out, "%s", profile->findings ? "\n" : "");
    for (size_t i = 0; i < profile->findings; i++) {
        const struct be_finding *finding = &profile->finding[i];
        struct be_text line = {0};
        const bool sentence = isupper((unsigned char)*finding->advice);
        be_text_add(&line, "%s%s%s%s %s", finding->device, *finding->device ? ": " : "",
                    finding->evidence, sentence ? "." : ";", finding->advice);
        be_lines_wrap(out, "warning: ", line.data ? line.data : "", 2);
        out->failed |= line.failed;
        be_text_free(&line);
    }
}

static void add_remarks(const struct be_profile *profile, struct be_text *out) {
    const struct be_machine *machine = &profile->machine;
    be_text_add(out, "\n");
    for (int i = 0; i < machine->absences; i++) {
        char line[BE_NAME + BE_NOTE + 16];
        snprintf(line, sizeof line, "absent: %s: %s", machine->absent[i].backend,
                 machine->absent[i].reason);
        be_lines_wrap(out, "", line, 8);
    }
    for (size_t i = 0; i < profile->remarks; i++) {
        be_lines_wrap(out, "", profile->remark[i], 2);
    }
    if (profile->partial) {
        be_text_add(out, "partial: ended before everything was measured\n");
    }
}

static void add_key(const struct be_profile *profile, struct be_text *out) {
    struct be_text text = {0};
    if (profile->source == BE_SOURCE_DATA_SHEET) {
        be_text_add(
            &text,
            "Every number is the maker's; x0.90: the share of it that programs reached on another "
            "device of the family, where known. --json has everything, with sources.");
    } else {
        be_text_add(
            &text,
            "Of a rate the best sample, of a time the median; in brackets the 95 %% interval "
            "of the median if over 2 %% off%s. --json: all.",
            profile->fits ? "; bus: latency and error of a fit" : "");
    }
    be_lines_wrap(out, "", text.data ? text.data : "", 0);
    out->failed |= text.failed;
    be_text_free(&text);
}

void be_profile_text(const struct be_profile *profile, struct be_text *out) {
    add_heading(profile, out);
    add_devices(profile, out);
    be_profile_roofline(profile, out);
    add_findings(profile, out);
    add_remarks(profile, out);
    add_key(profile, out);
}
