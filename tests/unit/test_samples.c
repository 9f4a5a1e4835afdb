/*
 * Calls that another program makes: timed in turn, and made into a comparison, as structs and as JSON.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "assert_near.h"
#include "base/error.h"
#include "breakeven_samples.h"
#include "breakeven_text.h"

static struct be_error error;

static void check(enum be_status status) {
    if (status != BE_OK) {
        fail_msg("%s", error.text);
    }
}

static void expect(enum be_status status, enum be_status expected, const char *words) {
    assert_int_equal(status, expected);
    if (!strstr(error.text, words)) {
        fail_msg("\"%s\" is not in \"%s\"", words, error.text);
    }
}

/* ---- in turn -------------------------------------------------------------------------------- */

enum { WAYS = 3, LOGGED = 100000 };

/* Ways whose calls take a known time, without anybody waiting for it. */
struct pretended {
    double call_s[WAYS];
    long calls[WAYS];
    int fails_after[WAYS]; /* batches; 0: it does not */
    int order[LOGGED], asked;
    int cancelled_after;
};

static double pretend(void *context, int way, long calls) {
    struct pretended *p = context;
    if (p->asked < LOGGED) {
        p->order[p->asked++] = way;
    }
    if (p->fails_after[way] && --p->fails_after[way] == 0) {
        return -1;
    }
    p->calls[way] += calls;
    return p->call_s[way] * (double)calls;
}

static bool is_cancelled(void *context) {
    const struct pretended *p = context;
    return p->cancelled_after && p->asked > p->cancelled_after;
}

static void each_way_has_its_time(void **state) {
    (void)state;
    struct pretended p = {.call_s = {1e-5, 2e-3, 0.3}};
    struct be_taken taken[WAYS];
    const struct be_turn_options options = {.budget_s = 1e-3, .context = &p};
    check(be_time_in_turn(pretend, WAYS, &options, taken, &error));
    for (int i = 0; i < WAYS; i++) {
        assert_near(taken[i].summary.median_s, p.call_s[i]);
        assert_true(taken[i].samples >= 10 && !taken[i].failed);
        assert_int_equal(taken[i].summary.n, taken[i].samples);
    }
    assert_in_range(taken[0].batch, 100, 101); /* samples of 1 ms */
    assert_int_equal(taken[1].batch, 1);
    assert_int_equal(taken[2].batch, 1);
    be_taken_free(taken, WAYS);
    assert_null(taken[0].seconds);
}

/* Rounds go forward and back, so that what drifts drifts for all. */
static void rounds_go_forward_and_back(void **state) {
    (void)state;
    struct pretended p = {.call_s = {0.1, 0.1, 0.1}};
    struct be_taken taken[WAYS];
    const struct be_turn_options options = {.budget_s = 1e-3, .context = &p};
    check(be_time_in_turn(pretend, WAYS, &options, taken, &error));
    be_taken_free(taken, WAYS);
    const int *order = p.order + WAYS; /* after each was called for its batch */
    const int expected[] = {0, 1, 2, 2, 1, 0, 0, 1, 2};
    assert_memory_equal(order, expected, sizeof expected);
}

static void a_failing_way_ends_alone(void **state) {
    (void)state;
    struct pretended p = {.call_s = {0.1, 0.1, 0.1}, .fails_after = {0, 4, 1}};
    struct be_taken taken[WAYS];
    const struct be_turn_options options = {.budget_s = 1e-3, .context = &p};
    check(be_time_in_turn(pretend, WAYS, &options, taken, &error));
    assert_true(!taken[0].failed && taken[1].failed && taken[2].failed);
    assert_true(taken[0].samples >= 10);
    assert_int_equal(taken[1].samples, 2);
    assert_int_equal(taken[2].samples, 0);
    be_taken_free(taken, WAYS);
}

static void the_caller_can_stop_it(void **state) {
    (void)state;
    struct pretended p = {.call_s = {0.1, 0.1, 0.1}, .cancelled_after = 9};
    struct be_taken taken[WAYS];
    const struct be_turn_options options = {.cancelled = is_cancelled, .context = &p};
    check(be_time_in_turn(pretend, WAYS, &options, taken, &error));
    assert_int_equal(taken[0].summary.stop, BE_STOP_CANCELLED);
    assert_in_range(taken[0].samples, 2, 3);
    be_taken_free(taken, WAYS);
    expect(be_time_in_turn(NULL, WAYS, &options, taken, &error), BE_USAGE, "no function");
    expect(be_time_in_turn(pretend, 0, &options, taken, &error), BE_USAGE, "at least one way");
}

/* ---- a comparison --------------------------------------------------------------------------- */

enum { SIZES = 3, SAMPLES = 20 };

/* The device takes 10 us and 1 ns an element, the CPU 3 ns an element: it gets ahead at 5000. */
struct made {
    struct be_sampled sampled[2 * SIZES];
    double seconds[2 * SIZES][SAMPLES];
    struct be_comparison comparison;
};

