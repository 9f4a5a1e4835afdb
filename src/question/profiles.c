#include "question/profiles.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "elsewhere/elsewhere.h"
#include "machine/profile.h"
#include "question/cores.h"
#include "report/store.h"

static bool take_fresh(const struct be_store *store, struct be_here *here) {
    struct be_machine machine;
    struct be_error error;
    char now[BE_NAME], why[BE_NOTE];
    time_t seconds = time(NULL);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (be_machine_describe(&machine, &error) != BE_OK) {
        return false;
    }
    for (size_t i = 0; i < store->count; i++) {
        const struct be_stored *s = &store->stored[i];
        if (s->status == BE_OK && be_profile_is_fresh(&s->profile, &machine, now, why) &&
            be_profile_load(s->path, &here->profile, &error) == BE_OK) {
            snprintf(here->remark, sizeof here->remark, "here: from the profile %s of %.10s",
                     here->profile.name, here->profile.environment.date);
            return true;
        }
    }
    return false;
}

static enum be_status measure(struct be_here *here, const struct be_probe_options *how,
                              struct be_error *error) {
    struct be_probe_options options = how ? *how : (struct be_probe_options){.quick = true};
    options.quick = true;
    enum be_status status = be_probe(&options, &here->profile, error);
    if (!status && here->profile.partial) {
        return be_fail(error, BE_STOPPED, "stopped while this machine was measured");
    }
    snprintf(
        here->remark, sizeof here->remark,
        "here: measured now, in a hurry; `breakeven probe` keeps a profile, which is better and "
        "saves these seconds");
    return status ? be_context(error, "measuring this machine") : BE_OK;
}

enum be_status be_here_open(struct be_here *here, const struct be_probe_options *how,
                            struct be_error *error) {
    struct be_store store;
    if (here->known) {
        return BE_OK;
    }
    here->known = true;
    enum be_status status = be_store_open(&store, error);
    if (status) {
        return status;
    }
    const bool fresh = take_fresh(&store, here);
    be_store_close(&store);
    return fresh ? BE_OK : measure(here, how, error);
}

/* A machine whose times are kept has the rates of its GPU's profile or data sheet. */
static bool take_of_times(const char *name, struct be_profile *profile) {
    struct be_there there = {0};
    struct be_error other;
    const bool known = be_there_open(name, &there, &other) == BE_OK && there.profile == &there.own;
    if (known) {
        *profile = there.own;
        there.own = (struct be_profile){0};
    }
    be_there_close(&there);
    return known;
}

static enum be_status load_named(const char *name, struct be_profile *profile,
                                 struct be_error *error) {
    char sheet[2 * BE_NAME];
    struct be_error other;
    snprintf(sheet, sizeof sheet, "datasheet-%.60s", name);
    enum be_status status = be_profile_load(name, profile, error);
    return status == BE_USAGE && !strchr(name, '/') &&
                   (be_profile_load(sheet, profile, &other) == BE_OK ||
                    take_of_times(name, profile))
               ? BE_OK
               : status;
}

enum be_status be_profile_named(const char *name, struct be_profile *profile,
                                struct be_error *error) {
    char without[BE_PATH];
    struct be_error other;
    const int cores = be_cores_named(name, without, sizeof without);
    if (!cores || load_named(name, profile, &other) == BE_OK) { /* a file may be called so */
        return cores ? BE_OK : load_named(name, profile, error);
    }
    enum be_status status = load_named(without, profile, error);
    if (!status && (status = be_cores_set(profile, cores, error)) != BE_OK) {
        be_profile_free(profile);
    }
    return status;
}
