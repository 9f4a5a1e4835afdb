/*
 * The source `dcgm` on a fake page of dcgm-exporter and a fake NVML: values and the time that they are of, which GPU they are
 * of, and everything else that may answer on its port.
 */
#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "observe/sources/exporter_page.h"
#include "observe/sources/sources.h"
#include "source_job.h"

#define OURS "GPU-0000abc0-0000-0000-0000-000000000000"
#define LABELS "{gpu=\"0\",UUID=\"" OURS "\",modelName=\"Fake GPU\"} "
#define OTHER "{gpu=\"1\",UUID=\"GPU-other\",modelName=\"Fake GPU\"} "
#define PART "{gpu=\"0\",UUID=\"" OURS "\",GPU_I_PROFILE=\"1g.10gb\",GPU_I_ID=\"7\"} "

/* ---- a service ---------------------------------------------------------------------------------- */

enum { PAGES = 5 };

struct service {
    int listener, port;
    pthread_t thread;
    const char *page[PAGES]; /* one a request, the last of them for ever; NULL: none is left */
};

static void *serve(void *context) {
    struct service *service = context;
    int client, asked = 0;
    while ((client = accept(service->listener, NULL, NULL)) >= 0) {
        char request[256];
        const char *page = service->page[asked];
        asked += asked + 1 < PAGES && service->page[asked + 1];
        if (recv(client, request, sizeof request, 0) > 0) {
            send(client, page, strlen(page), MSG_NOSIGNAL);
        }
        close(client);
    }
    return NULL;
}

static void start(struct service *service) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    service->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(service->listener, (struct sockaddr *)&at, size), 0);
    assert_int_equal(listen(service->listener, 4), 0);
    assert_int_equal(getsockname(service->listener, (struct sockaddr *)&at, &size), 0);
    service->port = ntohs(at.sin_port);
    assert_int_equal(pthread_create(&service->thread, NULL, serve, service), 0);
}

static void stop(struct service *service) {
    shutdown(service->listener, SHUT_RDWR);
    pthread_join(service->thread, NULL);
    close(service->listener);
}

/* The source asks for a page as it opens, and in each of three ticks. */
static void run(struct service *service, struct source_job *job) {
    static char variable[64];
    start(service);
    snprintf(variable, sizeof variable, "BREAKEVEN_DCGM_PORT=%d", service->port);
    source_environment[0] = variable;
    source_run(&be_signal_source_dcgm, job);
    stop(service);
    source_expect_tidy();
}

/* ---- values -------------------------------------------------------------------------------------- */

#define OK_HEAD "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"
#define READING(sm, energy)                                                                        \
    OK_HEAD "# HELP DCGM_FI_PROF_SM_ACTIVE SM activity\n"                                          \
            "DCGM_FI_PROF_SM_ACTIVE" OTHER "0.99\n"                                                \
            "DCGM_FI_PROF_SM_ACTIVE" PART "0.88\n"                                                 \
            "DCGM_FI_PROF_SM_ACTIVE" LABELS sm "\n"                                                \
            "DCGM_FI_PROF_SM_OCCUPANCY" LABELS "0.125\n"                                           \
            "DCGM_FI_PROF_PIPE_FP32_ACTIVE" LABELS "0.0625\n"                                      \
            "DCGM_FI_PROF_DRAM_ACTIVE" LABELS "0.5\n"                                              \
            "DCGM_FI_PROF_PCIE_RX_BYTES" LABELS "250000000\n"                                      \
            "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION" LABELS energy "\n"

static void readings_are_values(void **state) {
    (void)state;
    struct source_job job;
    struct service service = {
        .page = {READING("0.1", "1"), READING("0.2", "2"), READING("0.25", "3")}};
    run(&service, &job);
    assert_int_equal(job.opened, BE_OK);
    assert_int_equal(job.sampled, BE_OK);
    assert_string_equal(job.gpu[0].id, "nvml:0"); /* the same GPU as NVML's */
    /* That of its opening and the first new one reach back to before the run: the third is the first to count, once. */
    source_expect(&job, BE_GPU_SM_ACTIVE, 0, 0.25);
    source_expect(&job, BE_GPU_SM_OCCUPANCY, 0, 0.125);
    source_expect(&job, BE_GPU_FP32, 0, 0.0625);
    source_expect(&job, BE_GPU_DRAM, 0, 0.5);
    source_expect(&job, BE_GPU_BUS_IN, 0, 250e6);
    assert_int_equal(job.values, 5);
    source_expect_absent(&job, BE_GPU_FP64, "no DCGM_FI_PROF_PIPE_FP64_ACTIVE");
}

