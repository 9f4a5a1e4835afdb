/*
 * Times of other machines beside those measured here: which they are at a size, what is foretold, from which size a
 * machine elsewhere stays ahead, and files that come back as they went.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assert_near.h"
#include "base/error.h"
#include "elsewhere/elsewhere.h"

enum { ROWS = 16 };

static struct be_result row(uint64_t size, enum be_placement placement, double median_s,
                            double spread) {
    struct be_result r = {.size = size,
                          .code = BE_CODE_PLAIN,
                          .placement = placement,
                          .cache = BE_COLD,
                          .status = BE_RESULT_OK,
                          .bytes = 8.0 * (double)size,
                          .operations = 1.0 * (double)size};
    const bool host = placement == BE_HOST;
    be_copy_text(r.workload, sizeof r.workload, "scale");
    be_copy_text(r.variant, sizeof r.variant, "plain");
    be_copy_text(r.dtype, sizeof r.dtype, "float32");
    be_copy_text(r.size_name, sizeof r.size_name, "size");
    be_copy_text(r.device, sizeof r.device, host ? "cpu" : "cuda:0");
    r.threads = host ? 4 : 0;
    r.phase[BE_TOTAL] = (struct be_summary){.n = 20,
                                            .median_s = median_s,
                                            .lo_s = median_s * (1 - spread),
                                            .hi_s = median_s * (1 + spread)};
    r.phase[BE_FIRST].median_s = NAN;
    return r;
}

static struct be_device_info device(const char *id, enum be_kind kind, const char *name) {
    struct be_device_info info = {
        .kind = kind, .memory_bytes = NAN, .cache_bytes = NAN, .clock_hz = NAN};
    be_copy_text(info.id, sizeof info.id, id);
    be_copy_text(info.backend, sizeof info.backend, kind == BE_KIND_CPU ? "cpu" : "cuda");
    be_copy_text(info.name, sizeof info.name, name);
    return info;
}

/* A machine with a GPU; its rows are the caller's. */
static struct be_results machine_of(struct be_result *rows, size_t count) {
    struct be_results there = {.origin = BE_ORIGIN_ELSEWHERE, .result = rows, .results = count};
    be_copy_text(there.name, sizeof there.name, "big");
    be_copy_text(there.environment.date, sizeof there.environment.date, "2026-11-25T10:00:00Z");
    there.machine.device[there.machine.devices++] = device("cpu", BE_KIND_CPU, "a CPU");
    there.machine.device[there.machine.devices++] = device("cuda:0", BE_KIND_GPU, "a GPU");
    return there;
}

static struct be_times_key key_of(const struct be_result *like) {
    return (struct be_times_key){
        .like = like, .placement = BE_RESIDENT, .cache = BE_COLD, .callable = false};
}

static void measured_sizes_are_taken_as_they_are(void **state) {
    (void)state;
    struct be_result rows[] = {row(100, BE_RESIDENT, 2e-5, 0.1), row(1000, BE_RESIDENT, 3e-5, 0.1)};
    const struct be_results there = machine_of(rows, 2);
    const struct be_times_key key = key_of(&rows[0]);
    struct be_time time;
    assert_true(be_times_at(&there, &key, 1000, &time));
    assert_false(time.between);
    assert_true(time.median_s == 3e-5 && time.of == &rows[1]);
    assert_true(time.lo_s == rows[1].phase[BE_TOTAL].lo_s);
}

/* A power law is a straight line, so nothing is wider than its ends are. */
static void a_power_law_is_met_between_sizes(void **state) {
    (void)state;
    struct be_result rows[4];
    const uint64_t size[] = {100, 1000, 10000, 100000};
    for (int i = 0; i < 4; i++) {
        rows[i] = row(size[i], BE_RESIDENT, 1e-8 * pow((double)size[i], 1.5), 0.01);
    }
    const struct be_results there = machine_of(rows, 4);
    const struct be_times_key key = key_of(&rows[0]);
    struct be_time time;
    assert_true(be_times_at(&there, &key, 3000, &time));
    assert_true(time.between);
    assert_near(time.median_s, 1e-8 * pow(3000, 1.5));
    assert_near(time.lo_s / time.median_s, 0.99);
    assert_near(time.hi_s / time.median_s, 1.01);
}

