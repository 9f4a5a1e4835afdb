/* Job scripts: directives, options over several lines, commands, here-documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lint/lint.h"
#include "script/script.h"

#define HEAD "#!/bin/bash\n"

static struct be_script parsed(const char *text) {
    struct be_script script;
    struct be_error error = {0};
    assert_int_equal(be_script_parse(text, strlen(text), NULL, &script, &error), BE_OK);
    return script;
}

static void options_are_found_in_every_spelling(void **state) {
    struct be_script script = parsed(HEAD "#SBATCH -n4 -c 2 --mem=8G --time\n"
                                          "#SBATCH 5 --part 'a b' # --ntasks=x\n"
                                          "#SBATCH--hold\n");
    (void)state;
    assert_int_equal(script.faults, 0);
    assert_int_equal(script.options, 6);
    assert_string_equal(be_script_option(&script, 0, "ntasks")->text, "4");
    assert_string_equal(be_script_option(&script, 0, "cpus-per-task")->text, "2");
    assert_string_equal(be_script_option(&script, 0, "time")->text, "5");
    assert_string_equal(be_script_option(&script, 0, "partition")->text, "a b");
    assert_null(be_script_option(&script, 0, "hold")->text);
    const struct be_script_option *memory = be_script_option(&script, -1, "mem");
    assert_memory_equal(script.text + memory->name.at, "--mem", memory->name.length);
    assert_memory_equal(script.text + memory->value.at, "8G", memory->value.length);
    be_script_free(&script);
}

static void reading_stops_at_the_first_command(void **state) {
    struct be_script script = parsed(HEAD "\n# a remark\n\t\n#SBATCH -n1\ntrue\n#SBATCH -n2\n");
    (void)state;
    assert_int_equal(script.options, 1);
    assert_int_equal(script.line[6].kind, BE_LINE_SBATCH);
    assert_false(script.line[6].read);
    be_script_free(&script);
}

static void components_are_apart(void **state) {
    struct be_script script = parsed(HEAD "#SBATCH -n1\n#SBATCH HetJob rest\n#SBATCH -n2\ntrue\n");
    (void)state;
    assert_true(script.heterogeneous);
    assert_int_equal(script.components, 2);
    assert_string_equal(be_script_option(&script, 0, "ntasks")->text, "1");
    assert_string_equal(be_script_option(&script, 1, "ntasks")->text, "2");
    be_script_free(&script);
}

static void faults_have_their_place(void **state) {
    struct be_script script = parsed(HEAD "#SBATCH ntasks=1 --nope=2 --time\n");
    (void)state;
    assert_int_equal(script.faults, 3);
    assert_int_equal(script.fault[0].kind, BE_FAULT_BARE);
    assert_int_equal(script.fault[0].span.at, strlen(HEAD "#SBATCH "));
    assert_int_equal(script.fault[0].span.length, strlen("ntasks=1"));
    assert_int_equal(script.fault[1].kind, BE_FAULT_UNKNOWN);
    assert_int_equal(script.fault[2].kind, BE_FAULT_NO_VALUE);
    be_script_free(&script);
}

static void commands_are_told_apart(void **state) {
    struct be_script script =
        parsed(HEAD "export A=1 B='x y'\nC=2 prog \"two words\" \\\n  last >out 2>&1 # remark\n"
                    "if test -f x; then ./a | ./b && ./c; fi\nf() { inner; }\n"
                    "for i in 1 2; do echo $i; done\nD=(a b)\n((n << 2))\necho $(srun x) ${E#y}\n");
    static const char *const words[] = {"export", "prog",  "test", "./a", "./b",
                                        "./c",    "inner", "echo", "echo"};
    (void)state;
    assert_int_equal(script.commands, sizeof words / sizeof *words);
    for (size_t i = 0; i < script.commands; i++) {
        assert_string_equal(script.command[i].word[0], words[i]);
    }
    assert_int_equal(script.command[1].words, 3);
    assert_string_equal(script.command[1].word[1], "two words");
    assert_string_equal(be_script_sets(&script, "B")->value, "x y");
    assert_string_equal(be_script_sets(&script, "C")->value, "2");
    assert_non_null(be_script_sets(&script, "D"));
    assert_null(be_script_sets(&script, "E"));
    assert_non_null(be_script_mentions(&script, "srun", false));
    assert_null(be_script_mentions(&script, "run", false));
    assert_non_null(be_script_mentions(&script, "run", true));
    assert_null(be_script_mentions(&script, "remark", false));
    be_script_free(&script);
}

static void commands_know_what_is_around_them(void **state) {
    static const struct {
        const char *word;
        int loops;
        bool background, piped, fed;
    } expected[] = {{"./a", 0, true, false, false},  {"./b", 0, false, false, false},
                    {"./c", 0, false, true, false},  {"read", 0, false, false, false},
                    {"./d", 1, false, false, true},  {"./e", 2, true, false, false},
                    {"./f", 0, false, false, false}, {"./g", 0, false, true, false},
                    {"./h", 0, false, false, false}, {"./i", 0, false, false, false}};
    struct be_script script =
        parsed(HEAD "./a >x 2>&1 &\n./b | ./c\nwhile read x; do\n  ./d <y\n"
                    "  for i in 1 2; do ./e & done\ndone < list\n./f |\n  ./g\n./h || ./i &>z\n");
    (void)state;
    assert_int_equal(script.commands, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < script.commands; i++) {
        const struct be_script_command *command = &script.command[i];
        assert_string_equal(command->word[0], expected[i].word);
        assert_int_equal(command->loops, expected[i].loops);
        assert_int_equal(command->background, expected[i].background);
        assert_int_equal(command->piped, expected[i].piped);
        assert_int_equal(command->fed, expected[i].fed);
    }
    be_script_free(&script);
}

static void here_documents_are_no_commands(void **state) {
    struct be_script script = parsed(HEAD "cat <<A <<-'B' >x\none\nA\ntwo\n\tB\nlast <<<word\n");
    (void)state;
    assert_int_equal(script.commands, 2);
    assert_string_equal(script.command[1].word[0], "last");
    for (size_t i = 2; i < 6; i++) {
        assert_int_equal(script.line[i].kind, BE_LINE_HEREDOC);
    }
    be_script_free(&script);
}

static void other_lines_become_options(void **state) {
    struct be_script script = parsed(HEAD "#PBS -l nodes=2:ppn=4,walltime=1:00:00 -N x\n"
                                          "#BSUB -n 2,4 -W 30\n#BSUB -R x\n");
    (void)state;
    assert_string_equal(be_script_option(&script, 0, "nodes")->text, "2");
    assert_string_equal(be_script_option(&script, 0, "ntasks")->text, "4"); /* the last */
    assert_string_equal(be_script_option(&script, 0, "time")->text, "30");
    assert_int_equal(script.faults, 1);
    assert_int_equal(script.fault[0].kind, BE_FAULT_OTHER_OPTION);
    be_script_free(&script);
}

