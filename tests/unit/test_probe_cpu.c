/* The probe's steps on the CPU of this machine: which figures there are, that loops compute what
 * they claim, and that nothing is left behind. No time is asserted. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "host/team.h"
#include "machine/cpu_arrays.h"
#include "machine/probe/cpu/chase.h"
#include "machine/cpu_rates.h"
#include "machine/probe/cpu/cpu.h"
#include "machine/profile.h"
#include "pretend_caches.h"

/* Needs a status of BE_OK, and shows the text where it is not. */
#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != BE_OK) {                                                                     \
            fail_msg("%s: %s", #call, error.text);                                                 \
        }                                                                                          \
    } while (0)

/* ---- loops ---------------------------------------------------------------------------------- */

/* Every lane of chain k holds the same: so all together are the sum of chains times the lanes. */
static double chains_sum(long rounds, double operations) {
    double sum = 0;
    for (int k = 0; k < BE_CPU_CHAINS; k++) {
        double chain = BE_CPU_START * (k + 1);
        for (long round = 0; round < rounds; round++) {
            chain = chain * BE_CPU_FACTOR + BE_CPU_SUMMAND;
        }
        sum += chain;
    }
    return sum * operations / (2.0 * BE_CPU_CHAINS * (double)rounds);
}

/* All numbers but the last 64 are computed, and those are left alone. */
static void check_arrays(const struct be_cpu_rates *rates, size_t n) {
    float *x = aligned_alloc(64, n * sizeof *x);
    float *y = aligned_alloc(64, n * sizeof *y);
    float *z = aligned_alloc(64, n * sizeof *z);
    assert_true(x && y && z);
    for (int stores = 0; stores < BE_STORES; stores++) {
        for (size_t i = 0; i < n; i++) {
            x[i] = (float)i;
            y[i] = (float)(2 * i);
            z[i] = -1;
        }
        rates->triad(x, y, z, n - 64, (enum be_stores)stores);
        for (size_t i = 0; i < n; i++) {
            assert_true(z[i] == (i < n - 64 ? (float)(7 * i) : -1.0f));
        }
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = i < n - 64 ? (float)(i % 4) : 1e30F;
    }
    assert_true(rates->sum(x, n - 64) == 1.5F * (float)(n - 64));
    rates->copy(y, z, n - 64);
    for (size_t i = 0; i < n; i++) {
        assert_true(z[i] == (i < n - 64 ? (float)(2 * i) : -1.0f));
    }
    free(x);
    free(y);
    free(z);
}

static void check_rates(const struct be_cpu_rates *rates) {
    const long rounds = 1000;
    float sink = 0;
    double operations = rates->multiply_add(rounds, &sink);
    double expected = chains_sum(rounds, operations);
    assert_true(operations > 0);
    assert_true(fabs((double)sink - expected) < 1e-4 * expected);
    double sink64 = 0;
    operations = rates->multiply_add64(rounds, &sink64);
    expected = chains_sum(rounds, operations);
    assert_true(operations > 0);
    assert_true(fabs(sink64 - expected) < 1e-11 * expected);
    check_arrays(rates, 256);
    check_arrays(rates, 66048); /* so many that lines are asked for ahead */
}

static void test_rates(void **state) {
    (void)state;
    check_rates(&be_cpu_rates_plain);
    check_rates(be_cpu_rates());
}

static void test_additions(void **state) {
    (void)state;
    static const long count[] = {1, 64, 65, 1000000};
    for (size_t i = 0; i < BE_COUNT(count); i++) {
        unsigned long sink = 0;
        double additions = be_cpu_additions(count[i], &sink);
        assert_true(additions >= (double)count[i] && additions < (double)count[i] + 64);
        assert_true((double)sink == additions);
    }
}

/* From any line, all others come before it comes again. */
static void test_chase_is_one_cycle(void **state) {
    (void)state;
    static const size_t count[] = {1, 2, 3, 64, 1000, 4097};
    for (size_t i = 0; i < BE_COUNT(count); i++) {
        struct be_chase_line *line = calloc(count[i], sizeof *line);
        char *seen = calloc(count[i], 1);
        assert_non_null(line);
        assert_non_null(seen);
        be_chase_link(line, count[i], 7);
        struct be_chase_line *at = line;
        for (size_t hop = 0; hop < count[i]; hop++) {
            assert_int_equal(seen[at - line], 0);
            seen[at - line] = 1;
            assert_ptr_equal(be_chase_follow(line, (long)hop), at);
            at = at->next;
        }
        assert_ptr_equal(at, line);
        free(seen);
        free(line);
    }
}

