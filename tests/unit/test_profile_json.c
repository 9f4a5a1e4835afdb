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
#include "machine/profile.h"
#include "report/profile/profile.h"

/* ---- round trip ----------------------------------------------------------------------------- */

static const double awkward[] = {1.0 / 3, 4.25e12, 0x1.fffffffffffffp+78, 0x1p-49, 1e22 / 7};

static struct be_figure sample_figure(int i) {
    double value = awkward[(size_t)i % BE_COUNT(awkward)];
    struct be_figure figure = {.threads = i % 2 ? 16 : 0,
                               .bytes = i % 3 ? (double)i * 1024 : NAN,
                               /* awkward[1] and [2] are too long for a time */
                               .unit = i % 5 == 1 || i % 5 == 2 || i % 5 == 4
                                           ? (enum be_unit)(i % 2)
                                           : (enum be_unit)(2 + i % 3),
                               .source = (enum be_source)(i % BE_SOURCES),
                               .value = value * (1 + DBL_EPSILON),
                               .median = value,
                               .lo = value * (1 - DBL_EPSILON),
                               .hi = value * (1 + DBL_EPSILON),
                               .n = i,
                               .achievable = i % 2 ? 0.1 * 3 : NAN,
                               .date = "2026-11-20T21:14:03Z",
                               .method = "a \"chain\", of\nthings",
                               .note = "L2"};
    snprintf(figure.device, sizeof figure.device, "cuda:%d", i % 4);
    snprintf(figure.what, sizeof figure.what, "triad%d", i);
    snprintf(figure.dtype, sizeof figure.dtype, "%s", i % 2 ? "float64" : "");
    snprintf(figure.peer, sizeof figure.peer, "%s", i % 2 ? "" : "node 1");
    return figure;
}

static void fill(struct be_profile *profile) {
    *profile = (struct be_profile){.name = "gpu-17",
                                   .provenance = "measured at \xc3\x9cni",
                                   .source = BE_SOURCE_DATA_SHEET,
                                   .partial = true};
    profile->machine = (struct be_machine){.host = "gpu-17",
                                           .cpu = "Xeon",
                                           .cores = 64,
                                           .memory_bytes = 1.08e12 / 7,
                                           .cache_bytes = NAN,
                                           .devices = 1};
    profile->machine.device[0] = (struct be_device_info){.id = "cuda:0",
                                                         .kind = BE_KIND_GPU,
                                                         .memory_bytes = NAN,
                                                         .cache_bytes = NAN,
                                                         .clock_hz = 1.98e9};
    profile->environment = (struct be_environment){
        .date = "2026-11-20T21:14:03Z", .load_average = NAN, .steal = 0.1, .cpu_hz = NAN};
    for (int i = 0; i < 40; i++) {
        struct be_figure figure = sample_figure(i);
        assert_int_equal(be_profile_add_figure(profile, &figure, NULL), BE_OK);
    }
    struct be_fit fit = {"cuda:0", "bus_in_pinned", "cuda:1", 1e-6 / 3, 55e9 / 7,
                         1,        1 << 30,         0.01,     0.1 / 3,  31};
    struct be_fact fact = {"", "ecc", "on", 1.0 / 3};
    struct be_fact text = {"cuda:0", "driver", "580.65", NAN};
    struct be_finding finding = {"cuda:0", "pcie-narrow", "8 of 16 lanes", "ask"};
    assert_int_equal(be_profile_add_fit(profile, &fit, NULL), BE_OK);
    assert_int_equal(be_profile_add_fact(profile, &fact, NULL), BE_OK);
    assert_int_equal(be_profile_add_fact(profile, &text, NULL), BE_OK);
    assert_int_equal(be_profile_add_finding(profile, &finding, NULL), BE_OK);
    assert_int_equal(be_profile_add_remark(profile, "disk: not measured", NULL), BE_OK);
}

static enum be_status read_text(const char *text, size_t length, struct be_profile *profile,
                                struct be_error *error) {
    FILE *in = fmemopen((void *)(uintptr_t)text, length, "r");
    assert_non_null(in);
    enum be_status status = be_profile_read(in, "p.json", profile, error);
    fclose(in);
    return status;
}

