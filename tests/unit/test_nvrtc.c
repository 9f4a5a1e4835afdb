/*
 * Every device program through NVIDIA's run-time compiler, where that is installed: it needs no GPU. To
 * machine code as device/cuda/build.c has it made, with what the workloads define for their problems, for a
 * GPU of each generation from Volta on. CUDA 13 dropped Volta: what the NVRTC at hand does not know is left
 * out, in its own words.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/device.h"
#include "dyn/nvidia/cuda.h"
#include "kernel_programs.h"
#include "builtin/builtin.h"

static const struct generation {
    const char *name;
    int capability; /* ten times the compute capability */
} generations[] = {
    {"Volta", 70}, {"Turing", 75}, {"Ampere", 80}, {"Ada", 89}, {"Hopper", 90}, {"Blackwell", 100},
};

static struct be_program gemm64; /* be_program_gemm in float64 */

/* The programs that are no workload's, and from which compute capability on its device has such
 * arithmetic. */
static const struct {
    const struct be_program *program;
    int min;
} others[] = {
    {&be_program_ceilings, 0},
    {&be_program_probe, 0},
    {&be_program_probe_float64, 0},
    {&be_program_probe_float16, 0},
    {&be_program_probe_bfloat16, 80},
    {&be_program_gemm, 0},
    {&be_program_device_convolution, 0},
    {&be_program_device_tail, 0},
    {&be_program_device_learn, 0},
    {&be_program_device_residual, 0},
    {&gemm64, 0},
};

/* Parameters that make other programs, or others of their kernels, than the presets do; and of how many
 * systems, where that is said. */
static const struct {
    const char *workload, *parameter;
    uint64_t value, of;
} problems[] = {
    {"solve", "order", 16, 1},
    {"solve", "order", 100, 1},
    {"solve", "order", 300, 1},
    {"eigen", "order", 6, 1},
    {"eigen", "order", 67, 1}, /* the largest square in shared memory */
    {"eigen", "order", 128, 1},
    {"eigen", "what", 1, 1},
    {"eigen", "what", 2, 1},
    {"fft", "size", 512, 0},
    {"fft", "size", 1 << 21, 0},
    {"fft", "kind", 3, 64},
    {"gather", "size", 1 << 20, 0},
    {"steps", "map", 1, 0},
    {"steps", "map", 2, 0},
    {"matmul", "batch", 5, 32},
    {"neighbours", "dimension", 128, 0},
    {"histogram", "bins", 5000, 0},
    {"convolve", "filter", 1, 0},
    {"convolve", "taps", 31, 0},
};

static struct be_nvrtc rtc;
static int capability; /* compiled for now */
enum { FULL = 90 };

/* Does it optimise little? The front end, which differs most between generations, and the limits of machine code
 * are looked at all the same; one generation is compiled as device/cuda/build.c has it. */
static bool quickly(void) {
    return capability != FULL;
}

/* ---- the compiler --------------------------------------------------------------------------- */

/* 0, or what went wrong, with the compiler's words in `log`. */
static int compile(const char *name, const char *source, char *log, size_t capacity) {
    nvrtcProgram unit = NULL;
    char arch[64];
    size_t bytes = 0;
    snprintf(arch, sizeof arch, "--gpu-architecture=sm_%d", capability);
    const char *option[] = {arch, "--std=c++17", "--extra-device-vectorization",
                            "--Ofast-compile=max"};
    const int options = (int)BE_COUNT(option) - !quickly();
    assert_int_equal(rtc.nvrtcCreateProgram(&unit, source, name, 0, NULL, NULL), 0);
    const int result = rtc.nvrtcCompileProgram(unit, options, option);
    assert_int_equal(rtc.nvrtcGetProgramLogSize(unit, &bytes), 0);
    char *text = calloc(1, bytes + 1);
    assert_non_null(text);
    (void)rtc.nvrtcGetProgramLog(unit, text);
    be_copy_text(log, capacity, text);
    free(text);
    if (result == 0) {
        assert_int_equal(rtc.nvrtcGetCUBINSize(unit, &bytes), 0);
        assert_true(bytes > 100);
    }
    rtc.nvrtcDestroyProgram(&unit);
    return result;
}