/* A floor of 10 us and then growth: the line between is off, and the interval says so. */
static void a_bend_is_within_the_interval(void **state) {
    (void)state;
    struct be_result rows[5];
    const uint64_t size[] = {100, 1000, 10000, 100000, 1000000};
    for (int i = 0; i < 5; i++) {
        rows[i] = row(size[i], BE_RESIDENT, 1e-5 + 1e-9 * (double)size[i], 0.01);
    }
    const struct be_results there = machine_of(rows, 5);
    const struct be_times_key key = key_of(&rows[0]);
    for (uint64_t at = 1100; at < 100000; at += 1300) {
        struct be_time time;
        const double truth = 1e-5 + 1e-9 * (double)at;
        assert_true(be_times_at(&there, &key, at, &time));
        assert_true(time.lo_s <= truth && truth <= time.hi_s);
    }
}

static void nothing_is_foretold_beyond_what_was_measured(void **state) {
    (void)state;
    struct be_result rows[] = {row(100, BE_RESIDENT, 2e-5, 0.1), row(1000, BE_RESIDENT, 3e-5, 0.1)};
    const struct be_results there = machine_of(rows, 2);
    struct be_times_key key = key_of(&rows[0]);
    struct be_time time;
    assert_false(be_times_at(&there, &key, 1001, &time));
    assert_false(be_times_at(&there, &key, 99, &time));
    key.placement = BE_COPY;
    assert_false(be_times_at(&there, &key, 500, &time));
    struct be_result other = rows[0];
    be_copy_text(other.parameters, sizeof other.parameters, "order 32");
    key = key_of(&other);
    assert_false(be_times_at(&there, &key, 500, &time));
}

static void code_that_nobody_can_have_is_left_out(void **state) {
    (void)state;
    struct be_result rows[] = {row(100, BE_RESIDENT, 2e-5, 0.1), row(100, BE_RESIDENT, 5e-5, 0.1)};
    rows[0].code = BE_CODE_EXPERT;
    const struct be_results there = machine_of(rows, 2);
    struct be_times_key key = key_of(&rows[0]);
    struct be_time time;
    assert_true(be_times_at(&there, &key, 100, &time) && time.median_s == 2e-5);
    key.callable = true;
    assert_true(be_times_at(&there, &key, 100, &time) && time.median_s == 5e-5);
}

static void the_worst_ends_make_the_ratio(void **state) {
    (void)state;
    const struct be_time there = {2, 1.8, 2.2, NULL, false, false},
                         here = {4, 3, 5, NULL, false, false};
    const struct be_ratio ratio = be_times_ratio(&there, &here);
    assert_near(ratio.median, 0.5);
    assert_near(ratio.lo, 1.8 / 5);
    assert_near(ratio.hi, 2.2 / 3);
    assert_int_equal(ratio.verdict, BE_FASTER);
    const struct be_time wide = {2, 0.5, 6, NULL, false, false},
                         unknown = {2, NAN, NAN, NULL, false, false};
    assert_int_equal(be_times_ratio(&wide, &here).verdict, BE_TOO_CLOSE);
    assert_int_equal(be_times_ratio(&unknown, &here).verdict, BE_TOO_CLOSE);
    assert_int_equal(be_times_ratio(&here, &there).verdict, BE_SLOWER);
}

/* ---- beside a comparison made here ---------------------------------------------------------- */

/* The CPU here takes a nanosecond an element. */
static struct be_comparison comparison_here(void) {
    struct be_comparison here = {.results = 5};
    here.result = calloc(here.results, sizeof *here.result);
    assert_non_null(here.result);
    for (size_t i = 0; i < here.results; i++) {
        const uint64_t size = (uint64_t)pow(10, (double)(3 + i));
        here.result[i] = row(size, BE_HOST, 1e-9 * (double)size, 0.01);
    }
    here.machine.device[here.machine.devices++] = device("cpu", BE_KIND_CPU, "a CPU");
    return here;
}