static struct made *make(void) {
    static const uint64_t size[SIZES] = {1000, 10000, 100000};
    struct made *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->comparison.machine.devices = 2;
    strcpy(m->comparison.machine.device[0].id, "cpu");
    strcpy(m->comparison.machine.device[1].id, "cuda:0");
    m->comparison.machine.device[1].kind = BE_KIND_GPU;
    for (int i = 0; i < 2 * SIZES; i++) {
        const bool cpu = i % 2 == 0;
        struct be_sampled *s = &m->sampled[i];
        struct be_result *r = &s->result;
        s->round = 1 + i / 2;
        strcpy(r->workload, "mine");
        strcpy(r->variant, cpu ? "numpy" : "cupy");
        strcpy(r->dtype, "float64");
        strcpy(r->device, cpu ? "cpu" : "cuda:0");
        strcpy(r->size_name, "size");
        r->size = size[i / 2];
        r->placement = cpu ? BE_HOST : BE_RESIDENT;
        r->threads = cpu ? 4 : 0;
        r->code = BE_CODE_LIBRARY;
        r->phase[BE_TOTAL].stop = BE_STOP_PRECISE;
        r->limit_s = NAN;
        for (int k = 0; k < SAMPLES; k++) {
            const double n = (double)r->size;
            m->seconds[i][k] = (cpu ? 3e-9 * n : 10e-6 + 1e-9 * n) * (1 + 1e-4 * k);
        }
        s->seconds[BE_TOTAL] = m->seconds[i];
        s->samples[BE_TOTAL] = SAMPLES;
    }
    return m;
}

static enum be_status compare(struct made *m, uint64_t *narrows) {
    return be_comparison_of_samples(m->sampled, 2 * SIZES, &m->comparison, narrows, &error);
}

static void samples_become_break_evens(void **state) {
    (void)state;
    struct made *m = make();
    uint64_t narrows = 0;
    check(compare(m, &narrows));
    const struct be_comparison *c = &m->comparison;
    assert_int_equal(c->results, 2 * SIZES);
    assert_near(c->result[0].phase[BE_TOTAL].median_s, 3e-6 * (1 + 1e-4 * 9.5));
    assert_int_equal(c->result[0].phase[BE_TOTAL].stop, BE_STOP_PRECISE);
    assert_int_equal(c->breakevens, 1);
    const struct be_breakeven *even = &c->breakeven[0];
    assert_int_equal(even->status, BE_EVEN_FROM);
    assert_true(even->from > 3000 && even->from < 7000);
    assert_true(even->lo == 1000 && even->hi == 10000);
    assert_int_equal(even->threads, 4);
    assert_string_equal(even->device, "cuda:0");
    assert_in_range(narrows, 2000, 5000); /* between the two */
    be_comparison_free(&m->comparison);
    free(m);
}

static void a_result_below_its_limit_is_impossible(void **state) {
    (void)state;
    struct made *m = make();
    m->sampled[5].result.limit_s = 1e-3; /* it took 0.11 ms */
    check(compare(m, NULL));
    assert_int_equal(m->comparison.result[5].status, BE_RESULT_IMPOSSIBLE);
    assert_non_null(strstr(m->comparison.result[5].note, "faster than the hardware allows"));
    be_comparison_free(&m->comparison);
    free(m);
}

static void a_wrong_result_does_not_count(void **state) {
    (void)state;
    struct made *m = make();
    m->sampled[3].result.status = m->sampled[5].result.status = BE_RESULT_WRONG;
    check(compare(m, NULL));
    assert_int_equal(m->comparison.breakeven[0].status, BE_EVEN_NEVER);
    assert_non_null(strstr(m->comparison.breakeven[0].why, "no right result at"));
    be_comparison_free(&m->comparison);
    free(m);
}

static void what_makes_no_sense_is_said(void **state) {
    (void)state;
    struct made *m = make();
    strcpy(m->sampled[1].result.device, "cuda:7");
    expect(compare(m, NULL), BE_USAGE, "lists no device cuda:7");
    free(m);
    m = make();
    m->sampled[1].result.placement = BE_HOST;
    expect(compare(m, NULL), BE_USAGE, "placement host is for device cpu");
    free(m);
    m = make();
    m->sampled[1].samples[BE_TOTAL] = 0;
    expect(compare(m, NULL), BE_USAGE, "needs samples");
    free(m);
    m = make();
    m->seconds[1][3] = -1;
    expect(compare(m, NULL), BE_USAGE, "-1 is no time");
    free(m);
    m = make();
    m->sampled[1].round = 3;
    m->sampled[5].round = 3;
    expect(compare(m, NULL), BE_USAGE, "one size a round");
    free(m);
    m = make();
    m->sampled[0].round = 0;
    expect(compare(m, NULL), BE_USAGE, "rounds count from 1");
    free(m);
}

/* ---- as texts ------------------------------------------------------------------------------- */

