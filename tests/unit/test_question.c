/*
 * Questions as JSON: the verdict is that of be_predict, profiles are read once, tables are those of the program, and a
 * question that is wrong gets a sentence.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "assert_near.h"
#include "base/error.h"
#include "breakeven_predict.h"
#include "breakeven_profile.h"
#include "breakeven_text.h"

#define H200 "share/profiles/h200.json"

/* A copy of the profile that can be taken away. */
static char copied[] = "/tmp/breakeven-question-XXXXXX";

static int setup(void **state) {
    struct be_error error;
    const int file = mkstemp(copied);
    FILE *from = fopen(H200, "r"), *to = fdopen(file, "w");
    for (int c; from && to && (c = getc(from)) != EOF;) {
        putc(c, to);
    }
    return from && to && fclose(from) == 0 && fclose(to) == 0
               ? be_asker_open((struct be_asker **)state, &error) != BE_OK
               : -1;
}

static int teardown(void **state) {
    be_asker_close(*state);
    unlink(copied);
    return 0;
}

static cJSON *asked(void **state, const char *rest, enum be_format format, struct be_error *error,
                    char **string) {
    char question[2048];
    snprintf(question, sizeof question, rest, copied, copied);
    *error = (struct be_error){0};
    be_asker_string(*state, question, "q", format, string, error);
    return *string ? cJSON_Parse(*string) : NULL;
}

static double number(const cJSON *node, const char *name) {
    return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(node, name));
}

#define WORK                                                                                       \
    "\"flops\":\"2*n^3\",\"bytes\":\"24*n^2\",\"transfer\":\"24*n^2\",\"calls\":\"7\","            \
    "\"launches\":\"3\",\"type\":\"float64\",\"machines\":[\"%s\"],\"cpu\":\"%s\""

static void test_worth_is_predict(void **state) {
    const double n = 300;
    const struct be_predict_work work = {.flops = 2 * n * n * n,
                                         .bytes = 24 * n * n,
                                         .once_bytes = 24 * n * n,
                                         .calls = 7,
                                         .launches = 3,
                                         .float64 = true};
    struct be_profile profile = {0};
    struct be_predictor *predictor;
    struct be_prediction p;
    struct be_error error;
    char *string;
    assert_int_equal(be_profile_load(H200, &profile, &error), BE_OK);
    assert_int_equal(be_predictor_open(&profile, &profile, &predictor, &error), BE_OK);
    assert_int_equal(be_predict(predictor, &work, &p, &error), BE_OK);
    cJSON *worth =
        asked(state, "{\"ask\":\"worth\",\"size\":300," WORK "}", BE_JSON, &error, &string);
    assert_non_null(worth);
    assert_near(number(worth, "ratio"), p.ratio);
    assert_near(number(worth, "ratio_lo"), p.ratio_lo);
    assert_near(number(cJSON_GetObjectItem(worth, "gpu"), "hi_s"), p.gpu.time.hi_s);
    assert_near(number(cJSON_GetObjectItem(worth, "cpu"), "limit_s"), p.cpu.limit_s);
    assert_near(number(cJSON_GetObjectItem(worth, "cpu"), "threads"), p.cpu.threads);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(worth, "changes")), p.flips);
    cJSON_Delete(worth);
    be_string_free(string);
    be_predictor_close(predictor);
    be_profile_free(&profile);
}

