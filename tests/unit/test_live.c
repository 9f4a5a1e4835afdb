/* The live view of a made-up trace: screens of several sizes, lines, metrics, keys. */
#include "live_scene.h"

static void test_screens(void **state) {
    (void)state;
    struct made *one = make(1, TICKS, 2), *none = make(0, TICKS, 0), *four = make(4, TICKS, 2);
    struct made *empty = make(0, 0, 0);
    check_screen(one, (struct be_live_view){.width = 80, .height = 24, .unicode = true}, "80x24");
    check_screen(one, (struct be_live_view){.width = 80, .height = 24}, "80x24-ascii");
    check_screen(one, (struct be_live_view){.width = 80, .height = 24, .unicode = true, .zoom = 2},
                 "80x24-zoomed");
    check_screen(none, (struct be_live_view){.width = 80, .height = 24, .unicode = true},
                 "80x24-cpu");
    check_screen(empty, (struct be_live_view){.width = 80, .height = 24}, "80x24-empty");
    check_screen(four, (struct be_live_view){.width = 80, .height = 24, .unicode = true},
                 "80x24-four");
    check_screen(four, (struct be_live_view){.width = 132, .height = 50, .unicode = true},
                 "132x50-four");
    check_screen(one, (struct be_live_view){.width = 40, .height = 12, .unicode = true}, "40x12");
    check_screen(one, (struct be_live_view){.width = 80, .height = 24, .capacity = BE_LIVE_HELP},
                 "help");
    check_screen(one, (struct be_live_view){.width = 80, .height = 24, .capacity = BE_LIVE_FOUND},
                 "found");
    drop(one);
    drop(none);
    drop(four);
    drop(empty);
}

/* The line about a GPU that begins with its memory. */
static void details(struct made *made, int width, char text[BE_LIVE_WIDTH_MAX * 3 + 1]) {
    struct be_live_view view = {.width = width, .height = 24};
    be_live_draw(&made->scene, &view, &made->frame);
    text[0] = '\0';
    for (int i = 0; i < made->frame.lines; i++) {
        const struct be_live_line *line = &made->frame.line[i];
        if (strncmp(line->text, "  memory ", 9) == 0) {
            strcpy(text, line->text);
        }
    }
}

/* "in 2" of 2.2 GB/s would be another number. */
static void test_numbers_are_whole(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 0);
    char whole[BE_LIVE_WIDTH_MAX * 3 + 1], text[BE_LIVE_WIDTH_MAX * 3 + 1];
    details(made, 200, whole);
    assert_true(strlen(whole) > 50);
    for (int width = 40; width < 80; width++) {
        details(made, width, text);
        size_t length = strlen(text);
        assert_true(length > 9 && strncmp(whole, text, length) == 0);
        assert_true(whole[length] == '\0' || strncmp(whole + length, "  ", 2) == 0);
    }
    drop(made);
}

/* The second is somebody else's, the third has not been looked at, and the fourth place is another process's. */
static const struct be_live_more more[BE_TRACE_PROCESSES_MAX] = {
    {4711, "anna", 'R', "python train.py --key=\x1b[2Jx"},
    {4712, "somebody-else\xff", 'D', ""},
    {0, "", '\0', ""},
    {9999, "wrong", 'Z', "wrong"},
};

/* Nothing is written beyond a screen of any size, and every room can be drawn. */
static void test_any_size(void **state) {
    (void)state;
    static const int sizes[] = {0,  1,  2,  3,  4,  5,   7,   10,  15,
                                24, 37, 79, 80, 81, 200, 511, 512, 700};
    struct made *made = make(16, 20, 2);
    for (size_t w = 0; w < BE_COUNT(sizes); w++) {
        for (size_t h = 0; h < BE_COUNT(sizes); h++) {
            for (int capacity = BE_LIVE_MAIN; capacity <= BE_LIVE_FOUND; capacity++) {
                made->scene.more = h % 2 ? more : NULL;
                struct be_live_view view = {.width = sizes[w],
                                            .height = sizes[h],
                                            .commands = w % 3 == 0,
                                            .unicode = w % 2,
                                            .capacity = (enum be_live_capacity)capacity};
                be_live_draw(&made->scene, &view, &made->frame);
                check_frame(&made->frame, &view);
            }
        }
    }
    drop(made);
}

/* ---- keys ----------------------------------------------------------------------------------- */

static void press(struct made *made, struct be_live_view *view, int key) {
    assert_true(be_live_press(view, &made->scene, key));
    be_live_draw(&made->scene, view, &made->frame);
}