static void pbs_lists_are_read_sign_by_sign(void **state) {
    struct be_script script =
        parsed(HEAD "#PBS -l nodes=2:ppn=4+g1:gpus=3,pmem=1gb,xmem=16gb:ngpus=1,ngpus=2\n");
    (void)state;
    assert_string_equal(be_script_option(&script, 0, "nodes")->text, "2");
    assert_string_equal(be_script_option(&script, 0, "ntasks")->text, "8");
    assert_string_equal(be_script_option(&script, 0, "nodelist")->text, "g1");
    assert_string_equal(be_script_option(&script, 0, "gpus-per-node")->text, "3");
    assert_string_equal(be_script_option(&script, 0, "mem")->text, "16gb:ngpus=1");
    assert_int_equal(script.faults, 1);
    assert_int_equal(script.fault[0].kind, BE_FAULT_PASSED);
    assert_string_equal(script.fault[0].word, "ngpus=2");
    be_script_free(&script);
}

static void interpreters_are_known(void **state) {
    static const struct {
        const char *head;
        bool shell;
    } heads[] = {{"#!/bin/bash -l\n", true},           {"#! /usr/bin/env bash\n", true},
                 {"#!/usr/bin/env -S zsh -f\n", true}, {"#!/usr/bin/env python3\n", false},
                 {"#!/usr/bin/perl\n", false},         {"#SBATCH -n1\n", true}};
    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct be_script script = parsed(heads[i].head);
        assert_int_equal(script.shell, heads[i].shell);
        be_script_free(&script);
    }
}