/* A table has the same numbers, and the text of the program. */
static void test_table(void **state) {
    struct be_error error;
    char *string, *text;
    cJSON *worth =
        asked(state, "{\"ask\":\"worth\",\"size\":100," WORK "}", BE_JSON, &error, &text);
    be_string_free(text);
    cJSON *table = asked(state, "{\"ask\":\"predict\",\"sizes\":[10000,100]," WORK "}", BE_JSON,
                         &error, &string);
    const cJSON *row = cJSON_GetObjectItem(table, "predictions");
    assert_int_equal(cJSON_GetArraySize(row), 2);
    assert_true(cJSON_Compare(cJSON_GetArrayItem(row, 0), worth, true));
    be_string_free(string);
    cJSON_Delete(table);
    cJSON_Delete(worth);
    table = asked(state, "{\"ask\":\"predict\",\"size_from\":100,\"size_to\":1000," WORK "}",
                  BE_JSON, &error, &string);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(table, "predictions")), 3);
    be_string_free(string);
    cJSON_Delete(table);
    assert_null(
        asked(state, "{\"ask\":\"predict\",\"sizes\":[100]," WORK "}", BE_TEXT, &error, &string));
    assert_non_null(strstr(string, "NVIDIA H200"));
    be_string_free(string);
}

/* Later tests ask about a machine whose profile is no longer there. */
static void test_profiles_are_kept(void **state) {
    struct be_error error;
    char *string;
    unlink(copied);
    cJSON *worth =
        asked(state, "{\"ask\":\"worth\",\"size\":100," WORK "}", BE_JSON, &error, &string);
    assert_non_null(worth);
    be_string_free(string);
    cJSON_Delete(worth);
}

static void test_more_pairs_than_are_kept(void **state) {
    struct be_error error;
    char *string;
    const char *folder[] = {"", "./", "././", "./././", "././././"};
    for (int i = 0; i < 20; i++) {
        char question[512];
        snprintf(question, sizeof question,
                 "{\"ask\":\"worth\",\"flops\":\"%d\",\"machines\":[\"%s" H200
                 "\"],\"cpu\":\"%s" H200 "\"}",
                 1000 + i, folder[i % 5], folder[i / 5]);
        assert_int_equal(be_asker_string(*state, question, "q", BE_JSON, &string, &error), BE_OK);
        assert_non_null(strstr(string, "\"verdict\""));
        be_string_free(string);
    }
}

/* The findings and the machines of the program, as JSON and as its text. */
static void test_scripts_and_machines(void **state) {
    static const struct {
        const char *question, *json, *text;
    } asks[] = {
        {"{\"ask\":\"lint\",\"text\":\"#!/bin/bash\\n#SBATCH --tim=5\\n\"}",
         "\"rule\":\"ambiguous-option\"", "stdin:2:9: error: --tim"},
        {"{\"ask\":\"lint\",\"text\":\"#!/bin/bash\\n#SBATCH --tim=5\\n\","
         "\"ignore\":\"ambiguous-option\",\"show\":\"error\"}",
         "\"errors\":0", "0 errors"},
        {"{\"ask\":\"machines\"}", "\"name\":\"h200\"", "\nh200 "},
        {"{\"ask\":\"machine\",\"name\":\"" H200 "\"}", "\"figures\":", "NVIDIA H200"},
    };
    struct be_error error;
    setenv("BREAKEVEN_PROFILES", "share/profiles", 1);
    for (size_t i = 0; i < BE_COUNT(asks); i++) {
        for (int text = 0; text < 2; text++) {
            char *string;
            const char *expected = text ? asks[i].text : asks[i].json;
            assert_int_equal(be_asker_string(*state, asks[i].question, "q",
                                             text ? BE_TEXT : BE_JSON, &string, &error),
                             BE_OK);
            if (!strstr(string, expected)) {
                fail_msg("%s: no %s in \"%.400s\"", asks[i].question, expected, string);
            }
            be_string_free(string);
        }
    }
}