/* 10 us, and a tenth of the CPU's time an element: even at 1.11e4 elements. */
static size_t rows_there(struct be_result rows[ROWS]) {
    size_t count = 0;
    for (int i = 0; i < 7; i++) {
        const double size = pow(10, 2.5 + i);
        rows[count++] = row((uint64_t)size, BE_RESIDENT, 1e-5 + 1e-10 * size, 0.01);
    }
    return count;
}

static void a_machine_elsewhere_gets_a_breakeven(void **state) {
    (void)state;
    struct be_result rows[ROWS];
    struct be_comparison here = comparison_here();
    const struct be_results there = machine_of(rows, rows_there(rows));
    struct be_error error = {0};
    assert_int_equal(be_comparison_add_results(&here, &there, &error), BE_OK);
    assert_int_equal(here.machine.devices, 2);
    assert_int_equal(here.machine.device[1].origin, BE_ORIGIN_ELSEWHERE);
    assert_int_equal(here.results, 10); /* each size here, once */
    assert_int_equal(here.breakevens, 1);
    const struct be_breakeven *even = &here.breakeven[0];
    assert_string_equal(even->device, "big");
    assert_int_equal(even->status, BE_EVEN_FROM);
    assert_true(even->lo <= 1.11e4 && 1.11e4 <= even->hi);
    for (size_t i = 5; i < here.results; i++) {
        assert_non_null(strstr(here.result[i].note, "between two sizes"));
        assert_true(isnan(here.result[i].residual)); /* nobody checked it here */
    }
    assert_int_equal(be_comparison_add_results(&here, &there, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "named twice"));
    be_comparison_free(&here);
}

static void a_workload_not_measured_there_is_said(void **state) {
    (void)state;
    struct be_result rows[ROWS];
    struct be_comparison here = comparison_here();
    const size_t count = rows_there(rows);
    for (size_t i = 0; i < count; i++) {
        be_copy_text(rows[i].workload, sizeof rows[i].workload, "other");
    }
    const struct be_results there = machine_of(rows, count);
    struct be_error error = {0};
    assert_int_equal(be_comparison_add_results(&here, &there, &error), BE_OK);
    assert_int_equal(here.breakevens, 0);
    assert_int_equal(here.remarks, 1);
    assert_non_null(strstr(here.remark[0], "big: not measured there"));
    assert_non_null(strstr(here.remark[0], "scale"));
    struct be_results another = there; /* which lacks the same: one line of both */
    be_copy_text(another.name, sizeof another.name, "small");
    assert_int_equal(be_comparison_add_results(&here, &another, &error), BE_OK);
    assert_int_equal(here.remarks, 1);
    assert_non_null(strstr(here.remark[0], "big, small: not measured there"));
    assert_non_null(strstr(here.remark[0], "scale"));
    be_comparison_free(&here);
}

/* Ended before anything was measured: each machine's times are added to none, and the room is freed once. */
static void nothing_measured_here_gets_nothing_beside_it(void **state) {
    (void)state;
    struct be_result rows[ROWS];
    struct be_comparison here = comparison_here();
    here.results = 0; /* the room is there, as `compare` leaves it */
    const struct be_results there = machine_of(rows, rows_there(rows));
    struct be_results other = there;
    be_copy_text(other.name, sizeof other.name, "other");
    struct be_error error = {0};
    assert_int_equal(be_comparison_add_results(&here, &there, &error), BE_OK);
    assert_int_equal(be_comparison_add_results(&here, &other, &error), BE_OK);
    assert_int_equal(here.results, 0);
    assert_int_equal(here.breakevens, 0);
    be_comparison_free(&here);
}

/* ---- compact, and as files ------------------------------------------------------------------ */

