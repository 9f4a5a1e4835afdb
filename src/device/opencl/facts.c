/* Facts of an OpenCL device, as its driver tells them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "device/opencl/opencl.h"

/* Is `word` one of the blank-separated words of `text`? */
static bool has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        bool starts = at == text || at[-1] == ' ';
        if (starts && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Lists of extensions have no longest length. NULL: the device does not say. */
static char *list_extensions(const struct be_opencl_device *d) {
    size_t bytes = 0;
    if (d->cl.clGetDeviceInfo(d->device, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes) != CL_SUCCESS) {
        return NULL;
    }
    char *text = calloc(1, bytes + 1);
    if (text &&
        d->cl.clGetDeviceInfo(d->device, CL_DEVICE_EXTENSIONS, bytes, text, NULL) != CL_SUCCESS) {
        free(text);
        text = NULL;
    }
    return text;
}

static void platform_text(const struct be_opencl_device *d, cl_platform_info what, char *to,
                          size_t capacity) {
    cl_platform_id platform = NULL;
    char text[1024] = "";
    bool known = d->cl.clGetDeviceInfo(d->device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id),
                                       &platform, NULL) == CL_SUCCESS &&
                 d->cl.clGetPlatformInfo(platform, what, sizeof text - 1, text, NULL) == CL_SUCCESS;
    be_copy_text(to, capacity, known ? text : "");
}

struct teller {
    const struct be_opencl_device *device;
    void (*tell)(void *context, const char *name, const char *text, double number);
    void *context;
};

static void tell_texts(const struct teller *t) {
    static const struct {
        cl_device_info what;
        const char *name;
    } property[] = {
        {CL_DEVICE_VENDOR, "vendor"},
        {CL_DRIVER_VERSION, "driver"},
        {CL_DEVICE_VERSION, "opencl_version"},
        {CL_DEVICE_OPENCL_C_VERSION, "opencl_c_version"},
    };
    const struct be_opencl_device *d = t->device;
    char text[BE_NOTE];
    platform_text(d, CL_PLATFORM_NAME, text, sizeof text);
    if (text[0]) {
        t->tell(t->context, "platform", text, NAN);
    }
    platform_text(d, CL_PLATFORM_VERSION, text, sizeof text);
    if (text[0]) {
        t->tell(t->context, "platform_version", text, NAN);
    }
    for (size_t i = 0; i < BE_COUNT(property); i++) {
        be_opencl_text(&d->cl, d->device, property[i].what, text, sizeof text);
        if (text[0]) {
            t->tell(t->context, property[i].name, text, NAN);
        }
    }
    if (d->base.info.address[0]) {
        t->tell(t->context, "pci_address", d->base.info.address, NAN);
    }
}

static void tell_numbers(const struct teller *t) {
    static const struct {
        cl_device_info what;
        const char *name;
    } size[] = {
        {CL_DEVICE_GLOBAL_MEM_SIZE, "memory_bytes"},
        {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, "cache_bytes"},
        {CL_DEVICE_LOCAL_MEM_SIZE, "local_memory_bytes"},
    };
    static const struct {
        cl_device_info what;
        const char *name, *unit;
        double scale;
    } number[] = {
        {CL_DEVICE_MAX_COMPUTE_UNITS, "compute_units", "", 1},
        {CL_DEVICE_MAX_CLOCK_FREQUENCY, "clock_max_hz", " MHz", 1e6},
    };
    const struct be_opencl_device *d = t->device;
    char text[BE_WORD];
    for (size_t i = 0; i < BE_COUNT(size); i++) {
        double bytes = be_opencl_bytes(&d->cl, d->device, size[i].what);
        if (!isnan(bytes)) {
            t->tell(t->context, size[i].name, be_format_bytes(text, sizeof text, bytes, "-"),
                    bytes);
        }
    }
    for (size_t i = 0; i < BE_COUNT(number); i++) {
        cl_uint value = be_opencl_uint(&d->cl, d->device, number[i].what);
        if (value > 0) {
            snprintf(text, sizeof text, "%u%s", value, number[i].unit);
            t->tell(t->context, number[i].name, text, number[i].scale * value);
        }
    }
}

static void tell_extensions(const struct teller *t) {
    static const struct {
        const char *extension, *name;
    } extensions[] = {{"cl_khr_fp64", "fp64"}, {"cl_khr_fp16", "fp16"}};
    char *list = list_extensions(t->device);
    for (size_t i = 0; list && i < BE_COUNT(extensions); i++) {
        bool has = has_word(list, extensions[i].extension);
        t->tell(t->context, extensions[i].name, has ? "yes" : "no", has);
    }
    t->tell(t->context, "bf16", "no", 0); /* OpenCL C has no arithmetic of bfloat16 */
    free(list);
}

void be_opencl_facts(struct be_device *device,
                     void (*tell)(void *context, const char *name, const char *text, double number),
                     void *context) {
    const struct teller t = {(const struct be_opencl_device *)device, tell, context};
    tell_texts(&t);
    tell_numbers(&t);
    tell_extensions(&t);
}
