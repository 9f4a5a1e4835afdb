/* Events of the live page, as docs/json.md says; and findings over time, in each of the views. */
#include "live_scene.h"

#include <cjson/cJSON.h>

static void test_json(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    for (int history = 0; history < 2; history++) {
        struct be_text text = {0};
        be_live_json(&made->scene, history, &text);
        assert_null(strchr(text.data, '\n')); /* it would end the event */
        cJSON *all = cJSON_Parse(text.data);
        assert_non_null(all);
        const cJSON *processes = cJSON_GetObjectItem(all, "processes");
        assert_int_equal(cJSON_GetArraySize(processes), 3);
        assert_string_equal(
            cJSON_GetObjectItem(cJSON_GetArrayItem(processes, 2), "name")->valuestring,
            "<b>\"\\\n&?\xc3\xa9");
        const cJSON *cpu = cJSON_GetArrayItem(cJSON_GetObjectItem(all, "figures"), 0);
        assert_string_equal(cJSON_GetObjectItem(cpu, "key")->valuestring, "cpu");
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cpu, "past")), history ? TICKS : 0);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(all, "times")),
                         history ? TICKS : 0);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(all, "findings")), 2);
        cJSON_Delete(all);
        be_text_free(&text);
    }
    drop(made);
}

/* After a day: ticks are still apart. */
static void test_json_after_long(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    struct be_text text = {0};
    for (int i = 0; i < TICKS; i++) {
        made->trace.end_s[i] += 100000;
    }
    made->trace.elapsed_s += 100000.25;
    double now_s = made->trace.elapsed_s, last_s = made->trace.end_s[TICKS - 1];
    be_live_json(&made->scene, true, &text);
    cJSON *all = cJSON_Parse(text.data);
    assert_non_null(all);
    const cJSON *times = cJSON_GetObjectItem(all, "times");
    assert_true(fabs(cJSON_GetObjectItem(all, "time_s")->valuedouble - now_s) < 0.001);
    assert_true(fabs(cJSON_GetArrayItem(times, TICKS - 1)->valuedouble - last_s) < 0.001);
    cJSON_Delete(all);
    be_text_free(&text);
    drop(made);
}

/* Four digits, and not 408099999.99999994 for the want of them. */
static void test_json_numbers(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    struct be_text text = {0};
    made->trace.limits.memory_bytes = 408123456;
    be_live_json(&made->scene, false, &text);
    assert_non_null(strstr(text.data, "\"full\":408100000,"));
    be_text_free(&text);
    drop(made);
}

/* Every word that is a key anywhere in it, with a blank on both sides. */
static void add_keys(const cJSON *value, struct be_text *keys) {
    for (const cJSON *one = value->child; one; one = one->next) {
        char word[BE_NAME];
        if (one->string) {
            snprintf(word, sizeof word, " %s ", one->string);
            if (!keys->data || !strstr(keys->data, word)) {
                be_text_add(keys, "%s", word);
            }
        }
        add_keys(one, keys);
    }
}

/* The part of docs/json.md about it. */
static void read_page(char *to, size_t capacity) {
    static char page[1 << 17];
    FILE *in = fopen("docs/json.md", "r");
    assert_non_null(in);
    size_t length = fread(page, 1, sizeof page - 1, in);
    fclose(in);
    assert_true(length < sizeof page - 1);
    page[length] = '\0';
    const char *begin = strstr(page, "\n# watch\n");
    assert_non_null(begin);
    const char *end = strstr(begin + 1, "\n# ");
    assert_non_null(end);
    assert_true((size_t)(end - begin) < capacity);
    memcpy(to, begin, (size_t)(end - begin));
    to[end - begin] = '\0';
}

/* Words in code, of the first cell of each row of a table: all are keys, and no key is left out. */
static void check_page(char *page, const struct be_text *keys) {
    struct be_text said = {0};
    for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n")) {
        char *end = *line == '|' ? strchr(line + 1, '|') : NULL;
        char *at = end ? strchr(line, '`') : NULL;
        if (end && strncmp(line, "| field", 7) != 0) {
            for (; at && at < end; at = strchr(strchr(at + 1, '`') + 1, '`')) {
                be_text_add(&said, " %.*s ", (int)strcspn(at + 1, "`"), at + 1);
            }
        }
    }
    assert_non_null(said.data);
    for (int i = 0; i < 2; i++) {
        const char *from = i ? said.data : keys->data, *in = i ? keys->data : said.data;
        char word[BE_NAME], blank[BE_NAME + 2];
        for (int used = 0; sscanf(from, " %63s%n", word, &used) == 1; from += used) {
            snprintf(blank, sizeof blank, " %s ", word);
            if (!strstr(in, blank)) {
                fail_msg("%s: %s", word,
                         i ? "docs/json.md has it, no event has" : "not in docs/json.md");
            }
        }
    }
    be_text_free(&said);
}

/* The time that a finding is about, since when it holds, and those that are over. */
static void test_over_time(void **state) {
    (void)state;
    struct made *made = make(1, TICKS, 2);
    const struct be_run_finding serial = {
        .number = 14, .name = "serial", .evidence = "one core's worth of work \033[2J"};
    struct be_live_view view = {.width = 80, .height = 24, .capacity = BE_LIVE_FOUND};
    struct be_text text = {0};
    made->scene.recent = &made->recent;
    made->scene.window_s = 30;
    snprintf(made->trace.source[0].absent, BE_NOTE, "not here");
    made->finding[0].from_s = made->trace.elapsed_s - 30;
    made->finding[0].to_s = made->trace.elapsed_s;
    be_recent_take(&made->recent, &serial, 1, 10);
    be_recent_take(&made->recent, &serial, 1, 40);
    be_recent_take(&made->recent, &made->finding[1], 1, 95);
    be_recent_take(&made->recent, made->finding, 2, 100);
    be_live_plain_news(&made->scene, &text);
    golden("news", &text);
    be_text_free(&text);
    check_screen(made, view, "found-recent");
    be_live_json(&made->scene, true, &text);
    cJSON *all = cJSON_Parse(text.data);
    assert_non_null(all);
    static char page[1 << 15];
    struct be_text keys = {0};
    add_keys(all, &keys);
    read_page(page, sizeof page);
    check_page(page, &keys);
    be_text_free(&keys);
    const cJSON *over = cJSON_GetArrayItem(cJSON_GetObjectItem(all, "over"), 0);
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(all, "findings"), 0);
    assert_float_equal(cJSON_GetObjectItem(all, "window_s")->valuedouble, 30, 1e-9);
    assert_float_equal(cJSON_GetObjectItem(over, "since_s")->valuedouble, 10, 1e-9);
    assert_float_equal(cJSON_GetObjectItem(over, "until_s")->valuedouble, 40, 1e-9);
    assert_float_equal(cJSON_GetObjectItem(first, "from_s")->valuedouble,
                       made->trace.elapsed_s - 30, 1e-9);
    assert_float_equal(cJSON_GetObjectItem(first, "since_s")->valuedouble, 100, 1e-9);
    cJSON_Delete(all);
    be_text_free(&text);
    be_live_json(&made->scene, false, &text);
    golden("event", &text);
    be_text_free(&text);
    drop(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_after_long),
        cmocka_unit_test(test_json_numbers),
        cmocka_unit_test(test_over_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
