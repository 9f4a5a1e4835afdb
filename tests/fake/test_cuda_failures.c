/*
 * Each function of the lists fails in its first, second, middle and last call of a complete
 * job: that call alone, and as when a GPU is lost, after which nothing works. The job must say what
 * happened and give everything back; the next one must succeed.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "harness.h"
#include "job.h"

enum { LAUNCH_FAILED = 719, NVML_UNKNOWN = 999, NVRTC_INTERNAL = 11, CUBLAS_FAILED = 13 };
enum { CUSOLVER_FAILED = 6, CUFFT_FAILED = 6, CUSPARSE_FAILED = 6, CUDNN_FAILED = 5000 };
enum { NCCL_FAILED = 1 };
static const int code_of[FAKE_LIBRARIES] = {
    [FAKE_CUDA] = LAUNCH_FAILED,       [FAKE_NVRTC] = NVRTC_INTERNAL,
    [FAKE_NVML] = NVML_UNKNOWN,        [FAKE_CUBLAS] = CUBLAS_FAILED,
    [FAKE_CUSOLVER] = CUSOLVER_FAILED, [FAKE_CUFFT] = CUFFT_FAILED,
    [FAKE_CUSPARSE] = CUSPARSE_FAILED, [FAKE_CUDNN] = CUDNN_FAILED,
    [FAKE_NCCL] = NCCL_FAILED};

/* Without these a job may go on: they release, or tell what can be done without. */
static const char *const optional[] = {
    "cuDriverGetVersion",
    "cuDeviceGetAttribute",
    "cuCtxSetCurrent",
    "cuMemFree_v2",
    "cuMemFreeHost",
    "cuStreamDestroy_v2",
    "cuEventDestroy_v2",
    "cuModuleUnload",
    "cuDevicePrimaryCtxRelease_v2",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuDeviceGetUuid_v2",
    "nvrtcVersion",
    "nvrtcDestroyProgram",
    "cublasDestroy_v2",
    "cusolverDnDestroy",
    "cusolverDnDestroyParams",
    "cusolverDnDestroySyevjInfo",
    "cusolverDnDestroyGesvdjInfo",
    "cufftDestroy",
    "cusparseDestroy",
    "cusparseDestroySpMat",
    "cusparseDestroyDnVec",
    "cudnnGetVersion",
    "cudnnDestroy",
    "cudnnDestroyTensorDescriptor",
    "cudnnDestroyFilterDescriptor",
    "cudnnDestroyConvolutionDescriptor",
    "ncclCommDestroy",
    "ncclCommAbort",
};

/* Where the message has what was being done in the call's place. */
static const struct {
    const char *function, *text;
} said[] = {
    {"cuInit", "starting the driver"},
    {"cuDeviceGetCount", "starting the driver"},
    {"cuDeviceGet", "asking for its name and memory"},
    {"cuDeviceGetName", "asking for its name and memory"},
    {"cuDeviceTotalMem", "asking for its name and memory"},
    {"cuDeviceGetPCIBusId", "asking for its name and memory"},
    {"nvrtc", "compiling"},
    {"cuMemGetInfo", "cuMemAlloc of 64 MB"}, /* ceilings: a guess, and too much */
};

static bool is_optional(const char *function, enum fake_library library) {
    bool found = library == FAKE_NVML;
    for (size_t i = 0; i < BE_COUNT(optional); i++) {
        found |= strcmp(optional[i], function) == 0;
    }
    return found;
}

static bool names(const char *text, const char *function) {
    const char *name = fake_plain_name(function);
    bool found = strstr(text, name) != NULL;
    for (size_t i = 0; i < BE_COUNT(said); i++) {
        found |= strncmp(name, said[i].function, strlen(said[i].function)) == 0 &&
                 strstr(text, said[i].text);
    }
    return found;
}

/* ---- one failure ---------------------------------------------------------------------------- */

struct plan {
    enum be_status (*job)(struct be_error *error);
    const char *name;
    bool steady;       /* makes the same calls every time */
    const char *spare; /* a function without which it may go on; NULL: none but the optional ones */
};

struct failure {
    const struct plan *plan;
    enum fake_library library;
    const char *function;
    long call;
    bool lost;
    int failed, went_on; /* jobs */
};

static void judge(struct failure *f, enum be_status status, const struct be_error *error) {
    const char *lost = f->lost ? ", GPU lost" : "";
    bool hit = fake_failed(f->function) > 0;
    bool may_go_on = is_optional(f->function, f->library) ||
                     (f->plan->spare && strcmp(f->function, f->plan->spare) == 0);
    if (!hit && f->plan->steady) {
        fake_complain("%s, %s: call %ld never came", f->plan->name, f->function, f->call);
    }
    if (fake_untidy()[0]) {
        fake_complain("%s, %s, call %ld%s: %s(%s)", f->plan->name, f->function, f->call, lost,
                      fake_untidy(), status == BE_OK ? "ok" : error->text);
    }
    if (status == BE_OK ? hit && !may_go_on : status == BE_WRONG || error->status != status) {
        fake_complain("%s, %s, call %ld%s: %s: %s", f->plan->name, f->function, f->call, lost,
                      be_status_name(status), status == BE_OK ? "" : error->text);
    }
    if (status != BE_OK && !f->lost && !names(error->text, f->function)) {
        fake_complain("%s, %s, call %ld: \"%s\"", f->plan->name, f->function, f->call, error->text);
    }
    if (status != BE_OK && f->lost && strlen(error->text) < 10) {
        fake_complain("%s, %s, call %ld%s: \"%s\"", f->plan->name, f->function, f->call, lost,
                      error->text);
    }
    f->failed += status != BE_OK;
    f->went_on += status == BE_OK;
}

