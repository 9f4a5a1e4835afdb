#include "machine/probe/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "machine/describe.h"
#include "machine/probe/cpu/cpu.h"
#include "machine/probe/cpu/folder.h"
#include "machine/probe/devices/device.h"
#include "machine/profile.h"

static const struct be_probe_step cpu_steps[] = {
    {"arithmetic", 3, be_probe_cpu_rates},  {"matrix products", 5, be_probe_cpu_matmul},
    {"memory", 10, be_probe_cpu_memory},    {"latency", 4, be_probe_cpu_latency},
    {"threads", 0.5, be_probe_cpu_threads}, {"page faults", 1, be_probe_cpu_pages},
    {"NUMA nodes", 1, be_probe_cpu_numa},   {"disk", 3, be_probe_cpu_disk},
};

/* Visited again at the end: what disturbed the first visit on a shared machine may be over. */
static const struct be_probe_step cpu_again[] = {
    {"arithmetic, again", 3, be_probe_cpu_rates},  {"memory, again", 10, be_probe_cpu_memory},
    {"latency, again", 4, be_probe_cpu_latency},   {"threads, again", 0.5, be_probe_cpu_threads},
    {"page faults, again", 1, be_probe_cpu_pages},
};

static const struct be_probe_step device_steps[] = {
    {"facts", 0.1, be_probe_device_facts},          {"arithmetic", 2, be_probe_device_rates},
    {"memory", 3, be_probe_device_memory},          {"launches", 2, be_probe_device_launch},
    {"allocation", 2, be_probe_device_alloc},       {"first calls", 1, be_probe_device_first},
    {"matrix products", 4, be_probe_device_matmul}, {"bus", 20, be_probe_device_bus},
    {"NUMA nodes", 0.5, be_probe_device_numa},      {"unified memory", 1, be_probe_device_unified},
    {"other devices", 1, be_probe_device_peer},     {"load", 0.1, be_probe_device_load},
};

/* A step that fails is reported, and the others go on, also where memory does not suffice: others may hold the
 * device's. Only the caller ends a probe. */
static enum be_status run_steps(struct be_probe *probe, const struct be_target *target,
                                const struct be_probe_step *step, size_t steps,
                                struct be_error *error) {
    for (size_t i = 0; i < steps; i++) {
        probe->at = step[i].name;
        be_probe_show(probe, target->info->id, "");
        enum be_status status = be_probe_pause(probe, error);
        struct be_error failure = {0};
        if (status == BE_OK) {
            status = step[i].run(probe, target, &failure);
            probe->done_s += step[i].seconds;
        }
        if (status == BE_STOPPED) {
            return be_fail(error, status, "stopped");
        }
        if (status != BE_OK) {
            be_probe_remark(probe, "%s, %s: not measured: %.200s", target->info->id, step[i].name,
                            failure.text);
        }
    }
    return BE_OK;
}

static bool wanted(const struct be_probe_options *options, const struct be_device_info *info) {
    for (int i = 0; i < options->devices; i++) {
        if (be_device_named(info, options->device[i])) {
            return true;
        }
    }
    return options->devices == 0 && !info->same_as[0];
}

static enum be_status probe_device(struct be_probe *probe, const struct be_device_info *info,
                                   struct be_error *error) {
    struct be_target target = {.info = info};
    struct be_error failure = {0};
    enum be_status status = BE_OK;
    probe->load = (struct be_load){.clock_min_hz = NAN, .clock_max_hz = NAN, .temperature_c = NAN};
    if (strcmp(info->backend, "cpu") != 0) {
        status = be_team_open(&probe->cores, probe->cores.count, &target.team, error);
        if (status == BE_OK &&
            be_device_open(info, target.team, &target.device, &failure) != BE_OK) {
            be_probe_remark(probe, "%.300s", failure.text);
        } else if (status == BE_OK) {
            status = run_steps(probe, &target, device_steps, BE_COUNT(device_steps), error);
        }
        if (target.device) {
            target.device->ops->close(target.device);
        }
    } else {
        status = run_steps(probe, &target, cpu_steps, BE_COUNT(cpu_steps), error);
    }
    be_team_close(target.team);
    return status;
}

