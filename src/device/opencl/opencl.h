/* Declarations that the OpenCL backend's files share. Not for others. */
#ifndef BE_DEVICE_OPENCL_OPENCL_H
#define BE_DEVICE_OPENCL_OPENCL_H

#include "device/device.h"
#include "dyn/opencl/opencl.h"

/* A part of a buffer is an object of its own in OpenCL. It is made once and goes with the buffer. */
struct be_opencl_part {
    cl_mem whole, part;
    size_t offset;
    int next; /* in its bucket: index + 1; 0: none */
};
enum { BE_OPENCL_BUCKETS = 4096 };

struct be_opencl_device {
    struct be_device base; /* first, so that the two pointers are one */
    struct be_opencl cl;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue[BE_QUEUES];
    struct be_opencl_part *part;
    int parts, capacity;           /* how many there are; how many `part` holds */
    int bucket[BE_OPENCL_BUCKETS]; /* first part of each: index + 1; 0: none */
    cl_ulong largest;              /* bytes one allocation may have */
    size_t align_bytes;            /* where in a buffer a part of it may begin */
};

/* BE_OK, or BE_DRIVER / BE_NOMEM with "clCall: what it means (OpenCL error -4)" in error. */
enum be_status be_opencl_check(cl_int code, const char *call, struct be_error *error);

/* ---- device/opencl/probe.c ------------------------------------------------------------------ */

struct be_opencl_place {
    cl_platform_id platform;
    cl_device_id device;
};

enum { BE_OPENCL_PLACES = 64 };

/* Every device of every platform, in the loader's order: place i is opencl:i. BE_ABSENT: none. */
enum be_status be_opencl_list(const struct be_opencl *cl,
                              struct be_opencl_place place[BE_OPENCL_PLACES], int *count,
                              struct be_error *error);
enum be_status be_opencl_probe(struct be_device_info *found, int capacity, int *count,
                               struct be_error *error);
enum be_status be_opencl_memory(struct be_device *device, double *free_bytes, double *total_bytes,
                                struct be_error *error);

/* Properties of a device: 0, NAN and an empty text where it does not know. */
cl_uint be_opencl_uint(const struct be_opencl *cl, cl_device_id device, cl_device_info what);
double be_opencl_bytes(const struct be_opencl *cl, cl_device_id device, cl_device_info what);
void be_opencl_text(const struct be_opencl *cl, cl_device_id device, cl_device_info what, char *to,
                    size_t capacity);

/* ---- device/opencl/facts.c ------------------------------------------------------------------ */

void be_opencl_facts(struct be_device *device,
                     void (*tell)(void *context, const char *name, const char *text, double number),
                     void *context);

/* ---- device/opencl/build.c ------------------------------------------------------------------ */

enum be_status be_opencl_build(struct be_device *device, const struct be_program *program,
                               struct be_module *module, struct be_error *error);
void be_opencl_drop(struct be_device *device, struct be_module *module);
enum be_status be_opencl_kernel(struct be_device *device, const struct be_module *module,
                                const char *name, struct be_kernel *kernel, struct be_error *error);
void be_opencl_forget(struct be_device *device, struct be_kernel *kernel);

/* ---- device/opencl/launch.c ----------------------------------------------------------------- */

enum be_status be_opencl_launch(struct be_device *device, enum be_queue queue,
                                const struct be_kernel *kernel, size_t groups, size_t lanes,
                                const struct be_argument *arguments, int count,
                                struct be_error *error);
/* Those of a buffer that is about to go. */
void be_opencl_release_parts(struct be_opencl_device *d, cl_mem whole);

#endif
