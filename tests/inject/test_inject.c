/*
 * libbreakeven_trace.so in a program, on a fake CUPTI: what it counts, and that the program never
 * notices, however it ends and whatever fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "observe/sources/gpu_trace.h"

enum { TURNS = 20000 };           /* some 7 buffers */
enum { LONG_TURNS = 81 * TURNS }; /* of a victim that is told "long" */

static char folder[] = "/tmp/breakeven-inject-XXXXXX";
static char traces[64], misuse[64];
static char output[256]; /* what the victim wrote */
static struct be_gpu_record record;

static void set(const char *name, const char *value) {
    if (value) {
        setenv(name, value, 1);
    } else {
        unsetenv(name);
    }
}

/* Runs the victim to its end; its status. The victim's text is in `output`. */
static const char *victim = INJECT_VICTIM;

static int run(const char *how, int turns) {
    char count[16];
    int status = 0;
    int ends[2];
    snprintf(count, sizeof count, "%d", turns);
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        /* Looking for leaks crashes where a thread of a loaded library is still there at the end. */
        setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
        setenv("LD_LIBRARY_PATH", INJECT_FAKES ":" FAKE_FOLDER, 1);
        execl(victim, victim, INJECT_LIBRARY, how, count, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    assert_true(waitpid(pid, &status, 0) == pid);
    ssize_t length = read(ends[0], output, sizeof output - 1);
    output[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    return status;
}

static void read_text(const char *path, char *text, size_t capacity) {
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, capacity - 1, file) : 0;
    text[length] = '\0';
    if (file) {
        fclose(file);
    }
}

/* How many traces there are; the last is in `record`, if it can be read. */
static int load(void) {
    int found = 0;
    DIR *open_folder = opendir(traces);
    const struct dirent *entry = NULL;
    memset(&record, 0, sizeof record);
    while (open_folder && (entry = readdir(open_folder))) {
        char path[512];
        struct stat status;
        struct be_error error = {0};
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", traces, entry->d_name);
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0600);
        if (be_gpu_record_load(path, &record, &error) != BE_OK) {
            print_message("%s\n", error.text);
        }
        assert_int_equal(be_gpu_record_sequence(path), record.sequence);
        found++;
    }
    if (open_folder) {
        closedir(open_folder);
    }
    return found;
}

static void expect_untroubled(int status, int code, const char *text) {
    char said[256];
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), code);
    assert_string_equal(output, text);
    read_text(misuse, said, sizeof said);
    assert_string_equal(said, "");
}

