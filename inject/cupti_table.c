#include "cupti_table.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- where it is ----------------------------------------------------------------------------- */

static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8",
                                    "libcupti.so", NULL};

/* From the folder of a CUDA runtime: beside it (CUDA 13 wheels, toolkits), in the package next to it
 * (CUDA 12 wheels), in the toolkit's own corner. */
static const char *const beside_runtime[] = {"", "/../../cuda_cupti/lib", "/../extras/CUPTI/lib64",
                                             "/../../../extras/CUPTI/lib64", NULL};

static const char *const folders[] = {"/usr/local/cuda/extras/CUPTI/lib64", "/usr/local/cuda/lib64",
                                      "/usr/local/cuda/lib",
                                      "/usr/local/cuda/targets/x86_64-linux/lib", NULL};

/* Path of a mapped file whose name begins with `begin`; false: there is none. */
static bool mapped(const char *begin, char *path, size_t capacity) {
    char line[PATH_MAX + 128];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) {
        return false;
    }
    while (!found && fgets(line, sizeof line, maps)) {
        char *slash = strrchr(line, '/');
        char *start = strchr(line, '/');
        if (slash && strncmp(slash + 1, begin, strlen(begin)) == 0) {
            start[strcspn(start, "\n")] = '\0';
            found = (size_t)snprintf(path, capacity, "%s", start) < capacity;
        }
    }
    fclose(maps);
    return found;
}

static void *open_file(const char *path) {
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static void *open_in(const char *folder, const char *rest) {
    for (const char *const *name = names; *name; name++) {
        char path[PATH_MAX];
        if ((size_t)snprintf(path, sizeof path, "%s%s/%s", folder, rest, *name) < sizeof path) {
            void *handle = open_file(path);
            if (handle) {
                return handle;
            }
        }
    }
    return NULL;
}

static void *open_beside_runtime(void) {
    char path[PATH_MAX];
    void *handle = NULL;
    if (!mapped("libcudart.so", path, sizeof path)) {
        return NULL;
    }
    *strrchr(path, '/') = '\0';
    for (const char *const *rest = beside_runtime; *rest && !handle; rest++) {
        handle = open_in(path, *rest);
    }
    return handle;
}

static void *open_by_variable(void) {
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH", NULL};
    void *handle = NULL;
    for (const char *const *name = variables; *name && !handle; name++) {
        const char *home = getenv(*name);
        if (home && home[0] == '/') {
            handle = open_in(home, "/extras/CUPTI/lib64");
            handle = handle ? handle : open_in(home, "/lib64");
        }
    }
    return handle;
}

/* Two copies in one process would fight: the one that is here already comes first. */
static void *open_any(void) {
    char path[PATH_MAX];
    void *handle = NULL;
    if (mapped("libcupti.so", path, sizeof path)) {
        return open_file(path);
    }
    handle = open_beside_runtime();
    for (const char *const *name = names; *name && !handle; name++) {
        handle = open_file(*name);
    }
    handle = handle ? handle : open_by_variable();
    for (const char *const *folder = folders; *folder && !handle; folder++) {
        handle = open_in(*folder, "");
    }
    return handle;
}

/* ---- what it has ----------------------------------------------------------------------------- */

enum { need_must = 1, need_may = 0 };
struct symbol {
    const char *name;
    size_t offset;
    int must;
};

#define FN(need, type, name, arguments) {#name, offsetof(struct cupti, name), need_##need},
static const struct symbol symbols[] = {
#include "cupti_list.h"
};
#undef FN

static bool fill(struct cupti *cupti, char *why, size_t capacity) {
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *function = dlsym(cupti->handle, symbols[i].name);
        if (!function && symbols[i].must) {
            snprintf(why, capacity, "CUPTI is too old: it has no %s", symbols[i].name);
            return false;
        }
        memcpy((char *)cupti + symbols[i].offset, &function, sizeof function);
    }
    return true;
}

static void *driver_function(const char *name) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *function = driver ? dlsym(driver, name) : NULL;
    if (driver) {
        dlclose(driver);
    }
    return function;
}

int cupti_driver_version(void) {
    int (*ask)(int *version) = NULL;
    int version = 0;
    void *function = driver_function("cuDriverGetVersion");
    memcpy(&ask, &function, sizeof ask);
    return ask && ask(&version) == 0 ? version : 0;
}

bool cupti_open(struct cupti *cupti, char *why, size_t capacity) {
    uint32_t version = 0;
    int driver = cupti_driver_version();
    cupti->handle = open_any();
    if (!cupti->handle) {
        snprintf(why, capacity,
                 "CUPTI (libcupti.so) is neither beside the program's CUDA runtime nor in a CUDA "
                 "toolkit here");
        return false;
    }
    if (!fill(cupti, why, capacity)) {
        return false;
    }
    /* 130001 is of CUDA 13.0; before CUDA 13 versions were small numbers of their own. */
    if (cupti->cuptiGetVersion(&version) == CUPTI_SUCCESS && version >= 100000 && driver > 0 &&
        (int)version / 10000 > driver / 1000) {
        snprintf(why, capacity, "CUPTI is of CUDA %u.%u, newer than the driver (CUDA %d.%d)",
                 version / 10000, version % 10000 / 100, driver / 1000, driver % 1000 / 10);
        return false;
    }
    return true;
}

const char *cupti_said(const struct cupti *cupti, CUptiResult result, char *text, size_t capacity) {
    const char *name = NULL;
    if (cupti->cuptiGetResultString &&
        cupti->cuptiGetResultString(result, &name) == CUPTI_SUCCESS && name) {
        snprintf(text, capacity, "%s (%d)", name, result);
    } else {
        snprintf(text, capacity, "CUPTI error %d", result);
    }
    return text;
}

/* The driver's UUID is 16 bytes, written as other tools write it. A part of a GPU (MIG) has one of its
 * own, which cannot be told from a whole GPU's by looking: the reader tries both. */
void cupti_device_uuid(int device, char *text, size_t capacity) {
    int (*ask)(unsigned char *uuid, int device) = NULL;
    int (*get)(int *device, int ordinal) = NULL;
    unsigned char b[16] = {0};
    int handle = 0;
    void *function = driver_function("cuDeviceGetUuid_v2");
    void *getter = driver_function("cuDeviceGet");
    memcpy(&ask, &function, sizeof ask);
    memcpy(&get, &getter, sizeof get);
    text[0] = '\0';
    if (ask && get && get(&handle, device) == 0 && ask(b, handle) == 0) {
        snprintf(text, capacity,
                 "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
                 b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
                 b[14], b[15]);
    }
}
