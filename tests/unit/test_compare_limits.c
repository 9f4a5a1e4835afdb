/* Where a comparison says that its limits come from: as much as is so, and once. */
#include "pretend_ceilings.h"

#include "bench.h"
#include "machine/profile.h"

#include "host/team.h"

static struct be_profile asked;

static void add(const char *what, int threads, double bytes, double value) {
    struct be_figure f = {.threads = threads, .bytes = bytes, .value = value, .achievable = NAN};
    be_copy_text(f.device, sizeof f.device, "cpu");
    be_copy_text(f.what, sizeof f.what, what);
    be_copy_text(f.dtype, sizeof f.dtype, strcmp(what, "fma") == 0 ? "float32" : "");
    CHECK(be_profile_add_figure(&asked, &f, &error));
}

/* Compares, with limits from `asked`, and counts the remarks on limits, each with one of the two texts. */
static int limits_said(const char *text, const char *or_this) {
    static struct be_comparison all;
    const struct be_profile *const list[] = {&asked};
    struct be_compare_options options = {
        .workload = {"power"},
        .workloads = 1,
        .device = {"cpu"},
        .devices = 1,
        .threads = {1, 2},
        .thread_counts = 2,
        .size = {7},
        .sizes = 1,
        .cache = {[BE_HOT] = true}, /* cold ones want twice a cache of memory */
        .budget_s = 1e-3,
        .no_refine = true,
        .profile = list,
        .profiles = 1,
        .profile_asked = true};
    int said = 0;
    CHECK(be_compare(&options, &all, &error));
    for (size_t i = 0; i < all.remarks; i++) {
        const char *remark = all.remark[i];
        if (strncmp(remark, "limits", strlen("limits")) == 0) {
            if (!strstr(remark, text) && !strstr(remark, or_this)) {
                fail_msg("\"%s\" has neither \"%s\" nor \"%s\"", remark, text, or_this);
            }
            said++;
        }
    }
    be_comparison_free(&all);
    return said;
}

static void test_of_other_hardware(void **state) {
    (void)state;
    strcpy(asked.machine.cpu, "another CPU");
    const char *text = "measured now: the profile asked is of other hardware";
    assert_int_equal(limits_said(text, text), 1);
}

/* One that has nothing of use, as those of a breakeven before, is not where limits come from. */
static void test_without_what_it_takes(void **state) {
    (void)state;
    struct be_machine machine;
    CHECK(be_machine_describe(&machine, &error));
    be_copy_text(asked.machine.cpu, BE_NAME, machine.cpu);
    for (int threads = 1; threads <= 2; threads++) {
        add("working_set", threads, 1e6, 1e30);
        add("fma", threads, NAN, 1e30);
    }
    const char *text = "limits: measured now: profile asked has no bandwidth of updates in place: "
                       "`breakeven probe` makes one that has";
    assert_int_equal(limits_said(text, text), 1);
    add("update_set", 2, 1e6, 1e30);
    assert_int_equal(limits_said("limits: from the profile asked",
                                 "limits of cpu with 1 thread: measured now: profile asked has no"),
                     2);
    add("update_set", 1, 1e6, 1e30);
    assert_int_equal(limits_said("limits: from the profile asked", "nothing else"), 1);
}

static int begin(void **state) {
    (void)state;
    asked = (struct be_profile){.name = "asked", .source = BE_SOURCE_MEASURED};
    return 0;
}

static int end(void **state) {
    (void)state;
    be_profile_free(&asked);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_of_other_hardware, begin, end),
        cmocka_unit_test_setup_teardown(test_without_what_it_takes, begin, end),
    };
    return cmocka_run_group_tests_name("compare_limits", tests, NULL, NULL);
}