static void assert_real(double a, double b) {
    assert_true((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0);
}

static void assert_figure(const struct be_figure *a, const struct be_figure *b) {
    assert_string_equal(a->device, b->device);
    assert_string_equal(a->what, b->what);
    assert_string_equal(a->dtype, b->dtype);
    assert_string_equal(a->peer, b->peer);
    assert_string_equal(a->date, b->date);
    assert_string_equal(a->method, b->method);
    assert_string_equal(a->note, b->note);
    assert_int_equal(a->threads, b->threads);
    assert_int_equal(a->unit, b->unit);
    assert_int_equal(a->source, b->source);
    assert_int_equal(a->n, b->n);
    assert_real(a->bytes, b->bytes);
    assert_real(a->value, b->value);
    assert_real(a->median, b->median);
    assert_real(a->lo, b->lo);
    assert_real(a->hi, b->hi);
    assert_real(a->achievable, b->achievable);
}

static void assert_rest(const struct be_profile *a, const struct be_profile *b) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->provenance, b->provenance);
    assert_int_equal(a->source, b->source);
    assert_int_equal(a->partial, b->partial);
    assert_string_equal(a->machine.cpu, b->machine.cpu);
    assert_real(a->machine.memory_bytes, b->machine.memory_bytes);
    assert_int_equal(a->machine.devices, b->machine.devices);
    assert_real(a->environment.steal, b->environment.steal);
    assert_real(a->environment.load_average, b->environment.load_average);
    assert_int_equal(a->fits, b->fits);
    assert_string_equal(a->fit[0].peer, b->fit[0].peer);
    assert_real(a->fit[0].latency_s, b->fit[0].latency_s);
    assert_real(a->fit[0].rate, b->fit[0].rate);
    assert_real(a->fit[0].worst_off, b->fit[0].worst_off);
    assert_int_equal(a->fit[0].points, b->fit[0].points);
    assert_int_equal(a->facts, b->facts);
    assert_real(a->fact[0].number, b->fact[0].number);
    assert_string_equal(a->fact[1].text, b->fact[1].text);
    assert_real(a->fact[1].number, b->fact[1].number);
    assert_int_equal(a->findings, b->findings);
    assert_string_equal(a->finding[0].advice, b->finding[0].advice);
    assert_int_equal(a->remarks, b->remarks);
    assert_string_equal(a->remark[0], b->remark[0]);
}

static void test_round_trip(void **state) {
    (void)state;
    struct be_profile written, read;
    struct be_error error = {0};
    fill(&written);
    struct be_text text = {0}, again = {0};
    be_profile_json(&written, &text);
    assert_int_equal(read_text(text.data, text.length, &read, &error), BE_OK);
    assert_int_equal(read.figures, written.figures);
    for (size_t i = 0; i < read.figures; i++) {
        assert_figure(&written.figure[i], &read.figure[i]);
    }
    assert_rest(&written, &read);
    be_profile_json(&read, &again);
    assert_string_equal(text.data, again.data);
    be_text_free(&text);
    be_text_free(&again);
    be_profile_free(&written);
    be_profile_free(&read);
}

/* ---- damaged files -------------------------------------------------------------------------- */

static const char good[] =
    "{\"schema\":\"breakeven/1\",\"command\":\"probe\",\"name\":\"n\",\"source\":\"measured\",\n"
    "\"machine\":{\"cores\":4,\"devices\":[{\"id\":\"cpu\",\"kind\":\"cpu\"}]},\"partial\":false,\n"
    "\"figures\":[\n"
    "{\"device\":\"cpu\",\"what\":\"copy\",\"threads\":4,\"unit\":\"bytes/s\","
    "\"source\":\"measured\",\"value\":3e10,\"median\":2.9e10,\"lo\":2.8e10,\"hi\":3.0e10,\"n\":9},"
    "\n"
    "{\"device\":\"cpu\",\"what\":\"triad\",\"threads\":4,\"bytes\":8,\"unit\":\"bytes/s\","
    "\"source\":\"measured\",\"value\":5e10}],\n"
    "\"fits\":[{\"device\":\"cuda:0\",\"what\":\"bus\",\"latency_s\":1e-6,\"rate\":5e10}]}\n";

