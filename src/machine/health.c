#include "machine/health.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "machine/health_slow.h"
#include "machine/profile.h"

/* ---- thresholds ----------------------------------------------------------------------------- */

static const struct {
    double slow;          /* measured / expected */
    double clock;         /* under load / highest */
    double power;         /* limit set / highest limit */
    double steal;         /* share of the CPUs' time */
    double load_per_core; /* runnable processes before the probe / cores allowed */
    double doubt;         /* rate of what is made of a thing / rate of the thing itself */
} threshold = {
    /* Beyond what healthy GPUs of one model differ: 8 % on average, 22 % at most in each of five
     * clusters, outliers at 1/1.5 (Sinha and others, Not All GPUs Are Created Equal, SC 2022). */
    .slow = 0.7,
    /* The same as be_result.slow_clock: samples below it are counted as slow. */
    .clock = 0.75,
    /* Our choice: more than rounding, less than any limit that somebody sets to save power. */
    .power = 0.9,
    /* The share that comparisons call different (docs/method.md): more than that changes
     * answers. */
    .steal = 0.02,
    /* Our choice: half of the cores busy before anything was measured is somebody else's work. */
    .load_per_core = 0.5,
    /* A little more than two figures of one idle machine differ. */
    .doubt = 1.05,
};

/* ---- what rules use ------------------------------------------------------------------------- */

struct check {
    struct be_profile *profile;
    struct be_references references;
    const struct rule *rule; /* that runs now */
    struct be_error *error;
};

/* A rule looks at one device (NULL: the machine as a whole) and says what it found with add. */
typedef enum be_status rule_run(const struct check *check, const struct be_device_info *device);

enum scope { OF_MACHINE, OF_CPU, OF_GPU };

struct rule {
    const char *name;
    enum scope scope;
    rule_run *run;
    const char
        *ask; /* the advice: up to the device or machine, which is named, and from there on */
    const char *because;
};

/* "NVIDIA H200 at 0000:00:06.0 in host n12", "host n12". */
static void name_of(const struct be_profile *profile, const struct be_device_info *device,
                    char *text, size_t capacity) {
    const char *host = *profile->machine.host ? profile->machine.host : "(unnamed)";
    if (!device || strcmp(device->backend, "cpu") == 0) {
        snprintf(text, capacity, "host %.60s", host);
    } else {
        snprintf(text, capacity, "%.50s at %.44s in host %.36s", device->name,
                 *device->address ? device->address : device->id, host);
    }
}

__attribute__((format(printf, 3, 4))) static enum be_status
add(const struct check *check, const struct be_device_info *device, const char *format, ...) {
    struct be_finding finding = {0};
    char who[BE_NOTE];
    be_copy_text(finding.device, sizeof finding.device, device ? device->id : "");
    be_copy_text(finding.name, sizeof finding.name, check->rule->name);
    va_list list;
    va_start(list, format);
    vsnprintf(finding.evidence, sizeof finding.evidence, format, list);
    va_end(list);
    name_of(check->profile, device, who, sizeof who);
    snprintf(finding.advice, sizeof finding.advice, "%.60s %.150s%.100s", check->rule->ask, who,
             check->rule->because);
    return be_profile_add_finding(check->profile, &finding, check->error);
}

/* The number of a fact; NAN: there is none. Comparisons with NAN find nothing. */
static double number(const struct check *check, const struct be_device_info *device,
                     const char *name) {
    const struct be_fact *fact = be_profile_fact(check->profile, device->id, name);
    return fact ? fact->number : NAN;
}

static const char *text(const struct check *check, const struct be_device_info *device,
                        const char *name) {
    const struct be_fact *fact = be_profile_fact(check->profile, device->id, name);
    return fact ? fact->text : "";
}

/* "4.25 TB/s", "60.9 TFLOP/s". */
static void rate(char *to, size_t capacity, const struct be_figure *figure, double value) {
    char bytes[BE_WORD];
    be_format_rate(bytes, sizeof bytes, value, "?");
    char *unit = strrchr(bytes, 'B');
    if (figure->unit == BE_UNIT_FLOP_S && unit) {
        *unit = '\0';
        snprintf(to, capacity, "%sFLOP/s", bytes);
    } else {
        snprintf(to, capacity, "%s", bytes);
    }
}

/* ---- slower than others of its model -------------------------------------------------------- */

