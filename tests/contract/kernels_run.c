/*
 * Which kernels a contract test launched on an OpenCL device that is the CPU (PoCL): the linker puts these
 * in the place of the backend's functions, which they call. KERNELS_RUN in the environment names the file
 * that is written: "device NAME", "lacks fp16", and "ran PROGRAM KERNEL" once for each of them.
 * tests/contract/kernels.py holds these files against the sources.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/opencl/opencl.h"
#include "kernels/host.h"

enum { MAX = 1 << 16, NAMES = 512 };

struct named {
    char program[BE_NAME], kernel[BE_NAME];
};

static struct named name[NAMES]; /* of the kernels that tests asked for */
static bool ran[NAMES];
static int names;
/* The handles given out, the newest last: an old one may come again for another kernel. */
static struct {
    uintptr_t handle;
    char program[BE_NAME];
} module[MAX];
static struct {
    uintptr_t handle;
    int name;
} kernel_of[MAX];
static int modules, kernels;

/* The record of earlier runs goes first. NULL: nobody wants to know. */
static FILE *record(void) {
    static FILE *file;
    const char *path = getenv("KERNELS_RUN");
    if (!file && path) {
        file = fopen(path, "w");
        if (!file) {
            perror(path);
            exit(1);
        }
    }
    return file;
}

static void tell(void *context, const char *what, const char *text, double number) {
    (void)text;
    if (number == 0 && (strcmp(what, "fp16") == 0 || strcmp(what, "fp64") == 0)) {
        fprintf(context, "lacks %s\n", what);
    }
}

static FILE *record_of(struct be_device *device) {
    static bool told;
    FILE *file = device->info.kind == BE_KIND_CPU ? record() : NULL;
    if (file && !told) {
        told = true;
        fprintf(file, "device %s, %s\n", device->info.name, device->info.driver);
        device->ops->extras->facts(device, tell, file);
        fflush(file);
    }
    return file;
}

static void full(const char *what) {
    fprintf(stderr, "kernels_run.c: more %s than it has room for\n", what);
    exit(1);
}

static int named(const char *program, const char *kernel) {
    int i = 0;
    while (i < names &&
           (strcmp(name[i].program, program) != 0 || strcmp(name[i].kernel, kernel) != 0)) {
        i++;
    }
    if (i == NAMES) {
        full("kernels");
    }
    if (i == names) {
        snprintf(name[i].program, sizeof name[i].program, "%s", program);
        snprintf(name[i].kernel, sizeof name[i].kernel, "%s", kernel);
        names++;
    }
    return i;
}

/* ---- what stands in between ----------------------------------------------------------------- */

enum be_status __real_be_opencl_probe(struct be_device_info *found, int capacity, int *count,
                                      struct be_error *error);
enum be_status __wrap_be_opencl_probe(struct be_device_info *found, int capacity, int *count,
                                      struct be_error *error);
enum be_status __real_be_opencl_build(struct be_device *device, const struct be_program *program,
                                      struct be_module *module, struct be_error *error);
enum be_status __wrap_be_opencl_build(struct be_device *device, const struct be_program *program,
                                      struct be_module *built, struct be_error *error);
enum be_status __real_be_opencl_kernel(struct be_device *device, const struct be_module *module,
                                       const char *name, struct be_kernel *kernel,
                                       struct be_error *error);
enum be_status __wrap_be_opencl_kernel(struct be_device *device, const struct be_module *from,
                                       const char *asked, struct be_kernel *kernel,
                                       struct be_error *error);
enum be_status __real_be_opencl_launch(struct be_device *device, enum be_queue queue,
                                       const struct be_kernel *kernel, size_t groups, size_t lanes,
                                       const struct be_argument *arguments, int count,
                                       struct be_error *error);
enum be_status __wrap_be_opencl_launch(struct be_device *device, enum be_queue queue,
                                       const struct be_kernel *kernel, size_t groups, size_t lanes,
                                       const struct be_argument *arguments, int count,
                                       struct be_error *error);

/* Every program looks for devices first: where there are none, the file is empty. */
enum be_status __wrap_be_opencl_probe(struct be_device_info *found, int capacity, int *count,
                                      struct be_error *error) {
    (void)record();
    return __real_be_opencl_probe(found, capacity, count, error);
}

enum be_status __wrap_be_opencl_build(struct be_device *device, const struct be_program *program,
                                      struct be_module *built, struct be_error *error) {
    enum be_status status = __real_be_opencl_build(device, program, built, error);
    if (status == BE_OK && record_of(device)) {
        if (modules == MAX) {
            full("programs");
        }
        module[modules].handle = built->handle;
        snprintf(module[modules].program, sizeof module[modules].program, "%s", program->name);
        modules++;
    }
    return status;
}

enum be_status __wrap_be_opencl_kernel(struct be_device *device, const struct be_module *from,
                                       const char *asked, struct be_kernel *kernel,
                                       struct be_error *error) {
    enum be_status status = __real_be_opencl_kernel(device, from, asked, kernel, error);
    if (status == BE_OK && record_of(device)) {
        int i = modules - 1;
        while (i >= 0 && module[i].handle != from->handle) {
            i--;
        }
        if (kernels == MAX) {
            full("handles");
        }
        kernel_of[kernels].handle = kernel->handle;
        kernel_of[kernels].name = named(i >= 0 ? module[i].program : "?", asked);
        kernels++;
    }
    return status;
}

enum be_status __wrap_be_opencl_launch(struct be_device *device, enum be_queue queue,
                                       const struct be_kernel *kernel, size_t groups, size_t lanes,
                                       const struct be_argument *arguments, int count,
                                       struct be_error *error) {
    enum be_status status =
        __real_be_opencl_launch(device, queue, kernel, groups, lanes, arguments, count, error);
    FILE *file = status == BE_OK ? record_of(device) : NULL;
    int i = kernels - 1;
    while (file && i >= 0 && kernel_of[i].handle != kernel->handle) {
        i--;
    }
    if (file && i >= 0 && !ran[kernel_of[i].name]) {
        const struct named *n = &name[kernel_of[i].name];
        ran[kernel_of[i].name] = true;
        fprintf(file, "ran %s %s\n", n->program, n->kernel);
        fflush(file);
    }
    return status;
}
