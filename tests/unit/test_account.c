/* Lines of sacct -> what one job used, as seff adds it up. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "base/error.h"
#include "base/random.h"
#include "accounting/account.h"

#define HEAD                                                                                       \
    "JobID|JobIDRaw|JobName|State|ExitCode|Submit|Start|End|ElapsedRaw|TotalCPU|SystemCPU|NCPUS|"  \
    "NNodes|ReqMem|AllocTRES|NodeList|MaxRSS|TRESUsageInTot|TRESUsageInAve|NTasks\n"
#define JOB(total) "7|7|n|COMPLETED|0:0||||1000|" total "|0|4|1|8G|cpu=4,mem=8G|n1||||\n"
#define STEP(name, total, rest)                                                                    \
    "7." name "|7." name "|n|COMPLETED|0:0||||1000|" total "|0|4|1|||n1|" rest "\n"

static enum be_status read_text(const char *text, struct be_account *account) {
    struct be_error error = {0};
    struct be_lines *lines = NULL;
    assert_int_equal(be_lines_text(text, strlen(text), &lines, &error), BE_OK);
    enum be_status status = be_account_read(lines, "7", account, &error);
    be_lines_close(lines);
    assert_true(status == BE_OK || error.text[0]);
    return status;
}

static void as_seff(void **state) {
    (void)state;
    struct be_account account;
    /* Steps add up in CPU time; memory is of the step with most, its tasks' peaks added up. */
    assert_int_equal(read_text(HEAD JOB("00:00:01") STEP("batch", "00:10:00", "1G|mem=1G||1")
                                   STEP("0", "1-00:00:00.500", "2G|mem=3G|mem=1536M|2"),
                               &account),
                     BE_OK);
    assert_near(account.cpu_s, 600 + 86400.5);
    assert_near(be_account_cpu_efficiency(&account), 87000.5 / 4000);
    assert_near(account.memory_bytes, 3 * 1073741824.0);
    assert_near(be_account_memory_efficiency(&account), 3.0 / 8);
    assert_int_equal(account.steps, 2);
}

static void what_sites_keep(void **state) {
    (void)state;
    struct be_account account;
    /* No sum over tasks: the largest times their number. No steps at all: the job's own CPU time. */
    assert_int_equal(read_text(HEAD JOB("00:00:01") STEP("0", "05:00.250", "1024K|||3"), &account),
                     BE_OK);
    assert_near(account.memory_bytes, 3 * 1048576.0);
    assert_near(account.cpu_s, 300.25);
    assert_int_equal(read_text(HEAD JOB("01:02:03"), &account), BE_OK);
    assert_near(account.cpu_s, 3723);
    assert_true(isnan(be_account_memory_efficiency(&account)));
    assert_true(isnan(account.gpu_busy));
    /* GPU use of the step with most CPU time. */
    assert_int_equal(read_text(HEAD JOB("00:00:01") STEP("batch", "00:01:00", "||gres/gpuutil=0|1")
                                   STEP("0", "00:02:00", "||gres/gpumem=2G,gres/gpuutil=35|1"),
                               &account),
                     BE_OK);
    assert_near(account.gpu_busy, 0.35);
    assert_near(account.gpu_memory, 2 * 1073741824.0);
    /* Several processes of one GPU may come to more than all of it. */
    assert_int_equal(
        read_text(HEAD JOB("00:00:01") STEP("0", "00:02:00", "||gres/gpuutil=197|1"), &account),
        BE_OK);
    assert_near(account.gpu_busy, 1);
}