static void the_fastest_and_the_fastest_to_be_had_are_kept(void **state) {
    (void)state;
    struct be_comparison all = comparison_here();
    struct be_results kept;
    struct be_error error = {0};
    all.results = 4;
    for (size_t i = 0; i < 4; i++) {
        all.result[i] = row(1000, BE_RESIDENT, 1e-5 * (double)(i + 1), 0.01);
    }
    all.result[0].code = BE_CODE_EXPERT; /* the fastest */
    all.result[1].status = BE_RESULT_WRONG;
    all.machine.device[all.machine.devices++] = device("cuda:0", BE_KIND_GPU, "a GPU");
    be_copy_text(all.machine.host, sizeof all.machine.host, "secret");
    assert_int_equal(be_results_of(&all, "big", &kept, &error), BE_OK);
    assert_int_equal(kept.results, 2); /* not the wrong one, nor the slowest */
    assert_near(kept.result[0].phase[BE_TOTAL].median_s, 1e-5);
    assert_near(kept.result[1].phase[BE_TOTAL].median_s, 3e-5);
    assert_string_equal(kept.machine.host, "");
    be_results_free(&kept);
    assert_int_equal(be_results_of(&all, "a/b", &kept, &error), BE_USAGE);
    all.results = 0;
    assert_int_equal(be_results_of(&all, "big", &kept, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "no time came out right"));
    be_comparison_free(&all);
}

static void a_file_comes_back_as_it_went(void **state) {
    (void)state;
    struct be_result rows[ROWS];
    struct be_results back, there = machine_of(rows, rows_there(rows));
    struct be_error error = {0};
    char *text = NULL;
    size_t length = 0;
    rows[2].phase[BE_TOTAL].lo_s = rows[2].phase[BE_TOTAL].hi_s = NAN; /* of one sample */
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(be_results_write(&there, out, &error), BE_OK);
    fclose(out);
    FILE *in = fmemopen(text, length, "r");
    assert_int_equal(be_results_read(in, "file", &back, &error), BE_OK);
    fclose(in);
    assert_int_equal(back.results, there.results);
    for (size_t i = 0; i < back.results; i++) {
        const struct be_summary *a = &rows[i].phase[BE_TOTAL], *b = &back.result[i].phase[BE_TOTAL];
        assert_string_equal(back.result[i].workload, rows[i].workload);
        assert_int_equal(back.result[i].size, rows[i].size);
        assert_int_equal(back.result[i].code, rows[i].code);
        assert_true(a->median_s == b->median_s && a->n == b->n);
        assert_true(i == 2 ? isnan(b->lo_s) : a->lo_s == b->lo_s && a->hi_s == b->hi_s);
    }
    be_results_free(&back);
    free(text);
    there.origin = BE_ORIGIN_PREDICTED;
    assert_int_equal(be_results_write(&there, stdout, &error), BE_USAGE);
}

static void damaged_files_are_named(void **state) {
    (void)state;
    static const struct {
        const char *rows, *says;
    } bad[] = {
        {"\"columns\":[\"workload\"],\"rows\":[[\"a\",1]]", "rows[0]: a list with a value"},
        {"\"columns\":[\"workload\"]", "rows: is missing"},
        {"\"columns\":[\"workload\",\"size\",\"device\",\"placement\",\"cache\",\"median_s\"],"
         "\"rows\":[[\"a\",10,\"cuda:0\",\"copy\",\"hot\",-1]]",
         "median_s: a time from 1e-12"},
        {"\"columns\":[\"workload\",\"size\",\"device\",\"placement\",\"cache\",\"median_s\","
         "\"lo_s\"],\"rows\":[[\"a\",10,\"cuda:0\",\"copy\",\"hot\",1,2]]",
         "ascending"},
    };
    for (size_t i = 0; i < BE_COUNT(bad); i++) {
        char text[1024];
        struct be_results results;
        struct be_error error = {0};
        snprintf(text, sizeof text,
                 "{\"schema\":\"breakeven/1\",\"command\":\"results\",\"name\":\"x\","
                 "\"machine\":{\"devices\":[]},%s}",
                 bad[i].rows);
        FILE *in = fmemopen(text, strlen(text), "r");
        assert_int_equal(be_results_read(in, "file", &results, &error), BE_USAGE);
        fclose(in);
        assert_non_null(strstr(error.text, "file: "));
        assert_non_null(strstr(error.text, bad[i].says));
    }
}

/* ---- predicted ------------------------------------------------------------------------------ */

enum { FIGURES = 5 };