static enum be_status tiny_job(struct be_error *error) {
    return job_run(JOB_TINY, error);
}

static enum be_status large_job(struct be_error *error) {
    return job_run(JOB_LARGE, error);
}

static void run_failure(struct failure *f) {
    struct be_error error = {0};
    fake_reset();
    fakes[f->library]->lose = f->lost;
    fake_fail(f->function, f->call, f->call, code_of[f->library]);
    judge(f, f->plan->job(&error), &error);
}

/* Nothing of the failures stays behind. */
static void run_after(const struct failure *f) {
    struct be_error error = {0};
    fake_reset();
    if (tiny_job(&error) != BE_OK || fake_untidy()[0]) {
        fake_complain("after the failures of %s: %s %s", f->function, error.text, fake_untidy());
    }
}

/* ---- all of them ---------------------------------------------------------------------------- */

enum { FUNCTIONS_MAX = 128 };

static void count_calls(const struct plan *plan, long calls[FAKE_LIBRARIES][FUNCTIONS_MAX]) {
    struct be_error error = {0};
    fake_reset();
    enum be_status status = plan->job(&error);
    if (status != BE_OK || fake_untidy()[0]) {
        fail_msg("%s: %s %s", plan->name, error.text, fake_untidy());
    }
    for (int library = 0; library < FAKE_LIBRARIES; library++) {
        for (size_t i = 0; i < fakes[library]->functions; i++) {
            calls[library][i] = fakes[library]->function[i].calls;
        }
    }
}

/* Fails each function of some libraries. `quick`, where there is one, stands in for the plan where
 * it makes as many calls of a function. */
static void fail_each(const struct plan *plan, const struct plan *quick, enum fake_library first,
                      enum fake_library last) {
    static long calls[FAKE_LIBRARIES][FUNCTIONS_MAX];
    static long quick_calls[FAKE_LIBRARIES][FUNCTIONS_MAX];
    struct failure f = {0};
    int functions = 0;
    count_calls(plan, calls);
    count_calls(quick ? quick : plan, quick_calls);
    for (int library = (int)first; library <= (int)last; library++) {
        for (size_t i = 0; i < fakes[library]->functions; i++) {
            long chosen[FAKE_CHOSEN];
            int count = fake_choose(calls[library][i], chosen);
            f.library = (enum fake_library)library;
            f.function = fakes[library]->function[i].name;
            f.plan = quick && quick_calls[library][i] == calls[library][i] ? quick : plan;
            functions += count > 0;
            for (int k = 0; k < 2 * count; k++) {
                f.call = chosen[k / 2];
                f.lost = k % 2;
                run_failure(&f);
            }
            if (count > 0) {
                run_after(&f);
            }
        }
    }
    print_message("%s: %d functions, %d failures: %d jobs failed, %d went on\n", plan->name,
                  functions, f.failed + f.went_on, f.failed, f.went_on);
    fake_settle();
}

static const struct plan small = {tiny_job, "small job", true, NULL};

static void a_job(void **state) {
    (void)state;
    fail_each(&(struct plan){large_job, "job", true, NULL}, &small, FAKE_CUDA, FAKE_CUDA);
    fail_each(&small, NULL, FAKE_NVRTC, FAKE_CUBLAS);
}

/* The functions that say why a call failed are called only then. */
static bool says_why(const char *function) {
    return strstr(function, "String") != NULL;
}

static void the_libraries(void **state) {
    (void)state;
    /* The last wait is before memory is released. */
    const struct plan plan = {job_libraries, "libraries", true, "cuStreamSynchronize"};
    fail_each(&plan, NULL, FAKE_CUDA, FAKE_CUDA);
    fail_each(&plan, NULL, FAKE_CUBLAS, FAKE_LIBRARIES - 1);
    struct be_error error = {0};
    fake_reset();
    if (job_run(JOB_TINY, &error) != BE_OK || job_libraries(&error) != BE_OK) {
        fail_msg("%s", error.text);
    }
    for (int library = FAKE_CUBLAS; library < FAKE_LIBRARIES; library++) {
        for (size_t i = 0; i < fakes[library]->functions; i++) {
            const struct be_fake_function *f = &fakes[library]->function[i];
            if (f->calls == 0 && !says_why(f->name)) {
                fake_complain("%s: in a list, and called by no job", f->name);
            }
        }
    }
    fake_settle();
}