/* sacct has the mean over tasks of what a task has on all its GPUs. */
static void of_several_gpus(void **state) {
    (void)state;
    static const struct {
        const char *step; /* AllocTRES */
        const char *used; /* from MaxRSS on */
        double busy, memory;
    } rows[] = {{"", "||gres/gpumem=40G,gres/gpuutil=98|1", 0.245, 10}, /* one process, four GPUs */
                {"", "||gres/gpumem=10G,gres/gpuutil=98|4", 0.98, 10},  /* one GPU a task */
                {"", "||gres/gpumem=40G,gres/gpuutil=400|1", 1, 10},
                {"cpu=1,gres/gpu=2", "||gres/gpumem=8G,gres/gpuutil=50|1", 0.25, 4},
                {"cpu=1,gres/gpu:a100=2,gres/gpu=2", "||gres/gpumem=8G,gres/gpuutil=50|2", 0.5, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct be_account account;
        char text[1024];
        snprintf(text, sizeof text,
                 "%s7|7|n|COMPLETED|0:0||||1000|00:00:01|0|4|1|8G|cpu=4,gres/gpu=4|n1||||\n"
                 "7.0|7.0|n|COMPLETED|0:0||||1000|00:02:00|0|4|1||%s|n1|%s\n",
                 HEAD, rows[i].step, rows[i].used);
        assert_int_equal(read_text(text, &account), BE_OK);
        assert_near(account.gpu_busy, rows[i].busy);
        assert_near(account.gpu_memory, rows[i].memory * 1073741824.0);
    }
}

/* Where memory is no TRES of the site: of each CPU or node in Slurm before 21.08. */
static void memory_asked(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double bytes;
    } asked[] = {{"4000Mc", 4 * 4000 * 1048576.0}, {"4000Mn", 2 * 4000 * 1048576.0},
                 {"8G", 8 * 1073741824.0},         {"512M", 512 * 1048576.0},
                 {"512", 512 * 1048576.0},         {"2Tn", 2 * 2 * 1099511627776.0}};
    char text[1024];
    struct be_account account;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        snprintf(text, sizeof text,
                 "%s7|7|n|COMPLETED|0:0||||1000|00:01:00|0|4|2|%s|cpu=4|n[1-2]||||\n", HEAD,
                 asked[i].text);
        assert_int_equal(read_text(text, &account), BE_OK);
        assert_near(account.asked_bytes, asked[i].bytes);
    }
}

/* For a job that has not ended accounting has only the steps that have. */
static void still_running(void **state) {
    (void)state;
    static const char *const states[] = {"RUNNING", "SUSPENDED"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        struct be_account account;
        char text[1024];
        snprintf(text, sizeof text,
                 "%s7|7|n|%s|0:0||||1000|00:00:01|0|4|1|8G|cpu=4|n1||||\n"
                 "7.0|7.0|n|COMPLETED|0:0||||1|00:00:01|0|4|1|||n1|1G|||1\n",
                 HEAD, states[i]);
        assert_int_equal(read_text(text, &account), BE_OK);
        assert_true(be_account_runs(&account));
        assert_true(isnan(be_account_cpu_efficiency(&account)));
        assert_true(isnan(be_account_memory_efficiency(&account)));
    }
}

static void names_with_marks(void **state) {
    (void)state;
    struct be_account account;
    assert_int_equal(
        read_text(HEAD "7|7|a|b|c|FAILED|3:9||||1000|00:00:10|0|4|1|8G|cpu=4,mem=8G|n1||||\n"
                       "7.0|7.0|a|b|FAILED|3:0||||1000|00:00:20|0|4|1|||n1|1G|||1\n",
                  &account),
        BE_OK);
    assert_string_equal(account.name, "a|b|c");
    assert_int_equal(account.state, BE_JOB_FAILED);
    assert_true(account.exit_code == 3 && account.signal == 9 && account.cpus == 4);
    assert_near(account.cpu_s, 20);
    assert_near(account.memory_bytes, 1073741824.0);
}

/* The name stands last, as be_account_ask has it: what follows a line end in it is no job. */
static void a_name_of_several_lines(void **state) {
    static const char *const names[] = {"n", "a|b", "a\nb", "a\n12|3\n\nc|d"};
    char text[1024];
    struct be_account account;
    (void)state;
    for (size_t i = 0; i < BE_COUNT(names); i++) {
        snprintf(text, sizeof text,
                 "JobID|JobIDRaw|State|ElapsedRaw|TotalCPU|NCPUS|JobName\n"
                 "7|7|COMPLETED|1000|0|4|%s\n7.batch|7.batch|COMPLETED|1000|00:10:00|4|batch\n",
                 names[i]);
        assert_int_equal(read_text(text, &account), BE_OK);
        assert_near(account.cpu_s, 600);
        assert_int_equal(strncmp(account.name, names[i], strcspn(names[i], "\n")), 0);
        assert_int_equal(account.steps, 1);
    }
}