static void reference_of(const struct be_profile *profile, const struct be_slow *slow, char *to,
                         size_t capacity) {
    const char *name = slow->reference->name;
    if (slow->reference == profile) {
        snprintf(to, capacity, "%.60s beside it, measured", slow->against->device);
    } else if (slow->against->source != BE_SOURCE_DATA_SHEET) {
        snprintf(to, capacity, "%.60s, measured", name);
    } else if (isnan(slow->against->achievable)) {
        snprintf(to, capacity, "%.60s, data sheet", name);
    } else {
        snprintf(to, capacity, "%.60s, data sheet x %.2f that programs reach", name,
                 slow->against->achievable);
    }
}

static enum be_status say_slow(const struct check *check, const struct be_device_info *device,
                               enum be_slow_group group) {
    /* A slice of a GPU is slower than the whole by design. */
    if (number(check, device, "mig") == 1) {
        return BE_OK;
    }
    struct be_slow slow =
        be_slow_find(check->profile, device, &check->references, group, threshold.slow);
    if (!slow.figure) {
        return BE_OK;
    }
    const struct be_figure *figure = slow.figure;
    char got[BE_WORD * 2], expected[BE_WORD * 2], threads[BE_WORD] = "", others[BE_WORD] = "";
    char from[BE_NOTE];
    const double share = figure->value / slow.expected;
    rate(got, sizeof got, figure, figure->value);
    rate(expected, sizeof expected, figure, slow.expected);
    reference_of(check->profile, &slow, from, sizeof from);
    if (figure->threads) {
        snprintf(threads, sizeof threads, ", %d threads", figure->threads);
    }
    if (slow.others) {
        snprintf(others, sizeof others, "; %d more like it", slow.others);
    }
    return add(check, device, "%.40s%s%.20s%s: %s, %.*f x the %s of %s%s", figure->what,
               *figure->dtype ? " " : "", figure->dtype, threads, got, share < 0.01 ? 4 : 2, share,
               expected, from, others);
}

static enum be_status slow_arithmetic(const struct check *check,
                                      const struct be_device_info *device) {
    return say_slow(check, device, BE_SLOW_ARITHMETIC);
}

static enum be_status slow_memory(const struct check *check, const struct be_device_info *device) {
    return say_slow(check, device, BE_SLOW_MEMORY);
}

static enum be_status slow_bus(const struct check *check, const struct be_device_info *device) {
    return say_slow(check, device, BE_SLOW_BUS);
}

/* ---- facts of a GPU ------------------------------------------------------------------------- */

static enum be_status pcie_narrow(const struct check *check, const struct be_device_info *device) {
    double load = number(check, device, "pcie_width_load");
    double max = number(check, device, "pcie_width_max");
    return load < max ? add(check, device, "PCIe x%.0f under load, of x%.0f possible", load, max)
                      : BE_OK;
}

static enum be_status pcie_slow(const struct check *check, const struct be_device_info *device) {
    double load = number(check, device, "pcie_generation_load");
    double max = number(check, device, "pcie_generation_max");
    return load < max
               ? add(check, device, "PCIe generation %.0f under load, of %.0f possible", load, max)
               : BE_OK;
}

static double count(const struct check *check, const struct be_device_info *device,
                    const char *name) {
    double many = number(check, device, name);
    return many > 0 ? many : 0;
}

static enum be_status ecc_retired(const struct check *check, const struct be_device_info *device) {
    double pages = count(check, device, "retired_pages");
    double rows = count(check, device, "remapped_rows_uncorrectable");
    bool failed = count(check, device, "remapped_rows_failure") > 0;
    return pages + rows > 0 || failed
               ? add(check, device,
                     "%.0f pages of its memory retired, %.0f rows remapped after uncorrectable "
                     "errors%s",
                     pages, rows,
                     failed ? ", and a remapping failed: it has no spare row left" : "")
               : BE_OK;
}

static enum be_status ecc_errors(const struct check *check, const struct be_device_info *device) {
    double errors = count(check, device, "ecc_errors_uncorrected");
    return errors > 0 ? add(check, device, "%.0f uncorrected memory errors (ECC)", errors) : BE_OK;
}

static enum be_status ecc_pending(const struct check *check, const struct be_device_info *device) {
    double rows = count(check, device, "remapped_rows_pending");
    return rows > 0
               ? add(check, device, "memory rows wait to be remapped until a reset (%.0f)", rows)
               : BE_OK;
}