static int prepare(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s/*", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(mkdir(traces, 0700), 0);
    set("BREAKEVEN_TRACE_FOLDER", traces);
    set("BREAKEVEN_TRACE_LAUNCHES", NULL);
    set("BREAKEVEN_TRACE_SHARE", NULL);
    set("FAKE_CUPTI_FAIL", NULL);
    set("FAKE_CUPTI_VERSION", NULL);
    set("FAKE_CUPTI_MISUSE", misuse);
    set("FAKE_CUPTI_STALE", NULL);
    set("FAKE_CUPTI_BLIND", NULL);
    return 0;
}

/* ---- what it counts ---------------------------------------------------------------------------- */

static const struct be_gpu_kernel *find_kernel(const char *name) {
    for (uint32_t i = 0; i < record.kernels; i++) {
        if (strcmp(record.kernel[i].name, name) == 0) {
            return &record.kernel[i];
        }
    }
    fail_msg("no kernel %s", name);
    return NULL;
}

static void counts_everything(void **state) {
    (void)state;
    expect_untroubled(run("exit", TURNS), 7, "done\n");
    assert_int_equal(load(), 1);
    const struct be_gpu_device *device = &record.device[0];
    const struct be_gpu_copies *copies = &device->copies[BE_GPU_TO_DEVICE][BE_GPU_PAGEABLE];
    assert_int_equal(record.state, BE_GPU_RECORD_ENDED);
    assert_int_equal(record.devices, 1);
    assert_int_equal(device->kernels.count, TURNS);
    assert_int_equal(device->kernels.total_ns, TURNS * 2000L);
    assert_int_equal(device->kernel_ns, TURNS * 2000L);
    assert_int_equal(copies->count, TURNS / 20);
    assert_int_equal(copies->bytes, TURNS / 20 * 4096L);
    assert_int_equal(device->copy_ns, TURNS / 20 * 1000L);
    assert_int_equal(device->busy_ns, TURNS * 2000L + TURNS / 20 * 1000L);
    assert_int_equal(device->gaps.count, TURNS - 1);
    assert_int_equal(device->gaps.total_ns, (TURNS - 1) * 8000L - TURNS / 20 * 1000L);
    assert_int_equal(device->synced.count, TURNS / 10 - 1);
    assert_int_equal(record.syncs[BE_GPU_SYNC_STREAM].count, TURNS / 10);
    assert_int_equal(record.runtime_launches.count, TURNS);
    assert_int_equal(record.late, 0);
    assert_true(record.dropped > 0 && record.dropped % 3 == 0);
    assert_true(be_gpu_tally_median(NULL, &device->kernels) > 1.7e-6 &&
                be_gpu_tally_median(NULL, &device->kernels) < 2.4e-6);
    assert_int_equal(record.kernels_unnamed, TURNS / 100);
    assert_int_equal(record.kernels, 3);
    assert_int_equal(find_kernel("plain_kernel")->time.count +
                         find_kernel("_ZN2at6native10add_kernelILi4EEEvi")->time.count +
                         find_kernel("ncclDevKernel_AllReduce")->time.count,
                     TURNS - TURNS / 100);
    assert_int_equal(device->nccl_ns, find_kernel("ncclDevKernel_AllReduce")->time.total_ns);
    assert_string_equal(record.program, "victim");
    assert_memory_equal(device->uuid, "GPU-", 4);
}

/* 200,000 records a second would cost as much time as there is: it looks in windows, and says for how long. It counts
 * there what there was, and no gap reaches from one window to the next. */
static void looks_in_windows(void **state) {
    (void)state;
    expect_untroubled(run("long", TURNS), 7, "done\n");
    assert_int_equal(load(), 1);
    const struct be_gpu_device *device = &record.device[0];
    uint64_t all_ns = record.now_ns - record.start_ns;
    assert_int_equal(all_ns, LONG_TURNS * 10000L);
    assert_true(record.windows >= 2);
    assert_true(record.traced_ns > 0 && record.traced_ns < all_ns / 2);
    assert_int_equal(device->kernels.count, record.traced_ns / 10000);
    assert_true(device->gaps.max_ns <= 8000);
    assert_int_equal(record.late, 0);
    prepare(NULL);
    set("BREAKEVEN_TRACE_SHARE", "1000");
    expect_untroubled(run("long", TURNS), 7, "done\n");
    set("BREAKEVEN_TRACE_SHARE", NULL);
    assert_int_equal(load(), 1);
    assert_int_equal(record.windows, 1);
    assert_int_equal(record.traced_ns, LONG_TURNS * 10000L);
    assert_int_equal(record.device[0].kernels.count, LONG_TURNS);
    /* A part of the launches says enough. */
    assert_true(record.runtime_launches.count >= TURNS);
    assert_true(record.runtime_launches.count < LONG_TURNS);
    prepare(NULL);
    set("BREAKEVEN_TRACE_LAUNCHES", "0");
    expect_untroubled(run("exit", TURNS), 7, "done\n");
    assert_int_equal(load(), 1);
    assert_int_equal(record.runtime_launches.count, 0);
    assert_int_equal(record.device[0].kernels.count, TURNS);
}

/* Where waits began may be told wrongly: each is one all the same, in every window. */
static void knows_waits_by_their_ends(void **state) {
    (void)state;
    set("FAKE_CUPTI_STALE", "1");
    expect_untroubled(run("exit", TURNS), 7, "done\n");
    assert_int_equal(load(), 1);
    assert_int_equal(record.device[0].synced.count, TURNS / 10 - 1);
    assert_int_equal(record.late, 0);
    prepare(NULL);
    set("FAKE_CUPTI_STALE", "1");
    set("BREAKEVEN_TRACE_SHARE", "0.1"); /* windows follow each other soon */
    expect_untroubled(run("windows", TURNS), 7, "done\n");
    assert_int_equal(load(), 1);
    const struct be_gpu_device *device = &record.device[0];
    assert_true(record.windows >= 3);
    assert_true(device->gaps.max_ns <= 8000);
    /* One in ten kernels is waited for; of each window's, the last may have no gap after it. */
    uint64_t waits = record.syncs[BE_GPU_SYNC_STREAM].count;
    assert_true(waits >= device->kernels.count / 10 - record.windows);
    assert_true(device->synced.count <= waits && device->synced.count + record.windows >= waits);
}

/* CUPTI gives nothing of the second window, in which the program launches: that is no rest. Its time was not
 * looked at, and it is tried again. */
static void knows_a_blind_window(void **state) {
    (void)state;
    set("FAKE_CUPTI_BLIND", "2");
    set("BREAKEVEN_TRACE_SHARE", "0.5"); /* in a step open, in the next closed */
    expect_untroubled(run("long", TURNS), 7, "done\n");
    assert_int_equal(load(), 1);
    assert_int_equal(record.windows, 3);
    assert_true(record.device[0].kernels.count > 0);
    assert_int_equal(record.device[0].kernels.count, record.traced_ns / 10000);
    prepare(NULL);
    set("FAKE_CUPTI_BLIND", "2");
    set("BREAKEVEN_TRACE_SHARE", "0.1");
    expect_untroubled(run("windows", TURNS), 7, "done\n");
    assert_int_equal(load(), 1);
    assert_int_equal(record.windows, 3);
    assert_true(record.device[0].kernels.count >= TURNS); /* what follows the third's opening */
}

/* The tail is lost, not what was before. */
static void survives_a_kill(void **state) {
    (void)state;
    int status = run("kill", TURNS);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(load(), 1);
    assert_int_equal(record.state, BE_GPU_RECORD_RUNNING);
    assert_int_equal(record.device[0].kernels.count, TURNS);
}

static void survives_an_end_without_handlers(void **state) {
    (void)state;
    expect_untroubled(run("_exit", TURNS), 7, "");
    assert_int_equal(load(), 1);
    assert_int_equal(record.device[0].kernels.count, TURNS);
}

/* ---- that nobody notices ----------------------------------------------------------------------- */

static void is_quiet_in_a_child(void **state) {
    (void)state;
    expect_untroubled(run("fork-first", 1000), 7, "done\n");
    assert_int_equal(load(), 1);
    assert_int_equal(record.device[0].kernels.count, 1000);
}

static void keeps_no_descriptor(void **state) {
    (void)state;
    expect_untroubled(run("close-all", 1000), 7, "done\n");
    assert_int_equal(load(), 1);
    assert_int_equal(record.state, BE_GPU_RECORD_ENDED);
    assert_int_equal(record.device[0].kernels.count, 1000);
}

/* A write beyond a limit on file sizes raises a signal that would end the program. */
static void writes_where_nothing_may_be_written(void **state) {
    (void)state;
    expect_untroubled(run("small-files", 1000), 7, "done\n");
    assert_int_equal(load(), 1);
}

static void says_why_there_is_no_trace(void **state) {
    (void)state;
    const struct {
        const char *fail, *version, *reason;
    } kind[] = {
        {"cuptiSubscribe=39", NULL, "another profiler holds CUPTI"},
        {"cuptiSubscribe=15", NULL, "cuptiSubscribe: CUPTI error 15"},
        {"cuptiActivityRegisterCallbacks=1", NULL, "cuptiActivityRegisterCallbacks"},
        {"cuptiActivityEnable=35", NULL, "cuptiActivityEnable of kind 10"},
        {NULL, "990000", "newer than the driver"},
    };
    for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
        prepare(NULL);
        set("FAKE_CUPTI_FAIL", kind[i].fail);
        set("FAKE_CUPTI_VERSION", kind[i].version);
        expect_untroubled(run("exit", 100), 7, "done\n");
        assert_int_equal(load(), 1);
        assert_int_equal(record.state, BE_GPU_RECORD_OFF);
        if (!strstr(record.reason, kind[i].reason)) {
            fail_msg("\"%s\" instead of \"%s\"", record.reason, kind[i].reason);
        }
    }
}

