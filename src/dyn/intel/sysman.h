/*
 * level-zero's system management as a table of functions. Opened by who uses it and closed there; not
 * kept in a global. Types written from the published specification (1.5); tests/abi holds them against
 * the real headers.
 */
#ifndef BE_DYN_INTEL_SYSMAN_H
#define BE_DYN_INTEL_SYSMAN_H

#include "dyn/dyn.h"

typedef int ze_result_t;
typedef struct _zes_driver_handle_t *zes_driver_handle_t;
typedef struct _zes_device_handle_t *zes_device_handle_t;
typedef struct _zes_engine_handle_t *zes_engine_handle_t;
typedef struct _zes_mem_handle_t *zes_mem_handle_t;
typedef struct _zes_pwr_handle_t *zes_pwr_handle_t;
typedef struct _zes_temp_handle_t *zes_temp_handle_t;
typedef struct _zes_freq_handle_t *zes_freq_handle_t;

/* The head that every structure filled by a library begins with: which structure it is, and a list
 * of extensions. */
struct be_zes_head {
    int type;
    const void *next;
};

typedef struct _zes_device_properties_t {
    struct be_zes_head head;
    struct {
        struct be_zes_head head;
        int type;
        uint32_t vendor, device, flags, part, core_mhz;
        uint64_t largest_bytes;
        uint32_t contexts, priority, threads, lanes, units, slices, slice_groups;
        uint64_t timer;
        uint32_t timer_bits, kernel_timer_bits;
        uint8_t uuid[16];
        char name[256];
    } core;
    uint32_t parts;
    char serial[64], board[64], brand[64], model[64], vendor[64], driver[64];
} zes_device_properties_t;

typedef struct _zes_pci_properties_t {
    struct be_zes_head head;
    uint32_t address[4];
    struct {
        int32_t generation, width;
        int64_t bytes_s; /* -1: not known */
    } max;
    uint8_t has_bandwidth, has_packets, has_replays;
} zes_pci_properties_t;

typedef struct _zes_pci_stats_t {
    uint64_t timestamp_us, replays, packets, received_bytes, sent_bytes;
    struct {
        int32_t generation, width;
        int64_t bytes_s;
    } speed;
} zes_pci_stats_t;

typedef struct _zes_engine_properties_t {
    struct be_zes_head head;
    int group;
    uint8_t on_part;
    uint32_t part;
} zes_engine_properties_t;

typedef struct _zes_engine_stats_t {
    uint64_t active_us, timestamp_us;
} zes_engine_stats_t;

typedef struct _zes_mem_state_t {
    struct be_zes_head head;
    int health;
    uint64_t free, size;
} zes_mem_state_t;

typedef struct _zes_mem_bandwidth_t {
    uint64_t read_bytes, written_bytes, max_bytes_s, timestamp_us;
} zes_mem_bandwidth_t;

typedef struct _zes_power_energy_counter_t {
    uint64_t microjoules, timestamp_us;
} zes_power_energy_counter_t;

typedef struct _zes_freq_properties_t {
    struct be_zes_head head;
    int domain;
    uint8_t on_part;
    uint32_t part;
    uint8_t can_control, tells_throttle;
    double min_mhz, max_mhz;
} zes_freq_properties_t;

typedef struct _zes_freq_state_t {
    struct be_zes_head head;
    double volts, asked_mhz, tdp_mhz, efficient_mhz, actual_mhz;
    uint32_t throttle;
} zes_freq_state_t;

typedef struct _zes_process_state_t {
    struct be_zes_head head;
    uint32_t pid;
    uint64_t bytes, shared_bytes;
    uint32_t engines;
} zes_process_state_t;

#define CONST(name, value) enum { name = value };
#include "dyn/intel/sysman_constants.h"
#undef CONST

#define FN(need, type, name, arguments) type(*name) arguments;
struct be_sysman {
#include "dyn/intel/sysman_list.h"
    void *handle;
};
#undef FN

enum be_status be_sysman_open(struct be_sysman *table, struct be_error *error);

#endif
