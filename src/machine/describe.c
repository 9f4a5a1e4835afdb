#include "machine/describe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "build_info.h"
#include "device/device.h"

enum be_status be_machine_find(struct be_machine *machine, struct be_cores *cores,
                               struct be_error *error) {
    memset(machine, 0, sizeof *machine);
    enum be_status status = be_cores_find(cores, error);
    if (status != BE_OK) {
        return status;
    }
    if (gethostname(machine->host, sizeof machine->host - 1) != 0) {
        be_copy_text(machine->host, sizeof machine->host, "unknown host");
    }
    be_copy_text(machine->cpu, sizeof machine->cpu, cores->name);
    machine->cores = cores->machine;
    machine->cores_allowed = cores->count;
    be_copy_text(machine->allowed_by, sizeof machine->allowed_by, cores->limited_by);
    machine->numa_nodes = cores->numa_nodes;
    machine->cache_bytes = cores->cache_bytes;
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    machine->memory_bytes = pages > 0 && page > 0 ? (double)pages * (double)page : NAN;
    be_device_probe_all(machine);
    return BE_OK;
}

enum be_status be_machine_describe(struct be_machine *machine, struct be_error *error) {
    struct be_cores cores;
    return be_machine_find(machine, &cores, error);
}

static bool first_line(const char *path, char *text, size_t capacity) {
    FILE *file = fopen(path, "re");
    bool got = file && fgets(text, (int)capacity, file);
    if (file) {
        fclose(file);
    }
    if (got) {
        text[strcspn(text, "\n")] = '\0';
    }
    return got;
}

/* The clock of the first core in use: from cpufreq, else from /proc/cpuinfo. */
static double cpu_clock(int cpu) {
    char path[BE_NOTE];
    char text[BE_NOTE];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu);
    if (first_line(path, text, sizeof text)) {
        return 1e3 * strtod(text, NULL);
    }
    double hz = NAN;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && isnan(hz) && fgets(text, sizeof text, file)) {
        const char *colon = strncmp(text, "cpu MHz", 7) == 0 ? strchr(text, ':') : NULL;
        hz = colon ? 1e6 * strtod(colon + 1, NULL) : hz;
    }
    if (file) {
        fclose(file);
    }
    return hz;
}

static void list_cpus(const struct be_cores *cores, char *text, size_t capacity) {
    size_t used = 0;
    for (int i = 0; i < cores->count && used + 8 < capacity; i++) {
        int last = i;
        while (last + 1 < cores->count && cores->cpu[last + 1] == cores->cpu[last] + 1) {
            last++;
        }
        int wrote = last > i ? snprintf(text + used, capacity - used, "%s%d-%d", used ? "," : "",
                                        cores->cpu[i], cores->cpu[last])
                             : snprintf(text + used, capacity - used, "%s%d", used ? "," : "",
                                        cores->cpu[i]);
        used += wrote > 0 ? (size_t)wrote : 0;
        i = last;
    }
}

/* Devices that are open, and room for more. */
struct opening {
    struct be_device **device;
    int most, count;
};

static enum be_status open_one(const struct be_device_info *info, struct opening *to,
                               struct be_error *error) {
    if (to->count == to->most) {
        return be_fail(error, BE_USAGE, "more than %d devices: name fewer", to->most);
    }
    const enum be_status status = be_device_open(info, NULL, &to->device[to->count], error);
    to->count += status == BE_OK;
    return status;
}

static enum be_status open_named(const struct be_machine *machine, const char *name,
                                 struct opening *to, struct be_error *error) {
    enum be_status status = be_device_known(machine, name, error);
    for (int i = 0; !status && i < machine->devices; i++) {
        if (be_device_named(&machine->device[i], name)) {
            status = open_one(&machine->device[i], to, error);
        }
    }
    return status;
}

