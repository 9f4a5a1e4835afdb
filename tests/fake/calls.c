/* One fake library's account, and a body for each function of its list that has no other. */
#include "calls.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* "FUNCTION FROM CODE": from that call on it fails with the code; with "lost" after it so do all others from then on;
 * "hang" for the code: it does not come back. */
static void take_order(const char *order) {
    char name[128], word[16] = "", then[8] = "";
    long from = 1;
    if (sscanf(order, "%127s %ld %15[^, ] %7[^, ]", name, &from, word, then) < 3) {
        return;
    }
    for (size_t i = 0; i < fake.functions; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            functions[i].fail_from = from;
            functions[i].fail_to = LONG_MAX;
            functions[i].code = atoi(word);
            functions[i].hangs = strcmp(word, "hang") == 0;
            fake.lose |= strcmp(then, "lost") == 0;
        }
    }
}

/* For programs that do not know that they run on fakes: BE_FAKE_DEVICES, BE_FAKE_FAIL (orders with commas between
 * them), and BE_FAKE_TOLD, a file that is there once one was obeyed. */
__attribute__((constructor)) static void take_orders(void) {
    const char *devices = getenv("BE_FAKE_DEVICES");
    const char *fail = getenv("BE_FAKE_FAIL");
    fake.devices = devices ? atoi(devices) : fake.devices;
    while (fail && *fail) {
        take_order(fail);
        fail = strchr(fail, ',');
        fail += fail != NULL;
    }
}

__attribute__((visibility("default"))) struct be_fake *be_fake(void) {
    return &fake;
}

static void tell(void) {
    const char *told = getenv("BE_FAKE_TOLD");
    int file = told ? open(told, O_CREAT | O_WRONLY | O_CLOEXEC, 0600) : -1;
    if (file >= 0) {
        close(file);
    }
}

int fake_call(int at) {
    struct be_fake_function *f = &functions[at];
    f->calls++;
    if (f->fail_from > 0 && f->calls >= f->fail_from && f->calls <= f->fail_to) {
        f->failed++;
        tell();
        while (f->hangs) {
            pause();
        }
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

/* A function that nobody wrote a body for does nothing, and does it successfully unless told
 * otherwise. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define FN(need, type, name, arguments)                                                            \
    __attribute__((weak)) type name arguments {                                                    \
        return (type)(intptr_t)fake_call(AT_##name);                                               \
    }
#include FAKE_LIST
#undef FN
