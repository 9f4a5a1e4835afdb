/*
 * libdcgm, the client of NVIDIA's nv-hostengine, as a table of functions. Opened by who uses it and closed there; not kept
 * in a global. Types written from the published headers (3.3 and 4.x); tests/abi holds them against those.
 */
#ifndef BE_DYN_NVIDIA_DCGM_H
#define BE_DYN_NVIDIA_DCGM_H

#include "dyn/dyn.h"

#define CONST(name, value) enum { name = value };
#include "dyn/nvidia/dcgm_constants.h"
#undef CONST

/* From this number on a value stands for why there is none: 1 above it: not found; 2: not supported; 3: no permission. */
#define DCGM_FP64_BLANK 140737488355328.0

typedef int dcgmReturn_t;
typedef uintptr_t dcgmHandle_t, dcgmGpuGrp_t, dcgmFieldGrp_t;
typedef unsigned int dcgmGroupType_t, dcgm_field_entity_group_t, dcgm_field_eid_t;

/* The version of a struct, its first member, has its size in the lower bits. */
#define DCGM_VERSION(type, number) ((unsigned int)(sizeof(type) | (unsigned long)(number) << 24))

typedef struct {
    unsigned int version; /* 2 */
    unsigned int stays;   /* 1: watches outlive the connection */
    unsigned int timeout_ms;
    unsigned int is_path; /* the address is that of a Unix socket */
} dcgmConnectV2Params_t;

typedef struct {
    dcgm_field_entity_group_t kind;
    dcgm_field_eid_t id;
} dcgmGroupEntityPair_t;

typedef struct {
    unsigned int version; /* 2 */
    dcgmGroupEntityPair_t entity;
    unsigned short field;
    unsigned short type; /* 'd': real, 'i': integer, 's': text */
    int status;
    unsigned int unused;
    int64_t at_us; /* since 1970; 0: never */
    union {
        int64_t integer;
        double real;
        char text[DCGM_MAX_STR_LENGTH];
        char bytes[4096];
    } value;
} dcgmFieldValue_v2;

typedef struct {
    unsigned int version; /* 3 */
    unsigned int unused;
    unsigned int gpu;
    unsigned int groups;
    struct {
        unsigned short major, minor; /* those of one major number are counted in turn */
        unsigned int fields;
        unsigned short field[64];
    } group[10];
} dcgmProfGetMetricGroups_t;

typedef struct {
    dcgmGroupEntityPair_t entity, parent;
    char uuid[128]; /* of the whole GPU */
    unsigned int gpu, instance, compute_instance, profile, slices;
} dcgmMigHierarchyInfo_v2;

typedef struct {
    unsigned int version; /* 2 */
    unsigned int count;
    dcgmMigHierarchyInfo_v2 part[DCGM_MAX_NUM_DEVICES * 14];
} dcgmMigHierarchy_v2;

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_dcgm {
#include "dyn/nvidia/dcgm_list.h"
    void *handle;
};
#undef FN

enum be_status be_dcgm_open(struct be_dcgm *table, struct be_error *error);

#endif
