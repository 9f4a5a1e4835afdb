/* How a figure stands in a summary: its value, and its interval in as few words as say it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "report/profile/profile.h"

static void test_interval(void **state) {
    (void)state;
    static const struct {
        double value, lo, hi;
        enum be_unit unit;
        int n;
        const char *text;
    } sample[] = {
        {4.25e12, 4.23e12, 4.26e12, BE_UNIT_BYTES_S, 20, "4.25 TB/s"}, /* within 2 % */
        {2.23e12, 1.89e12, 1.92e12, BE_UNIT_FLOP_S, 20, "2.23 TFLOP/s (median 1.89-1.92)"},
        {3.3e9, 3.2e9, 3.2e9, BE_UNIT_HZ, 20, "3.3 GHz (median 3.2)"},
        {1.03e12, 0.985e12, 1.01e12, BE_UNIT_FLOP_S, 20, "1.03 TFLOP/s (med. 0.985-1.01)"},
        {1.14e12, 40.3e9, 1.13e12, BE_UNIT_FLOP_S, 20, "1.14 TFLOP/s (med. 0.0403-1.13)"},
        {996e9, 852e9, 996e9, BE_UNIT_FLOP_S, 5, "996 GFLOP/s (range 852-996)"},
        {707e-9, 693e-9, 10.6e-6, BE_UNIT_SECONDS, 20, "707 ns (693 ns-10.6 us)"},
        {2.93e-6, 2.83e-6, 3.03e-6, BE_UNIT_SECONDS, 20, "2.93 us (2.83-3.03)"},
        {210e-9, 210e-9, 210e-9, BE_UNIT_SECONDS, 20, "210 ns"},
        {356412, 337000, 342000, BE_UNIT_PER_S, 20, "356 k/s (median 337-342)"},
        {0.42, 0.42, 0.42, BE_UNIT_PER_S, 20, "0.42 /s"},
    };
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        char text[BE_CELL];
        const struct be_figure figure = {.value = sample[i].value,
                                         .lo = sample[i].lo,
                                         .hi = sample[i].hi,
                                         .unit = sample[i].unit,
                                         .n = sample[i].n,
                                         .source = BE_SOURCE_MEASURED,
                                         .achievable = NAN};
        assert_string_equal(be_format_cell(text, &figure), sample[i].text);
        assert_true(strlen(text) <= BE_CELL_WIDTH);
    }
}

static struct be_figure node(const char *what, const char *peer, double value, const char *note) {
    struct be_figure figure = {.bytes = 64e6,
                               .unit = BE_UNIT_BYTES_S,
                               .value = value,
                               .median = value,
                               .lo = value,
                               .hi = value,
                               .n = 20,
                               .achievable = NAN};
    be_copy_text(figure.device, sizeof figure.device, "cuda:0");
    be_copy_text(figure.what, sizeof figure.what, what);
    be_copy_text(figure.peer, sizeof figure.peer, peer);
    be_copy_text(figure.note, sizeof figure.note, note);
    return figure;
}

/* Does the summary's block of the device have these words? NULL: nothing of a far socket. */
static void far_socket_is(struct be_figure *figures, size_t count, const char *words) {
    const struct be_device_info info = {.id = "cuda:0", .backend = "cuda", .name = "GPU"};
    const struct be_profile profile = {.figure = figures, .figures = count};
    struct be_text text = {0};
    be_profile_device_block(&profile, &info, &text);
    assert_non_null(text.data);
    const char *found = strstr(text.data, "far socket");
    if (words ? !found || strncmp(found, words, strlen(words)) != 0 : found != NULL) {
        fail_msg("%s", text.data);
    }
    be_text_free(&text);
}

/* Through a second backend a GPU is told in short, unless only that one was measured. */
static void test_again_in_short(void **state) {
    (void)state;
    struct be_device_info info = {.id = "opencl:1", .backend = "opencl", .name = "GPU"};
    struct be_figure figures[2] = {node("write", "", 4.6e12, ""), node("write", "", 4.6e12, "")};
    be_copy_text(info.same_as, sizeof info.same_as, "cuda:0");
    be_copy_text(figures[0].device, sizeof figures[0].device, "opencl:1");
    for (size_t shown = 1; shown <= 2; shown++) {
        const struct be_profile profile = {.figure = figures, .figures = shown};
        struct be_text text = {0};
        be_profile_device_block(&profile, &info, &text);
        assert_non_null(text.data);
        assert_int_equal(strstr(text.data, "write 4.6 TB/s") != NULL, shown == 1);
        be_text_free(&text);
    }
}

static void test_far_socket(void **state) {
    (void)state;
    struct be_figure figures[] = {
        node("bus_in_node", "node 0", 44e9, ""),      node("bus_in_node", "node 1", 55e9, "near"),
        node("bus_in_node", "node 2", 50e9, ""),      node("bus_out_node", "node 0", 30e9, ""),
        node("bus_out_node", "node 1", 50e9, "near"), node("bus_out_node", "node 2", 52e9, ""),
    };
    far_socket_is(figures, 6,
                  "far socket (node 0): 0.80 of the near one to device, 0.60 to host\n");
    far_socket_is(figures + 1, 1, NULL); /* the near one alone */
    far_socket_is(figures, 0, NULL);
    figures[1].note[0] = '\0'; /* not known which is near: the fastest */
    far_socket_is(figures, 3, "far socket (node 0): 0.80 of the near one to device\n");
}

/* Lines of the recorded profile's summary, of one that was measured here and that nothing is amiss with. */
static size_t lines_of(const char *name) {
    struct be_profile profile;
    struct be_error error = {0};
    struct be_text text = {0};
    size_t lines = 0;
    FILE *in = fopen(name, "re");
    assert_non_null(in);
    assert_int_equal(be_profile_read(in, name, &profile, &error), BE_OK);
    fclose(in);
    be_copy_text(profile.provenance, sizeof profile.provenance,
                 "measured by breakeven probe 0.1.0");
    profile.remarks = 0;
    be_profile_text(&profile, &text);
    for (const char *at = text.data; at && *at; at++) {
        lines += *at == '\n';
    }
    be_text_free(&text);
    be_profile_free(&profile);
    return lines;
}

static void test_one_screen(void **state) {
    (void)state;
    assert_in_range(lines_of("tests/golden/report-profile-recorded-h200.json"), 20, 48);
    assert_in_range(lines_of("tests/golden/report-profile-recorded-cpu.json"), 20, 28);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_again_in_short),
        cmocka_unit_test(test_far_socket),
        cmocka_unit_test(test_one_screen),
    };
    return cmocka_run_group_tests_name("profile_figures", tests, NULL, NULL);
}
