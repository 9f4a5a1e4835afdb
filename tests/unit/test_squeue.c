/* The jobs that wait and run now, as squeue says it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "forecast/live.h"

static char folder[] = "/tmp/test_squeue.XXXXXX";
static char program[64];

/* A squeue that prints these lines, before any other in PATH. */
static int make_squeue(void **state) {
    (void)state;
    char path[4096];
    if (!mkdtemp(folder)) {
        return -1;
    }
    snprintf(program, sizeof program, "%s/squeue", folder);
    FILE *out = fopen(program, "we");
    if (!out) {
        return -1;
    }
    fputs("#!/bin/sh\ncat <<'LINES'\n"
          "7|gpu|me|physics|normal|1795276757|1795276800|RUNNING|2|8|cpu=8,mem=24000M,node=2,"
          "billing=8,gres/gpu=4|5:00|1795276757|None|\n"
          "8_[1-3%2]|gpu,all|me|physics|normal|1795276758|N/A|PENDING|1|4|cpu=4,mem=12000M,node=1,"
          "billing=4,gres/gpu=2,gres/gpu:a100=2|1-00:00:00|1795276758|(Priority)|\n"
          "LINES\n",
          out);
    snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin");
    return fclose(out) || chmod(program, 0700) || setenv("PATH", path, 1);
}

static int remove_squeue(void **state) {
    (void)state;
    return unlink(program) || rmdir(folder);
}

static void test_jobs_have_all_they_ask_for(void **state) {
    (void)state;
    struct be_history history = {0};
    struct be_error error = {0};
    assert_int_equal(be_live_queue(&history, NULL, &error), BE_OK);
    assert_int_equal(history.jobs, 3); /* it waits in both partitions that it names */
    const struct be_past_job *runs = &history.job[0], *waits = &history.job[1];
    assert_int_equal(runs->start_s, 1795276800);
    assert_true(runs->gpus == 4 && runs->cpus == 8);
    assert_true(runs->memory_bytes == 24000.0f * 1048576);
    assert_true(waits->start_s == BE_NO_TIME && waits->end_s == BE_NO_TIME);
    assert_true(waits->gpus == 2 && waits->limit_s == 86400);
    assert_true(waits->memory_bytes == 12000.0f * 1048576);
    assert_true(waits->tasks == 3 && !waits->elsewhere && history.job[2].elsewhere);
    assert_string_equal(history.partition.name[history.job[2].partition], "all");
    be_history_free(&history);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs_have_all_they_ask_for),
    };
    return cmocka_run_group_tests(tests, make_squeue, remove_squeue);
}