struct written {
    enum be_cpu_pass_kind kind;
    size_t x, y, z; /* times the working set */
};

/* As be_cpu_arrays_lay leaves them x is 0.5 more than a whole number, y 0.25, and z is 1: what x + 3 y and
 * x + 3 x never are. */
static void check_written(const struct be_cpu_arrays *a, const struct written *w, size_t n) {
    size_t x = 0;
    size_t y = 0;
    size_t z = 0;
    for (size_t i = 0; i < a->n; i++) {
        x += a->x[i] != 0.5f + (float)(i % 7);
        y += a->y[i] != 0.25f + (float)(i % 5);
        z += a->z[i] != 1.0f;
        if (w->kind == BE_PASS_TRIAD || w->kind == BE_PASS_SCALE) {
            const float expected = a->x[i] + 3.0f * (w->kind == BE_PASS_SCALE ? a->x : a->y)[i];
            assert_true(a->z[i] == 1.0f || a->z[i] == expected);
        }
    }
    assert_int_equal(x, w->x * n);
    assert_int_equal(y, w->y * n);
    assert_int_equal(z, w->z * n);
}

/* A pass writes its working set and nothing else, whatever the team. */
static void test_arrays(void **state) {
    (void)state;
    static const struct written sample[] = {
        {BE_PASS_TRIAD, 0, 0, 1}, {BE_PASS_COPY, 0, 0, 1},   {BE_PASS_SCALE, 0, 0, 1},
        {BE_PASS_SUM, 0, 0, 0},   {BE_PASS_UPDATE, 1, 0, 0}, {BE_PASS_UPDATE_ALL, 1, 1, 1}};
    struct be_error error = {0};
    struct be_cores cores;
    CHECK(be_cores_find(&cores, &error));
    const struct be_clock clock = be_clock_host();
    const struct be_stop_rule rule = {.min = 5, .budget_s = 1e-3, .patience = 1};
    for (size_t i = 0; i < 3 * BE_COUNT(sample); i++) {
        const struct written *w = &sample[i / 3];
        struct be_team *team;
        struct be_cpu_arrays arrays;
        CHECK(be_team_open(&cores, 1 + (int)(i % 3), &team, &error));
        CHECK(be_cpu_arrays_open(team, 12.0 * 64 * 1000, &arrays, &error));
        assert_int_equal(arrays.n, 64 * 1000);
        const struct be_cpu_pass pass = {.n = 64 * 10, .kind = w->kind, .run_s = 1e-5};
        struct be_samples seconds = {0};
        double bytes;
        CHECK(be_cpu_arrays_sample(team, &arrays, &pass, &clock, &rule, &seconds, &bytes, &error));
        check_written(&arrays, w, pass.n);
        assert_true(seconds.count >= 1);
        assert_true(bytes >= be_cpu_pass_moves(w->kind) * (double)pass.n);
        be_samples_free(&seconds);
        be_cpu_arrays_close(&arrays);
        be_team_close(team);
    }
}

/* ---- the probe ------------------------------------------------------------------------------ */

static int entries_in(const char *folder) {
    int entries = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    while (readdir(list)) {
        entries++;
    }
    closedir(list);
    return entries - 2; /* . and .. */
}

static void check_value(const struct be_profile *profile, const char *what, const char *dtype,
                        int threads) {
    const struct be_figure *found = NULL;
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        if (strcmp(f->what, what) == 0 && strcmp(f->dtype, dtype) == 0 && f->threads == threads) {
            found = f;
        }
    }
    if (!found) {
        fail_msg("there is no %s %s of %d threads", what, dtype, threads);
    }
}

static const char *note_of(const struct be_profile *profile, const char *what, const char *note) {
    for (size_t i = 0; i < profile->figures; i++) {
        if (strcmp(profile->figure[i].what, what) == 0 &&
            strcmp(profile->figure[i].note, note) == 0) {
            return profile->figure[i].note;
        }
    }
    return NULL;
}