/* "cuda:0, NVIDIA H200", "cuda:0, cuda:1: NVIDIA H200", "cuda:0, NVIDIA H200; opencl:1, gfx90a". */
static void title_of(const struct opening *opened, char title[BE_NOTE]) {
    const char *name = opened->count ? opened->device[0]->info.name : "";
    bool alike = opened->count > 1;
    size_t used = 0;
    for (int i = 1; i < opened->count; i++) {
        alike = alike && strcmp(opened->device[i]->info.name, name) == 0;
    }
    title[0] = '\0';
    for (int i = 0; i < opened->count && used < BE_NOTE; i++) {
        const struct be_device_info *info = &opened->device[i]->info;
        const int wrote =
            alike ? snprintf(title + used, BE_NOTE - used, "%s%s", i ? ", " : "", info->id)
                  : snprintf(title + used, BE_NOTE - used, "%s%s, %s", i ? "; " : "", info->id,
                             info->name);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    if (alike && used < BE_NOTE) {
        snprintf(title + used, BE_NOTE - used, ": %s", name);
    }
}

enum be_status be_machine_open_devices(const char *names, struct be_device **device, int most,
                                       int *count, char title[BE_NOTE], struct be_error *error) {
    struct be_machine *machine = calloc(1, sizeof *machine);
    struct be_cores *cores = calloc(1, sizeof *cores);
    struct opening opened = {.device = device, .most = most};
    enum be_status status = machine && cores
                                ? be_machine_find(machine, cores, error)
                                : be_fail(error, BE_NOMEM, "%.60s: no host memory", names);
    for (const char *at = names; !status && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char name[BE_NAME];
        const size_t length = strcspn(at, ",");
        be_copy_text(name, length + 1 < sizeof name ? length + 1 : sizeof name, at);
        status = open_named(machine, name, &opened, error);
    }
    if (status) {
        be_machine_close_devices(device, opened.count);
        opened.count = 0;
    }
    title_of(&opened, title);
    *count = opened.count;
    free(cores);
    free(machine);
    return status;
}

void be_machine_close_devices(struct be_device *const *device, int count) {
    for (int i = 0; i < count; i++) {
        device[i]->ops->close(device[i]);
    }
}

void be_environment_find(const struct be_cores *cores, struct be_environment *environment) {
    memset(environment, 0, sizeof *environment);
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(environment->date, sizeof environment->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    be_copy_text(environment->compiler, sizeof environment->compiler, BE_BUILD_COMPILER);
    be_copy_text(environment->flags, sizeof environment->flags, BE_BUILD_FLAGS);
    struct utsname kernel;
    if (uname(&kernel) == 0) {
        snprintf(environment->kernel, sizeof environment->kernel, "%.24s %.64s %.24s",
                 kernel.sysname, kernel.release, kernel.machine);
    }
    list_cpus(cores, environment->affinity, sizeof environment->affinity);
    (void)first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", environment->governor,
                     sizeof environment->governor);
    const char *job = getenv("SLURM_JOB_ID");
    be_copy_text(environment->slurm_job, sizeof environment->slurm_job, job ? job : "");
    double load[1];
    environment->load_average = getloadavg(load, 1) == 1 ? load[0] : NAN;
    environment->cpu_hz = cpu_clock(cores->cpu[0]);
}

struct be_cpu_time be_cpu_time_now(void) {
    enum { STEAL = 7, FIELDS = 8 }; /* user nice system idle iowait irq softirq steal */
    struct be_cpu_time time = {NAN, NAN};
    char text[BE_NOTE];
    if (!first_line("/proc/stat", text, sizeof text) || strncmp(text, "cpu ", 4) != 0) {
        return time;
    }
    char *at = text + 4;
    time.all = 0;
    for (int i = 0; i < FIELDS; i++) {
        double ticks = strtod(at, &at);
        time.all += ticks;
        time.stolen = i == STEAL ? ticks : time.stolen;
    }
    return time;
}

double be_cpu_time_steal(struct be_cpu_time from, struct be_cpu_time to) {
    double all = to.all - from.all;
    return all > 0 ? (to.stolen - from.stolen) / all : NAN;
}
