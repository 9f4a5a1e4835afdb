/* A fake libdcgm with an nv-hostengine behind it. It numbers GPUs the other way round than NVML does, and a reading is new
 * whenever it is asked for. */
#include "dyn/nvidia/dcgm.h"

#include <stdio.h>
#include <string.h>

#include "calls.h"

enum { BADPARAM = -1, UNINITIALIZED = -10, NOT_WATCHED = -16, PARTS = 8 };
enum { ENGINE = 71, GROUP = 72, FIELDS = 73 };

static dcgmGroupEntityPair_t member[64];
static int members;
static unsigned short watched[32];
static int fields;
static dcgmReturn_t begin(int at, dcgmHandle_t handle) {
    dcgmReturn_t code = fake_call(at);
    return code == 0 && (handle != ENGINE || fake.live[FAKE_ENGINE] == 0)
               ? fake_misuse(UNINITIALIZED, "%s without a connection", fake.function[at].name)
               : code;
}

/* As on a real one, all of a client's is gone with it. */
dcgmReturn_t dcgmInit(void) {
    dcgmReturn_t code = fake_call(AT_dcgmInit);
    fake.live[FAKE_SESSION] += code == 0;
    return code;
}

dcgmReturn_t dcgmShutdown(void) {
    dcgmReturn_t code = fake_call(AT_dcgmShutdown);
    fake.live[FAKE_SESSION]--;
    return code;
}

dcgmReturn_t dcgmConnect_v2(const char *address, dcgmConnectV2Params_t *options,
                            dcgmHandle_t *handle) {
    dcgmReturn_t code = fake_call(AT_dcgmConnect_v2);
    if (code == 0 && fake.live[FAKE_SESSION] == 0) {
        return fake_misuse(UNINITIALIZED, "a connection outside a session");
    }
    if (code == 0 && (options->version != (16 | 2u << 24) || options->stays)) {
        return fake_misuse(DCGM_ST_VER_MISMATCH, "options of the connection");
    }
    if (code == 0 && options->is_path != (address[0] == '/')) {
        return fake_misuse(BADPARAM, "address %s", address);
    }
    if (code == 0) {
        *handle = ENGINE;
        members = fields = 0;
        fake.live[FAKE_ENGINE]++;
    }
    return code;
}

dcgmReturn_t dcgmDisconnect(dcgmHandle_t handle) {
    dcgmReturn_t code = begin(AT_dcgmDisconnect, handle);
    fake.live[FAKE_ENGINE]--;
    return code;
}

dcgmReturn_t dcgmGetAllDevices(dcgmHandle_t handle, unsigned int gpu[DCGM_MAX_NUM_DEVICES],
                               int *count) {
    dcgmReturn_t code = begin(AT_dcgmGetAllDevices, handle);
    *count = code == 0 ? fake.devices : *count;
    for (int i = 0; code == 0 && i < *count; i++) {
        gpu[i] = (unsigned int)i;
    }
    return code;
}

static void write_uuid(unsigned int gpu, char *text, size_t capacity) {
    snprintf(text, capacity, "GPU-%08x-0000-0000-0000-000000000000",
             0xabc0u + (unsigned int)fake.devices - 1 - gpu);
}

/* Each part with its compute instance, as a real one lists them; instances have NVML's numbers. */
dcgmReturn_t dcgmGetGpuInstanceHierarchy(dcgmHandle_t handle, dcgmMigHierarchy_v2 *all) {
    dcgmReturn_t code = begin(AT_dcgmGetGpuInstanceHierarchy, handle);
    if (code == 0 && all->version != (sizeof *all | 2u << 24)) {
        return fake_misuse(DCGM_ST_VER_MISMATCH, "version of the hierarchy");
    }
    for (unsigned int gpu = 0; code == 0 && gpu < (unsigned int)fake.devices; gpu++) {
        for (unsigned int i = 0; i < (unsigned int)fake.parts; i++) {
            for (unsigned int inner = 0; inner < 2; inner++) {
                dcgmMigHierarchyInfo_v2 *part = &all->part[all->count++];
                part->entity = (dcgmGroupEntityPair_t){DCGM_FE_GPU_I + inner, gpu * PARTS + i};
                part->parent = (dcgmGroupEntityPair_t){DCGM_FE_GPU, gpu};
                part->instance = 7 + i;
                write_uuid(gpu, part->uuid, sizeof part->uuid);
            }
        }
    }
    return code;
}

/* Two numbers are of another GPU: those of what this one has not. */
dcgmReturn_t dcgmProfGetSupportedMetricGroups(dcgmHandle_t handle,
                                              dcgmProfGetMetricGroups_t *groups) {
    dcgmReturn_t code = begin(AT_dcgmProfGetSupportedMetricGroups, handle);
    if (code == 0 && groups->version != (sizeof *groups | 3u << 24)) {
        return fake_misuse(DCGM_ST_VER_MISMATCH, "version of the groups of metrics");
    }
    groups->groups = 2;
    for (unsigned short i = 1001; code == 0 && i <= 1014; i++) {
        const int at = i < 1009;
        groups->group[at].field[groups->group[at].fields++] = i;
    }
    return code;
}

dcgmReturn_t dcgmGroupCreate(dcgmHandle_t handle, dcgmGroupType_t type, const char *name,
                             dcgmGpuGrp_t *group) {
    dcgmReturn_t code = begin(AT_dcgmGroupCreate, handle);
    if (code == 0 && (type != DCGM_GROUP_EMPTY || !name[0])) {
        return fake_misuse(BADPARAM, "a group of type %u", type);
    }
    *group = GROUP;
    fake.live[FAKE_GROUP] += code == 0;
    return code;
}

