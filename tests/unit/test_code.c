/* Instructions as objdump prints them, the loop that samples met, and the time of its iterations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/own_code.h"
#include "assert_near.h"
#include "base/error.h"
#include "breakeven_profile.h"
#include "code/chain.h"
#include "code/instruction.h"
#include "code/loop.h"

static void test_instructions(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int lanes, flops, read, write;
        bool float64, slow;
    } cases[] = {
        {"vfmadd231pd (%rdi,%rax,8),%zmm1,%zmm0", 8, 16, 64, 0, true, false},
        {"vfmadd213sd 0x8(%rsi),%xmm1,%xmm2", 1, 2, 8, 0, true, false},
        {"addps  (%rax),%xmm1", 4, 4, 16, 0, false, false},
        {"mulss  %xmm0,%xmm1", 1, 1, 0, 0, false, false},
        {"vmulps (%rax){1to16},%zmm0,%zmm1", 16, 16, 4, 0, false, false},
        {"vdivpd %ymm1,%ymm2,%ymm3", 4, 4, 0, 0, true, true},
        {"sqrtsd %xmm0,%xmm0", 1, 1, 0, 0, true, true},
        {"paddd  (%rax),%xmm1", 0, 0, 16, 0, false, false}, /* integers */
        {"movsd  (%rsi,%rax,8),%xmm0", 0, 0, 8, 0, false, false},
        {"movaps %xmm0,(%rdi)", 0, 0, 0, 16, false, false},
        {"vmovupd %zmm0,(%rdi,%rax,1)", 0, 0, 0, 64, false, false},
        {"mov    0x10(%rsp),%rax", 0, 0, 0, 0, false, false}, /* the stack */
        {"mov    (%rdi,%rcx,4),%eax", 0, 0, 4, 0, false, false},
        {"mov    (%rdi,%rcx,8),%rax", 0, 0, 8, 0, false, false},
        {"movzbl (%rsi,%rcx,1),%eax", 0, 0, 1, 0, false, false},
        {"mov    %r9d,(%rdx)", 0, 0, 0, 4, false, false},
        {"mov    %al,(%rdx)", 0, 0, 0, 1, false, false},
        {"add    (%rdx),%rax", 0, 0, 8, 0, false, false},
        {"addl   $0x1,(%rdx)", 0, 0, 4, 4, false, false},
        {"cmp    %eax,(%rdx)", 0, 0, 4, 0, false, false},
        {"lea    0x8(%rax,%rax,2),%rdx", 0, 0, 0, 0, false, false},
        {"nopw   0x0(%rax,%rax,1)", 0, 0, 0, 0, false, false},
        {"pxor   %xmm0,%xmm0", 0, 0, 0, 0, false, false},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        char line[128];
        struct be_instruction one;
        snprintf(line, sizeof line, "    1%03zx:\t%s", i, cases[i].text);
        print_message("%s\n", line);
        assert_true(be_instruction_read(line, &one));
        assert_int_equal(one.address, 0x1000 + i);
        assert_int_equal(one.lanes, cases[i].lanes);
        assert_int_equal(one.flops, cases[i].flops);
        assert_int_equal(one.read_bytes, cases[i].read);
        assert_int_equal(one.write_bytes, cases[i].write);
        assert_int_equal(one.slow, cases[i].slow);
        assert_true(!one.flops || one.float64 == cases[i].float64);
    }
}

static void test_ways_and_other_lines(void **state) {
    (void)state;
    struct be_instruction one;
    assert_true(be_instruction_read("  401150:\tjne    401136 <main+0x26>", &one));
    assert_int_equal(one.target, 0x401136);
    assert_true(be_instruction_read("  401150:\tnotrack jmp *%rax", &one));
    assert_int_equal(one.target, 0);
    assert_true(be_instruction_read("  401155:\tcall   401030 <exp@plt>", &one));
    assert_true(one.call);
    assert_string_equal(one.callee, "exp");
    assert_int_equal(one.target, 0);
    static const char *const none[] = {"", "0000000000401126 <main>:", "\t...",
                                       "a.out:     file format elf64-x86-64",
                                       "Disassembly of section .text:"};
    for (size_t i = 0; i < BE_COUNT(none); i++) {
        assert_false(be_instruction_read(none[i], &one));
    }
}

/* Two loops, one within the other: sum += a[k] * b[k], and its square root after each. */
static const char *const nested[] = {
    "1000: xor %eax,%eax",
    "1002: pxor %xmm0,%xmm0",
    "1006: movsd (%rdi,%rax,8),%xmm1",
    "100b: mulsd (%rsi,%rax,8),%xmm1",
    "1010: add $0x1,%rax",
    "1014: addsd %xmm1,%xmm0",
    "1018: cmp %rdx,%rax",
    "101b: jne 1006 <f+0x6>",
    "101d: sqrtsd %xmm0,%xmm0",
    "1021: movsd %xmm0,(%rcx)",
    "1025: jmp 1000 <f>",
};

