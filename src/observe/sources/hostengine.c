#include "observe/sources/hostengine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/process/proc_text.h"

static const char address_variable[] = "BREAKEVEN_HOSTENGINE";
enum { PORT = 5555, PATIENCE_MS = 1000, INTERVAL_US = 1000000, KEEP_S = 10, KEEP_SAMPLES = 2 };
enum { ALWAYS_KNOWN = 12 }; /* of the metrics: every DCGM that there is has heard of them */

/* ---- failures ---------------------------------------------------------------------------------- */

static const struct {
    dcgmReturn_t result;
    const char *text;
} reasons[] = {
    {DCGM_ST_NO_PERMISSION, "nv-hostengine may not read the counters; an administrator can let it "
                            "run as root"},
    {DCGM_ST_REQUIRES_ROOT, "nv-hostengine may not read the counters; an administrator can let it "
                            "run as root"},
    {DCGM_ST_MODULE_NOT_LOADED, "nv-hostengine could not load its module for counters; `dcgmi "
                                "modules -l` tells, package datacenter-gpu-manager-4-proprietary "
                                "has it"},
    {DCGM_ST_IN_USE, "another profiler (ncu, nsys) holds the GPU's counters"},
    {DCGM_ST_PROFILING_LIBRARY_ERROR, "nv-hostengine cannot count; another profiler (ncu, nsys) "
                                      "may hold the counters"},
    {DCGM_ST_PAUSED, "nv-hostengine's counters are paused; `dcgmi profile --resume` lets them go "
                     "on"},
    {DCGM_ST_PROFILING_NOT_SUPPORTED, "DCGM has no counters of this GPU (it has those of data "
                                      "centres, Volta and newer)"},
    {DCGM_ST_NOT_SUPPORTED, "DCGM has no counters of this GPU (it has those of data centres, Volta "
                            "and newer)"},
    {DCGM_ST_GPU_NOT_SUPPORTED, "DCGM does not know this GPU"},
    {DCGM_ST_VER_MISMATCH, "libdcgm and nv-hostengine are of different versions"},
    {DCGM_ST_INSUFFICIENT_DRIVER_VERSION, "the driver is too old for DCGM's counters"},
    {DCGM_ST_CONNECTION_NOT_VALID, "nv-hostengine does not answer any more"},
    {DCGM_ST_GPU_IS_LOST, "the GPU fell off the bus"},
};

const char *be_hostengine_said(const struct be_hostengine *engine, const char *call,
                               dcgmReturn_t result, char *text, size_t capacity) {
    for (size_t i = 0; i < BE_COUNT(reasons); i++) {
        if (reasons[i].result == result) {
            be_copy_text(text, capacity, reasons[i].text);
            return text;
        }
    }
    const char *word = engine->dcgm.errorString ? engine->dcgm.errorString(result) : NULL;
    if (word) {
        snprintf(text, capacity, "%s: %s", call, word);
    } else {
        snprintf(text, capacity, "%s: DCGM error %d", call, result);
    }
    return text;
}

static enum be_status check(const struct be_hostengine *engine, const char *call,
                            dcgmReturn_t result, struct be_error *error) {
    char text[BE_NOTE];
    return result == DCGM_ST_OK
               ? BE_OK
               : be_fail(error, BE_ABSENT, "%s",
                         be_hostengine_said(engine, call, result, text, sizeof text));
}

/* ---- a session ---------------------------------------------------------------------------------- */

void be_hostengine_close(struct be_hostengine *engine) {
    const struct be_dcgm *dcgm = &engine->dcgm;
    if (engine->watched) {
        dcgm->dcgmUnwatchFields(engine->handle, engine->group, engine->list);
    }
    if (engine->listed) {
        dcgm->dcgmFieldGroupDestroy(engine->handle, engine->list);
    }
    if (engine->grouped) {
        dcgm->dcgmGroupDestroy(engine->handle, engine->group);
    }
    if (engine->connected) {
        dcgm->dcgmDisconnect(engine->handle);
    }
    if (engine->begun) {
        dcgm->dcgmShutdown();
    }
    be_dyn_close(dcgm->handle);
}

/* BE_ABSENT: it is not to be asked. *is_path: the address is that of a Unix socket. */
static enum be_status choose_address(struct be_hostengine *engine, const struct be_watched *watched,
                                     bool *is_path, struct be_error *error) {
    const char *wanted = be_variable(watched->environment, address_variable);
    const long port = wanted && wanted[0] ? strtol(wanted, NULL, 10) : PORT;
    *is_path = wanted && wanted[0] == '/';
    if (*is_path) {
        be_copy_text(engine->address, sizeof engine->address, wanted);
        return BE_OK;
    }
    if (port < 1 || port > 65535) {
        return be_fail(error, BE_ABSENT, "%s=%.80s: not asked", address_variable, wanted);
    }
    snprintf(engine->address, sizeof engine->address, "127.0.0.1:%ld", port);
    return BE_OK;
}