static bool is_known(const struct generation *g) {
    char log[1024];
    capability = g->capability;
    if (compile("nothing", "extern \"C\" __global__ void k_nothing() {}\n", log, sizeof log) == 0) {
        return true;
    }
    if (!strstr(log, "gpu-architecture")) {
        fail_msg("sm_%d: %s", capability, log);
    }
    int major = 0;
    int minor = 0;
    rtc.nvrtcVersion(&major, &minor);
    print_message("%s: not tested: NVRTC %d.%d on sm_%d: %s", g->name, major, minor, capability,
                  log);
    return false;
}

/* ---- each program once for what is defined -------------------------------------------------- */

enum { MAX = 512 };
static struct {
    char *source;
    const char *name;
} seen[MAX];
static int count;

static void forget_all(void) {
    for (int i = 0; i < count; i++) {
        free(seen[i].source);
    }
    count = 0;
}

static void compile_once(const struct be_program *program) {
    const char *defines = program->defines ? program->defines : "";
    const size_t capacity = strlen(defines) + strlen(program->source) + 1;
    char *source = malloc(capacity);
    char log[2048];
    assert_non_null(source);
    snprintf(source, capacity, "%s%s", defines, program->source);
    for (int i = 0; i < count; i++) {
        if (strcmp(seen[i].source, source) == 0) {
            free(source);
            return;
        }
    }
    assert_true(count < MAX);
    seen[count].source = source;
    seen[count++].name = program->name;
    if (compile(program->name, source, log, sizeof log) != 0) {
        fail_msg("%s for sm_%d, with\n%s%s", program->name, capability, defines, log);
    }
}