dcgmReturn_t dcgmGroupAddEntity(dcgmHandle_t handle, dcgmGpuGrp_t group,
                                dcgm_field_entity_group_t kind, dcgm_field_eid_t entity) {
    dcgmReturn_t code = begin(AT_dcgmGroupAddEntity, handle);
    if (code == 0 && group == GROUP) {
        member[members++] = (dcgmGroupEntityPair_t){kind, entity};
    }
    return code;
}

dcgmReturn_t dcgmGroupDestroy(dcgmHandle_t handle, dcgmGpuGrp_t group) {
    dcgmReturn_t code = begin(AT_dcgmGroupDestroy, handle);
    fake.live[FAKE_GROUP] -= group == GROUP;
    return code;
}

dcgmReturn_t dcgmFieldGroupCreate(dcgmHandle_t handle, int count, unsigned short *field,
                                  const char *name, dcgmFieldGrp_t *list) {
    dcgmReturn_t code = begin(AT_dcgmFieldGroupCreate, handle);
    if (code == 0 && (fake.live[FAKE_FIELDS] > 0 || !name[0])) {
        return fake_misuse(BADPARAM, "a second group of fields of the same name");
    }
    if (code == 0) {
        memcpy(watched, field, (size_t)count * sizeof *field);
        fields = count;
        *list = FIELDS;
        fake.live[FAKE_FIELDS]++;
    }
    return code;
}

dcgmReturn_t dcgmFieldGroupDestroy(dcgmHandle_t handle, dcgmFieldGrp_t list) {
    dcgmReturn_t code = begin(AT_dcgmFieldGroupDestroy, handle);
    fake.live[FAKE_FIELDS] -= list == FIELDS;
    return code;
}

dcgmReturn_t dcgmWatchFields(dcgmHandle_t handle, dcgmGpuGrp_t group, dcgmFieldGrp_t list,
                             long long interval_us, double keep_s, int keep_samples) {
    dcgmReturn_t code = begin(AT_dcgmWatchFields, handle);
    if (code == 0 && (group != GROUP || list != FIELDS || interval_us < 100000 || !(keep_s > 0) ||
                      keep_samples < 1)) {
        return fake_misuse(BADPARAM, "a watch every %lld us", interval_us);
    }
    if (code == 0 && fake.at_once > 0 && fields > fake.at_once) {
        return DCGM_ST_PROFILING_MULTI_PASS;
    }
    fake.live[FAKE_WATCH] += code == 0;
    return code;
}

dcgmReturn_t dcgmUnwatchFields(dcgmHandle_t handle, dcgmGpuGrp_t group, dcgmFieldGrp_t list) {
    dcgmReturn_t code = begin(AT_dcgmUnwatchFields, handle);
    fake.live[FAKE_WATCH] -= group == GROUP && list == FIELDS;
    return code;
}

static bool is_watched(dcgmGroupEntityPair_t entity, unsigned short field) {
    bool in = false;
    bool listed = false;
    for (int i = 0; i < members; i++) {
        in |= member[i].kind == entity.kind && member[i].id == entity.id;
    }
    for (int i = 0; i < fields; i++) {
        listed |= watched[i] == field;
    }
    return in && listed && fake.live[FAKE_WATCH] > 0;
}

/* Shares are a 64th of the number behind 1000 and a 1024th of the entity's; traffic is 1 MB/s times that number. */
static void read_one(dcgmGroupEntityPair_t entity, unsigned short field, int64_t at_us,
                     dcgmFieldValue_v2 *value) {
    const bool bytes = field >= DCGM_FI_PROF_PCIE_TX_BYTES && field <= DCGM_FI_PROF_NVLINK_RX_BYTES;
    memset(value, 0, sizeof *value);
    value->version = DCGM_VERSION(dcgmFieldValue_v2, 2);
    value->entity = entity;
    value->field = field;
    value->status = is_watched(entity, field) ? DCGM_ST_OK : NOT_WATCHED;
    value->at_us = at_us;
    value->type = bytes ? 'i' : 'd';
    if (bytes) {
        value->value.integer =
            fake.blank ? 0x7ffffffffffffff0 + fake.blank - 1 : 1000000 * (int64_t)(field - 1000);
    } else {
        value->value.real = fake.blank ? DCGM_FP64_BLANK + fake.blank - 1
                                       : (field - 1000) / 64.0 + entity.id / 1024.0;
    }
}

/* The order of what comes back is the engine's own. */
dcgmReturn_t dcgmEntitiesGetLatestValues(dcgmHandle_t handle, dcgmGroupEntityPair_t entity[],
                                         unsigned int entities, unsigned short field[],
                                         unsigned int count, unsigned int flags,
                                         dcgmFieldValue_v2 value[]) {
    const int at = AT_dcgmEntitiesGetLatestValues;
    dcgmReturn_t code = begin(at, handle);
    if (code == 0 && flags == DCGM_FV_FLAG_LIVE_DATA && field[0] == DCGM_FI_DEV_UUID) {
        *value = (dcgmFieldValue_v2){.entity = entity[0], .field = field[0], .type = 's'};
        write_uuid(entity[0].id, value->value.text, DCGM_MAX_STR_LENGTH);
        return 0;
    }
    for (unsigned int i = 0; code == 0 && i < entities * count; i++) {
        read_one(entity[i % entities], field[i / entities], 1000000 * fake.function[at].calls,
                 &value[i]);
    }
    return code;
}

const char *errorString(dcgmReturn_t result) {
    (void)result;
    fake_call(AT_errorString);
    return "The fake says no";
}
