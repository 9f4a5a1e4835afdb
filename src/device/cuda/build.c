/* One-source kernels through NVRTC to this device's own machine code. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/cuda/cuda.h"
#include "kernels/host.h"

/* First lines of the compiler's log: what a person needs to see of it. */
static enum be_status build_failed(const struct be_nvrtc *rtc, nvrtcProgram program,
                                   nvrtcResult result, const char *name, struct be_error *error) {
    char *log = NULL;
    char text[320] = "the compiler left no log";
    size_t bytes = 0;
    if (program && rtc->nvrtcGetProgramLogSize(program, &bytes) == 0 && bytes > 1 &&
        (log = calloc(1, bytes + 1)) != NULL) {
        rtc->nvrtcGetProgramLog(program, log);
        be_first_error(log, text, sizeof text);
    }
    free(log);
    return be_fail(error, BE_BUILD, "compiling %s: %s: %s", name, rtc->nvrtcGetErrorString(result),
                   text);
}

enum { NVRTC_OUT_OF_MEMORY = 1 }; /* NVRTC_ERROR_OUT_OF_MEMORY */

/* Definitions and source as one text; NULL: no memory. */
static char *with_defines(const struct be_program *program) {
    const char *defines = program->defines ? program->defines : "";
    size_t capacity = strlen(defines) + strlen(program->source) + 1;
    char *source = calloc(1, capacity);
    if (source) {
        snprintf(source, capacity, "%s%s", defines, program->source);
    }
    return source;
}

/* Machine code where this NVRTC knows the device, else PTX that the driver compiles. */
static nvrtcResult compile(const struct be_nvrtc *rtc, nvrtcProgram program, int major, int minor,
                           bool machine_code) {
    char arch[BE_NAME];
    snprintf(arch, sizeof arch, "--gpu-architecture=%s_%d%d", machine_code ? "sm" : "compute",
             major, minor);
    const char *option[] = {arch, "--std=c++17", "--extra-device-vectorization"};
    return rtc->nvrtcCompileProgram(program, (int)BE_COUNT(option), option);
}

static nvrtcResult take_image(const struct be_nvrtc *rtc, nvrtcProgram program, bool machine_code,
                              char **image) {
    size_t bytes = 0;
    nvrtcResult result = machine_code ? rtc->nvrtcGetCUBINSize(program, &bytes)
                                      : rtc->nvrtcGetPTXSize(program, &bytes);
    if (result != 0) {
        return result;
    }
    *image = calloc(1, bytes + 1);
    if (!*image) {
        return NVRTC_OUT_OF_MEMORY;
    }
    return machine_code ? rtc->nvrtcGetCUBIN(program, *image) : rtc->nvrtcGetPTX(program, *image);
}

enum be_status be_cuda_build(struct be_device *device, const struct be_program *program,
                             struct be_module *module, struct be_error *error) {
    struct be_cuda_device *d = (struct be_cuda_device *)device;
    const struct be_nvrtc *rtc = &d->nvrtc;
    struct be_clock clock = {0};
    nvrtcProgram unit = NULL;
    char *image = NULL;
    char *source = NULL;
    CUmodule loaded = NULL;
    enum be_status status = BE_OK;
    memset(module, 0, sizeof *module);
    if (!rtc->handle) {
        if (error) {
            *error = d->nvrtc_error;
        }
        return be_context(error, "compiling %s", program->name);
    }
    clock = be_clock_host();
    double start = be_now(&clock);
    bool machine_code = rtc->nvrtcGetCUBIN && rtc->nvrtcGetCUBINSize;
    source = with_defines(program);
    nvrtcResult result = source
                             ? rtc->nvrtcCreateProgram(&unit, source, program->name, 0, NULL, NULL)
                             : NVRTC_OUT_OF_MEMORY;
    if (result == 0) {
        result = compile(rtc, unit, d->major, d->minor, machine_code);
    }
    if (result == 0) {
        result = take_image(rtc, unit, machine_code, &image);
    }
    if (result != 0) {
        status = build_failed(rtc, unit, result, program->name, error);
        goto out;
    }
    d->cuda.cuCtxSetCurrent(d->context);
    status = be_cuda_check(&d->cuda, d->cuda.cuModuleLoadData(&loaded, image), "cuModuleLoadData",
                           error);
    module->handle = (uintptr_t)loaded;
    module->build_s = be_now(&clock) - start;
out:
    free(source);
    free(image);
    if (unit) {
        rtc->nvrtcDestroyProgram(&unit);
    }
    return status;
}

void be_cuda_drop(struct be_device *device, struct be_module *module) {
    struct be_cuda_device *d = (struct be_cuda_device *)device;
    if (module->handle) {
        d->cuda.cuCtxSetCurrent(d->context);
        d->cuda.cuModuleUnload((CUmodule)module->handle);
    }
    memset(module, 0, sizeof *module);
}

/* Not every GPU that has clusters has them of more than 8 groups: such a kernel needs leave. */
static enum be_status allow_cluster(struct be_cuda_device *d, CUfunction function,
                                    struct be_error *error) {
    enum { EVERYWHERE = 8 };
    int groups = 0;
    if (be_cuda_neighbours(&d->base) <= EVERYWHERE) {
        return BE_OK;
    }
    enum be_status status = be_cuda_check(
        &d->cuda,
        d->cuda.cuFuncGetAttribute(&groups, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, function),
        "cuFuncGetAttribute", error);
    if (status != BE_OK || groups <= EVERYWHERE) {
        return status;
    }
    return be_cuda_check(&d->cuda,
                         d->cuda.cuFuncSetAttribute(
                             function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
                         "cuFuncSetAttribute", error);
}

enum be_status be_cuda_kernel(struct be_device *device, const struct be_module *module,
                              const char *name, struct be_kernel *kernel, struct be_error *error) {
    struct be_cuda_device *d = (struct be_cuda_device *)device;
    CUfunction function = NULL;
    d->cuda.cuCtxSetCurrent(d->context);
    CUresult result = d->cuda.cuModuleGetFunction(&function, (CUmodule)module->handle, name);
    kernel->handle = (uintptr_t)function;
    if (result != CUDA_SUCCESS) {
        be_cuda_check(&d->cuda, result, "cuModuleGetFunction", error);
        return be_context(error, "kernel %s", name);
    }
    return allow_cluster(d, function, error);
}