static enum be_status connect_engine(struct be_hostengine *engine, bool is_path,
                                     struct be_error *error) {
    dcgmConnectV2Params_t options = {.version = DCGM_VERSION(dcgmConnectV2Params_t, 2),
                                     .timeout_ms = PATIENCE_MS,
                                     .is_path = is_path};
    enum be_status status = be_dcgm_open(&engine->dcgm, error);
    if (status == BE_OK) {
        status = check(engine, "dcgmInit", engine->dcgm.dcgmInit(), error);
        engine->begun = status == BE_OK;
    }
    if (status != BE_OK) {
        return status;
    }
    const dcgmReturn_t result =
        engine->dcgm.dcgmConnect_v2(engine->address, &options, &engine->handle);
    engine->connected = result == DCGM_ST_OK;
    return result == DCGM_ST_CONNECTION_NOT_VALID
               ? be_fail(error, BE_ABSENT, "no nv-hostengine answers at %s", engine->address)
               : check(engine, "dcgmConnect", result, error);
}

/* ---- which GPUs --------------------------------------------------------------------------------- */

/* Behind "GPU-" or "MIG-GPU-": the two sides write the same number with different words before it. */
static const char *bare(const char *uuid) {
    const char *behind = strstr(uuid, "GPU-");
    return behind ? behind + 4 : uuid;
}

static void find_whole(struct be_hostengine *engine) {
    unsigned int gpu[DCGM_MAX_NUM_DEVICES];
    int count = 0;
    if (engine->dcgm.dcgmGetAllDevices(engine->handle, gpu, &count) != DCGM_ST_OK) {
        return;
    }
    for (int i = 0; i < count && i < DCGM_MAX_NUM_DEVICES; i++) {
        dcgmGroupEntityPair_t entity = {DCGM_FE_GPU, gpu[i]};
        unsigned short field = DCGM_FI_DEV_UUID;
        dcgmFieldValue_v2 value = {.version = DCGM_VERSION(dcgmFieldValue_v2, 2)};
        if (engine->dcgm.dcgmEntitiesGetLatestValues(engine->handle, &entity, 1, &field, 1,
                                                     DCGM_FV_FLAG_LIVE_DATA,
                                                     &value) != DCGM_ST_OK ||
            value.status != DCGM_ST_OK || value.type != 's') {
            continue;
        }
        value.value.text[DCGM_MAX_STR_LENGTH - 1] = '\0';
        for (int at = 0; at < engine->nvidia->gpus; at++) {
            const struct be_trace_gpu *info = &engine->nvidia->gpu[at].info;
            if (!info->slice && strcmp(bare(info->uuid), bare(value.value.text)) == 0) {
                engine->entity[at] = entity;
                engine->known[at] = true;
            }
        }
    }
}

static bool is_part(const struct be_nvidia *nvidia, const struct be_nvidia_gpu *gpu,
                    dcgmMigHierarchyInfo_v2 *part) {
    char uuid[sizeof gpu->info.uuid] = "";
    part->uuid[sizeof part->uuid - 1] = '\0';
    return gpu->info.slice && part->entity.kind == DCGM_FE_GPU_I &&
           part->instance == gpu->instance && nvidia->nvml.nvmlDeviceGetUUID &&
           nvidia->nvml.nvmlDeviceGetUUID(gpu->device, uuid, sizeof uuid) == NVML_SUCCESS &&
           strcmp(bare(uuid), bare(part->uuid)) == 0;
}

static void find_parts(struct be_hostengine *engine) {
    dcgmMigHierarchy_v2 *all = calloc(1, sizeof *all); /* some 75 KB */
    if (all) {
        all->version = DCGM_VERSION(dcgmMigHierarchy_v2, 2);
    }
    if (!all || !engine->dcgm.dcgmGetGpuInstanceHierarchy ||
        engine->dcgm.dcgmGetGpuInstanceHierarchy(engine->handle, all) != DCGM_ST_OK) {
        free(all);
        return;
    }
    for (unsigned int i = 0; i < all->count && i < BE_COUNT(all->part); i++) {
        for (int at = 0; at < engine->nvidia->gpus; at++) {
            if (is_part(engine->nvidia, &engine->nvidia->gpu[at], &all->part[i])) {
                engine->entity[at] = all->part[i].entity;
                engine->known[at] = true;
            }
        }
    }
    free(all);
}

/* The entity of a GPU that is known; -1: none is. */
static int first_known(const struct be_hostengine *engine) {
    for (int i = 0; i < engine->nvidia->gpus; i++) {
        if (engine->known[i]) {
            return i;
        }
    }
    return -1;
}

static enum be_status find_gpus(struct be_hostengine *engine, struct be_error *error) {
    bool whole = false;
    bool parts = false;
    for (int i = 0; i < engine->nvidia->gpus; i++) {
        whole |= !engine->nvidia->gpu[i].info.slice;
        parts |= engine->nvidia->gpu[i].info.slice;
    }
    if (whole) {
        find_whole(engine);
    }
    if (parts) {
        find_parts(engine);
    }
    return first_known(engine) >= 0
               ? BE_OK
               : be_fail(error, BE_ABSENT, "nv-hostengine does not know this GPU");
}