static size_t read_nested(struct be_instruction *list) {
    for (size_t i = 0; i < BE_COUNT(nested); i++) {
        assert_true(be_instruction_read(nested[i], &list[i]));
    }
    return BE_COUNT(nested);
}

static void test_loop_that_has_the_samples(void **state) {
    (void)state;
    struct be_instruction list[16];
    struct be_code_loop loop;
    struct be_error error = {0};
    const size_t count = read_nested(list);
    const struct be_sample_spot inner[] = {{0x1006, 50}, {0x1014, 40}, {0x1021, 10}};
    assert_int_equal(be_code_loop_find(list, count, inner, 3, &loop, &error), BE_OK);
    assert_int_equal(loop.from, 0x1006);
    assert_int_equal(loop.to, 0x101b);
    assert_near(loop.share, 0.9);
    assert_int_equal(loop.instructions, 6);
    assert_near(loop.flops64, 2);
    assert_near(loop.flops32, 0);
    assert_near(loop.read_bytes, 16);
    assert_near(loop.write_bytes, 0);
    assert_int_equal(loop.lanes, 1);
    const struct be_sample_spot outer[] = {{0x1006, 20}, {0x1021, 80}};
    assert_int_equal(be_code_loop_find(list, count, outer, 2, &loop, &error), BE_OK);
    assert_int_equal(loop.from, 0x1000);
    assert_near(loop.slow, 1);
    assert_near(loop.write_bytes, 8);
    const struct be_sample_spot elsewhere[] = {{0x5000, 100}};
    assert_int_equal(be_code_loop_find(list, count, elsewhere, 1, &loop, &error), BE_ABSENT);
    assert_int_equal(be_code_loop_find(list, 0, inner, 3, &loop, &error), BE_ABSENT);
    assert_int_equal(be_code_loop_find(list, count, inner, 0, &loop, &error), BE_ABSENT);
}

static enum be_code_chain chain_of(const char *const *text, size_t count) {
    struct be_instruction list[8];
    for (size_t i = 0; i < count; i++) {
        char line[96];
        snprintf(line, sizeof line, "%zx: %s", i + 16, text[i]);
        assert_true(be_instruction_read(line, &list[i]));
    }
    return be_code_chain_of(list, count);
}
#define CHAIN_OF(...)                                                                              \
    chain_of((const char *const[]){__VA_ARGS__},                                                   \
             sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void test_results_that_iterations_hand_on(void **state) {
    (void)state;
    /* x = 3.9 x (1 - x) */
    assert_int_equal(CHAIN_OF("movapd %xmm3,%xmm1", "subsd %xmm0,%xmm1", "mulsd %xmm2,%xmm0",
                              "mulsd %xmm1,%xmm0"),
                     BE_CHAIN_STEPS);
    assert_int_equal(CHAIN_OF("vmulsd %xmm0,%xmm2,%xmm1", "vmovapd %xmm1,%xmm0"), BE_CHAIN_STEPS);
    assert_int_equal(CHAIN_OF("vfmadd213sd %xmm2,%xmm1,%xmm0"), BE_CHAIN_STEPS); /* x = x y + z */
    assert_int_equal(CHAIN_OF("vfmadd132sd %xmm2,%xmm1,%xmm0"), BE_CHAIN_STEPS);
    /* s += x y */
    assert_int_equal(CHAIN_OF("vfmadd231sd %xmm2,%xmm1,%xmm0"), BE_CHAIN_SUM);
    assert_int_equal(
        CHAIN_OF("movsd (%rdi,%rax,8),%xmm1", "mulsd %xmm1,%xmm1", "addsd %xmm1,%xmm0"),
        BE_CHAIN_SUM);
    assert_int_equal(CHAIN_OF("vminpd (%rdi),%zmm1,%zmm1"), BE_CHAIN_SUM);
    assert_int_equal(CHAIN_OF("addsd %xmm1,%xmm0", "mulsd %xmm4,%xmm0"), BE_CHAIN_STEPS);
    assert_int_equal(CHAIN_OF("addsd %xmm1,%xmm0", "comisd %xmm2,%xmm0"), BE_CHAIN_SUM);
    /* z = a x + y */
    assert_int_equal(CHAIN_OF("movsd (%rdi),%xmm0", "mulsd %xmm2,%xmm0", "addsd (%rsi),%xmm0",
                              "movsd %xmm0,(%rdx)"),
                     BE_CHAIN_NONE);
    assert_int_equal(CHAIN_OF("pxor %xmm0,%xmm0", "cvtsi2sd %eax,%xmm0", "mulsd %xmm1,%xmm0"),
                     BE_CHAIN_NONE);
    assert_int_equal(CHAIN_OF("vfmaddsd %xmm3,%xmm2,%xmm1,%xmm0"), BE_CHAIN_NONE); /* AMD's */
    /* two values that take turns */
    assert_int_equal(CHAIN_OF("movapd %xmm1,%xmm2", "mulsd %xmm3,%xmm2", "movapd %xmm0,%xmm1",
                              "movapd %xmm2,%xmm0"),
                     BE_CHAIN_STEPS);
}

static void test_functions_that_a_loop_calls(void **state) {
    (void)state;
    static const struct {
        const char *call;
        int others;
    } cases[] = {{"call 1030 <exp@plt>", 0},  {"call 1030 <__expf_finite>", 0},
                 {"call 1030 <erfc@plt>", 0}, {"call 1030 <explode>", 1},
                 {"call 1030 <fib>", 1},      {"call *%rax", 1}};
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        char line[64];
        struct be_instruction list[2];
        struct be_code_loop loop;
        struct be_error error = {0};
        const struct be_sample_spot spot = {0x1000, 9};
        snprintf(line, sizeof line, "1000: %s", cases[i].call);
        assert_true(be_instruction_read(line, &list[0]));
        assert_true(be_instruction_read("1005: jne 1000 <f>", &list[1]));
        assert_int_equal(be_code_loop_find(list, 2, &spot, 1, &loop, &error), BE_OK);
        assert_int_equal(loop.calls, 1);
        assert_int_equal(loop.others, cases[i].others);
    }
}

