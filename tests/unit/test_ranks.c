/* Traces of ranks as one report, and who says which rank a process is. */
#include "made_findings.h"

#include "observe/process/limits.h"
#include "report/trace/ranks.h"

static struct be_rank_line line_of(int rank, int ranks, double elapsed_s, double cores) {
    struct be_trace made;
    struct be_rank_line line;
    const struct given list[] = {{BE_RUNNABLE, 0, cores}, {BE_MEMORY, 0, 1e9}};
    make(&made, TICKS, cores, list, 2);
    made.rank = rank;
    made.ranks = ranks;
    made.elapsed_s = elapsed_s;
    made.total.user_s = cores * elapsed_s;
    made.end = BE_END_EXITED;
    made.code = rank == 2 ? 1 : 0;
    snprintf(made.host, sizeof made.host, "node%d", rank / 2);
    be_copy_text(made.command, sizeof made.command, "solver");
    be_copy_text(made.job, sizeof made.job, "slurm 47");
    be_rank_take(&made, &line);
    be_trace_close(&made);
    return line;
}

/* Lines are as long as the terminal is wide: what is looked for may stand on two. */
static void join_lines(char *text) {
    char *to = text;
    for (const char *at = text; *at; at++) {
        bool blank = *at == '\n' || *at == ' ';
        if (!blank || (to > text && to[-1] != ' ')) {
            *to++ = blank ? ' ' : *at;
        }
    }
    *to = '\0';
}

static const char *text_of(struct be_rank_line *line, int count, struct be_text *text) {
    be_text_free(text);
    be_ranks_text(line, count, text);
    assert_non_null(text->data);
    join_lines(text->data);
    return text->data;
}

#define HAS(text, part)                                                                            \
    do {                                                                                           \
        if (!strstr((text), (part))) {                                                             \
            fail_msg("no '%s' in:\n%s", (part), (text));                                           \
        }                                                                                          \
    } while (0)

static void the_slowest(void **state) {
    (void)state;
    struct be_text out = {0};
    struct be_rank_line line[] = {line_of(3, 4, 100, 1), line_of(0, 4, 40, 1), line_of(1, 4, 40, 1),
                                  line_of(2, 4, 40, 1)};
    assert_true(be_ranks_are(line, 4));
    const char *text = text_of(line, 4, &out);
    HAS(text, "4 of 4 of solver in slurm 47");
    HAS(text, "rank 3 on node1, 1 min 40 s; half of the ranks had ended after 40.0 s");
    HAS(text, "rank 3 on node1 has most work: 1 min 40 s of CPU time");
    HAS(text, "load balance 0.55"); /* (100 + 3 * 40) / 4 / 100 */
    HAS(text, "found 0 node0 40.0 s 1.00 1 GB serial 1 node0 40.0 s 1.00 1 GB serial 2 node1");
    HAS(text, "failed serial");
    be_text_free(&out);
}

/* All end together, since they wait for the one that works. */
static void one_works_more(void **state) {
    (void)state;
    struct be_text out = {0};
    struct be_rank_line line[] = {line_of(0, 2, 100, 0.9), line_of(1, 2, 100, 0.3)};
    const char *text = text_of(line, 2, &out);
    HAS(text, "none: all ran for about 1 min 40 s");
    HAS(text, "rank 0 on node0 has most work: 1 min 30 s of CPU time, rank 1 on node0 least: 30.0");
    HAS(text, "take 67 % of the time");
    be_text_free(&out);
}

/* A rank that waits at full speed cannot be told from one that works: it is said that it cannot. */
static void all_are_busy(void **state) {
    (void)state;
    struct be_text out = {0};
    struct be_rank_line busy[] = {line_of(0, 2, 100, 1), line_of(1, 2, 100, 0.99)};
    const char *text = text_of(busy, 2, &out);
    HAS(text, "even: ");
    HAS(text, "waits for messages at full speed");
    struct be_rank_line half[] = {line_of(0, 2, 100, 0.5), line_of(1, 2, 100, 0.49)};
    text = text_of(half, 2, &out);
    HAS(text, "even: ");
    assert_null(strstr(text, "full speed"));
    be_text_free(&out);
}

static void unknown_figures(void **state) {
    (void)state;
    struct be_text out = {0};
    struct be_rank_line line[] = {line_of(0, 2, 100, NAN), line_of(1, 2, 100, NAN)};
    const char *text = text_of(line, 2, &out);
    HAS(text, "work not measured");
    if (strstr(text, "nan")) {
        fail_msg("%s", text);
    }
    be_text_free(&out);
}

static void which_are_one_program(void **state) {
    (void)state;
    struct be_rank_line line[] = {line_of(0, 2, 10, 1), line_of(1, 2, 10, 1)};
    assert_true(be_ranks_are(line, 2));
    assert_false(be_ranks_are(line, 1));
    line[1].rank = 0; /* twice the same */
    assert_false(be_ranks_are(line, 2));
    line[1].rank = 1;
    line[1].ranks = 4;
    assert_false(be_ranks_are(line, 2));
    line[1].ranks = 2;
    be_copy_text(line[1].job, sizeof line[1].job, "slurm 48");
    assert_false(be_ranks_are(line, 2));
    struct be_rank_line alone[] = {line_of(0, 0, 10, 1), line_of(1, 0, 10, 1)};
    assert_false(be_ranks_are(alone, 2));
}

static void who_says_which_rank(void **state) {
    (void)state;
    static const struct {
        const char *environment[6];
        int rank, ranks;
    } cases[] = {
        {{"OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=8"}, 3, 8},
        {{"PMI_RANK=0", "PMI_SIZE=2"}, 0, 2},
        {{"SLURM_PROCID=5", "SLURM_STEP_NUM_TASKS=6", "SLURM_NTASKS=6"}, 5, 6},
        /* srun has begun one that begins the ranks */
        {{"SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=2", "OMPI_COMM_WORLD_RANK=7",
          "OMPI_COMM_WORLD_SIZE=8"},
         7,
         8},
        {{"SLURM_PROCID=0", "SLURM_NTASKS=6"}, 0, 0}, /* a batch script */
        {{"PMI_RANK=2"}, 0, 0},
        {{"OMPI_COMM_WORLD_RANK=x", "OMPI_COMM_WORLD_SIZE=y"}, 0, 0},
        {{"OMPI_COMM_WORLD_RANK=8", "OMPI_COMM_WORLD_SIZE=8"}, 0, 0},
        {{"HOME=/"}, 0, 0},
    };
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_rank of = be_rank_of(cases[i].environment);
        assert_int_equal(of.rank, cases[i].rank);
        assert_int_equal(of.ranks, cases[i].ranks);
    }
    assert_int_equal(be_rank_of(NULL).ranks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slowest),           cmocka_unit_test(one_works_more),
        cmocka_unit_test(all_are_busy),          cmocka_unit_test(unknown_figures),
        cmocka_unit_test(which_are_one_program), cmocka_unit_test(who_says_which_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
