#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "damage.h"

#include "base/error.h"
#include "report/comparison/comparison.h"

/* ---- round trip ----------------------------------------------------------------------------- */

static void fill_machine(struct be_machine *machine) {
    *machine = (struct be_machine){.host = "gpu-17",
                                   .cpu = "Intel\xc2\xae \"Xeon\", 2 sockets",
                                   .cores = 64,
                                   .cores_allowed = 16,
                                   .allowed_by = "cgroup quota",
                                   .numa_nodes = 2,
                                   .memory_bytes = 1.08e12,
                                   .cache_bytes = NAN,
                                   .devices = BE_DEVICES_MAX,
                                   .absences = 1};
    for (int i = 0; i < machine->devices; i++) {
        machine->device[i] = (struct be_device_info){.id = "cuda:0",
                                                     .backend = "cuda",
                                                     .name = "NVIDIA \\ H200",
                                                     .driver = "580\t13.0",
                                                     .address = "GPU-1",
                                                     .same_as = "opencl:0",
                                                     .kind = (enum be_kind)(i % 3),
                                                     .index = i,
                                                     .units = 132 * (i % 2),
                                                     .memory_bytes = 150e9,
                                                     .cache_bytes = i % 2 ? 6e7 : NAN,
                                                     .clock_hz = 1.98e9};
    }
    machine->absent[0] = (struct be_absence){"opencl", "libOpenCL.so.1 is not here"};
}

static void fill_environment(struct be_environment *environment) {
    *environment = (struct be_environment){.date = "2026-11-20T21:14:03Z",
                                           .compiler = "GNU 12",
                                           .flags = "-O3",
                                           .kernel = "Linux",
                                           .affinity = "0-15",
                                           .governor = "performance",
                                           .simd = "avx512",
                                           .slurm_job = "7",
                                           .order = "fixed",
                                           .load_average = 0.1,
                                           .cpu_hz = 3.1e9,
                                           .seed = UINT64_MAX};
}

static void fill_summary(struct be_summary *summary, int seed) {
    double x = 1e-3 / (seed + 3);
    *summary = (struct be_summary){seed,  seed / 2, (enum be_stop)(seed % 6), x, x * 0.99, x * 1.01,
                                   x / 7, x * 0.9,  seed % 4 ? x * 1.3 : NAN};
}

static void fill_result(struct be_result *result, int i) {
    strcpy(result->workload, "power");
    strcpy(result->title, "z = x^y");
    strcpy(result->variant, i % 2 ? "" : BE_AS_PUBLISHED);
    result->as_written = i % 4 < 2;
    result->code = (enum be_code)(i % BE_CODES);
    strcpy(result->dtype, i % 2 ? "float32" : "float64");
    strcpy(result->parameters, i % 3 ? "order 32, steps 100" : "");
    strcpy(result->device, "cuda:0");
    strcpy(result->note, i % 2 ? "\"5 \xc2\xb1 1\",\n\x01 \xe6\x97\xa5\xe6\x9c\xac \\u0041" : "");
    strcpy(result->size_name, i % 2 ? "order" : "size");
    result->size = i % 2 ? (UINT64_C(1) << 53) + 1 : 300000000;
    result->threads = i % 3;
    result->placement = (enum be_placement)(i % BE_PLACEMENTS);
    result->cache = (enum be_cache)(i % BE_CACHES);
    result->status = (enum be_result_status)(i % BE_RESULT_STATUSES);
    result->residual = i % 2 ? NAN : DBL_TRUE_MIN;
    result->tolerance = 1.0 / 3;
    result->bytes = 3.6e9;
    result->operations = DBL_MAX;
    result->limit_s = 0.1 + 0.2;
    result->limit_by = (enum be_limit)(i % BE_LIMITS);
    result->times_limit = 1.0 / 7;
    result->clock_hz = 1.98e9;
    result->slow_clock = i;
    result->throttle = i % 2 ? UINT64_MAX : 4;
    result->temperature_c = 41;
    result->joules = NAN;
    for (int phase = 0; phase < BE_PHASES; phase++) {
        fill_summary(&result->phase[phase], i + phase);
    }
    for (result->passes = 0; result->passes < i % (BE_PASSES_MAX + 1); result->passes++) {
        strcpy(result->pass[result->passes].name, "einsum");
        fill_summary(&result->pass[result->passes].time, i + result->passes);
    }
}

