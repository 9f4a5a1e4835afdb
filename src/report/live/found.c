/* Findings of a trace that grows: of what time, since when, until when. */
#include <math.h>
#include <stdio.h>

#include "report/live/live.h"
#include "report/trace/trace.h"

const char *be_live_duration(char *to, size_t capacity, double seconds) {
    double whole = floor(seconds);
    if (whole < 60) {
        snprintf(to, capacity, "%.0f s", whole);
        return to;
    }
    return be_format_duration(to, capacity, whole);
}

const char *be_live_clock(char *to, size_t capacity, double seconds) {
    double whole = floor(seconds);
    snprintf(to, capacity, "%.0f:%02.0f:%02.0f", floor(whole / 3600), fmod(floor(whole / 60), 60),
             fmod(whole, 60));
    return to;
}

const char *be_live_about(char *to, size_t capacity, const struct be_run_finding *finding) {
    char word[BE_WORD];
    if (finding->from_s > 0) {
        double length_s = finding->to_s - finding->from_s;
        snprintf(to, capacity, "the last %s", be_live_duration(word, sizeof word, length_s));
    } else {
        snprintf(to, capacity, "the whole time");
    }
    return to;
}

double be_live_since(const struct be_live_scene *scene, const struct be_run_finding *finding) {
    const struct be_recent_one *one =
        scene->recent && finding->number > 0 && finding->number < BE_RUN_FINDINGS_MAX
            ? &scene->recent->one[finding->number]
            : NULL;
    return one && one->finding.number && !one->over ? one->since_s : NAN;
}

int be_live_over(const struct be_live_scene *scene,
                 const struct be_recent_one *list[BE_RUN_FINDINGS_MAX]) {
    int count = 0;
    for (int i = 0; scene->recent && i < BE_RUN_FINDINGS_MAX; i++) {
        const struct be_recent_one *one = &scene->recent->one[i];
        if (!one->finding.number || !one->over) {
            continue;
        }
        int at = count++;
        for (; at > 0 && list[at - 1]->last_s < one->last_s; at--) {
            list[at] = list[at - 1];
        }
        list[at] = one;
    }
    return count;
}
