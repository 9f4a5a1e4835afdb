/* Putting a kernel into an OpenCL queue. */
#include <stdlib.h>

#include "base/error.h"
#include "device/argument.h"
#include "device/opencl_device.h"

enum { MOST_ARGUMENTS = 16 };

static enum be_status keep_part(struct be_opencl_device *d, struct be_opencl_parts *parts,
                                cl_mem memory, struct be_error *error) {
    if (parts->count == parts->room) {
        const int room = parts->room > 0 ? 2 * parts->room : 16;
        cl_mem *more = realloc(parts->memory, (size_t)room * sizeof(cl_mem));
        if (!more) {
            d->cl.clReleaseMemObject(memory);
            return be_fail(error, BE_NOMEM, "parts of buffers: no host memory");
        }
        parts->memory = more;
        parts->room = room;
    }
    parts->memory[parts->count++] = memory;
    return BE_OK;
}

void be_opencl_release_parts(struct be_opencl_device *d, enum be_queue queue) {
    struct be_opencl_parts *parts = &d->parts[queue];
    for (int i = 0; i < parts->count; i++) {
        d->cl.clReleaseMemObject(parts->memory[i]);
    }
    free(parts->memory);
    *parts = (struct be_opencl_parts){0};
}

/* OpenCL has no pointer into a buffer on the host's side: a part of it is an object of its own. */
static enum be_status make_part(struct be_opencl_device *d, const struct be_argument *argument,
                                struct be_opencl_parts *parts, cl_mem *memory,
                                struct be_error *error) {
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
    return code == CL_SUCCESS ? keep_part(d, parts, *memory, error)
                              : be_opencl_check(code, "clCreateSubBuffer", error);
}

static enum be_status set_argument(struct be_opencl_device *d, cl_kernel kernel, int index,
                                   const struct be_argument *argument,
                                   struct be_opencl_parts *parts, struct be_error *error) {
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
    enum be_status status = BE_OK;
    size_t global = 0;
    char call[BE_NAME * 2];
    if (groups == 0 || lanes == 0 || __builtin_mul_overflow(groups, lanes, &global) ||
        count > MOST_ARGUMENTS) {
        return be_fail(error, BE_USAGE, "launch: %zu groups of %zu lanes, %d arguments: at most %d",
                       groups, lanes, count, (int)MOST_ARGUMENTS);
    }
    for (int i = 0; status == BE_OK && i < count; i++) {
        status = set_argument(d, function, i, &arguments[i], &d->parts[queue], error);
    }
    if (status == BE_OK) {
        cl_int code = d->cl.clEnqueueNDRangeKernel(d->queue[queue], function, 1, NULL, &global,
                                                   &lanes, 0, NULL, NULL);
        snprintf(call, sizeof call, "clEnqueueNDRangeKernel of %zu groups of %zu lanes", groups,
                 lanes);
        status = be_opencl_check(code, call, error);
    }
    return status;
}
