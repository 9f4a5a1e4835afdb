/* The lessons of a profile from a run, as lines and as JSON. */
#include <math.h>

#include "breakeven_profile.h"
#include "report/common/lines.h"
#include "report/json/record.h"
#include "report/predict/predict.h"

static const struct be_device_info *gpu_of(const struct be_profile *profile) {
    for (int i = 0; i < profile->machine.devices; i++) {
        if (profile->machine.device[i].kind == BE_KIND_GPU) {
            return &profile->machine.device[i];
        }
    }
    return NULL;
}

static void add_side(const char *what, const char *name, const struct be_learned_side *side,
                     struct be_text *out) {
    char launch[BE_WORD], line[BE_NOTE];
    if (!side->learned) {
        snprintf(line, sizeof line,
                 "%s: nothing learned: the results have times of %d workload%s of it", what,
                 side->workloads, side->workloads == 1 ? "" : "s");
        be_lines_wrap(out, "", line, 2);
        return;
    }
    snprintf(line, sizeof line, "%s: %.120s, from %d times of %d workloads", what, name,
             side->times, side->workloads);
    be_lines_wrap(out, "", line, 2);
    be_text_add(out, "  a launch and its wait  %s\n",
                be_format_seconds(launch, sizeof launch, side->launch_s, "-"));
    be_text_add(out, "  operations             %.0f %% of the profile's rate\n",
                100 * side->operations);
    be_text_add(out, "  memory                 %.0f %%\n", 100 * side->memory);
    be_text_add(out, "  cache                  %.0f %%\n", 100 * side->cache);
    be_text_add(out, "  median error           %.0f %% before, %.0f %% after\n",
                100 * side->off_before, 100 * side->off_after);
    be_text_add(
        out,
        "  of workloads left out  %.0f %%; 90 %% of their times are %.2f to %.2f times the\n"
        "                         foretold one\n",
        100 * side->off_left_out, side->lo, side->hi);
}

void be_learned_text(const struct be_profile *profile, const struct be_learned *learned,
                     struct be_text *out) {
    const struct be_device_info *gpu = gpu_of(profile);
    add_side("CPU", profile->machine.cpu, &learned->cpu, out);
    add_side("GPU", gpu ? gpu->name : "none", &learned->gpu, out);
    be_text_add(out, "\n");
    be_lines_wrap(out, "",
                  "A workload that is left out is foretold from the others alone: so well are "
                  "computations foretold that were not measured.",
                  0);
}

static cJSON *side_of(const struct be_learned_side *side) {
    const struct {
        const char *name;
        double value;
    } number[] = {
        {"times", side->times},
        {"workloads", side->workloads},
        {"launch_s", side->launch_s},
        {"operations", side->operations},
        {"memory", side->memory},
        {"cache", side->cache},
        {"error_before", side->off_before},
        {"error_after", side->off_after},
        {"error_left_out", side->off_left_out},
        {"lo", side->lo},
        {"hi", side->hi},
    };
    cJSON *object = side->learned ? cJSON_CreateObject() : cJSON_CreateNull();
    for (size_t i = 0; side->learned && i < sizeof number / sizeof number[0]; i++) {
        if (!cJSON_AddNumberToObject(object, number[i].name, number[i].value)) {
            cJSON_Delete(object);
            return NULL;
        }
    }
    return object;
}

void be_learned_json(const struct be_profile *profile, const struct be_learned *learned,
                     struct be_text *out) {
    be_json_add_head(out, "predict");
    be_json_add_member(out, "profile", be_json_text(profile->name));
    be_json_add_member(out, "cpu", side_of(&learned->cpu));
    be_json_add_member(out, "gpu", side_of(&learned->gpu));
    be_text_add(out, "}\n");
}