static void test_keys(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    struct be_live_view view = {.width = 80, .height = 24};
    press(made, &view, BE_KEY_DOWN);
    assert_int_equal(view.selected, 4711);
    press(made, &view, BE_KEY_DOWN);
    assert_int_equal(view.selected, 4712);
    press(made, &view, BE_KEY_END);
    assert_int_equal(view.selected, 4713);
    press(made, &view, BE_KEY_DOWN);
    assert_int_equal(view.selected, 4713);
    press(made, &view, BE_KEY_HOME);
    assert_int_equal(view.selected, 4711);
    press(made, &view, BE_KEY_ESCAPE);
    assert_int_equal(view.selected, 0);
    press(made, &view, 'M');
    assert_int_equal(view.sort, BE_LIVE_BY_MEMORY);
    press(made, &view, 'I');
    press(made, &view, BE_KEY_DOWN);
    assert_int_equal(view.selected, 4712); /* the least memory first */
    press(made, &view, BE_KEY_F1 + 5);
    assert_int_equal(view.sort, BE_LIVE_BY_TIME);
    assert_false(view.inverted);
    press(made, &view, '<');
    press(made, &view, '<');
    assert_int_equal(view.sort, BE_LIVE_BY_CPU);
    press(made, &view, '<');
    assert_int_equal(view.sort, BE_LIVE_BY_NAME);
    for (int i = 0; i < 20; i++) {
        press(made, &view, '+');
    }
    assert_int_equal(view.zoom, BE_LIVE_ZOOMS - 1);
    for (int i = 0; i < 20; i++) {
        press(made, &view, '-');
    }
    assert_int_equal(view.zoom, 0);
    press(made, &view, 'h');
    assert_int_equal(view.capacity, BE_LIVE_HELP);
    press(made, &view, 'x');
    assert_int_equal(view.capacity, BE_LIVE_MAIN);
    press(made, &view, BE_KEY_F1 + 1);
    assert_int_equal(view.capacity, BE_LIVE_FOUND);
    press(made, &view, BE_KEY_END);
    press(made, &view, 'f');
    assert_int_equal(view.capacity, BE_LIVE_MAIN);
    assert_false(be_live_press(&view, &made->scene, 'q'));
    assert_false(be_live_press(&view, &made->scene, BE_KEY_F10));
    view.capacity = BE_LIVE_HELP;
    assert_false(be_live_press(&view, &made->scene, 'q'));
    drop(made);
}

static void test_more_of_processes(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    struct be_live_view view = {.width = 80, .height = 24};
    struct be_text text = {0};
    made->scene.more = more;
    check_screen(made, view, "80x24-more");
    view.width = 132;
    check_screen(made, view, "132x24-more");
    press(made, &view, 'c');
    assert_true(view.commands);
    check_screen(made, view, "132x24-commands");
    press(made, &view, 'c');
    assert_false(view.commands);
    be_live_plain_processes(&made->scene, 3, &text);
    golden("plain-more", &text);
    be_text_free(&text);
    drop(made);
}

/* A process that is selected and ends is selected no more. */
static void test_selected_ends(void **state) {
    (void)state;
    struct made *made = make(0, TICKS, 0);
    struct be_live_view view = {.width = 80, .height = 24, .selected = 4000, .first = 50};
    be_live_draw(&made->scene, &view, &made->frame);
    assert_int_equal(view.selected, 0);
    assert_int_equal(view.first, 0);
    assert_false(be_live_press(&view, &(struct be_live_scene){.trace = &made->trace}, 'q'));
    drop(made);
}

/* ---- figures -------------------------------------------------------------------------------- */

static void test_values(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 0);
    struct be_live_figure list[BE_LIVE_FIGURES_MAX];
    int count = be_live_figures(&made->scene, list);
    assert_string_equal(be_live_figure(list, count, "cpu", 0)->text, "7.6 of 8 cores (95 %)");
    assert_string_equal(be_live_figure(list, count, "memory", 0)->text, "9.2 GB of 32 GB (29 %)");
    assert_string_equal(be_live_figure(list, count, "gpu_power", 0)->text, "412 of 700 W");
    assert_null(be_live_figure(list, count, "gpu_power", 1));
    assert_null(be_live_figure(list, count, "gpu_fp64", 0)); /* never measured */
    assert_true(isnan(be_live_value(&made->trace, BE_PROCESS_CPU, 3, 5)));
    assert_float_equal(be_live_value(&made->trace, BE_PROCESS_CPU, 3, 1000), 1, 1e-6);
    assert_float_equal(be_live_mean(&made->trace, BE_CPU_BUSY, 0, 1.5, 3.5),
                       (0.5 * 0.4 + 0.8 + 0.5 * 1.2) / 2, 1e-6);
    assert_true(isnan(be_live_mean(&made->trace, BE_CPU_BUSY, 0, -5, 0)));
    assert_true(isnan(be_live_mean(&made->trace, BE_CPU_BUSY, 0, 500, 501)));
    drop(made);
}