/* sw_power_cap is not among them: matrix products at the power limit are what a GPU is built for. */
static const char *const throttles[] = {"hw_slowdown", "hw_thermal_slowdown", "hw_power_brake",
                                        "sw_thermal_slowdown"};

static enum be_status throttled(const struct check *check, const struct be_device_info *device) {
    const char *seen = text(check, device, "throttle_seen");
    double min = number(check, device, "clock_load_min_hz");
    double max = number(check, device, "clock_max_hz");
    bool held = strstr(seen, "sw_power_cap") && min < threshold.clock * max;
    for (size_t i = 0; i < BE_COUNT(throttles); i++) {
        held = held || strstr(seen, throttles[i]);
    }
    if (!held) {
        return BE_OK;
    }
    char clock[BE_NAME] = "", heat[BE_NAME] = "";
    double hottest = number(check, device, "temperature_max_c");
    double limit = number(check, device, "temperature_slowdown_c");
    if (!isnan(min) && !isnan(max)) {
        snprintf(clock, sizeof clock, "; clock down to %.0f of %.0f MHz", min / 1e6, max / 1e6);
    }
    if (!isnan(hottest)) {
        snprintf(heat, sizeof heat, "; up to %.0f C", hottest);
    }
    if (!isnan(hottest) && !isnan(limit)) {
        snprintf(heat, sizeof heat, "; up to %.0f C, slows at %.0f", hottest, limit);
    }
    return add(check, device, "clock held back by %.120s%s%s", seen, clock, heat);
}

static enum be_status power_capped(const struct check *check, const struct be_device_info *device) {
    double limit = number(check, device, "power_limit_w");
    double max = number(check, device, "power_limit_max_w");
    return limit < threshold.power * max
               ? add(check, device, "power limit %.0f W, of %.0f possible", limit, max)
               : BE_OK;
}

static enum be_status mig_on(const struct check *check, const struct be_device_info *device) {
    return number(check, device, "mig") == 1
               ? add(check, device, "MIG is on: this is a slice of a GPU, and so are its figures")
               : BE_OK;
}

/* ---- the machine ---------------------------------------------------------------------------- */

static enum be_status cpu_stolen(const struct check *check, const struct be_device_info *device) {
    double steal = check->profile->environment.steal;
    return steal > threshold.steal
               ? add(check, device, "%.1f %% of the CPUs' time went to others during the probe",
                     100 * steal)
               : BE_OK;
}

static enum be_status cpu_busy(const struct check *check, const struct be_device_info *device) {
    const struct be_machine *machine = &check->profile->machine;
    double load = check->profile->environment.load_average;
    int cores =
        machine->cores > 0 ? machine->cores : machine->cores_allowed; /* all make the load */
    return cores > 0 && load > threshold.load_per_core * cores
               ? add(check, device, "load of %.1f before the probe, on %d cores", load, cores)
               : BE_OK;
}

/* The highest clock that was measured, with however many threads. */
static double highest_clock(const struct be_profile *profile, const char *device) {
    double highest = NAN;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *figure = &profile->figure[i];
        if (strcmp(figure->what, "clock") == 0 && strcmp(figure->device, device) == 0) {
            highest = fmax(highest, figure->value);
        }
    }
    return highest;
}

/* "powersave" alone says nothing: some drivers call so what goes up to the highest clock under
 * load. */
/* Multiply-adds alone are at least as fast as a product made of them: where they were not, something
 * else had part of the cores while they were measured. */
static enum be_status disturbed(const struct check *check, const struct be_device_info *device) {
    const struct be_profile *profile = check->profile;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->device, device->id) != 0 || strcmp(f->what, "matmul") != 0) {
            continue;
        }
        const struct be_figure *fma =
            be_profile_figure(profile, device->id, "fma", f->dtype, f->threads, NAN, NULL);
        if (fma && f->value > threshold.doubt * fma->value) {
            return add(check, device,
                       "%.20s with %d threads: matrix products reach %.3g GFLOP/s, multiply-adds "
                       "only %.3g",
                       f->dtype, f->threads, f->value / 1e9, fma->value / 1e9);
        }
    }
    return BE_OK;
}

