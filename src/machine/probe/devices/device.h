/* Code that the device's steps of a probe share: things opened on a device, released in one go. */
#ifndef BE_MACHINE_PROBE_DEVICES_DEVICE_H
#define BE_MACHINE_PROBE_DEVICES_DEVICE_H

#include "kernel_programs.h"
#include "machine/probe/probe.h"

enum { BE_BED_LANES = 256, BE_BED_BUFFERS = 3, BE_BED_ARGUMENTS = 5 };

/* Where one thing is measured: a kernel with its launch, buffers, page-locked memory. Zeroed but
 * for device; be_bed_close releases whatever is there. */
struct be_bed {
    struct be_device *device;
    struct be_module module;
    struct be_kernel kernel;
    struct be_buffer buffer[BE_BED_BUFFERS];
    struct be_pinned in, out;
    struct be_argument argument[BE_BED_ARGUMENTS];
    int arguments;
    size_t groups, lanes;
};

void be_bed_close(struct be_bed *bed);

/* Builds the program, unless this bed has one, and takes its kernel. */
enum be_status be_bed_kernel(struct be_bed *bed, const struct be_program *program, const char *name,
                             struct be_error *error);
/* Buffer `i`, filled with bytes 0x3f (0.747 as a float): not zeros. */
enum be_status be_bed_buffer(struct be_bed *bed, int i, size_t bytes, struct be_error *error);
/* Copies `bytes` from the start of buffer `i` to ordinary memory. */
enum be_status be_bed_fetch(struct be_bed *bed, int i, void *to, size_t bytes,
                            struct be_error *error);

void be_bed_pass_buffer(struct be_bed *bed, int i);
void be_bed_pass_long(struct be_bed *bed, int64_t value);
void be_bed_pass_float(struct be_bed *bed, float value);

/* Puts the kernel into the queue once. */
enum be_status be_bed_put(struct be_bed *bed, struct be_error *error);
/* A be_probe_run of the kernel: `times` launches, then waits. context: the bed. */
enum be_status be_bed_run(void *context, long times, struct be_error *error);

/* Groups that fill the device a few times over; of a CPU device: one a core. */
size_t be_bed_groups(const struct be_device *device);
/* Bytes of an array when `arrays` of them are needed: at most `most`, and an eighth of what is
 * free in all, in whole 4 KiB. */
size_t be_bed_bytes(struct be_device *device, int arrays, size_t max);

/* The steps. */
be_probe_step_run be_probe_device_facts;
be_probe_step_run be_probe_device_rates;   /* fma */
be_probe_step_run be_probe_device_memory;  /* read, write, copy, triad, working_set, cache_read */
be_probe_step_run be_probe_device_launch;  /* launch, launch_wait, launch_rate, graph_node */
be_probe_step_run be_probe_device_alloc;   /* alloc, release */
be_probe_step_run be_probe_device_first;   /* first_context, first_module, first_library */
be_probe_step_run be_probe_device_matmul;  /* matmul through the vendor's library */
be_probe_step_run be_probe_device_bus;     /* bus_*: figures over sizes, and their fits */
be_probe_step_run be_probe_device_numa;    /* bus_in_node, bus_out_node: several NUMA nodes */
be_probe_step_run be_probe_device_unified; /* unified_fault */
be_probe_step_run be_probe_device_peer;    /* peer_copy */
be_probe_step_run be_probe_device_load;    /* facts: what was seen while all this ran */

#endif