static void fill_breakeven(struct be_breakeven *even, int i) {
    strcpy(even->workload, "power");
    strcpy(even->dtype, i % 2 ? "float32" : "float64");
    even->as_written = i % 4 < 2;
    even->callable = i % 4 == 3;
    strcpy(even->device, "cuda:0");
    strcpy(even->against, "cpu");
    strcpy(even->why, i ? "the bus" : "");
    even->threads = 16;
    even->placement = (enum be_placement)(i % BE_PLACEMENTS);
    even->cache = (enum be_cache)(i % BE_CACHES);
    even->status = (enum be_breakeven_status)(i % BE_EVEN_STATUSES);
    even->from = i ? 9300.5 : NAN;
    even->lo = 8800;
    even->hi = 9900;
    even->until = NAN;
    even->until_lo = NAN;
    even->until_hi = NAN;
    even->smallest = 1e3;
    even->largest = 3e8;
    even->calls_to_repay_copy = 7.1;
    even->calls_to_repay_copy_lo = 6.5;
    even->calls_to_repay_copy_hi = 8;
    even->calls_to_repay_first = NAN;
    even->calls_to_repay_first_lo = NAN;
    even->calls_to_repay_first_hi = NAN;
    even->repaid = (enum be_repaid)(i % BE_REPAIDS);
}

static struct be_comparison synthetic(void) {
    struct be_comparison all = {
        .partial = true, .quick = true, .results = 60, .breakevens = 10, .remarks = 2};
    fill_machine(&all.machine);
    fill_environment(&all.environment);
    all.result = calloc(all.results, sizeof *all.result);
    all.breakeven = calloc(all.breakevens, sizeof *all.breakeven);
    all.remark = calloc(all.remarks, sizeof *all.remark);
    assert_true(all.result && all.breakeven && all.remark);
    for (int i = 0; i < (int)all.results; i++) {
        fill_result(&all.result[i], i);
    }
    for (int i = 0; i < (int)all.breakevens; i++) {
        fill_breakeven(&all.breakeven[i], i);
    }
    strcpy(all.remark[0], "sizes above 3e8 do not fit");
    return all;
}

static enum be_status read_text(const char *text, size_t length, struct be_comparison *comparison,
                                struct be_error *error) {
    FILE *in = length ? fmemopen((void *)(uintptr_t)text, length, "r") : fopen("/dev/null", "r");
    assert_non_null(in);
    enum be_status status = be_comparison_read(in, "results.json", comparison, error);
    fclose(in);
    return status;
}

static void test_round_trip(void **state) {
    (void)state;
    struct be_comparison before = synthetic(), after;
    struct be_text first = {0}, second = {0};
    struct be_error error = {0};
    be_report_json(&before, &first);
    assert_false(first.failed);
    assert_int_equal(read_text(first.data, first.length, &after, &error), BE_OK);
    assert_memory_equal(&before.machine, &after.machine, sizeof before.machine);
    assert_memory_equal(&before.environment, &after.environment, sizeof before.environment);
    assert_true(after.partial && after.quick);
    assert_int_equal(after.results, before.results);
    assert_int_equal(after.breakevens, before.breakevens);
    assert_int_equal(after.remarks, before.remarks);
    assert_memory_equal(before.result, after.result, before.results * sizeof *before.result);
    assert_memory_equal(before.breakeven, after.breakeven,
                        before.breakevens * sizeof *before.breakeven);
    assert_memory_equal(before.remark, after.remark, before.remarks * sizeof *before.remark);
    be_report_json(&after, &second);
    assert_string_equal(first.data, second.data);
    be_comparison_free(&before);
    be_comparison_free(&after);
    be_text_free(&first);
    be_text_free(&second);
}

/* A name cut inside a character must not make a file that other readers refuse. */
static void test_cut_character(void **state) {
    (void)state;
    struct be_comparison all = {0};
    strcpy(all.machine.host, "caf\xc3");
    struct be_text text = {0};
    be_report_json(&all, &text);
    assert_non_null(strstr(text.data, "\"host\":\"caf?\""));
    be_text_free(&text);
}