static void refused(const char *text, const char *fragment) {
    struct be_error error = {0};
    struct be_lines *lines = NULL;
    struct be_account account;
    assert_int_equal(be_lines_text(text, strlen(text), &lines, &error), BE_OK);
    assert_int_equal(be_account_read(lines, "7", &account, &error), BE_USAGE);
    be_lines_close(lines);
    assert_non_null(strstr(error.text, fragment));
}

static void one_of_several_is_named(void **state) {
    (void)state;
    refused(HEAD "7+0|7|n|COMPLETED|0:0||||1|0|0|4|1|||n1||||\n"
                 "7+1|8|n|COMPLETED|0:0||||1|0|0|4|1|||n1||||\n",
            "stands for 2 jobs: name one of them, as 7+0");
    refused(HEAD "7_5|9|n|COMPLETED|0:0||||1|0|0|4|1|||n1||||\n"
                 "7_6|7|n|COMPLETED|0:0||||1|0|0|4|1|||n1||||\n",
            "as 7_5");
}

/* Numbers that no job has are not known; none overflows. */
static void no_job_has(void **state) {
    (void)state;
    static const char *const none[] = {"-5", "1e300", "nan", "inf", "0x10", "1e-320", "", "x"};
    char text[2048];
    struct be_account account;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        snprintf(text, sizeof text, "%s7|7|n|FAILED|%s:%s||||%s|%s:00|0|%s|%s|%sG||n1||||\n", HEAD,
                 none[i], none[i], none[i], none[i], none[i], none[i], none[i]);
        assert_int_equal(read_text(text, &account), BE_OK);
        assert_true(isnan(account.elapsed_s));
        assert_true(isnan(account.cpu_s));
        assert_true(isnan(account.asked_bytes));
        assert_int_equal(account.cpus, 1);
        assert_int_equal(account.node_count, 1);
        assert_int_equal(account.exit_code, 0);
        assert_int_equal(account.signal, 0);
    }
    snprintf(text, sizeof text,
             "%s7|7|n|FAILED|99999999999:15||||9|1-00:-5:00|0|99999999999|1|||||||\n", HEAD);
    assert_int_equal(read_text(text, &account), BE_OK);
    assert_int_equal(account.exit_code, INT_MAX);
    assert_int_equal(account.signal, 15);
    assert_int_equal(account.cpus, INT_MAX);
    assert_true(isnan(account.cpu_s));
}

static void what_is_wrong(void **state) {
    (void)state;
    struct be_account account;
    assert_int_equal(read_text("", &account), BE_USAGE);
    assert_int_equal(read_text(HEAD, &account), BE_USAGE);
    assert_int_equal(read_text("JobID|State\n7|COMPLETED\n", &account), BE_USAGE);
    assert_int_equal(read_text(HEAD JOB("0") JOB("0"), &account), BE_USAGE);
    assert_int_equal(read_text(HEAD STEP("0", "0", "|||1"), &account), BE_USAGE);
}

/* Damaged at random: read or refused, never worse. */
static void damaged(void **state) {
    (void)state;
    const char whole[] = HEAD JOB("01:00:00") STEP("0", "1-02:03:04.5", "12K|mem=1G|mem=1G|2");
    for (uint64_t round = 0; round < 20000; round++) {
        char text[sizeof whole];
        struct be_account account;
        memcpy(text, whole, sizeof whole);
        for (uint64_t i = 0; i < 4; i++) {
            uint64_t bits = be_random_bits(round, i);
            size_t at = (size_t)(bits % (sizeof whole - 1));
            text[at] = "|\n:-.,=0a9\xff "[(bits >> 32) % 13];
        }
        if (read_text(text, &account) == BE_OK) {
            assert_true(account.cpus >= 1);
            assert_non_null(memchr(account.name, '\0', sizeof account.name));
        }
    }
}

