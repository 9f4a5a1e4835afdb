/* The OpenCL devices that are here. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/opencl/opencl.h"

/* ---- one property of a device --------------------------------------------------------------- */

/* True when the device knows the property and its size is the one expected. */
static bool get(const struct be_opencl *cl, cl_device_id device, cl_device_info what, void *value,
                size_t bytes) {
    size_t answered = 0;
    return cl->clGetDeviceInfo(device, what, bytes, value, &answered) == CL_SUCCESS &&
           answered == bytes;
}

cl_uint be_opencl_uint(const struct be_opencl *cl, cl_device_id device, cl_device_info what) {
    cl_uint value = 0;
    return get(cl, device, what, &value, sizeof value) ? value : 0;
}

/* NAN where the device does not know, which some say by 0. */
double be_opencl_bytes(const struct be_opencl *cl, cl_device_id device, cl_device_info what) {
    cl_ulong value = 0;
    return get(cl, device, what, &value, sizeof value) && value > 0 ? (double)value : NAN;
}

/* Names come with blanks around them from some drivers. */
static void copy_trimmed(char *to, size_t capacity, char *text) {
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') {
        text[--length] = '\0';
    }
    be_copy_text(to, capacity, text + strspn(text, " "));
}

void be_opencl_text(const struct be_opencl *cl, cl_device_id device, cl_device_info what, char *to,
                    size_t capacity) {
    char text[1024] = "";
    if (cl->clGetDeviceInfo(device, what, sizeof text - 1, text, NULL) != CL_SUCCESS) {
        text[0] = '\0';
    }
    copy_trimmed(to, capacity, text);
}

/* ---- where it is and what drives it --------------------------------------------------------- */

/* "0000:1b:00.0", the form that cuDeviceGetPCIBusId gives; empty when the device does not say. */
static void describe_address(const struct be_opencl *cl, cl_device_id device, char *text,
                             size_t capacity) {
    cl_device_pci_bus_info_khr at = {0};
    bool known = get(cl, device, CL_DEVICE_PCI_BUS_INFO_KHR, &at, sizeof at);
    if (!known) {
        cl_uint slot = 0;
        known = get(cl, device, CL_DEVICE_PCI_BUS_ID_NV, &at.pci_bus, sizeof at.pci_bus) &&
                get(cl, device, CL_DEVICE_PCI_SLOT_ID_NV, &slot, sizeof slot);
        at.pci_domain = be_opencl_uint(cl, device, CL_DEVICE_PCI_DOMAIN_ID_NV);
        /* Not documented; hwloc (include/hwloc/opencl.h) reads the slot in this way. */
        at.pci_device = slot >> 3;
        at.pci_function = slot & 7;
    }
    text[0] = '\0';
    if (known) {
        snprintf(text, capacity, "%04x:%02x:%02x.%x", at.pci_domain, at.pci_bus, at.pci_device,
                 at.pci_function);
    }
}

/* "NVIDIA CUDA, driver 580.65, OpenCL C 1.2" */
static void describe_driver(const struct be_opencl *cl, const struct be_opencl_place *place,
                            char *text, size_t capacity) {
    char platform[BE_NAME / 2] = "";
    char driver[BE_NAME / 2];
    char language[BE_NAME / 2];
    char name[1024] = "";
    if (cl->clGetPlatformInfo(place->platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL) ==
        CL_SUCCESS) {
        copy_trimmed(platform, sizeof platform, name);
    }
    be_opencl_text(cl, place->device, CL_DRIVER_VERSION, driver, sizeof driver);
    be_opencl_text(cl, place->device, CL_DEVICE_OPENCL_C_VERSION, language, sizeof language);
    snprintf(text, capacity, "%s, driver %s, %s", platform, driver, language);
}