static void test_words_of_truth(void **state) {
    (void)state;
    struct be_comparison all = synthetic();
    struct be_text text = {0};
    be_report_json(&all, &text);
    assert_non_null(strstr(text.data,
                           "\"as_written\":true,\"code\":\"expert\",\"dtype\":\"float64\","
                           "\"parameters\":null,\"size\":300000000,"));
    assert_non_null(strstr(text.data,
                           "\"as_written\":false,\"code\":\"library\",\"dtype\":\"float64\","
                           "\"parameters\":\"order 32, steps 100\",\"size\":"));
    assert_non_null(strstr(text.data, "{\"workload\":\"power\",\"dtype\":\"float64\","
                                      "\"as_written\":true,\"callable\":false,\"placement\""));
    be_text_free(&text);
    be_report_csv(&all, &text);
    assert_memory_equal(
        text.data, "workload,title,variant,as_written,code,dtype,parameters,size,size_name,", 71);
    assert_non_null(strstr(text.data, "\r\npower,z = x^y," BE_AS_PUBLISHED
                                      ",true,expert,float64,,300000000,size,cuda:0,"));
    assert_non_null(
        strstr(text.data, "\r\npower,z = x^y,,false,expert,float32,,9007199254740993,order,"));
    assert_non_null(
        strstr(text.data, ",false,library,float64,\"order 32, steps 100\",300000000,size,"));
    be_text_free(&text);
    be_comparison_free(&all);
}

/* ---- damaged input -------------------------------------------------------------------------- */

#define PHASES                                                                                     \
    "\"phases\":{\"first\":null,\"total\":{\"n\":31,\"stop\":\"precise\",\"median_s\":0.5}}"
#define RESULT(phases)                                                                             \
    "{\"workload\":\"power\",\"size\":1000,\"device\":\"cpu\",\"placement\":\"host\","             \
    "\"status\":\"ok\",\"residual\":1e-8," phases "}"
#define EVEN                                                                                       \
    "{\"workload\":\"power\",\"device\":\"cuda:0\",\"placement\":\"copy\",\"status\":\"from\"}"

static const char good[] =
    "{\"schema\":\"breakeven/1\",\"command\":\"compare\",\"later\":{\"a\":[1]},\n"
    "\"machine\":{\"cores\":4,\"devices\":[{\"id\":\"cpu\",\"kind\":\"cpu\"}],\"absent\":[]},\n"
    "\"environment\":{\"seed\":\"18446744073709551615\"},\"partial\":false,\n"
    "\"results\":[" RESULT(PHASES) ",\n" RESULT(PHASES) "],\n"
                                                        "\"breakevens\":[" EVEN
                                                        "],\"remarks\":[\"one\"]}\n";