static struct be_slice whole_of(const char *text) {
    return (struct be_slice){text, (uint32_t)strlen(text)};
}

/* GPUs of a job that never ran under us, from what jobstats left. */
static void what_jobstats_left(void **state) {
    (void)state;
    static const char of_one_node[] =
        "JS1:H4sIAAAAAAACA12OzQqDMBCEX0VyLpJkNz/blxGpQQJqSo2HVnz3Jlpr614WZufbmZm192lk10Je"
        "ChZDrLsq+t4lATTnSRtC4/J9Zi0X675tgD0DApHzUiV5Gl1T9a4Pj2c2KksEqOiI+N4AQZEBCzq/S1Wq"
        "KfrOv+row7Cm5UzS61vIQKmW3fmXsjlREpI2kjT/AIIbMCisxJ07VdjAo+QO/ihLmjf3NJ36KQEAAA==";
    static const char of_two_nodes[] =
        "JS1:H4sIAAAAAAACA6tWSi8oLVayUjDSUVAqyS9JzIkvycxNBQqYGQBF8vJTUkGy1UqJYBJFhSFIRWlx"
        "akp8bmpuflElWAgklgwx0hDIBJoej6qkWskASJrXQiUhJqLLGtSC5JMw7TTCtNOIWDstCdpZWwsA/2Xh"
        "5xABAAA=";
    static const char *const none[] = {"",         "JS1:",     "JS1:Short", "JS1:None",
                                       "JS1:AAAA", "JS1:****", "a comment", "JS1:H4sIAAAAAAAA/w=="};
    char text[2048];
    struct be_account account;
    snprintf(
        text, sizeof text,
        "JobID|JobIDRaw|State|ElapsedRaw|TotalCPU|NCPUS|NNodes|AllocTRES|AdminComment|JobName\n"
        "7|7|COMPLETED|3600|01:00:00|8|1|cpu=8,gres/gpu=2,mem=32G|%s|a name\nof two lines\n",
        of_one_node);
    assert_int_equal(read_text(text, &account), BE_OK);
    assert_true(account.jobstats && account.jobstats_gpus == 2);
    assert_true(fabs(account.gpu_busy - 0.5) < 1e-9);
    assert_true(fabs(account.jobstats_gpu[0].busy - 0.965) < 1e-9);
    assert_string_equal(account.jobstats_gpu[1].name, "g01:3");
    assert_true(account.jobstats_gpu[1].memory_bytes == 1073741824 &&
                account.jobstats_gpu[1].of_bytes == 85899345920);
    assert_true(account.memory_bytes == 8589934592); /* accounting has none */
    assert_true(account.cpu_s == 3600);              /* and this it has */
    account =
        (struct be_account){.gpu_busy = NAN, .gpu_memory = NAN, .memory_bytes = NAN, .cpu_s = NAN};
    assert_true(be_account_take_jobstats(whole_of(of_two_nodes), &account));
    assert_true(isnan(account.gpu_busy) && account.gpu_memory == 8); /* memory alone is kept */
    assert_true(account.memory_bytes == 300 && account.cpu_s == 30);
    for (size_t i = 0; i < BE_COUNT(none); i++) {
        assert_false(be_account_take_jobstats(whole_of(none[i]), &account));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_seff),
        cmocka_unit_test(what_sites_keep),
        cmocka_unit_test(of_several_gpus),
        cmocka_unit_test(names_with_marks),
        cmocka_unit_test(a_name_of_several_lines),
        cmocka_unit_test(one_of_several_is_named),
        cmocka_unit_test(no_job_has),
        cmocka_unit_test(what_is_wrong),
        cmocka_unit_test(damaged),
        cmocka_unit_test(memory_asked),
        cmocka_unit_test(still_running),
        cmocka_unit_test(what_jobstats_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
