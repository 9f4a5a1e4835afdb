/* Putting a kernel into an OpenCL queue. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "device/common/argument.h"
#include "device/opencl/opencl.h"

enum { MAX_ARGUMENTS = 16 };

/* Cold cases walk through thousands of parts, and whoever looks for one is being timed. */
static int *bucket_of(struct be_opencl_device *d, cl_mem whole, size_t offset) {
    return &d->bucket[be_random_bits((uintptr_t)whole, offset) % BE_OPENCL_BUCKETS];
}

static void keep_part(struct be_opencl_device *d, struct be_opencl_part part) {
    int *bucket = bucket_of(d, part.whole, part.offset);
    part.next = *bucket;
    d->part[d->parts++] = part;
    *bucket = d->parts;
}

static cl_mem find_part(struct be_opencl_device *d, cl_mem whole, size_t offset) {
    for (int at = *bucket_of(d, whole, offset); at; at = d->part[at - 1].next) {
        const struct be_opencl_part *part = &d->part[at - 1];
        if (part->whole == whole && part->offset == offset) {
            return part->part;
        }
    }
    return NULL;
}

/* The last one first: NVIDIA's driver (580.159) crashes where parts that overlap go in another order. */
void be_opencl_release_parts(struct be_opencl_device *d, cl_mem whole) {
    const int parts = d->parts;
    for (int i = parts; i-- > 0;) {
        if (d->part[i].whole == whole) {
            d->cl.clReleaseMemObject(d->part[i].part);
        }
    }
    memset(d->bucket, 0, sizeof d->bucket);
    d->parts = 0;
    for (int i = 0; i < parts; i++) { /* none moves to behind where it was */
        if (d->part[i].whole != whole) {
            keep_part(d, d->part[i]);
        }
    }
}

static enum be_status make_capacity(struct be_opencl_device *d, struct be_error *error) {
    enum { FIRST = 16 };
    if (d->parts < d->capacity) {
        return BE_OK;
    }
    const int capacity = d->capacity > 0 ? 2 * d->capacity : FIRST;
    struct be_opencl_part *more = realloc(d->part, (size_t)capacity * sizeof *more);
    if (!more) {
        return be_fail(error, BE_NOMEM, "parts of buffers: no host memory");
    }
    d->part = more;
    d->capacity = capacity;
    return BE_OK;
}

/* OpenCL has no pointer into a buffer on the host's side. */
static enum be_status part_of(struct be_opencl_device *d, const struct be_argument *argument,
                              cl_mem *memory, struct be_error *error) {
    const cl_mem whole = (cl_mem)argument->buffer->handle;
    const size_t bytes = argument->buffer->bytes;
    if (argument->offset >= bytes || argument->offset % d->align_bytes != 0) {
        return be_fail(error, BE_USAGE,
                       "offset of %zu bytes in a buffer of %zu: it must lie inside, on a multiple "
                       "of %zu here",
                       argument->offset, bytes, d->align_bytes);
    }
    *memory = find_part(d, whole, argument->offset);
    if (*memory) {
        return BE_OK;
    }
    enum be_status status = make_capacity(d, error);
    if (status != BE_OK) {
        return status;
    }
    const cl_buffer_region region = {argument->offset, bytes - argument->offset};
    cl_int code = CL_SUCCESS;
    *memory = d->cl.clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                      &region, &code);
    if (code == CL_SUCCESS) {
        keep_part(d, (struct be_opencl_part){whole, *memory, argument->offset, 0});
    }
    return be_opencl_check(code, "clCreateSubBuffer", error);
}

static enum be_status set_argument(struct be_opencl_device *d, cl_kernel kernel, int index,
                                   const struct be_argument *argument, struct be_error *error) {
    union be_argument_value value;
    cl_mem memory = NULL;
    enum be_status status = BE_OK;
    size_t bytes = 0;
    const void *from = &value;
    if (argument->kind == BE_ARGUMENT_BUFFER) {
        memory = (cl_mem)argument->buffer->handle;
        from = &memory;
        bytes = sizeof(cl_mem);
        if (argument->offset > 0) {
            status = part_of(d, argument, &memory, error);
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
        count > MAX_ARGUMENTS) {
        return be_fail(error, BE_USAGE, "launch: %zu groups of %zu lanes, %d arguments: at most %d",
                       groups, lanes, count, (int)MAX_ARGUMENTS);
    }
    for (int i = 0; status == BE_OK && i < count; i++) {
        status = set_argument(d, function, i, &arguments[i], error);
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
