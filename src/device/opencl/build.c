/* One-source kernels through the device's own OpenCL compiler. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/opencl/opencl.h"
#include "kernels/host.h"

/*
 * -cl-std: the language dialect.h is written in, whatever a newer compiler would take by default.
 * Nothing that relaxes arithmetic: -cl-mad-enable may fuse a product with a sum at lower accuracy,
 * and the error-free sums of power.h rest on the difference (MUL, FMA in dialect.h say which is
 * meant); -cl-fast-relaxed-math and -cl-finite-math-only break infinities and NANs, which the
 * reference has; -cl-denorms-are-zero would differ from CUDA's default.
 */
static const char options[] = "-cl-std=CL1.2";

static enum be_status build_failed(const struct be_opencl_device *d, cl_program program,
                                   cl_int code, const char *name, struct be_error *error) {
    char *log = NULL;
    char text[320] = "the compiler left no log";
    size_t bytes = 0;
    if (d->cl.clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) ==
            CL_SUCCESS &&
        bytes > 1 && (log = calloc(1, bytes + 1)) != NULL &&
        d->cl.clGetProgramBuildInfo(program, d->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL) ==
            CL_SUCCESS) {
        be_first_error(log, text, sizeof text);
    }
    free(log);
    struct be_error why;
    enum be_status status = be_opencl_check(code, "clBuildProgram", &why);
    return be_fail(error, status == BE_NOMEM ? BE_NOMEM : BE_BUILD, "compiling %s: %.90s: %s", name,
                   why.text, text);
}

enum be_status be_opencl_build(struct be_device *device, const struct be_program *program,
                               struct be_module *module, struct be_error *error) {
    struct be_opencl_device *d = (struct be_opencl_device *)device;
    *module = (struct be_module){0};
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    cl_int code = CL_SUCCESS;
    const char *source[] = {program->defines ? program->defines : "", program->source};
    cl_program built = d->cl.clCreateProgramWithSource(d->context, 2, source, NULL, &code);
    if (code != CL_SUCCESS) {
        enum be_status status = be_opencl_check(code, "clCreateProgramWithSource", error);
        be_context(error, "compiling %s", program->name);
        return status;
    }
    /* Without a callback it returns when the program is built. */
    code = d->cl.clBuildProgram(built, 1, &d->device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        enum be_status status = build_failed(d, built, code, program->name, error);
        d->cl.clReleaseProgram(built);
        return status;
    }
    module->handle = (uintptr_t)built;
    module->build_s = be_now(&clock) - start;
    return BE_OK;
}

void be_opencl_drop(struct be_device *device, struct be_module *module) {
    struct be_opencl_device *d = (struct be_opencl_device *)device;
    if (module->handle) {
        d->cl.clReleaseProgram((cl_program)module->handle);
    }
    *module = (struct be_module){0};
}

enum be_status be_opencl_kernel(struct be_device *device, const struct be_module *module,
                                const char *name, struct be_kernel *kernel,
                                struct be_error *error) {
    struct be_opencl_device *d = (struct be_opencl_device *)device;
    cl_int code = CL_SUCCESS;
    *kernel = (struct be_kernel){0};
    cl_kernel made = d->cl.clCreateKernel((cl_program)module->handle, name, &code);
    if (code != CL_SUCCESS) {
        enum be_status status = be_opencl_check(code, "clCreateKernel", error);
        be_context(error, "kernel %s", name);
        return status;
    }
    kernel->handle = (uintptr_t)made;
    return BE_OK;
}

void be_opencl_forget(struct be_device *device, struct be_kernel *kernel) {
    struct be_opencl_device *d = (struct be_opencl_device *)device;
    if (kernel->handle) {
        d->cl.clReleaseKernel((cl_kernel)kernel->handle);
    }
    *kernel = (struct be_kernel){0};
}
