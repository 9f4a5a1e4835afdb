/* Putting a kernel into an OpenCL queue. */
#include "base/error.h"
#include "device/argument.h"
#include "device/opencl_device.h"

enum { MOST_ARGUMENTS = 16 };

/* What a launch holds of its own: released when it is in the queue, which then holds it. */
struct parts {
    cl_mem memory[MOST_ARGUMENTS];
    int count;
};

/* OpenCL has no pointer into a buffer on the host's side: a part of it is an object of its own. */
static enum be_status make_part(struct be_opencl_device *d, const struct be_argument *argument,
                                struct parts *parts, cl_mem *memory, struct be_error *error) {
    size_t bytes = argument->buffer->bytes;
    if (argument->offset >= bytes || argument->offset % d->align_bytes != 0) {
        return be_fail(error, BE_USAGE,
                       "offset of %zu bytes in a buffer of %zu: it must lie inside, on a multiple "
                       "of %zu here",
                       argument->offset, bytes, d->align_bytes);
    }
    const cl_buffer_region region = {argument->offset, bytes - argument->offset};
    cl_int code = CL_SUCCESS;
    *memory = d->cl.clCreateSubBuffer((cl_mem)argument->buffer->handle, CL_MEM_READ_WRITE,
                                      CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (code == CL_SUCCESS) {
        parts->memory[parts->count++] = *memory;
    }
    return be_opencl_check(code, "clCreateSubBuffer", error);
}

static enum be_status set_argument(struct be_opencl_device *d, cl_kernel kernel, int index,
                                   const struct be_argument *argument, struct parts *parts,
                                   struct be_error *error) {
    union be_argument_value value;
    cl_mem memory = NULL;
    enum be_status status = BE_OK;
    size_t bytes = 0;
    const void *from = &value;
    if (argument->kind == BE_ARGUMENT_BUFFER) {
        memory = (cl_mem)argument->buffer->handle;
        from = &memory;
        bytes = sizeof memory;
        if (argument->offset > 0) {
            status = make_part(d, argument, parts, &memory, error);
        }
    } else {
        bytes = be_argument_value(argument, &value);
    }
    if (status == BE_OK) {
        status = be_opencl_check(d->cl.clSetKernelArg(kernel, (cl_uint)index, bytes, from),
                                 "clSetKernelArg", error);
    }
    if (status != BE_OK) {
        be_context(error, "argument %d", index);
    }
    return status;
}

enum be_status be_opencl_launch(struct be_device *device, enum be_queue queue,
                                const struct be_kernel *kernel, size_t groups, size_t lanes,
                                const struct be_argument *arguments, int count,
                                struct be_error *error) {
    struct be_opencl_device *d = (struct be_opencl_device *)device;
    cl_kernel function = (cl_kernel)kernel->handle;
    struct parts parts = {.count = 0};
    enum be_status status = BE_OK;
    size_t global = 0;
    char call[BE_NAME * 2];
    if (groups == 0 || lanes == 0 || __builtin_mul_overflow(groups, lanes, &global) ||
        count > MOST_ARGUMENTS) {
        return be_fail(error, BE_USAGE, "launch: %zu groups of %zu lanes, %d arguments: at most %d",
                       groups, lanes, count, (int)MOST_ARGUMENTS);
    }
    for (int i = 0; status == BE_OK && i < count; i++) {
        status = set_argument(d, function, i, &arguments[i], &parts, error);
    }
    if (status == BE_OK) {
        cl_int code = d->cl.clEnqueueNDRangeKernel(d->queue[queue], function, 1, NULL, &global,
                                                   &lanes, 0, NULL, NULL);
        snprintf(call, sizeof call, "clEnqueueNDRangeKernel of %zu groups of %zu lanes", groups,
                 lanes);
        status = be_opencl_check(code, call, error);
    }
    for (int i = 0; i < parts.count; i++) {
        d->cl.clReleaseMemObject(parts.memory[i]);
    }
    return status;
}