/* The same values are another reading where anything else of the GPU has changed. */
static void a_still_gpu_is_measured(void **state) {
    (void)state;
    struct source_job job;
    struct service service = {.page = {READING("0", "1"), READING("0", "2"), READING("0", "3")}};
    run(&service, &job);
    assert_true(job.value[BE_GPU_SM_ACTIVE][0] == 0);
}

static void an_old_reading_is_none(void **state) {
    (void)state;
    struct source_job job;
    struct service service = {.page = {READING("0.1", "1"), READING("0.2", "2")}};
    run(&service, &job);
    assert_int_equal(job.sampled, BE_OK);
    assert_int_equal(job.values, 0);
}

/* ---- everything else ------------------------------------------------------------------------------ */

static void what_is_no_page(void **state) {
    (void)state;
    const struct {
        const char *page, *words;
    } cases[] = {
        {"HTTP/1.0 401 Unauthorized\r\n\r\n", "gives no page of metrics"},
        {"220 mail.example ESMTP\r\n", "gives no page of metrics"},
        {"", "gives no page of metrics"},
        {OK_HEAD "node_load1 0.5\n", "has no DCGM_FI_PROF_"},
        {OK_HEAD "DCGM_FI_PROF_SM_ACTIVE" OTHER "0.5\n", "has no DCGM_FI_PROF_"},
        {OK_HEAD "DCGM_FI_PROF_SM_ACTIVE" PART "0.5\n", "has no DCGM_FI_PROF_"},
        {OK_HEAD "DCGM_FI_PROF_SM_ACTIVE{UUID=\"" OURS "\"}\n0.5\n", "has no DCGM_FI_PROF_"},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct source_job job;
        struct service service = {.page = {cases[i].page}};
        source_reset(NULL);
        run(&service, &job);
        assert_int_equal(job.opened, BE_ABSENT);
        if (!strstr(job.error.text, cases[i].words)) {
            fail_msg("%zu: \"%s\" without \"%s\"", i, job.error.text, cases[i].words);
        }
    }
}

/* It went away, and what it said before stays. */
static void a_service_that_ends(void **state) {
    (void)state;
    struct source_job job;
    struct service service = {.page = {READING("0.1", "1"), READING("0.2", "2"),
                                       READING("0.3", "3"), "HTTP/1.0 503 no\r\n\r\n"}};
    run(&service, &job);
    source_expect(&job, BE_GPU_SM_ACTIVE, 0, 0.3);
    assert_int_equal(job.sampled, BE_IO);
}

static void nobody_listens(void **state) {
    (void)state;
    struct source_job job;
    source_environment[0] = "BREAKEVEN_DCGM_PORT=1";
    source_run(&be_signal_source_dcgm, &job);
    assert_int_equal(job.opened, BE_ABSENT);
    assert_non_null(strstr(job.error.text, "no dcgm-exporter listens on port 1"));
    source_environment[0] = "BREAKEVEN_DCGM_PORT=0";
    source_run(&be_signal_source_dcgm, &job);
    assert_int_equal(job.opened, BE_ABSENT);
    assert_non_null(strstr(job.error.text, "not asked"));
    source_expect_tidy();
}

static void lines_of_a_page(void **state) {
    (void)state;
    const char *page = "M{UUID=\"a\"} 0.5 1700000000000\nMM{UUID=\"a\"} 1\nM{UUID=\"b\"} 1e-3";
    assert_true(be_exporter_value(page, "M", "a") == 0.5);
    assert_true(be_exporter_value(page, "M", "b") == 1e-3);
    assert_true(be_exporter_value(page, "MM", "a") == 1);
    assert_true(isnan(be_exporter_value(page, "M", "c")));
    assert_true(isnan(be_exporter_value("M{UUID=\"a\"} \n5", "M", "a")));
    assert_true(isnan(be_exporter_value("", "M", "a")));
    assert_true(be_exporter_reading(page, "a") && !be_exporter_reading(page, "c"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(readings_are_values, source_reset),
        cmocka_unit_test_setup(a_still_gpu_is_measured, source_reset),
        cmocka_unit_test_setup(an_old_reading_is_none, source_reset),
        cmocka_unit_test_setup(what_is_no_page, source_reset),
        cmocka_unit_test_setup(a_service_that_ends, source_reset),
        cmocka_unit_test_setup(nobody_listens, source_reset),
        cmocka_unit_test(lines_of_a_page),
    };
    fake_open_all();
    return cmocka_run_group_tests_name("dcgm-exporter", tests, NULL, NULL);
}