static bool was_compiled(const char *name, size_t length) {
    for (int i = 0; i < count; i++) {
        if (strlen(seen[i].name) == length && strncmp(seen[i].name, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- a device that compiles, and has nothing else ------------------------------------------- */

static enum be_status build(struct be_device *device, const struct be_program *program,
                            struct be_module *module, struct be_error *error) {
    (void)device;
    *module = (struct be_module){0};
    compile_once(program);
    return be_fail(error, BE_ABSENT, "compiled: there is no GPU to load it into");
}

static void drop(struct be_device *device, struct be_module *module) {
    (void)device;
    (void)module;
}

static void forget(struct be_device *device, struct be_kernel *kernel) {
    (void)device;
    (void)kernel;
}

static int neighbours(const struct be_device *device) {
    (void)device;
    return capability >= 90 ? 16 : 1;
}

static enum be_status launch_together(struct be_device *device, enum be_queue queue,
                                      const struct be_kernel *kernel, size_t groups, size_t lanes,
                                      size_t shared_bytes, const struct be_argument *arguments,
                                      int arguments_count, struct be_error *error) {
    (void)device, (void)queue, (void)kernel, (void)groups, (void)lanes, (void)shared_bytes;
    (void)arguments, (void)arguments_count;
    return be_fail(error, BE_ABSENT, "nothing is launched");
}

/* Those of a CUDA device: which variants there are follows from what stands there. */
static struct be_device_ops ops(void) {
    static const struct be_program_ops programs = {.build = build, .drop = drop, .forget = forget};
    static const struct be_extra_ops extras = {.neighbours = neighbours,
                                               .launch_together = launch_together};
    struct be_device_ops made = {.name = "cuda", .program = &programs, .extras = &extras};
    made.blas = be_cuda_ops.blas;
    made.solver = be_cuda_ops.solver;
    return made;
}

static void prepare_all(struct be_device *device, const struct be_problem *problem) {
    for (int v = 0; v < problem->workload->variants; v++) {
        const struct be_variant *variant = &problem->workload->variant[v];
        struct be_prepared prepared = {0};
        struct be_error error = {0};
        const bool library = strcmp(variant->name, "library") == 0 &&
                             strcmp(problem->workload->name, "solve") != 0 &&
                             strcmp(problem->workload->name, "eigen") != 0; /* compiles nothing */
        if (variant->prepare && !library && be_variant_can(variant, problem) &&
            variant->prepare(device, problem, &prepared, &error) != BE_ABSENT) {
            fail_msg("%s %s: %s", problem->workload->name, variant->name, error.text);
        }
    }
}

static void prepare_workloads(struct be_device *device) {
    for (int w = 0; be_workloads[w]; w++) {
        for (int real = 0; real < BE_REALS; real++) {
            struct be_problem problem = be_problem_preset(be_workloads[w]);
            problem.real = (enum be_real)real;
            if (!(be_workloads[w]->reals & BE_TAKES(real))) {
                continue;
            }
            prepare_all(device, &problem);
            for (size_t i = 0; i < BE_COUNT(problems); i++) {
                struct be_problem other = problem;
                for (int p = 0; p < be_workloads[w]->parameters; p++) {
                    if (strcmp(problems[i].workload, be_workloads[w]->name) == 0 &&
                        strcmp(problems[i].parameter, be_workloads[w]->parameter[p].name) == 0) {
                        other.value[0] = problems[i].of ? problems[i].of : other.value[0];
                        other.value[p] = problems[i].value;
                        prepare_all(device, &other);
                    }
                }
            }
        }
    }
}

/* Is it for this one, as its source says? */
static bool is_meant(const char *name, size_t length) {
    static const struct {
        const char *name;
        int min; /* compute capability */
    } some[] = {
        {"solve_tall", 90},       /* clusters of groups */
        {"probe_bfloat16", 80},   /* arithmetic of bfloat16 */
        {"solve_small", INT_MAX}, /* OpenCL's; CUDA takes solve_cuda */
        {"words", INT_MAX},       /* no kernel: it goes before a user's own */
    };
    for (size_t i = 0; i < BE_COUNT(some); i++) {
        if (strlen(some[i].name) == length && strncmp(some[i].name, name, length) == 0) {
            return capability >= some[i].min;
        }
    }
    return true;
}

static void compile_for(const struct generation *g) {
    const struct be_device_ops made = ops();
    struct be_device device = {.ops = &made,
                               .info = {.id = "cuda:0", .backend = "cuda", .kind = BE_KIND_GPU}};
    capability = g->capability;
    for (size_t i = 0; i < BE_COUNT(others); i++) {
        if (capability >= others[i].min) {
            compile_once(others[i].program);
        }
    }
    prepare_workloads(&device);
    for (int i = 0; be_programs[i]; i++) {
        const char *name = be_programs[i]->name;
        if (is_meant(name, strlen(name)) && !was_compiled(name, strlen(name))) {
            fail_msg("%s was not compiled for %s", name, g->name);
        }
    }
    print_message("%s: %d programs compiled for sm_%d\n", g->name, count, capability);
    forget_all();
}

static void test_every_kernel_compiles(void **state) {
    (void)state;
    struct be_error error = {0};
    int known = 0;
    gemm64 = be_program_gemm;
    gemm64.defines = "#define BE_REAL64 1\n";
    if (be_nvrtc_open(&rtc, &error) != BE_OK) {
        printf("skipped: %s\n", error.text);
        skip();
    }
    if (!rtc.nvrtcGetCUBINSize) {
        printf("skipped: this NVRTC makes no machine code\n");
        skip();
    }
    for (size_t i = 0; i < BE_COUNT(generations); i++) {
        if (is_known(&generations[i])) {
            compile_for(&generations[i]);
            known++;
        }
    }
    assert_true(known > 0);
    be_dyn_close(rtc.handle);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_kernel_compiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