static const struct damage damages[] = {
    {"breakeven/1", "breakeven/2",
     "schema: written by a newer version: \"breakeven/2\", and this one reads \"breakeven/1\"; "
     "update breakeven"},
    {"breakeven/1", "breakeven/0",
     "schema: \"breakeven/0\" was never published, \"breakeven/1\" is the oldest: damaged, or "
     "written by hand"},
    {"breakeven/1", "breakeven/x",
     "schema: \"breakeven/x\" cannot be read by this version, only \"breakeven/1\""},
    {"\"probe\"", "\"compare\"",
     "command: \"probe\" is needed, not \"compare\": the file holds a comparison, which "
     "`breakeven report` reads"},
    {"\"source\":\"measured\"", "\"source\":\"hearsay\"",
     "source: \"hearsay\" is not known here; known: measured data sheet"},
    {"\"figures\"", "\"figure\"", "figures: is missing: a list is needed"},
    {"\"bytes/s\"", "\"furlongs\"",
     "figures[0].unit: \"furlongs\" is not known here; known: bytes/s flop/s s 1/s Hz"},
    {"\"value\":3e10", "\"value\":null", "figures[0].value: a number is needed, not null"},
    {"\"value\":3e10", "\"value\":-3",
     "figures[0].value: a number above 0 (1e-15 .. 1e24) is needed, not -3"},
    {"\"value\":3e10", "\"value\":0",
     "figures[0].value: a number above 0 (1e-15 .. 1e24) is needed, not 0"},
    {"\"value\":3e10", "\"value\":1e99",
     "figures[0].value: a number above 0 (1e-15 .. 1e24) is needed, not 1e+99"},
    {"\"value\":3e10", "\"value\":1e999",
     "figures[0].value: a number is needed, not one too large"},
    {"\"lo\":2.8e10", "\"lo\":2.95e10", "figures[0].lo: is above the median"},
    {"\"hi\":3.0e10", "\"hi\":2.8e10", "figures[0].hi: is below the median"},
    {"\"bytes\":8", "\"bytes\":-8", "figures[1].bytes: 0 or more is needed, not -8"},
    {"\"device\":\"cpu\"", "\"device\":\"\"", "figures[0].device: is empty"},
    {"\"triad\",\"threads\":4,\"bytes\":8", "\"copy\",\"threads\":4",
     "figures[1]: is the same figure as figures[0] (copy of cpu)"},
    {"\"rate\":5e10", "\"rate\":0",
     "fits[0].rate: a number above 0 (1e-15 .. 1e24) is needed, not 0"},
    {"\"latency_s\":1e-6", "\"latency_s\":-1",
     "fits[0].latency_s: a number from 0 to 1e7 is needed, not -1"},
    {"}]}\n", "}]}\nx", "line 7: more text after the end"},
    {"]}\n", "", "line 6: not JSON: damaged, cut short, or a comma or a quote is amiss"},
};

static void test_damaged(void **state) {
    (void)state;
    for (size_t i = 0; i < BE_COUNT(damages); i++) {
        const struct damage *damage = &damages[i];
        struct be_text text = damaged_text(good, damage->from, damage->to);
        struct be_profile profile;
        struct be_error error = {0};
        assert_int_equal(read_text(text.data, text.length, &profile, &error), BE_USAGE);
        char want[BE_NOTE];
        snprintf(want, sizeof want, "p.json: %s", damage->message);
        assert_string_equal(error.text, want);
        assert_null(profile.figure);
        be_text_free(&text);
    }
}

/* Older files gave what was measured once an interval. */
static void test_measured_once(void **state) {
    (void)state;
    struct be_profile profile;
    struct be_error error = {0};
    struct be_text text = damaged_text(good, "\"n\":9", "\"n\":1");
    assert_int_equal(read_text(text.data, text.length, &profile, &error), BE_OK);
    assert_true(isnan(profile.figure[0].lo) && isnan(profile.figure[0].hi));
    assert_true(profile.figure[0].median == 2.9e10);
    be_text_free(&text);
    be_profile_free(&profile);
}

/* Every beginning of a whole file is refused, and `good` itself is not. */
static void test_cut_short(void **state) {
    (void)state;
    struct be_profile profile;
    struct be_error error;
    for (size_t length = 1; length + 2 < sizeof good; length++) {
        assert_int_equal(read_text(good, length, &profile, &error), BE_USAGE);
    }
    assert_int_equal(read_text(good, sizeof good - 1, &profile, &error), BE_OK);
    assert_int_equal(profile.figures, 2);
    assert_true(isnan(profile.figure[1].median));
    be_profile_free(&profile);
}

static void test_saved(void **state) {
    (void)state;
    static const char comparison[] = "{\"schema\":\"breakeven/1\",\"command\":\"compare\","
                                     "\"machine\":{},\"results\":[]}";
    const struct {
        const char *text;
        bool is_profile;
    } files[] = {{good, true}, {comparison, false}};
    for (size_t i = 0; i < BE_COUNT(files); i++) {
        FILE *in = fmemopen((void *)(uintptr_t)files[i].text, strlen(files[i].text), "r");
        struct be_saved saved;
        struct be_error error = {0};
        assert_int_equal(be_saved_read(in, "x", &saved, &error), BE_OK);
        assert_int_equal(saved.is_profile, files[i].is_profile);
        be_saved_free(&saved);
        fclose(in);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_measured_once), cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
