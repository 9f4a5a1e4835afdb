/*
 * The CPU's packages, and their memory where it is counted apart, from the kernel's powercap zones
 * (Documentation/power/powercap/powercap.rst): AMD's packages are shown under Intel's name too.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "machine/energy.h"

enum { ZONES = 64, PATH = 512 };

static const char folder[] = "/sys/class/powercap";

struct zone {
    char name[BE_NAME]; /* of its folder */
    int file;
    double last_uj, range_uj; /* at range_uj it begins anew at 0 */
};

struct zones {
    struct zone zone[ZONES];
    int count, packages, memories;
    double joules;
};

static bool counts(const struct be_device_info *info) {
    return info->kind == BE_KIND_CPU;
}

/* The number that such a file begins with; NAN: it cannot be read, or is none. */
static double number_at(int file) {
    char text[BE_NAME];
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    char *end = text;
    text[length > 0 ? length : 0] = '\0';
    double value = strtod(text, &end);
    return end > text && value >= 0 ? value : NAN;
}

static int open_file(const char *files, const char *zone, const char *name) {
    char path[PATH];
    snprintf(path, sizeof path, "%s%s/%s/%s", files, folder, zone, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static double read_number(const char *files, const char *zone, const char *name) {
    int file = open_file(files, zone, name);
    double value = file >= 0 ? number_at(file) : NAN;
    if (file >= 0) {
        close(file);
    }
    return value;
}

/* The part that the zone counts: "package-0", "dram", "core". */
static void read_name(const char *files, const char *zone, char name[BE_NAME]) {
    int file = open_file(files, zone, "name");
    ssize_t length = file >= 0 ? pread(file, name, BE_NAME - 1, 0) : 0;
    name[length > 0 ? length : 0] = '\0';
    name[strcspn(name, "\n")] = '\0';
    if (file >= 0) {
        close(file);
    }
}

/* A package includes its cores, but not its memory. The zones of intel-rapl-mmio are the same
 * again. */
static enum be_status add_zone(struct zones *zones, const char *files, const char *zone,
                               struct be_error *error) {
    char name[BE_NAME];
    read_name(files, zone, name);
    const bool package = strncmp(name, "package-", 8) == 0;
    const bool memory = strcmp(name, "dram") == 0;
    if ((!package && !memory) || zones->count == ZONES) {
        return BE_OK;
    }
    struct zone *z = &zones->zone[zones->count];
    be_copy_text(z->name, sizeof z->name, zone);
    z->file = open_file(files, zone, "energy_uj");
    if (z->file < 0) {
        return be_fail(error, BE_ABSENT, "%s/%s/energy_uj: %s%s", folder, zone, strerror(errno),
                       errno == EACCES ? " (root may read it)" : "");
    }
    zones->count++;
    zones->packages += package;
    zones->memories += memory;
    z->range_uj = read_number(files, zone, "max_energy_range_uj");
    z->last_uj = number_at(z->file);
    return isnan(z->last_uj)
               ? be_fail(error, BE_ABSENT, "%s/%s/energy_uj: not a number", folder, zone)
               : BE_OK;
}

static void close_zones(struct be_energy *energy) {
    struct zones *zones = energy->own;
    for (int i = 0; zones && i < zones->count; i++) {
        close(zones->zone[i].file);
    }
    free(zones);
    energy->own = NULL;
}

static enum be_status find_zones(struct zones *zones, const char *files, struct be_error *error) {
    char path[PATH];
    snprintf(path, sizeof path, "%s%s", files, folder);
    DIR *list = opendir(path);
    enum be_status status = BE_OK;
    for (struct dirent *entry; list && status == BE_OK && (entry = readdir(list)) != NULL;) {
        if (strncmp(entry->d_name, "intel-rapl:", 11) == 0) {
            status = add_zone(zones, files, entry->d_name, error);
        }
    }
    if (list) {
        closedir(list);
    }
    return status == BE_OK && zones->packages == 0
               ? be_fail(error, BE_ABSENT,
                         "the kernel shows no counter of a CPU package (%s/intel-rapl:*)", folder)
               : status;
}

static enum be_status open_zones(const struct be_device_info *info, struct be_energy *energy,
                                 struct be_error *error) {
    struct zones *zones = calloc(1, sizeof *zones);
    (void)info;
    if (!zones) {
        return be_fail(error, BE_NOMEM, "energy of the CPU: out of memory");
    }
    energy->own = zones;
    enum be_status status = find_zones(zones, energy->files, error);
    if (status != BE_OK) {
        close_zones(energy);
        return status;
    }
    int used = snprintf(energy->name, sizeof energy->name, "powercap (%d package%s",
                        zones->packages, zones->packages == 1 ? "" : "s");
    if (zones->memories > 0) {
        used += snprintf(energy->name + used, sizeof energy->name - (size_t)used, ", %d dram",
                         zones->memories);
    }
    snprintf(energy->name + used, sizeof energy->name - (size_t)used, ")");
    return BE_OK;
}

/* Each reading counts on from the last, so that a zone may begin anew in between, once. */
static enum be_status read_zones(struct be_energy *energy, double *joules, struct be_error *error) {
    struct zones *zones = energy->own;
    for (int i = 0; i < zones->count; i++) {
        struct zone *z = &zones->zone[i];
        double now_uj = number_at(z->file);
        double more_uj = now_uj - z->last_uj + (now_uj < z->last_uj ? z->range_uj : 0);
        if (!(more_uj >= 0)) { /* NAN is not >= anything */
            return be_fail(error, BE_ABSENT, "%s/%s/energy_uj: %s", folder, z->name,
                           isnan(now_uj) ? "can no longer be read" : "went back");
        }
        z->last_uj = now_uj;
        zones->joules += 1e-6 * more_uj;
    }
    *joules = zones->joules;
    return BE_OK;
}

const struct be_energy_source be_energy_powercap = {
    .counts = counts,
    .open = open_zones,
    .read = read_zones,
    .close = close_zones,
};
