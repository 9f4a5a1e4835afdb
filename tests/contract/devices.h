/*
 * The parts that contract tests share: every device here, the pretend one included, one after the
 * other under every test. A test gets its device opened, and it is closed behind it.
 *
 * DEVICES=cuda in the environment: only those whose names begin so; DEVICES=-cpu: all but those.
 */
#ifndef TESTS_CONTRACT_DEVICES_H
#define TESTS_CONTRACT_DEVICES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/cores.h"
#include "base/error.h"
#include "host/team.h"
#include "device/device.h"

static struct be_machine machine;
static struct be_team *team;
static struct be_error error; /* of the last call that failed */

static bool is_wanted(const struct be_device_info *info) {
    const char *wanted = getenv("DEVICES");
    const bool but = wanted && *wanted == '-';
    wanted = but ? wanted + 1 : wanted;
    return !wanted || (strncmp(info->id, wanted, strlen(wanted)) == 0) != but;
}

/* Tests run side by side, and a team's first member does most of the work, compiling above all: it
 * goes to the core that this process is on, not to the same one in every process. */
static void begin_here(struct be_cores *cores) {
    const int here = sched_getcpu();
    for (int i = 1; i < cores->count; i++) {
        if (cores->cpu[i] == here) {
            cores->cpu[i] = cores->cpu[0];
            cores->cpu[0] = here;
        }
    }
}

#define CHECK(call) check(call, #call, __LINE__)
static void check(enum be_status status, const char *call, int line) {
    if (status != BE_OK) {
        fail_msg("line %d: %s: %s: %s", line, call, be_status_name(status), error.text);
    }
}

/* A failure that names its cause: the status, and a text that holds `word`. */
__attribute__((unused)) static void check_fails(enum be_status status, enum be_status expected,
                                                const char *word) {
    if (status != expected || error.status != expected || !strstr(error.text, word)) {
        fail_msg("\"%s\" with \"%s\" was expected, not \"%s\" with \"%s\"",
                 be_status_name(expected), word, be_status_name(status),
                 status == BE_OK ? "" : error.text);
    }
}

/* Ends the test when the device lacks what it is about. */
static inline void need(const struct be_device *device, bool here, const char *what,
                        const char *why) {
    if (!here) {
        print_message("%s: has no %s: not tested%s%s\n", device->info.id, what, why ? ": " : "",
                      why ? why : "");
        skip();
    }
}

/* Through page-locked memory, and waits. */
__attribute__((unused)) static void put(struct be_device *device, const struct be_buffer *to,
                                        size_t offset, const void *from, size_t bytes) {
    struct be_pinned pinned = {0};
    CHECK(device->ops->memory->pin(device, bytes, &pinned, &error));
    memcpy(pinned.host, from, bytes);
    CHECK(device->ops->queue->write(device, BE_QUEUE_IN, to, offset, pinned.host, bytes, &error));
    CHECK(device->ops->queue->drain(device, BE_QUEUE_IN, &error));
    device->ops->memory->unpin(device, &pinned);
}

__attribute__((unused)) static void get(struct be_device *device, void *to,
                                        const struct be_buffer *from, size_t offset, size_t bytes) {
    struct be_pinned pinned = {0};
    CHECK(device->ops->memory->pin(device, bytes, &pinned, &error));
    memset(pinned.host, 0xa5, bytes);
    CHECK(device->ops->queue->read(device, BE_QUEUE_OUT, pinned.host, from, offset, bytes, &error));
    CHECK(device->ops->queue->drain(device, BE_QUEUE_OUT, &error));
    memcpy(to, pinned.host, bytes);
    device->ops->memory->unpin(device, &pinned);
}

/* ---- every test on every device ------------------------------------------------------------- */

struct contract {
    const char *name;
    void (*holds)(struct be_device *device);
};

struct subject {
    const struct contract *contract;
    const struct be_device_info *info;
    struct be_device *device;
    char name[2 * BE_NAME];
};

static int open_subject(void **state) {
    struct subject *subject = *state;
    if (be_device_open(subject->info, team, &subject->device, &error) != BE_OK) {
        print_error("%s\n", error.text);
        return -1;
    }
    return 0;
}

static int close_subject(void **state) {
    struct subject *subject = *state;
    if (subject->device) {
        subject->device->ops->close(subject->device);
    }
    return 0;
}

static void run_subject(void **state) {
    struct subject *subject = *state;
    subject->contract->holds(subject->device);
}

/* An absent backend is a skipped test, with the reason. */
static void say_absence(void **state) {
    const struct be_absence *absence = *state;
    const char *require = getenv("BREAKEVEN_REQUIRE_OPENCL");
    print_message("%s: not tested: %s\n", absence->backend, absence->reason);
    if (require && strcmp(require, "1") == 0 && strcmp(absence->backend, "opencl") == 0) {
        fail_msg("BREAKEVEN_REQUIRE_OPENCL=1");
    }
    skip();
}

__attribute__((unused)) static int run_contracts(const char *group, const struct contract *contract,
                                                 size_t contracts) {
    enum { MAX = 512 };
    static struct CMUnitTest test[MAX];
    static struct subject subject[MAX];
    struct be_cores cores;
    size_t tests = 0;
    setenv("BREAKEVEN_NULL", "1", 1);
    be_device_probe_all(&machine); /* before this thread is pinned: drivers' threads inherit that */
    if (be_cores_find(&cores, &error) != BE_OK) {
        print_error("%s\n", error.text);
        return 1;
    }
    begin_here(&cores);
    if (be_team_open(&cores, cores.count < 4 ? cores.count : 4, &team, &error) != BE_OK) {
        print_error("%s\n", error.text);
        return 1;
    }
    for (int i = 0; i < machine.absences; i++) {
        test[tests++] = (struct CMUnitTest){.name = machine.absent[i].backend,
                                            .test_func = say_absence,
                                            .initial_state = &machine.absent[i]};
    }
    for (int i = 0; i < machine.devices; i++) {
        for (size_t c = 0; is_wanted(&machine.device[i]) && c < contracts && tests < MAX;
             c++, tests++) {
            struct subject *s = &subject[tests];
            *s = (struct subject){.contract = &contract[c], .info = &machine.device[i]};
            snprintf(s->name, sizeof s->name, "%s: %s", s->info->id, contract[c].name);
            test[tests] = (struct CMUnitTest){s->name, run_subject, open_subject, close_subject, s};
        }
    }
    int failed = _cmocka_run_group_tests(group, test, tests, NULL, NULL);
    be_team_close(team);
    return failed;
}

#endif