static void check_all_values(const struct be_profile *profile) {
    for (size_t i = 0; i < profile->figures; i++) {
        const struct be_figure *f = &profile->figure[i];
        const double number[] = {f->value, f->median, f->lo, f->hi};
        for (size_t k = 0; k < BE_COUNT(number); k++) {
            if (!isfinite(number[k]) || number[k] <= 0) {
                fail_msg("%s %s, %d threads: %g", f->what, f->dtype, f->threads, number[k]);
            }
        }
        assert_true(f->lo <= f->median && f->median <= f->hi);
        assert_true(f->n >= 1 && f->source == BE_SOURCE_MEASURED);
        assert_string_equal(f->device, "cpu");
        for (size_t k = 0; k < i; k++) {
            const struct be_figure *g = &profile->figure[k];
            bool same = strcmp(f->what, g->what) == 0 && strcmp(f->dtype, g->dtype) == 0 &&
                        f->threads == g->threads && strcmp(f->peer, g->peer) == 0 &&
                        (f->bytes == g->bytes || (isnan(f->bytes) && isnan(g->bytes)));
            assert_false(same);
        }
    }
}

static void check_ceilings(const struct be_profile *profile, int threads) {
    struct be_error error = {0};
    struct be_ceilings ceilings;
    CHECK(be_profile_ceilings(profile, "cpu", threads, &ceilings, &error));
    assert_int_equal(ceilings.points, BE_CEILING_POINTS);
    for (int i = 0; i < BE_ARITHMETICS; i++) {
        assert_true(ceilings.operations[i] > 0);
    }
    for (int i = 1; i < ceilings.points; i++) {
        assert_true(ceilings.memory[i].bytes > ceilings.memory[i - 1].bytes);
        assert_true(ceilings.memory[i].rate > 0);
        const struct be_figure *set = be_profile_figure(profile, "cpu", "working_set", NULL,
                                                        threads, ceilings.memory[i].bytes, NULL);
        assert_string_equal(set->note, be_stores_name[ceilings.memory[i].stores]);
    }
}

static void check_remarks(const struct be_profile *profile) {
    for (size_t i = 0; i < profile->remarks; i++) {
        assert_null(strstr(profile->remark[i], "arithmetic: not measured"));
        assert_null(strstr(profile->remark[i], "memory: not measured"));
        assert_null(strstr(profile->remark[i], "disk: not measured"));
        assert_null(strstr(profile->remark[i], "not written yet"));
    }
}

static void test_probe(void **state) {
    (void)state;
    struct be_error error = {0};
    char folder[] = "/tmp/test_probe_cpu.XXXXXX";
    assert_non_null(mkdtemp(folder));
    const struct be_probe_options options = {
        .device = {"cpu"}, .devices = 1, .quick = true, .folder = folder};
    struct be_profile profile;
    CHECK(be_probe(&options, &profile, &error));
    assert_int_equal(entries_in(folder), 0);
    rmdir(folder);

    const int all = profile.machine.cores_allowed;
    const int count[] = {1, all};
    for (size_t i = 0; i < BE_COUNT(count); i++) {
        check_value(&profile, "fma", "float32", count[i]);
        check_value(&profile, "fma", "float64", count[i]);
        check_value(&profile, "clock", "", count[i]);
        check_value(&profile, "triad", "", count[i]);
        check_value(&profile, "copy", "", count[i]);
        check_ceilings(&profile, count[i]);
    }
    if (all > 1) {
        check_value(&profile, "fork_join", "", all);
    }
    check_value(&profile, "page_fault", "", 1);
    assert_non_null(note_of(&profile, "latency", "memory"));
    bool cold = be_profile_figure(&profile, "cpu", "disk_read_cold", NULL, 1, 32 << 20, NULL);
    bool warm = be_profile_figure(&profile, "cpu", "disk_read_warm", NULL, 1, 32 << 20, NULL);
    assert_true(cold != warm);
    check_all_values(&profile);
    check_remarks(&profile);
    be_profile_free(&profile);
}

static bool always(void *context) {
    (*(int *)context)++;
    return true;
}

/* A folder that will not do ends the probe at once: not even the caller is asked to go on. */
static void test_folder_first(void **state) {
    (void)state;
    int asked = 0;
    struct be_probe_options options = {
        .device = {"cpu"}, .devices = 1, .quick = true, .cancelled = always, .context = &asked};
    struct be_profile profile;
    struct be_error error = {0};
    options.folder = "/nowhere/at all";
    assert_int_equal(be_probe(&options, &profile, &error), BE_IO);
    assert_non_null(strstr(error.text, "/nowhere/at all"));
    options.folder = "/proc/self/stat";
    assert_int_equal(be_probe(&options, &profile, &error), BE_USAGE);
    assert_non_null(strstr(error.text, "no folder"));
    options.folder = "/proc";
    assert_int_equal(be_probe(&options, &profile, &error), BE_IO);
    assert_int_equal(asked, 0);

    options.folder = "/tmp";
    assert_int_equal(be_probe(&options, &profile, &error), BE_OK);
    assert_true(asked > 0 && profile.partial);
    assert_int_equal(profile.figures, 0);
    be_profile_free(&profile);
}