static void test_wrong_questions(void **state) {
    static const struct {
        const char *question, *said;
    } wrong[] = {
        {"", "q: a question is a JSON object"},
        {"[1]", "q: a question is a JSON object"},
        {"{}", "q: ask: there are worth, predict, machines, machine, lint"},
        {"{\"ask\":\"x\"}", "there are worth, predict"},
        {"{\"ask\":\"worth\"}", "neither flops nor bytes"},
        {"{\"ask\":\"worth\",\"flop\":\"1\"}", "flop: there is no such member"},
        {"{\"ask\":\"worth\",\"flops\":1}", "flops: a string is needed"},
        {"{\"ask\":\"worth\",\"flops\":\"2*+\"}", "q: '2*+', character"},
        {"{\"ask\":\"worth\",\"flops\":\"1\",\"type\":\"int\"}", "there are float32, float64"},
        {"{\"ask\":\"worth\",\"flops\":\"1\",\"machines\":[\"a\",\"b\"]}", "one is asked about"},
        {"{\"ask\":\"worth\",\"flops\":\"n\",\"machines\":[\"" H200 "\"],\"cpu\":\"" H200 "\"}",
         "flops has n in it: say the size"},
        {"{\"ask\":\"worth\",\"flops\":\"n\",\"size\":0,\"machines\":[\"" H200 "\"],\"cpu\":\"" H200
         "\"}",
         "size 0: a whole number"},
        {"{\"ask\":\"worth\",\"flops\":\"1\",\"machines\":[\"nowhere\"],\"cpu\":\"" H200 "\"}",
         "nowhere"},
        {"{\"ask\":\"worth\",\"factor\":\"svd\"}", "factor: a factorisation and the sides"},
        {"{\"ask\":\"worth\",\"factor\":\"cube,3\"}", "factor: a factorisation and the sides"},
        {"{\"ask\":\"worth\",\"flops\":\"1\",\"framework\":\"keras\"}",
         "framework: there is no 'keras'"},
        {"{\"ask\":\"worth\",\"flops\":\"1\",\"matmul\":\"1,2\"}", "matmul: three numbers"},
        {"{\"ask\":\"lint\"}", "q: text: the text of a job script"},
        {"{\"ask\":\"lint\",\"text\":1}", "q: text: a string is needed"},
        {"{\"ask\":\"lint\",\"text\":\"\",\"lsf\":1}", "q: lsf: true or false is needed"},
        {"{\"ask\":\"lint\",\"text\":\"\",\"clusters\":\"x\"}",
         "clusters: there is no such member"},
        {"{\"ask\":\"lint\",\"text\":\"\",\"slurm\":\"x\"}", "slurm x: a version such as 22.05"},
        {"{\"ask\":\"lint\",\"text\":\"\",\"show\":\"x\"}", "show x: there are error, warning"},
        {"{\"ask\":\"lint\",\"text\":\"\",\"ignore\":\"x\"}", "x"},
        {"{\"ask\":\"machine\"}", "q: name: the name or the file"},
        {"{\"ask\":\"predict\",\"flops\":\"1\",\"sizes\":3}", "sizes: a list of numbers is needed"},
        {"{\"ask\":\"predict\",\"flops\":\"1\",\"sizes\":[0.5]}", "sizes: whole numbers"},
        {"{\"ask\":\"predict\",\"flops\":\"1\",\"size_from\":5,\"size_to\":2}", "not the larger"},
    };
    struct be_error error;
    for (size_t i = 0; i < BE_COUNT(wrong); i++) {
        char *string = copied;
        assert_int_equal(be_asker_string(*state, wrong[i].question, "q", BE_JSON, &string, &error),
                         BE_USAGE);
        assert_null(string);
        if (!strstr(error.text, wrong[i].said)) {
            fail_msg("%s: \"%s\" and not \"%s\"", wrong[i].question, error.text, wrong[i].said);
        }
    }
    char *string;
    assert_int_equal(be_asker_string(*state, "{\"ask\":\"worth\",\"flops\":\"1\"}", "q", BE_TEXT,
                                     &string, &error),
                     BE_USAGE);
    assert_non_null(strstr(error.text, "no answer in this format"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worth_is_predict),         cmocka_unit_test(test_table),
        cmocka_unit_test(test_scripts_and_machines),     cmocka_unit_test(test_profiles_are_kept),
        cmocka_unit_test(test_more_pairs_than_are_kept), cmocka_unit_test(test_wrong_questions),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