static const struct damage damages[] = {
    {"breakeven/1", "breakeven/2",
     "schema: written by a newer version: \"breakeven/2\", and this one reads \"breakeven/1\"; "
     "update breakeven"},
    {"breakeven/1", "breakeven/0",
     "schema: \"breakeven/0\" was never published, \"breakeven/1\" is the oldest: damaged, or "
     "written by hand"},
    {"\"compare\"", "\"probe\"",
     "command: \"compare\" is needed, not \"probe\": the file holds the profile of a machine, "
     "which `breakeven report` and --machine read"},
    {"\"schema\"", "\"scheme\"", "schema: is missing: a string is needed"},
    {"\"breakeven/1\"", "1", "schema: a string is needed, not a number"},
    {"\"compare\"", "\"pro\\nbe\"",
     "command: \"pro?be\" cannot be read by this version, only \"compare\""},
    {"\"results\"", "\"result\"", "results: is missing: a list is needed"},
    {"\"results\":[", "\"results\":{},\"x\":[", "results: a list is needed, not an object"},
    {"\"machine\"", "\"engine\"", "machine: is missing: an object is needed"},
    {"{\"cores\":4", "{\"cores\":-4",
     "machine.cores: a whole number from 0 to 2147483647 is needed, not -4"},
    {"{\"cores\":4", "{\"cores\":4.5",
     "machine.cores: a whole number from 0 to 2147483647 is needed, not 4.5"},
    {"{\"cores\":4", "{\"cores\":4e9",
     "machine.cores: a whole number from 0 to 2147483647 is needed, not 4000000000"},
    {"\"id\":\"cpu\"", "\"id\":null", "machine.devices[0].id: a string is needed, not null"},
    {"\"kind\":\"cpu\"", "\"kind\":\"fpga\"",
     "machine.devices[0].kind: \"fpga\" is not known here; known: cpu gpu other"},
    {"\"absent\":[]", "\"absent\":[3]", "machine.absent[0]: an object is needed, not a number"},
    {"{\"seed\":\"1", "{\"seed\":\"x",
     "environment.seed: a whole number of 0 or more is needed, "
     "not a string"},
    {"{\"seed\":\"1", "{\"seed\":\"91",
     "environment.seed: a whole number of 0 or more is needed, "
     "not a string"},
    {"\"environment\":{\"seed\":\"18446744073709551615\"}", "\"environment\":7",
     "environment: an object is needed, not a number"},
    {"\"partial\":false", "\"partial\":null", "partial: true or false is needed, not null"},
    {"\"partial\":false", "\"partial\":0", "partial: true or false is needed, not a number"},
    {"\"partial\":false", "\"quick\":\"yes\"", "quick: true or false is needed, not a string"},
    {"\"workload\":\"power\",\"size\"", "\"size\"",
     "results[0].workload: is missing: a string is needed"},
    {"\"size\":1000", "\"size\":-1",
     "results[0].size: a whole number of 0 or more is needed, not -1"},
    {"\"size\":1000", "\"size\":1e20",
     "results[0].size: a whole number of 0 or more is needed, not 1e+20"},
    {"\"placement\":\"host\"", "\"placement\":7",
     "results[0].placement: a string is needed, not a number"},
    {"\"status\":\"ok\"", "\"status\":\"fine\"",
     "results[0].status: \"fine\" is not known here; known: ok absent skipped wrong impossible "
     "failed"},
    {"\"size\":1000", "\"size\":1,\"as_written\":1",
     "results[0].as_written: true or false is needed, not a number"},
    {"\"size\":1000", "\"size\":1,\"as_written\":\"true\"",
     "results[0].as_written: true or false is needed, not a string"},
    {"\"size\":1000", "\"size\":1,\"parameters\":[\"order\"]",
     "results[0].parameters: a string or null is needed, not a list"},
    {"1e-8", "1e999", "results[0].residual: a number or null is needed, not one too large"},
    {"1e-8", "true", "results[0].residual: a number or null is needed, not true or false"},
    {PHASES, "\"phases\":[]", "results[0].phases: an object is needed, not a list"},
    {"\"first\":null", "\"first\":\"x\"",
     "results[0].phases.first: an object is needed, not a string"},
    {"0.5", "\"0.5\"",
     "results[0].phases.total.median_s: a number or null is needed, not a string"},
    {"\"stop\":\"precise\"", "\"stop\":\"bored\"",
     "results[0].phases.total.stop: \"bored\" is not known here; known: null precise stable budget "
     "cancelled once"},
    {PHASES, "\"passes\":{}", "results[0].passes: a list is needed, not an object"},
    {PHASES, "\"passes\":[{},{},{},{},{}]", "results[0].passes: 5 are too many: at most 4"},
    {PHASES, "\"passes\":[{\"name\":1}]",
     "results[0].passes[0].name: a string is needed, not a number"},
    {"\"from\"", "\"soon\"",
     "breakevens[0].status: \"soon\" is not known here; known: always from never between close"},
    {"\"device\":\"cuda:0\"", "\"device\":\"cuda:0\",\"as_written\":\"no\"",
     "breakevens[0].as_written: true or false is needed, not a string"},
    {"\"device\":\"cuda:0\"", "\"device\":\"cuda:0\",\"dtype\":32",
     "breakevens[0].dtype: a string is needed, not a number"},
    {"[\"one\"]", "[\"one\",2]", "remarks[1]: a string is needed, not a number"},
    {"]}\n", "]} {}", "line 6: more text after the end"},
    {"\"size\":1000", "\"size\":NaN",
     "line 4: not JSON: damaged, cut short, or a comma or a quote is amiss"},
};

static void expect_refused(const char *text, size_t length, const char *message) {
    char expected[600];
    struct be_comparison comparison;
    struct be_error error = {0};
    snprintf(expected, sizeof expected, "results.json: %s", message);
    assert_int_equal(read_text(text, length, &comparison, &error), BE_USAGE);
    assert_string_equal(error.text, expected);
    assert_null(comparison.result);
    assert_int_equal(comparison.results, 0);
}

static void test_good(void **state) {
    (void)state;
    struct be_comparison all;
    struct be_error error = {0};
    assert_int_equal(read_text(good, strlen(good), &all, &error), BE_OK);
    assert_int_equal(all.results, 2);
    assert_true(all.environment.seed == UINT64_MAX);
    assert_true(isnan(all.machine.memory_bytes) && isnan(all.environment.cpu_hz));
    assert_true(isnan(all.result[1].joules) && all.result[1].threads == 0);
    assert_true(isnan(all.result[1].phase[BE_FIRST].median_s));
    assert_true(isnan(all.result[1].phase[BE_WORK].hi_s));
    assert_true(all.result[1].phase[BE_TOTAL].median_s == 0.5);
    assert_true(isnan(all.breakeven[0].from));
    /* As a file has them that was written before there were such fields. */
    assert_false(all.result[0].as_written || all.breakeven[0].as_written);
    assert_string_equal(all.result[0].parameters, "");
    assert_string_equal(all.result[0].size_name, "size");
    assert_false(all.quick);
    assert_string_equal(all.breakeven[0].dtype, "float32");
    assert_string_equal(all.remark[0], "one");
    be_comparison_free(&all);
}