/* ---- pieces --------------------------------------------------------------------------------- */

static struct be_probe quick_probe(const struct be_probe_options *options,
                                   struct be_profile *profile) {
    struct be_probe probe = {.options = options,
                             .profile = profile,
                             .clock = be_clock_host(),
                             .rule = {.precision = 0.5, .min = 3, .budget_s = 5e-3},
                             .at = ""};
    struct be_error error = {0};
    CHECK(be_cores_find(&probe.cores, &error));
    return probe;
}

static int seen[16], counts, fails_at;

static enum be_status note_count(struct be_probe *probe, const struct be_target *target,
                                 int threads, struct be_error *error) {
    (void)probe, (void)target;
    seen[counts++] = threads;
    return threads == fails_at ? be_fail(error, BE_NOMEM, "no more") : BE_OK;
}

static enum be_status count_with(int cores, bool quick) {
    struct be_probe_options options = {.quick = quick};
    struct be_probe probe = {.options = &options, .cores.count = cores};
    struct be_error error;
    counts = 0;
    return be_probe_each_count(&probe, NULL, note_count, &error);
}

static void test_counts(void **state) {
    (void)state;
    assert_int_equal(count_with(1, false), BE_OK);
    assert_int_equal(counts, 1);
    assert_int_equal(seen[0], 1);
    assert_int_equal(count_with(12, false), BE_OK);
    assert_int_equal(counts, 5);
    assert_memory_equal(seen, ((int[]){1, 2, 4, 8, 12}), 5 * sizeof(int));
    assert_int_equal(count_with(BE_CORES_MAX, false), BE_OK);
    assert_int_equal(counts, 11);
    assert_int_equal(seen[10], BE_CORES_MAX);
    assert_int_equal(count_with(BE_CORES_MAX, true), BE_OK);
    assert_int_equal(counts, 2);
    assert_memory_equal(seen, ((int[]){1, BE_CORES_MAX}), 2 * sizeof(int));
    fails_at = 4;
    assert_int_equal(count_with(12, false), BE_NOMEM);
    assert_int_equal(counts, 3);
}

static void test_numa_pair(void **state) {
    (void)state;
    const struct be_probe_options options = {.quick = true};
    const struct be_device_info info = {.id = "cpu", .backend = "cpu"};
    const struct be_target target = {.info = &info};
    struct be_profile profile = {0};
    struct be_probe probe = quick_probe(&options, &profile);
    struct be_error error = {0};
    CHECK(be_probe_numa_pair(&probe, &target, 0, 0, &error));
    bool refused = profile.remarks == 1; /* memory cannot be bound in some containers */
    assert_int_equal(profile.figures, refused ? 0 : 2);
    if (!refused) {
        assert_string_equal(profile.figure[0].what, "numa_triad");
        assert_string_equal(profile.figure[1].what, "numa_latency");
        assert_string_equal(profile.figure[0].peer, "node 0 > node 0");
        check_all_values(&profile);
    }
    assert_int_equal(be_probe_numa_pair(&probe, &target, 0, 999, &error), BE_USAGE);
    be_profile_free(&profile);
}

/* A BLAS that is not there is told apart from one that is broken, and the way out is said. */
static void test_no_blas(void **state) {
    (void)state;
    const struct be_probe_options options = {.quick = true};
    const struct be_device_info info = {.id = "cpu", .backend = "cpu"};
    const struct be_target target = {.info = &info};
    struct be_profile profile = {0};
    struct be_probe probe = quick_probe(&options, &profile);
    struct be_error error = {0};
    setenv("BREAKEVEN_BLAS", "/nowhere/libblas.so", 1);
    assert_int_equal(be_probe_cpu_matmul(&probe, &target, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "libopenblas0"));
    setenv("BREAKEVEN_BLAS", "libm.so.6", 1); /* a library, but not this one */
    assert_int_equal(be_probe_cpu_matmul(&probe, &target, &error), BE_ABSENT);
    assert_non_null(strstr(error.text, "dgemm_"));
    unsetenv("BREAKEVEN_BLAS");
    assert_int_equal(profile.figures, 0);
    be_profile_free(&profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_additions),
        cmocka_unit_test(test_chase_is_one_cycle),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_numa_pair),
        cmocka_unit_test(test_no_blas),
        cmocka_unit_test(test_folder_first),
        cmocka_unit_test(test_probe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