/* Memory that several processes share counts once: as last divided, with what was taken since. */
static void test_shared_memory(void **state) {
    (void)state;
    static const struct {
        double sum, divided, processes, shown;
    } look[] = {{40e9, NAN, 4, 40e9},
                {40e9, 16e9, 4, 16e9},
                {44e9, NAN, 4, 20e9},
                {20e9, NAN, 2, 10e9},
                {10e9, NAN, 1, 10e9}};
    struct made *made = make(0, 0, 0);
    struct be_live_figure list[BE_LIVE_FIGURES_MAX];
    int source = be_trace_source(&made->trace, "proc");
    for (size_t i = 0; i < BE_COUNT(look); i++) {
        double end_s = 10.0 * (double)(i + 1);
        be_trace_tick(&made->trace, end_s);
        be_trace_add(&made->trace, BE_MEMORY, 0, source, look[i].sum);
        be_trace_add(&made->trace, BE_PROCESSES, 0, source, look[i].processes);
        if (look[i].divided > 0) {
            be_trace_add(&made->trace, BE_MEMORY_PSS, 0, source, look[i].divided);
        }
        int count = be_live_figures(&made->scene, list);
        const struct be_live_figure *memory = be_live_figure(list, count, "memory", 0);
        double drawn = be_live_figure_mean(&made->trace, memory, end_s - 10, end_s);
        assert_float_equal(drawn, look[i].shown, 1e4);
        assert_float_equal(memory->value, look[i].shown, 1e4);
    }
    drop(made);
}

/* The memory in use on a machine is the memory that is not available. */
static void test_node(void **state) {
    (void)state;
    struct made *made = make(0, 0, 0);
    struct be_live_figure list[BE_LIVE_FIGURES_MAX];
    int node = be_trace_source(&made->trace, "node");
    made->scene.node = true;
    be_trace_tick(&made->trace, 1);
    be_trace_add(&made->trace, BE_NODE_MEMORY_AVAILABLE, 0, node, 48e9);
    be_trace_add(&made->trace, BE_NODE_CPU, 0, node, 4);
    int count = be_live_figures(&made->scene, list);
    assert_string_equal(be_live_figure(list, count, "memory", 0)->text, "16 GB of 64 GB (25 %)");
    assert_string_equal(be_live_figure(list, count, "cpu", 0)->text, "4.0 of 16 cores (25 %)");
    assert_float_equal(be_live_figure_mean(&made->trace, &list[1], 0, 1), 16e9, 1e3);
    drop(made);
}

/* ---- for others ----------------------------------------------------------------------------- */

static void test_plain(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    struct be_text text = {0};
    be_live_plain(&made->scene, &text);
    be_live_plain_findings(&made->scene, &text);
    be_live_plain_processes(&made->scene, 2, &text);
    golden("plain", &text);
    for (size_t i = 0; i < text.length; i++) {
        assert_true(text.data[i] == '\n' || (text.data[i] >= ' ' && text.data[i] <= '~'));
    }
    be_text_free(&text);
    drop(made);
}

/* The large ones of those that do nothing come first, and threads of the kernel are not listed. */
static void test_idle_processes(void **state) {
    (void)state;
    static const double bytes[] = {0, 1e6, 5e6, 0};
    struct made *made = make(0, 0, 0);
    int source = be_trace_source(&made->trace, "proc");
    be_trace_tick(&made->trace, 1);
    for (int i = 0; i < 4; i++) {
        int at = be_trace_process(&made->trace, i + 2, i, 0);
        be_trace_add(&made->trace, BE_PROCESS_CPU, at, source, i == 3 ? 0.01 : 0);
        be_trace_add(&made->trace, BE_PROCESS_MEMORY, at, source, bytes[i]);
    }
    struct be_live_process list[BE_TRACE_PROCESSES_MAX];
    assert_int_equal(be_live_processes(&made->trace, BE_LIVE_BY_CPU, false, list), 4);
    const int order[] = {5, 4, 3, 2};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(list[i].pid, order[i]);
    }
    struct be_text text = {0};
    be_live_plain_processes(&made->scene, 10, &text);
    assert_non_null(strstr(text.data, "process 5 "));
    assert_non_null(strstr(text.data, "process 3 "));
    assert_null(strstr(text.data, "process 2 "));
    be_text_free(&text);
    drop(made);
}

static void test_metrics(void **state) {
    (void)state;
    struct made *made = make(2, TICKS, 2);
    struct be_text text = {0};
    be_live_metrics(&made->scene, &text);
    golden("metrics", &text);
    assert_non_null(strstr(text.data, "name=\"<b>\\\"\\\\\\n&?\xc3\xa9\"} 0.25\n"));
    assert_null(strstr(text.data, "NaN"));
    be_text_free(&text);
    drop(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screens),
        cmocka_unit_test(test_any_size),
        cmocka_unit_test(test_numbers_are_whole),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_more_of_processes),
        cmocka_unit_test(test_selected_ends),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_node),
        cmocka_unit_test(test_shared_memory),
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_idle_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
