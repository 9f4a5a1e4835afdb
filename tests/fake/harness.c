#include "harness.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

struct be_fake *fakes[FAKE_LIBRARIES];
bool fake_absent[FAKE_LIBRARIES];
const char *fake_lacks[8];
static int complaints;

static const char *const files[FAKE_LIBRARIES] = {
    [FAKE_CUDA] = "libcuda.so.1",          [FAKE_NVRTC] = "libnvrtc.so.13",
    [FAKE_NVML] = "libnvidia-ml.so.1",     [FAKE_ROCM] = "librocm_smi64.so.7",
    [FAKE_SYSMAN] = "libze_loader.so.1",   [FAKE_CUBLAS] = "libcublas.so.13",
    [FAKE_CUSOLVER] = "libcusolver.so.12", [FAKE_CUFFT] = "libcufft.so.12",
    [FAKE_CUSPARSE] = "libcusparse.so.12", [FAKE_CUDNN] = "libcudnn.so.9",
    [FAKE_DCGM] = "libdcgm.so.4",          [FAKE_NCCL] = "libnccl.so.2",
};

/* ---- between the program and the loader: -Wl,--wrap ----------------------------------------- */

void *__real_dlopen(const char *file, int flags);
void *__real_dlsym(void *handle, const char *name);
void *__wrap_dlopen(const char *file, int flags);
void *__wrap_dlsym(void *handle, const char *name);

void *__wrap_dlopen(const char *file, int flags) {
    for (int i = 0; i < FAKE_LIBRARIES; i++) {
        if (strcmp(file, files[i]) == 0 && !fake_absent[i]) {
            char path[1024];
            snprintf(path, sizeof path, "%s/%s", FAKE_FOLDER, file);
            return __real_dlopen(path, flags);
        }
    }
    return NULL; /* only be_dyn_open calls this: no real library gets in */
}

void *__wrap_dlsym(void *handle, const char *name) {
    for (size_t i = 0; i < BE_COUNT(fake_lacks); i++) {
        if (fake_lacks[i] && strcmp(fake_lacks[i], name) == 0) {
            return NULL;
        }
    }
    return __real_dlsym(handle, name);
}

void fake_open_all(void) {
    alarm(1100); /* a hang ends here, with a core, and not at ctest's limit */
    for (int i = 0; i < FAKE_LIBRARIES; i++) {
        struct be_fake *(*account)(void) = NULL;
        void *handle = __wrap_dlopen(files[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        void *symbol = handle ? __real_dlsym(handle, "be_fake") : NULL;
        if (!symbol) {
            fail_msg("%s", dlerror());
        }
        memcpy(&account, &symbol, sizeof account);
        fakes[i] = account();
    }
}

/* ---- what to let fail ----------------------------------------------------------------------- */

void fake_reset(void) {
    memset(fake_absent, 0, sizeof fake_absent);
    memset(fake_lacks, 0, sizeof fake_lacks);
    for (int i = 0; i < FAKE_LIBRARIES; i++) {
        struct be_fake *fake = fakes[i];
        for (size_t f = 0; f < fake->functions; f++) {
            struct be_fake_function *function = &fake->function[f];
            function->calls = function->failed = 0;
            function->fail_from = function->fail_to = 0;
        }
        memset(fake->live, 0, sizeof fake->live);
        fake->misuse[0] = '\0';
        fake->lose = false;
        fake->lost = 0;
        fake->devices = 1;
        fake->memory_bytes = (size_t)96 << 20;
        fake->cache_bytes = 1 << 20;
        fake->major = 9;
        fake->processes = 3;
        memset(fake->pid, 0, sizeof fake->pid);
        fake->parts = fake->other = fake->blank = fake->at_once = 0;
        fake->counters = FAKE_COUNTERS;
        fake->islands = fake->in_turn = fake->part = false;
        fake->idle = true;
    }
}

static struct be_fake_function *find(const char *name) {
    for (int i = 0; i < FAKE_LIBRARIES; i++) {
        for (size_t f = 0; f < fakes[i]->functions; f++) {
            if (strcmp(fakes[i]->function[f].name, name) == 0) {
                return &fakes[i]->function[f];
            }
        }
    }
    fail_msg("%s is in no list", name);
    return NULL;
}

void fake_fail(const char *function, long from, long to, int code) {
    struct be_fake_function *f = find(function);
    f->fail_from = from;
    f->fail_to = to;
    f->code = code;
}

long fake_calls(const char *function) {
    return find(function)->calls;
}

long fake_failed(const char *function) {
    return find(function)->failed;
}

int fake_choose(long calls, long chosen[FAKE_CHOSEN]) {
    const long some[] = {1, 2, calls / 2, calls};
    int count = 0;
    if (calls <= FAKE_CHOSEN) {
        while (count < calls) {
            chosen[count] = count + 1;
            count++;
        }
        return count;
    }
    for (size_t i = 0; i < BE_COUNT(some); i++) {
        chosen[count++] = some[i];
    }
    return count;
}

const char *fake_plain_name(const char *function) {
    static char name[BE_NAME];
    be_copy_text(name, sizeof name, function);
    char *version = strstr(name, "_v2");
    if (version) {
        *version = '\0';
    }
    return name;
}

/* ---- what must hold ------------------------------------------------------------------------- */

const char *fake_untidy(void) {
    static const char *const kinds[FAKE_KINDS] = {[FAKE_MEMORY] = "device memory",
                                                  [FAKE_PINNED] = "page-locked memory",
                                                  [FAKE_STREAM] = "streams",
                                                  [FAKE_EVENT] = "events",
                                                  [FAKE_MODULE] = "modules",
                                                  [FAKE_CONTEXT] = "contexts",
                                                  [FAKE_PROGRAM] = "programs",
                                                  [FAKE_SESSION] = "sessions",
                                                  [FAKE_GRAPH] = "graphs",
                                                  [FAKE_EXEC] = "graphs to run",
                                                  [FAKE_BLAS] = "cuBLAS handles",
                                                  [FAKE_SOLVER] = "cuSOLVER handles",
                                                  [FAKE_PARAMS] = "cuSOLVER parameters",
                                                  [FAKE_PLAN] = "cuFFT plans",
                                                  [FAKE_SPARSE] = "cuSPARSE handles",
                                                  [FAKE_MATRIX] = "cuSPARSE matrices",
                                                  [FAKE_VECTOR] = "cuSPARSE vectors",
                                                  [FAKE_SAMPLE] = "GPM samples",
                                                  [FAKE_COMM] = "NCCL communicators",
                                                  [FAKE_ENGINE] = "connections",
                                                  [FAKE_GROUP] = "groups of GPUs",
                                                  [FAKE_FIELDS] = "groups of fields",
                                                  [FAKE_WATCH] = "watches",
                                                  [FAKE_DNN] = "cuDNN handles",
                                                  [FAKE_DESCRIPTOR] = "cuDNN descriptors"};
    static char text[512];
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < FAKE_LIBRARIES; i++) {
        for (int kind = 0; kind < FAKE_KINDS; kind++) {
            if (fakes[i]->live[kind] != 0 && used < sizeof text) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%ld %s left; ",
                                         fakes[i]->live[kind], kinds[kind]);
            }
        }
        if (fakes[i]->misuse[0] && used < sizeof text) {
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "misuse: %s; ", fakes[i]->misuse);
        }
    }
    return text;
}

void fake_complain(const char *format, ...) {
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    print_error("%s\n", text);
    complaints++;
}

void fake_settle(void) {
    int found = complaints;
    complaints = 0;
    if (found > 0) {
        fail_msg("%d problems, see above", found);
    }
}