static void too_long_is_an_error(void **state) {
    struct be_script script = {0};
    struct be_error error = {0};
    (void)state;
    assert_int_equal(be_script_parse("", (size_t)BE_SCRIPT_MAX + 1, NULL, &script, &error),
                     BE_USAGE);
    assert_non_null(strstr(error.text, "4 MiB"));
    be_script_free(&script);
}

static void columns_count_characters(void **state) {
    static const char text[] = HEAD "#SBATCH --comment=\xC3\xA4\xC3\xB6 x --time=5\ntrue\n";
    const struct be_lint_options options = {0};
    struct be_lint_report report;
    struct be_error error;
    (void)state;
    assert_int_equal(be_lint(text, strlen(text), &options, &report, &error), BE_OK);
    assert_int_equal(report.count[BE_ERROR], 1);
    assert_string_equal(report.finding[0].rule->name, "bare-word");
    assert_int_equal(report.finding[0].line, 2);
    assert_int_equal(report.finding[0].column, 22);
    assert_int_equal(report.finding[0].end_column, 23);
    be_lint_free(&report);
}

static struct be_text text_of(const char *bytes, size_t length) {
    struct be_text text = {0};
    be_text_add_bytes(&text, bytes, length);
    return text;
}

static void expect_difference(const char *from, size_t from_length, const char *to,
                              size_t to_length, const char *want, size_t want_length) {
    struct be_text a = text_of(from, from_length), b = text_of(to, to_length), diff = {0};
    be_lint_diff("a", &a, &b, &diff);
    assert_int_equal(diff.length, want_length);
    assert_memory_equal(diff.data ? diff.data : "", want, want_length);
    be_text_free(&a);
    be_text_free(&b);
    be_text_free(&diff);
}

#define EXPECT_DIFFERENCE(from, to, want)                                                          \
    expect_difference(from, sizeof(from) - 1, to, sizeof(to) - 1, want, sizeof(want) - 1)

static void differences_have_context(void **state) {
    (void)state;
    EXPECT_DIFFERENCE("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6",
                      "--- a\n+++ a\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n-6\n+five\n+6\n"
                      "\\ No newline at end of file\n");
    EXPECT_DIFFERENCE("same\n", "same\n", "");
    EXPECT_DIFFERENCE("", "new\n", "--- a\n+++ a\n@@ -0,0 +1,1 @@\n+new\n");
    EXPECT_DIFFERENCE("a\0b\nc\n", "a\0b\nd\n", "--- a\n+++ a\n@@ -1,2 +1,2 @@\n a\0b\n-c\n+d\n");
}

static void fixed_as(const struct be_lint_options options, const char *text, const char *want,
                     size_t made) {
    struct be_text fixed = {0};
    struct be_error error = {0};
    size_t count = 0;
    assert_int_equal(be_lint_fix(text, strlen(text), &options, &fixed, &count, &error), BE_OK);
    assert_string_equal(fixed.data, want);
    assert_int_equal(count, made);
    be_text_free(&fixed);
}

/* Fixed by --fix=unsafe, and how many fixes that were. */
static void expect_fix(const char *text, const char *want, size_t made) {
    fixed_as((struct be_lint_options){.unsafe = true}, text, want, made);
}

static void a_safe_fix_leaves_the_job_as_it_is(void **state) {
    (void)state;
    static const char *const others[] = {
        HEAD "true\n#SBATCH --mem=1G\n", HEAD "#sbatch --mem=1G\ntrue\n",
        HEAD " #SBATCH --mem=1G\ntrue\n", HEAD "#SBATCH -output=x\ntrue\n",
        HEAD "true \\ \n  --x\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        fixed_as((struct be_lint_options){0}, others[i], others[i], 0);
    }
    /* Refused as it is, and the same as it is. */
    fixed_as((struct be_lint_options){0}, HEAD "#SBATCH mem=1G\n#SLURM -n1\ntrue\n",
             HEAD "#SBATCH --mem=1G\n#SBATCH -n1\ntrue\n", 2);
}