static const char json[] =
    "{\"machine\":{\"cpu\":\"C\",\"cores\":4,\"cores_allowed\":4,\"devices\":["
    "{\"id\":\"cpu\",\"kind\":\"cpu\"},{\"id\":\"torch\",\"name\":\"PyTorch\",\"kind\":\"cpu\"}]},"
    "\"environment\":{},\"remarks\":[\"a remark\"],\"results\":["
    "{\"workload\":\"mine\",\"variant\":\"numpy\",\"dtype\":\"float32\",\"size\":10,\"round\":1,"
    "\"device\":\"cpu\",\"threads\":4,\"placement\":\"host\",\"status\":\"ok\","
    "\"samples\":{\"total\":[2e-3,2e-3,2e-3,2e-3,2e-3,2e-3]}},"
    "{\"workload\":\"mine\",\"variant\":\"torch\",\"dtype\":\"float32\",\"size\":10,\"round\":1,"
    "\"device\":\"torch\",\"placement\":\"resident\",\"status\":\"ok\","
    "\"samples\":{\"total\":[1e-3,1e-3,1e-3,1e-3,1e-3,1e-3],\"first\":[0.5]}}]}";

static void json_becomes_any_format(void **state) {
    (void)state;
    static const char *const has[] = {[BE_TEXT] = "always",
                                      [BE_JSON] = "\"status\":\"always\"",
                                      [BE_CSV] = "mine,",
                                      [BE_SVG] = "<svg"};
    for (size_t format = 0; format < BE_COUNT(has); format++) {
        char *text = NULL;
        if (!has[format]) {
            continue;
        }
        check(be_samples_string(json, "a test", (enum be_format)format, &text, NULL, &error));
        if (!strstr(text, has[format])) {
            fail_msg("%s", text);
        }
        be_string_free(text);
    }
}

static void bad_json_is_said(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "a test"},
        {"[]", "an object is needed"},
        {"{}", "results"},
        {"{\"results\":[{}]}", "workload"},
        {"{\"results\":[{\"workload\":\"x\",\"size\":1,\"device\":\"cpu\",\"placement\":\"host\","
         "\"status\":\"ok\"}]}",
         "round"},
        {"{\"results\":[{\"workload\":\"x\",\"size\":1,\"device\":\"cpu\",\"placement\":\"host\","
         "\"status\":\"ok\",\"round\":1,\"samples\":{\"total\":[\"1\"]}}]}",
         "total: a list of seconds is needed"},
        {"{\"results\":[{\"workload\":\"x\",\"size\":1,\"device\":\"cpu\",\"placement\":\"host\","
         "\"status\":\"ok\",\"round\":1,\"samples\":{\"total\":7}}]}",
         "total: a list of seconds is needed"},
    };
    for (size_t i = 0; i < BE_COUNT(bad); i++) {
        char *text = (char *)"";
        expect(be_samples_string(bad[i].text, "a test", BE_JSON, &text, NULL, &error), BE_USAGE,
               bad[i].words);
        assert_null(text);
    }
}

/* A saved comparison goes through a text unchanged; what is none is refused. */
static void saved_results_as_texts(void **state) {
    (void)state;
    char *first = NULL, *again = NULL, *none = NULL;
    check(be_samples_string(json, "a test", BE_JSON, &first, NULL, &error));
    check(be_saved_string(first, "saved", BE_JSON, &again, &error));
    assert_string_equal(first, again);
    expect(be_saved_string("", "saved", BE_JSON, &none, &error), BE_USAGE, "saved: it is empty");
    expect(be_saved_string("{}", "saved", BE_JSON, &none, &error), BE_USAGE, "schema");
    expect(be_saved_string(first, "saved", BE_PNG, &none, &error), BE_USAGE, "no picture");
    assert_null(none);
    be_string_free(first);
    be_string_free(again);
    be_string_free(NULL);
}

static void fields_are_described(void **state) {
    (void)state;
    char *text = NULL;
    check(be_fields_string("comparison", &text, &error));
    assert_non_null(strstr(text, "\"name\":\"median_s\",\"kind\":\"real\""));
    assert_non_null(strstr(text, "\"words\":[\"host\",\"copy\",\"preload\",\"resident\"]"));
    be_string_free(text);
    check(be_fields_string("profile", &text, &error));
    assert_non_null(strstr(text, "\"figures\""));
    be_string_free(text);
    expect(be_fields_string("nothing", &text, &error), BE_USAGE, "there are comparison, profile");
    check(be_machine_string(&text, &error));
    assert_non_null(strstr(text, "\"cores_allowed\""));
    assert_non_null(strstr(text, "\"environment\""));
    be_string_free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_has_its_time),
        cmocka_unit_test(rounds_go_forward_and_back),
        cmocka_unit_test(a_failing_way_ends_alone),
        cmocka_unit_test(the_caller_can_stop_it),
        cmocka_unit_test(samples_become_break_evens),
        cmocka_unit_test(a_result_below_its_limit_is_impossible),
        cmocka_unit_test(a_wrong_result_does_not_count),
        cmocka_unit_test(what_makes_no_sense_is_said),
        cmocka_unit_test(json_becomes_any_format),
        cmocka_unit_test(bad_json_is_said),
        cmocka_unit_test(saved_results_as_texts),
        cmocka_unit_test(fields_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
