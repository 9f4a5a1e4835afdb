/* The meaning of OpenCL's error codes. */
#include "base/error.h"
#include "device/opencl/opencl.h"

static const struct {
    cl_int code;
    const char *text;
} meanings[] = {
    {CL_DEVICE_NOT_AVAILABLE, "the device is not available"},
    {CL_COMPILER_NOT_AVAILABLE, "this driver has no compiler"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "out of device memory"},
    {CL_OUT_OF_RESOURCES, "out of resources"},
    {CL_OUT_OF_HOST_MEMORY, "out of host memory"},
    {CL_BUILD_PROGRAM_FAILURE, "the compiler found errors"},
    {CL_MAP_FAILURE, "the buffer cannot be mapped"},
    {CL_MISALIGNED_SUB_BUFFER_OFFSET, "a part of a buffer cannot begin there"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command waited for has failed"},
    {CL_INVALID_VALUE, "invalid value"},
    {CL_INVALID_DEVICE, "invalid device"},
    {CL_INVALID_MEM_OBJECT, "invalid buffer"},
    {CL_INVALID_BUILD_OPTIONS, "invalid build options"},
    {CL_INVALID_PROGRAM_EXECUTABLE, "the program has not been built"},
    {CL_INVALID_KERNEL_NAME, "the program has no kernel of this name"},
    {CL_INVALID_ARG_INDEX, "the kernel has fewer arguments"},
    {CL_INVALID_ARG_SIZE, "the kernel's argument has another type"},
    {CL_INVALID_KERNEL_ARGS, "the kernel has more arguments"},
    {CL_INVALID_WORK_GROUP_SIZE, "the kernel cannot have groups of this size here"},
    {CL_INVALID_WORK_ITEM_SIZE, "the device cannot have groups of this size"},
    {CL_INVALID_EVENT, "invalid event"},
    {CL_INVALID_BUFFER_SIZE, "the device cannot have buffers of this size"},
    {CL_INVALID_GLOBAL_WORK_SIZE, "the device cannot have this many lanes"},
};

enum be_status be_opencl_check(cl_int code, const char *call, struct be_error *error) {
    if (code == CL_SUCCESS) {
        return BE_OK;
    }
    const char *text = "unknown error";
    for (size_t i = 0; i < BE_COUNT(meanings); i++) {
        text = meanings[i].code == code ? meanings[i].text : text;
    }
    /* Out of resources is not here: drivers also say it of a kernel that read where it must not. */
    bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
                  code == CL_INVALID_BUFFER_SIZE;
    return be_fail(error, memory ? BE_NOMEM : BE_DRIVER, "%s: %s (OpenCL error %d)", call, text,
                   (int)code);
}