static void test_time_of_an_iteration(void **state) {
    (void)state;
    struct be_code_loop loop = {.instructions = 12, .arithmetic = 4, .flops64 = 4, .lanes = 1};
    const struct be_code_time plain = be_code_loop_time(&loop);
    assert_true(plain.lo_s > 0 && plain.lo_s < plain.typical_s && plain.typical_s < plain.hi_s);
    loop.slow = 2;
    const struct be_code_time slow = be_code_loop_time(&loop);
    assert_true(slow.typical_s > plain.typical_s);
    loop.lanes = 8;
    assert_true(be_code_loop_time(&loop).typical_s >
                slow.typical_s); /* wide divisions take longer */
}

/* A GPU by its data sheet. */
static struct be_ask_scale card(const char *name) {
    struct be_ask_scale scale = {0};
    struct be_profile profile = {0};
    struct be_error error = {0};
    assert_int_equal(be_profile_load(name, &profile, &error), BE_OK);
    assert_int_equal(be_predict_gpu_place(&profile, &scale.place, &error), BE_OK);
    be_profile_free(&profile);
    scale.has_place = true;
    return scale;
}

/* A second of a loop of 4 operations on 16 bytes. */
static struct be_ask_own_there on_card(const char *name, bool float64) {
    const struct be_ask_scale scale = card(name);
    const struct be_ask_own own = {.library = "a.out",
                                   .cpu_s = 1,
                                   .wall_s = 1,
                                   .loop = {.instructions = 8,
                                            .arithmetic = 4,
                                            .flops64 = float64 ? 4 : 0,
                                            .flops32 = float64 ? 0 : 4,
                                            .lanes = 1,
                                            .read_bytes = 16}};
    struct be_ask_own_there there;
    be_ask_own_on(&own, &scale, &there);
    return there;
}

static void test_time_on_a_gpu(void **state) {
    (void)state;
    const struct be_ask_own_there a100 = on_card("share/profiles/datasheet-a100-80.json", true);
    const struct be_ask_own_there t4 = on_card("share/profiles/datasheet-t4.json", true);
    const struct be_ask_own_there t4_single = on_card("share/profiles/datasheet-t4.json", false);
    assert_true(a100.lo_s > 0 && a100.lo_s < a100.typical_s && a100.typical_s < a100.hi_s);
    assert_true(t4.typical_s > 10 * a100.typical_s); /* a T4 has few units of 64 bits */
    assert_true(t4.typical_s > 5 * t4_single.typical_s);
    assert_true(a100.hi_s < 1); /* not slower than the core */
}

static void test_unknown_stays_unknown(void **state) {
    (void)state;
    const struct be_ask_scale scale = card("share/profiles/datasheet-t4.json");
    struct be_ask_own_there there;
    struct be_ask_own own = {.cpu_s = 1, .wall_s = 1};
    be_ask_own_on(&own, &scale, &there); /* there is no such code */
    assert_true(isnan(there.typical_s));
    be_copy_text(own.library, sizeof own.library, "a.out");
    be_copy_text(own.why, sizeof own.why, "no loop has most of its time");
    be_ask_own_on(&own, &scale, &there);
    assert_true(isnan(there.typical_s));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_ways_and_other_lines),
        cmocka_unit_test(test_loop_that_has_the_samples),
        cmocka_unit_test(test_results_that_iterations_hand_on),
        cmocka_unit_test(test_functions_that_a_loop_calls),
        cmocka_unit_test(test_time_of_an_iteration),
        cmocka_unit_test(test_time_on_a_gpu),
        cmocka_unit_test(test_unknown_stays_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
