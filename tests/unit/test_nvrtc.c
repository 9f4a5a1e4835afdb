/*
 * Every kernel through NVIDIA's run-time compiler, where that is installed: it needs no GPU. For
 * each architecture it knows from Volta on, as device/cuda_build.c asks for it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "dyn/cuda.h"
#include "kernels/kernels.h"

static void compile(const struct be_nvrtc *rtc, const struct be_program *program,
                    const char *arch) {
    nvrtcProgram unit = NULL;
    char option_arch[64];
    snprintf(option_arch, sizeof option_arch, "--gpu-architecture=%s", arch);
    const char *option[] = {option_arch, "--std=c++17", "--extra-device-vectorization"};
    assert_int_equal(rtc->nvrtcCreateProgram(&unit, program->source, program->name, 0, NULL, NULL),
                     0);
    int result = rtc->nvrtcCompileProgram(unit, (int)BE_COUNT(option), option);
    size_t bytes = 0;
    rtc->nvrtcGetProgramLogSize(unit, &bytes);
    char *log = calloc(1, bytes + 1);
    assert_non_null(log);
    rtc->nvrtcGetProgramLog(unit, log);
    if (result != 0) {
        fail_msg("%s for %s: %s", program->name, arch, log);
    }
    size_t image = 0;
    assert_int_equal(rtc->nvrtcGetPTXSize(unit, &image), 0);
    assert_true(image > 1000);
    free(log);
    rtc->nvrtcDestroyProgram(&unit);
}

static void test_every_kernel_compiles(void **state) {
    (void)state;
    static const char *const arch[] = {"compute_75", "compute_80", "compute_90"};
    const struct be_program *const program[] = {&be_program_elementwise, &be_program_ceilings,
                                                &be_program_probe, &be_program_probe64,
                                                &be_program_probe_float16};
    struct be_nvrtc rtc;
    struct be_error error = {0};
    if (be_nvrtc_open(&rtc, &error) != BE_OK) {
        printf("skipped: %s\n", error.text);
        skip();
    }
    for (size_t p = 0; p < BE_COUNT(program); p++) {
        for (size_t a = 0; a < BE_COUNT(arch); a++) {
            compile(&rtc, program[p], arch[a]);
        }
    }
    be_dyn_close(rtc.handle);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_kernel_compiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