static void goes_on_without_what_is_spare(void **state) {
    (void)state;
    const char *const fail[] = {"cuptiEnableCallback=1", "cuptiGetTimestamp=1",
                                "cuptiActivityGetNumDroppedRecords=1", "cuptiActivityFlushAll=1"};
    for (size_t i = 0; i < sizeof fail / sizeof fail[0]; i++) {
        prepare(NULL);
        set("FAKE_CUPTI_FAIL", fail[i]);
        expect_untroubled(run("exit", TURNS), 7, "done\n");
        assert_int_equal(load(), 1);
        assert_int_equal(record.state, BE_GPU_RECORD_ENDED);
        assert_true(record.device[0].kernels.count > 0);
    }
}

/* A flush that never returns: the program ends a few seconds later, not never. */
static void ends_though_cupti_hangs(void **state) {
    (void)state;
    set("FAKE_CUPTI_FAIL", "cuptiActivityFlushAll=1000");
    expect_untroubled(run("exit", 1000), 7, "done\n");
    assert_int_equal(load(), 1);
}

static void needs_a_folder_of_its_own(void **state) {
    (void)state;
    const char *const no[] = {NULL, "", "relative", "/nowhere/at/all"};
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
        set("BREAKEVEN_TRACE_FOLDER", no[i]);
        expect_untroubled(run("exit", 100), 7, "done\n");
        assert_int_equal(load(), 0);
    }
    set("BREAKEVEN_TRACE_FOLDER", traces);
    assert_int_equal(chmod(traces, 0777), 0);
    expect_untroubled(run("exit", 100), 7, "done\n");
    assert_int_equal(load(), 0);
}