static enum be_status governor(const struct check *check, const struct be_device_info *device) {
    const char *name = check->profile->environment.governor;
    bool saves = strcmp(name, "powersave") == 0 || strcmp(name, "conservative") == 0;
    double clock = highest_clock(check->profile, device->id);
    return saves && clock < threshold.clock * device->clock_hz
               ? add(check, device, "governor %.40s: %.2f GHz under load, of %.2f possible", name,
                     clock / 1e9, device->clock_hz / 1e9)
               : BE_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

#define SLOW "slow-for-its-kind"

static const struct rule rules[] = {
    {SLOW, OF_GPU, slow_arithmetic, "Please check clocks, power limit and other users of",
     ", which computes slower than others of its model."},
    {SLOW, OF_GPU, slow_memory, "Please check memory errors, memory clock and other users of",
     ", whose memory is slower than that of others of its model."},
    {SLOW, OF_GPU, slow_bus, "Please check the PCIe link and the NUMA binding of",
     ", whose copies to and from the host are slower than those of others of its model."},
    {SLOW, OF_CPU, slow_arithmetic, "Please check power limit, cooling and other users of",
     ", which computes slower than others with its CPU."},
    {SLOW, OF_CPU, slow_memory, "Please check the memory modules and other users of",
     ", whose memory is slower than that of others with its CPU."},
    {"pcie-narrow", OF_GPU, pcie_narrow, "Please check the slot, riser and BIOS settings of",
     ": its PCIe link is narrower than GPU and slot allow."},
    {"pcie-slow", OF_GPU, pcie_slow, "Please check the slot, riser and BIOS settings of",
     ": its PCIe link runs at a lower generation under load than GPU and slot allow."},
    {"ecc-retired", OF_GPU, ecc_retired, "Please check the memory of",
     " with the vendor's diagnostics: parts of it failed and were taken out of use."},
    {"ecc-errors", OF_GPU, ecc_errors, "Please check the memory of",
     " with the vendor's diagnostics: it reports errors that ECC could not correct."},
    {"ecc-pending", OF_GPU, ecc_pending, "Please drain and reset",
     ": memory that failed is taken out of use only then."},
    {"throttled", OF_GPU, throttled, "Please check cooling and power supply of",
     ", which lowered its clock under load."},
    {"power-capped", OF_GPU, power_capped, "Is it on purpose that the power limit of",
     " is set below its maximum?"},
    {"mig-on", OF_GPU, mig_on, "For information; if jobs need a whole GPU, ask whether",
     " can be had without MIG."},
    {"cpu-stolen", OF_MACHINE, cpu_stolen, "Please check whether the hypervisor overcommits",
     ": part of its CPU time is given to others."},
    {"cpu-busy", OF_MACHINE, cpu_busy, "Please check what else runs on",
     ", which was busy before the probe began; then probe again."},
    {"disturbed", OF_CPU, disturbed, "Please probe again when the host is idle: on",
     " something else had part of the cores."},
    {"governor", OF_CPU, governor, "Please set the CPU frequency governor to performance on",
     ", whose CPU stays below its highest clock under load."},
};

const char *be_profile_finding_name(const char *name) {
    for (size_t i = 0; i < BE_COUNT(rules); i++) {
        if (strcmp(rules[i].name, name) == 0) {
            return rules[i].name;
        }
    }
    return NULL;
}

static void drop_ours(struct be_profile *profile) {
    size_t kept = 0;
    for (size_t i = 0; i < profile->findings; i++) {
        if (!be_profile_finding_name(profile->finding[i].name)) {
            profile->finding[kept++] = profile->finding[i];
        }
    }
    profile->findings = kept;
}

/* Hardware that two backends show is judged once. */
static bool applies(const struct rule *rule, const struct be_profile *profile,
                    const struct be_device_info *device) {
    bool cpu = strcmp(device->backend, "cpu") == 0;
    return !be_profile_shown_before(profile, device) &&
           ((rule->scope == OF_CPU && cpu) ||
            (rule->scope == OF_GPU && !cpu && device->kind == BE_KIND_GPU));
}

enum be_status be_profile_check(struct be_profile *profile,
                                const struct be_profile *const *reference, size_t references,
                                struct be_error *error) {
    struct check check = {
        .profile = profile, .references = {reference, references}, .error = error};
    const struct be_machine *machine = &profile->machine;
    enum be_status status = BE_OK;
    drop_ours(profile);
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(rules); i++) {
        check.rule = &rules[i];
        if (rules[i].scope == OF_MACHINE) {
            status = rules[i].run(&check, NULL);
        }
        for (int j = 0; status == BE_OK && j < machine->devices; j++) {
            if (applies(&rules[i], profile, &machine->device[j])) {
                status = rules[i].run(&check, &machine->device[j]);
            }
        }
    }
    return status;
}