static void test_damaged(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(damages); i++) {
        const struct damage *damage = &damages[i];
        struct be_text text = damaged_text(good, damage->from, damage->to);
        expect_refused(text.data, text.length, damage->message);
        be_text_free(&text);
    }
    expect_refused("", 0, "is empty");
    expect_refused("[]", 2, "an object is needed, not a list");
    expect_refused("\x7f"
                   "ELF",
                   4, "line 1: not JSON: damaged, cut short, or a comma or a quote is amiss");
}

/* Cut after every byte: only the whole is read, with or without its last newline. */
static void test_truncated(void **state) {
    (void)state;
    for (size_t length = 1; length < strlen(good) - 1; length++) {
        struct be_comparison all;
        struct be_error error = {0};
        assert_int_equal(read_text(good, length, &all, &error), BE_USAGE);
    }
}

/* ---- large input ---------------------------------------------------------------------------- */

static void test_long_string_is_cut(void **state) {
    (void)state;
    struct be_text text = {0};
    be_text_add(&text, "{\"schema\":\"breakeven/1\",\"command\":\"compare\",\"results\":[],"
                       "\"machine\":{\"host\":\"x");
    for (int i = 0; i < 50000; i++) {
        be_text_add(&text, "\xc2\xb1");
    }
    be_text_add(&text, "\"}}");
    struct be_comparison all;
    struct be_error error = {0};
    assert_int_equal(read_text(text.data, text.length, &all, &error), BE_OK);
    assert_int_equal(strlen(all.machine.host), BE_NAME - 1);
    assert_memory_equal(all.machine.host + BE_NAME - 3, "\xc2\xb1", 3);
    be_comparison_free(&all);
    be_text_free(&text);
}

static void many(struct be_text *text, const char *before, const char *item, int count,
                 const char *after) {
    be_text_add(text, "{\"schema\":\"breakeven/1\",\"command\":\"compare\",%s[", before);
    for (int i = 0; i < count; i++) {
        be_text_add(text, "%s%s", i ? "," : "", item);
    }
    be_text_add(text, "]%s}", after);
}

static void test_many(void **state) {
    (void)state;
    struct be_text text = {0};
    many(&text, "\"machine\":{},\"results\":", "{}", 1000001, "");
    expect_refused(text.data, text.length, "results: 1000001 are too many: at most 1000000");
    be_text_free(&text);
    many(&text, "\"machine\":{},\"results\":", "{}", 900000, "");
    expect_refused(text.data, text.length, "results[0].workload: is missing: a string is needed");
    be_text_free(&text);
    many(&text, "\"results\":[],\"machine\":{\"devices\":", "{}", 17, "}");
    expect_refused(text.data, text.length, "machine.devices: 17 are too many: at most 16");
    be_text_free(&text);
    many(&text, "\"results\":", "[[[[[[[[[[", 1000, "");
    struct be_comparison all;
    struct be_error error = {0};
    assert_int_equal(read_text(text.data, text.length, &all, &error), BE_USAGE);
    be_text_free(&text);
    for (int i = 0; i < 70; i++) {
        be_text_add(&text, "%*s", 1 << 20, "");
    }
    expect_refused(text.data, text.length, "has more than 64 MiB: not a result of breakeven");
    be_text_free(&text);
}

static void test_not_a_file(void **state) {
    (void)state;
    FILE *folder = fopen("/", "r");
    assert_non_null(folder);
    struct be_comparison all;
    struct be_error error = {0};
    assert_int_equal(be_comparison_read(folder, "/", &all, &error), BE_IO);
    assert_string_equal(error.text, "/: is a folder; name a file in it");
    fclose(folder);
}

static void test_full_disk(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        skip();
    }
    struct be_comparison all = {0};
    struct be_error error = {0};
    assert_int_equal(be_comparison_write(&all, BE_JSON, full, &error), BE_IO);
    assert_string_equal(error.text, "write results: No space left on device");
    fclose(full);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_cut_character),
        cmocka_unit_test(test_words_of_truth),
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_long_string_is_cut),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_not_a_file),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