/* As often as the time allows in which a probe is to be done. */
static enum be_status visit_cpu_again(struct be_probe *probe, struct be_error *error) {
    enum { VISITS = 3 };
    const double max_s = 80;
    const struct be_machine *machine = &probe->profile->machine;
    struct be_target target = {0};
    for (int i = 0; i < machine->devices; i++) {
        const struct be_device_info *info = &machine->device[i];
        bool cpu = strcmp(info->backend, "cpu") == 0 && wanted(probe->options, info);
        target.info = cpu ? info : target.info;
    }
    enum be_status status = BE_OK;
    double visit_s = 0;
    for (int i = 0; status == BE_OK && target.info && i < VISITS; i++) {
        double now = be_now(&probe->clock);
        if (now - probe->started_s + visit_s > max_s) {
            break;
        }
        status = run_steps(probe, &target, cpu_again, BE_COUNT(cpu_again), error);
        visit_s = be_now(&probe->clock) - now;
    }
    return status;
}

static double seconds_of(const struct be_probe_step *step, size_t steps) {
    double seconds = 0;
    for (size_t i = 0; i < steps; i++) {
        seconds += step[i].seconds;
    }
    return seconds;
}

static enum be_status start(struct be_probe *probe, struct be_error *error) {
    const struct be_probe_options *options = probe->options;
    struct be_machine *machine = &probe->profile->machine;
    enum be_status status = be_machine_find(machine, &probe->cores, error);
    for (int i = 0; status == BE_OK && i < options->devices; i++) {
        status = be_device_known(machine, options->device[i], error);
    }
    if (status == BE_OK && options->folder) {
        status = be_probe_folder_try(options->folder, error);
    }
    if (status != BE_OK) {
        return status;
    }
    be_environment_find(&probe->cores, &probe->profile->environment);
    be_copy_text(probe->profile->environment.order, BE_NAME, "one kind after the other");
    be_copy_text(probe->profile->name, sizeof probe->profile->name,
                 options->name ? options->name : machine->host);
    be_copy_text(probe->profile->provenance, sizeof probe->profile->provenance,
                 "measured by breakeven probe " BE_VERSION);
    for (int i = 0; i < machine->devices; i++) {
        bool cpu = strcmp(machine->device[i].backend, "cpu") == 0;
        probe->expected_s += !wanted(options, &machine->device[i]) ? 0
                             : cpu ? seconds_of(cpu_steps, BE_COUNT(cpu_steps)) +
                                         seconds_of(cpu_again, BE_COUNT(cpu_again))
                                   : seconds_of(device_steps, BE_COUNT(device_steps));
    }
    return BE_OK;
}

/* Hardware that two backends show is measured through the first of them. */
static void tell_left_out(struct be_probe *probe) {
    const struct be_machine *machine = &probe->profile->machine;
    char list[BE_NOTE - BE_NAME] = "";
    for (int i = 0; i < machine->devices && probe->options->devices == 0; i++) {
        const struct be_device_info *info = &machine->device[i];
        const size_t used = strlen(list);
        if (info->same_as[0]) {
            snprintf(list + used, sizeof list - used, "%s%.30s is %.30s", used ? ", " : "",
                     info->id, info->same_as);
        }
    }
    if (*list) {
        be_probe_remark(probe, "%s once more: left out unless --device names it", list);
    }
}

enum be_status be_probe(const struct be_probe_options *options, struct be_profile *profile,
                        struct be_error *error) {
    memset(profile, 0, sizeof *profile);
    struct be_probe probe = {.options = options,
                             .profile = profile,
                             .clock = be_clock_host(),
                             .rule = {.precision = 0.01,
                                      .min = options->quick ? 5 : 10,
                                      .budget_s = options->quick ? 0.02 : 0.15,
                                      .patience = 20},
                             .at = ""};
    probe.started_s = be_now(&probe.clock);
    struct be_cpu_time before = be_cpu_time_now();
    enum be_status status = start(&probe, error);
    for (int i = 0; status == BE_OK && i < profile->machine.devices; i++) {
        const struct be_device_info *info = &profile->machine.device[i];
        if (wanted(options, info)) {
            status = probe_device(&probe, info, error);
        }
    }
    tell_left_out(&probe);
    if (status == BE_OK && !options->quick) {
        status = visit_cpu_again(&probe, error);
    }
    be_profile_sort(profile); /* the CPU was visited between the devices */
    profile->environment.steal = be_cpu_time_steal(before, be_cpu_time_now());
    profile->partial = status == BE_STOPPED;
    if (status != BE_OK && status != BE_STOPPED) {
        be_profile_free(profile);
        return status;
    }
    return BE_OK;
}