static enum be_status two_devices(struct be_error *error) {
    fakes[FAKE_CUDA]->devices = 2;
    return job_peers(error);
}

static void copies_between_devices(void **state) {
    (void)state;
    fail_each(&(struct plan){two_devices, "two devices", true, NULL}, NULL, FAKE_CUDA, FAKE_CUDA);
}

static enum be_status two_devices_add(struct be_error *error) {
    fakes[FAKE_CUDA]->devices = 2;
    return job_sums(error);
}

static void sums_across_devices(void **state) {
    (void)state;
    fail_each(&(struct plan){two_devices_add, "sums", true, NULL}, NULL, FAKE_NCCL, FAKE_NCCL);
}

/* Less memory is quicker to measure, and room enough. */
static enum be_status little_memory(struct be_error *error) {
    fakes[FAKE_CUDA]->memory_bytes = (size_t)24 << 20;
    return job_ceilings(error);
}

static void ceilings(void **state) {
    (void)state;
    fail_each(&(struct plan){little_memory, "ceilings", false, "cuMemGetInfo_v2"}, NULL, FAKE_CUDA,
              FAKE_CUDA);
}

/* An NVRTC that cannot make machine code is asked for PTX. */
static enum be_status ptx_job(struct be_error *error) {
    fake_lacks[0] = "nvrtcGetCUBIN";
    enum be_status status = job_run(JOB_TINY, error);
    if (status == BE_OK && fake_calls("nvrtcGetPTX") == 0) {
        status = be_fail(error, BE_WRONG, "nvrtcGetPTX was not called");
    }
    return status;
}

static void a_job_through_ptx(void **state) {
    (void)state;
    fail_each(&(struct plan){ptx_job, "PTX job", true, NULL}, NULL, FAKE_NVRTC, FAKE_NVRTC);
}

/* A failure while a failure is being told. */
static void double_failures(void **state) {
    (void)state;
    const struct {
        const char *first;
        long first_from;
        const char *second;
        long second_from;
        const char *text;
    } pair[] = {
        {"cuMemAlloc_v2", 1, "cuGetErrorString", 1, "unknown error (CUDA error 719)"},
        {"cuMemAlloc_v2", 1, "cuMemGetInfo_v2", 2, "cuMemAlloc"},
        {"nvrtcCompileProgram", 1, "nvrtcGetProgramLogSize", 1, "no log"},
        {"nvrtcCompileProgram", 1, "nvrtcGetProgramLog", 1, "compiling power"},
        {"nvrtcCompileProgram", 1, "nvrtcDestroyProgram", 1, "told to fail"},
        {"cuModuleLoadData", 1, "nvrtcDestroyProgram", 1, "cuModuleLoadData"},
        {"cuStreamCreate", 2, "cuStreamDestroy_v2", 1, "cuStreamCreate"},
        {"cuStreamCreate", 2, "cuDevicePrimaryCtxRelease_v2", 1, "cuStreamCreate"},
        {"cuLaunchKernel", 1, "cuStreamSynchronize", 1, "cuLaunchKernel"},
        {"cuEventCreate", 1, "cuMemFreeHost", 1, "cuEventCreate"},
        {"cuGraphInstantiateWithFlags", 1, "cuGraphDestroy", 1, "cuGraphInstantiateWithFlags"},
        {"cuMemAllocManaged", 1, "cuGraphExecDestroy", 1, "cuMemAllocManaged"},
        {"cublasSetStream_v2", 1, "cublasDestroy_v2", 1, "cublasSetStream"},
        {"nvmlDeviceGetHandleByPciBusId_v2", 1, "nvmlShutdown", 1, NULL},
    };
    for (size_t i = 0; i < BE_COUNT(pair); i++) {
        struct be_error error = {0};
        fake_reset();
        fake_fail(pair[i].first, pair[i].first_from, LONG_MAX, LAUNCH_FAILED);
        fake_fail(pair[i].second, pair[i].second_from, LONG_MAX, LAUNCH_FAILED);
        enum be_status status = tiny_job(&error);
        bool right =
            pair[i].text ? status != BE_OK && strstr(error.text, pair[i].text) : status == BE_OK;
        if (!right || fake_untidy()[0] || fake_failed(pair[i].second) == 0) {
            fake_complain("%s and %s: %s: %s %s", pair[i].first, pair[i].second,
                          be_status_name(status), error.text, fake_untidy());
        }
    }
    fake_settle();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job),
        cmocka_unit_test(a_job_through_ptx),
        cmocka_unit_test(the_libraries),
        cmocka_unit_test(copies_between_devices),
        cmocka_unit_test(ceilings),
        cmocka_unit_test(double_failures),
        cmocka_unit_test(sums_across_devices),
    };
    fake_open_all();
    job_prepare();
    int failed = cmocka_run_group_tests_name("cuda failures", tests, NULL, NULL);
    job_end();
    return failed;
}