static void describe(const struct be_opencl *cl, const struct be_opencl_place *place, int index,
                     struct be_device_info *info) {
    cl_device_id device = place->device;
    cl_device_type type = 0;
    memset(info, 0, sizeof *info);
    snprintf(info->id, sizeof info->id, "opencl:%d", index);
    be_copy_text(info->backend, sizeof info->backend, "opencl");
    be_opencl_text(cl, device, CL_DEVICE_NAME, info->name, sizeof info->name);
    describe_driver(cl, place, info->driver, sizeof info->driver);
    describe_address(cl, device, info->address, sizeof info->address);
    (void)get(cl, device, CL_DEVICE_TYPE, &type, sizeof type);
    info->kind = type & CL_DEVICE_TYPE_CPU   ? BE_KIND_CPU
                 : type & CL_DEVICE_TYPE_GPU ? BE_KIND_GPU
                                             : BE_KIND_OTHER;
    info->index = index;
    info->units = (int)be_opencl_uint(cl, device, CL_DEVICE_MAX_COMPUTE_UNITS);
    info->memory_bytes = be_opencl_bytes(cl, device, CL_DEVICE_GLOBAL_MEM_SIZE);
    info->cache_bytes = be_opencl_bytes(cl, device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    cl_uint megahertz = be_opencl_uint(cl, device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    info->clock_hz = megahertz > 0 ? 1e6 * megahertz : NAN;
}

/* ---- all of them ---------------------------------------------------------------------------- */

enum be_status be_opencl_list(const struct be_opencl *cl,
                              struct be_opencl_place place[BE_OPENCL_PLACES], int *count,
                              struct be_error *error) {
    /* These types are the CL_DEVICE_TYPE_ALL of other headers: all but devices with built-in
     * kernels only. */
    const cl_device_type types =
        CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR;
    cl_platform_id platform[BE_OPENCL_PLACES];
    cl_uint platforms = 0;
    *count = 0;
    cl_int code = cl->clGetPlatformIDs(BE_OPENCL_PLACES, platform, &platforms);
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && platforms == 0)) {
        return be_fail(error, BE_ABSENT,
                       "the OpenCL loader is here but finds no driver (each device's vendor has "
                       "one; PoCL is one for CPUs; they are listed in /etc/OpenCL/vendors)");
    }
    if (code != CL_SUCCESS) {
        return be_opencl_check(code, "clGetPlatformIDs", error);
    }
    platforms = platforms < BE_OPENCL_PLACES ? platforms : BE_OPENCL_PLACES;
    for (cl_uint p = 0; p < platforms; p++) {
        cl_device_id device[BE_OPENCL_PLACES];
        cl_uint devices = 0;
        /* A platform may have none, or fail without its hardware: the others still count. */
        if (cl->clGetDeviceIDs(platform[p], types, BE_OPENCL_PLACES, device, &devices) !=
            CL_SUCCESS) {
            continue;
        }
        for (cl_uint i = 0; i < devices && i < BE_OPENCL_PLACES && *count < BE_OPENCL_PLACES; i++) {
            place[(*count)++] = (struct be_opencl_place){platform[p], device[i]};
        }
    }
    return *count > 0 ? BE_OK
                      : be_fail(error, BE_ABSENT, "OpenCL drivers are here but show no device");
}

enum be_status be_opencl_probe(struct be_device_info *found, int capacity, int *count,
                               struct be_error *error) {
    struct be_opencl cl;
    struct be_opencl_place place[BE_OPENCL_PLACES];
    int places = 0;
    struct be_clock clock = be_clock_host();
    double start = be_now(&clock);
    *count = 0;
    enum be_status status = be_opencl_open(&cl, error);
    if (status != BE_OK) {
        return status;
    }
    status = be_opencl_list(&cl, place, &places, error);
    double start_s = be_now(&clock) - start;
    for (int i = 0; status == BE_OK && i < places && i < capacity; i++) {
        describe(&cl, &place[i], i, &found[i]);
        found[i].start_s = start_s;
        *count = i + 1;
    }
    be_dyn_close(cl.handle);
    return status;
}

/* OpenCL itself has no query for free memory; AMD's extension gives {free, largest block} in KiB.
 */
enum be_status be_opencl_memory(struct be_device *device, double *free_bytes, double *total_bytes,
                                struct be_error *error) {
    struct be_opencl_device *d = (struct be_opencl_device *)device;
    size_t kib[2] = {0};
    (void)error;
    *total_bytes = be_opencl_bytes(&d->cl, d->device, CL_DEVICE_GLOBAL_MEM_SIZE);
    *free_bytes = get(&d->cl, d->device, CL_DEVICE_GLOBAL_FREE_MEMORY_AMD, kib, sizeof kib)
                      ? 1024.0 * (double)kib[0]
                      : NAN;
    return BE_OK;
}