/* ---- which counters ------------------------------------------------------------------------------ */

static bool is_counted(const dcgmProfGetMetricGroups_t *groups, unsigned short field) {
    for (unsigned int i = 0; i < groups->groups && i < BE_COUNT(groups->group); i++) {
        for (unsigned int at = 0; at < groups->group[i].fields && at < 64; at++) {
            if (groups->group[i].field[at] == field) {
                return true;
            }
        }
    }
    return false;
}

/* Those that the GPU has; where that is not told, those that every DCGM knows. */
static enum be_status choose_metrics(struct be_hostengine *engine, struct be_error *error) {
    dcgmProfGetMetricGroups_t groups = {.version = DCGM_VERSION(dcgmProfGetMetricGroups_t, 3)};
    const dcgmGroupEntityPair_t entity = engine->entity[first_known(engine)];
    dcgmReturn_t result = DCGM_ST_VER_MISMATCH;
    groups.gpu = entity.kind == DCGM_FE_GPU ? entity.id : 0;
    if (engine->dcgm.dcgmProfGetSupportedMetricGroups) {
        result = engine->dcgm.dcgmProfGetSupportedMetricGroups(engine->handle, &groups);
    }
    for (int i = 0; i < BE_DCGM_METRICS; i++) {
        if (result == DCGM_ST_OK ? is_counted(&groups, be_dcgm_metrics[i].field)
                                 : i < ALWAYS_KNOWN) {
            engine->metric[engine->metrics++] = i;
        }
    }
    return result == DCGM_ST_OK && engine->metrics == 0
               ? check(engine, "", DCGM_ST_PROFILING_NOT_SUPPORTED, error)
               : BE_OK;
}

static dcgmReturn_t try_watch(struct be_hostengine *engine, const char *name, const char **call) {
    unsigned short field[BE_DCGM_METRICS];
    for (int i = 0; i < engine->metrics; i++) {
        field[i] = be_dcgm_metrics[engine->metric[i]].field;
    }
    *call = "dcgmFieldGroupCreate";
    dcgmReturn_t result = engine->dcgm.dcgmFieldGroupCreate(engine->handle, engine->metrics, field,
                                                            name, &engine->list);
    engine->listed = result == DCGM_ST_OK;
    if (result == DCGM_ST_OK) {
        *call = "dcgmWatchFields";
        result = engine->dcgm.dcgmWatchFields(engine->handle, engine->group, engine->list,
                                              INTERVAL_US, KEEP_S, KEEP_SAMPLES);
        engine->watched = result == DCGM_ST_OK;
    }
    if (result == DCGM_ST_PROFILING_MULTI_PASS) {
        engine->dcgm.dcgmFieldGroupDestroy(engine->handle, engine->list);
        engine->listed = false;
    }
    return result;
}

/* Counters that the hardware cannot count at the same time are left out from the end, where DCGM does not take turns. */
static enum be_status watch(struct be_hostengine *engine, struct be_error *error) {
    struct timespec now;
    char name
        [64]; /* two groups of one name are refused, and numbers of processes repeat in containers */
    const char *call = "dcgmGroupCreate";
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, sizeof name, "breakeven-%d-%ld", (int)getpid(), now.tv_nsec);
    dcgmReturn_t result =
        engine->dcgm.dcgmGroupCreate(engine->handle, DCGM_GROUP_EMPTY, name, &engine->group);
    engine->grouped = result == DCGM_ST_OK;
    for (int i = 0; i < engine->nvidia->gpus && result == DCGM_ST_OK; i++) {
        call = "dcgmGroupAddEntity";
        if (engine->known[i]) {
            result = engine->dcgm.dcgmGroupAddEntity(engine->handle, engine->group,
                                                     engine->entity[i].kind, engine->entity[i].id);
        }
    }
    if (result == DCGM_ST_OK) {
        result = try_watch(engine, name, &call);
    }
    while (result == DCGM_ST_PROFILING_MULTI_PASS && engine->metrics > 1) {
        engine->metrics--;
        result = try_watch(engine, name, &call);
    }
    return check(engine, call, result, error);
}

/* ---- all of it ------------------------------------------------------------------------------------ */

enum be_status be_hostengine_open(struct be_hostengine *engine, const struct be_nvidia *nvidia,
                                  const struct be_watched *watched, struct be_error *error) {
    bool is_path = false;
    engine->nvidia = nvidia;
    enum be_status status = choose_address(engine, watched, &is_path, error);
    if (status == BE_OK) {
        status = connect_engine(engine, is_path, error);
    }
    if (status == BE_OK) {
        status = find_gpus(engine, error);
    }
    if (status == BE_OK) {
        status = choose_metrics(engine, error);
    }
    return status == BE_OK ? watch(engine, error) : status;
}
