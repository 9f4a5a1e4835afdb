/* One fake library's account, and a body for each function of its list that has no other. */
#include "calls.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "dyn/dyn.h"

#define FN(need, type, symbol, arguments) {.name = #symbol, .must = BE_NEED_##need == BE_NEED_must},
static struct be_fake_function functions[] = {
#include FAKE_LIST
};
#undef FN

struct be_fake fake = {
    .function = functions,
    .functions = sizeof functions / sizeof functions[0],
    .devices = 1,
    .memory_bytes = (size_t)4 << 30,
    .cache_bytes = 1 << 20,
    .major = 9,
    .processes = 3,
};

/* For programs that do not know that they run on fakes. */
__attribute__((constructor)) static void count_devices(void) {
    const char *devices = getenv("BE_FAKE_DEVICES");
    fake.devices = devices ? atoi(devices) : fake.devices;
}

__attribute__((visibility("default"))) struct be_fake *be_fake(void) {
    return &fake;
}

int fake_call(int at) {
    struct be_fake_function *f = &functions[at];
    f->calls++;
    if (f->fail_from > 0 && f->calls >= f->fail_from && f->calls <= f->fail_to) {
        f->failed++;
        fake.lost = fake.lose ? f->code : 0;
        return f->code;
    }
    return fake.lost;
}

int fake_misuse(int code, const char *format, ...) {
    if (!fake.misuse[0]) {
        va_list list;
        va_start(list, format);
        vsnprintf(fake.misuse, sizeof fake.misuse, format, list);
        va_end(list);
    }
    return code;
}

/* What nobody wrote a body for does nothing, and does it successfully unless told otherwise. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define FN(need, type, name, arguments)                                                            \
    __attribute__((weak)) type name arguments {                                                    \
        return (type)(intptr_t)fake_call(AT_##name);                                               \
    }
#include FAKE_LIST
#undef FN