/* A data sheet whose rates are `part` of 1e13 operations/s, 1e12 bytes/s and a bus of 1e10 bytes/s. */
static struct be_profile sheet(struct be_figure figure[FIGURES], double part, double bus) {
    static const struct {
        const char *what, *dtype;
        double value;
    } rate[FIGURES] = {{"fma", "float32", 1e13},
                       {"fma", "float64", 5e12},
                       {"read", "", 1e12},
                       {"bus_in_pinned", "", 1e10},
                       {"bus_out_pinned", "", 1e10}};
    struct be_profile profile = {
        .source = BE_SOURCE_DATA_SHEET, .figure = figure, .figures = FIGURES};
    be_copy_text(profile.name, sizeof profile.name, "sheet");
    for (int i = 0; i < FIGURES; i++) {
        figure[i] = (struct be_figure){
            .bytes = NAN, .achievable = NAN, .value = rate[i].value * (i < 3 ? part : bus)};
        be_copy_text(figure[i].device, sizeof figure[i].device, "cuda:0");
        be_copy_text(figure[i].what, sizeof figure[i].what, rate[i].what);
        be_copy_text(figure[i].dtype, sizeof figure[i].dtype, rate[i].dtype);
    }
    profile.machine.device[profile.machine.devices++] = device("cuda:0", BE_KIND_GPU, "another");
    return profile;
}

static double foretold(const struct be_results *predicted, uint64_t size,
                       enum be_placement placement) {
    for (size_t i = 0; i < predicted->results; i++) {
        if (predicted->result[i].size == size && predicted->result[i].placement == placement) {
            return predicted->result[i].phase[BE_TOTAL].median_s;
        }
    }
    return NAN;
}

/* Launches stay as they are, work grows as memory is slower, copies as the bus is. */
static void times_grow_as_rates_are_lower(void **state) {
    (void)state;
    struct be_result rows[] = {row(1000, BE_RESIDENT, 1e-5, 0.01), row(1000, BE_COPY, 2e-5, 0.01),
                               row(1000000, BE_RESIDENT, 3e-5, 0.01),
                               row(1000000, BE_COPY, 13e-5, 0.01)};
    const struct be_results base = machine_of(rows, 4);
    struct be_figure from[FIGURES], to[FIGURES];
    const struct be_profile base_sheet = sheet(from, 1, 1);
    struct be_profile target = sheet(to, 0.5, 0.25);
    struct be_results predicted;
    struct be_error error = {0};
    assert_int_equal(be_results_scale(&base, &base_sheet, &target, &predicted, &error), BE_OK);
    assert_int_equal(predicted.origin, BE_ORIGIN_PREDICTED);
    assert_near(foretold(&predicted, 1000, BE_RESIDENT), 1e-5);
    assert_near(foretold(&predicted, 1000000, BE_RESIDENT), 1e-5 + 2 * 2e-5);
    assert_near(foretold(&predicted, 1000, BE_COPY), 2e-5);
    assert_near(foretold(&predicted, 1000000, BE_COPY), 5e-5 + 1e-5 + 4 * 9e-5);
    for (size_t i = 0; i < predicted.results; i++) {
        const struct be_summary *total = &predicted.result[i].phase[BE_TOTAL];
        assert_true(total->lo_s < total->median_s && total->median_s < total->hi_s);
    }
    be_results_free(&predicted);
    to[2].value = NAN;
    assert_int_equal(be_results_scale(&base, &base_sheet, &target, &predicted, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "memory bandwidth"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_sizes_are_taken_as_they_are),
        cmocka_unit_test(a_power_law_is_met_between_sizes),
        cmocka_unit_test(a_bend_is_within_the_interval),
        cmocka_unit_test(nothing_is_foretold_beyond_what_was_measured),
        cmocka_unit_test(code_that_nobody_can_have_is_left_out),
        cmocka_unit_test(the_worst_ends_make_the_ratio),
        cmocka_unit_test(a_machine_elsewhere_gets_a_breakeven),
        cmocka_unit_test(a_workload_not_measured_there_is_said),
        cmocka_unit_test(nothing_measured_here_gets_nothing_beside_it),
        cmocka_unit_test(the_fastest_and_the_fastest_to_be_had_are_kept),
        cmocka_unit_test(a_file_comes_back_as_it_went),
        cmocka_unit_test(damaged_files_are_named),
        cmocka_unit_test(times_grow_as_rates_are_lower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