/* Root makes a program that runs as another user: one that was not asked to be looked into. The same
 * program without that bit is traced. */
static void stays_out_of_other_users_programs(void **state) {
    (void)state;
    char copy[128];
    char command[1024];
    if (geteuid() != 0 || INJECT_SANITIZED) {
        print_message("skipped: only root can make a set-user-id program of another user, and none "
                      "that a sanitizer bears\n");
        skip();
    }
    snprintf(copy, sizeof copy, "%s/copy", folder);
    snprintf(command, sizeof command, "cp %s %s && chmod 755 %s", INJECT_VICTIM, copy, folder);
    assert_int_equal(system(command), 0);
    set("VICTIM_CUDA", FAKE_FOLDER "/libcuda.so.1");
    victim = copy;
    assert_int_equal(chmod(copy, 0755), 0);
    expect_untroubled(run("exit", 100), 7, "done\n");
    assert_int_equal(load(), 1);
    snprintf(command, sizeof command, "rm %s/*; chown 65534 %s %s && chmod 4755 %s", traces, traces,
             copy, copy);
    assert_int_equal(system(command), 0);
    int status = run("exit", 100);
    victim = INJECT_VICTIM;
    set("VICTIM_CUDA", NULL);
    expect_untroubled(status, 7, "done\n");
    assert_int_equal(load(), 0);
}

/* ---- what reads it ----------------------------------------------------------------------------- */

static void takes_the_whole_slot(void **state) {
    (void)state;
    char path[512] = "";
    struct be_error error = {0};
    assert_true(WIFSIGNALED(run("kill", 1000)));
    assert_int_equal(load(), 1);
    uint64_t newest = record.sequence;
    DIR *open_folder = opendir(traces);
    const struct dirent *entry = NULL;
    while ((entry = readdir(open_folder))) {
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", traces, entry->d_name);
        }
    }
    closedir(open_folder);
    assert_true(newest > 1);
    /* Torn in the newest slot: the one before counts. Torn in both: none. */
    for (uint64_t torn = 0; torn < 2; torn++) {
        int file = open(path, O_WRONLY);
        off_t at = (off_t)((newest - torn) % 2) * BE_GPU_RECORD_SLOT + 4000;
        assert_int_equal(pwrite(file, "torn!", 5, at), 5);
        close(file);
        enum be_status status = be_gpu_record_load(path, &record, &error);
        assert_int_equal(status, torn == 0 ? BE_OK : BE_WRONG);
        assert_true(torn == 1 || record.sequence == newest - 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(counts_everything, prepare),
        cmocka_unit_test_setup(looks_in_windows, prepare),
        cmocka_unit_test_setup(knows_waits_by_their_ends, prepare),
        cmocka_unit_test_setup(knows_a_blind_window, prepare),
        cmocka_unit_test_setup(survives_a_kill, prepare),
        cmocka_unit_test_setup(survives_an_end_without_handlers, prepare),
        cmocka_unit_test_setup(is_quiet_in_a_child, prepare),
        cmocka_unit_test_setup(keeps_no_descriptor, prepare),
        cmocka_unit_test_setup(writes_where_nothing_may_be_written, prepare),
        cmocka_unit_test_setup(says_why_there_is_no_trace, prepare),
        cmocka_unit_test_setup(goes_on_without_what_is_spare, prepare),
        cmocka_unit_test_setup(ends_though_cupti_hangs, prepare),
        cmocka_unit_test_setup(needs_a_folder_of_its_own, prepare),
        cmocka_unit_test_setup(stays_out_of_other_users_programs, prepare),
        cmocka_unit_test_setup(takes_the_whole_slot, prepare),
    };
    if (!mkdtemp(folder)) {
        return 1;
    }
    snprintf(traces, sizeof traces, "%s/traces", folder);
    snprintf(misuse, sizeof misuse, "%s/misuse", folder);
    int failed = cmocka_run_group_tests_name("inject", tests, NULL, NULL);
    prepare(NULL);
    rmdir(traces);
    rmdir(folder);
    return failed;
}