static void a_later_slurm_takes_an_escaped_blank(void **state) {
    (void)state;
    static const char text[] = HEAD "#SBATCH --comment=a\\ b --mem=1G\ntrue\n";
    static const struct {
        double slurm;
        size_t options, faults;
    } of[] = {{0, 2, 1}, {22.05, 2, 1}, {24.05, 2, 1}, {24.11, 2, 0}, {25.05, 2, 0}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const struct be_script_reader reader = {.slurm = of[i].slurm};
        struct be_script script;
        struct be_error error = {0};
        assert_int_equal(be_script_parse(text, strlen(text), &reader, &script, &error), BE_OK);
        assert_int_equal(script.options, of[i].options);
        assert_int_equal(script.faults, of[i].faults);
        assert_string_equal(script.option[0].text, of[i].faults ? "a" : "a b");
        be_script_free(&script);
    }
}

static void a_fix_never_makes_an_error(void **state) {
    (void)state;
    static const char conflict[] = "#!/bin/sh\n#SBATCH --mem=1G\ntrue\n#SBATCH --mem-per-cpu=1G\n";
    expect_fix(conflict, conflict, 0);
    /* Either may be moved, not both. */
    expect_fix("#!/bin/sh\ntrue\n#SBATCH --mem=1G\n#SBATCH --mem-per-cpu=1G\n",
               "#!/bin/sh\n#SBATCH --mem=1G\ntrue\n#SBATCH --mem-per-cpu=1G\n", 1);
    /* A fix that can be made is, beside one that cannot. */
    expect_fix("#!/bin/sh\n#SBATCH --mem=1G\n#SBTACH --ntasks=1\ntrue\n#SBATCH --mem-per-cpu=1G\n",
               "#!/bin/sh\n#SBATCH --mem=1G\n#SBATCH --ntasks=1\ntrue\n#SBATCH --mem-per-cpu=1G\n",
               1);
}

static void what_is_put_in_stands_before_what_is_replaced_there(void **state) {
    (void)state;
    expect_fix("#!/bin/sh\n#SBTACH -n1\ntrue\n#SBATCH -t5\n",
               "#!/bin/sh\n#SBATCH -t5\n#SBATCH -n1\ntrue\n", 2);
}

static void an_equals_too_many_is_taken_out(void **state) {
    (void)state;
    expect_fix("#!/bin/sh\n#SBATCH --time==5 -n=1\ntrue\n",
               "#!/bin/sh\n#SBATCH --time=5 -n 1\ntrue\n", 2);
    expect_fix("#!/bin/sh\n#SBATCH --mem==4G\ntrue\n", "#!/bin/sh\n#SBATCH --mem=4G\ntrue\n", 1);
    expect_fix("#!/bin/sh\n#SBATCH -t \"=5\"\ntrue\n", "#!/bin/sh\n#SBATCH -t \"=5\"\ntrue\n", 0);
    expect_fix("#!/bin/sh\n#SBATCH -t 0h\ntrue\n", "#!/bin/sh\n#SBATCH -t 0h\ntrue\n", 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_found_in_every_spelling),
        cmocka_unit_test(reading_stops_at_the_first_command),
        cmocka_unit_test(components_are_apart),
        cmocka_unit_test(faults_have_their_place),
        cmocka_unit_test(commands_are_told_apart),
        cmocka_unit_test(commands_know_what_is_around_them),
        cmocka_unit_test(here_documents_are_no_commands),
        cmocka_unit_test(other_lines_become_options),
        cmocka_unit_test(pbs_lists_are_read_sign_by_sign),
        cmocka_unit_test(interpreters_are_known),
        cmocka_unit_test(too_long_is_an_error),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(differences_have_context),
        cmocka_unit_test(a_fix_never_makes_an_error),
        cmocka_unit_test(a_safe_fix_leaves_the_job_as_it_is),
        cmocka_unit_test(a_later_slurm_takes_an_escaped_blank),
        cmocka_unit_test(what_is_put_in_stands_before_what_is_replaced_there),
        cmocka_unit_test(an_equals_too_many_is_taken_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
