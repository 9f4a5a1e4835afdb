/* Words of job scripts, quoted for a shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "script/shell_quote.h"

/* A word of up to 12 bytes, most of which mean something to a shell. */
static void hostile_word(uint64_t seed, char word[16]) {
    static const char signs[] = " \t\n\r'\"\\$`!#&*()[]{}<>|;?~^%-+=:,./@_aZ0\xC3\xA4\x01\x7F\xFF";
    size_t length = be_random_bits(seed, 0) % 12;
    for (size_t i = 0; i < length; i++) {
        word[i] = signs[be_random_bits(seed, i + 1) % (sizeof signs - 1)];
    }
    word[length] = '\0';
}

/* Whatever a word is, bash reads it back as it was. */
static void bash_reads_back_every_word(void **state) {
    enum { WORDS = 2000 };
    struct be_text script = {0};
    (void)state;
    be_text_add(&script, "printf '%%s\\0'");
    for (uint64_t i = 0; i < WORDS; i++) {
        char word[16];
        hostile_word(i, word);
        be_text_add(&script, " ");
        be_shell_quote(word, &script);
    }
    be_text_add(&script, "\n");
    char name[] = "/tmp/be-quote-XXXXXX", line[64];
    int file = mkstemp(name);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    assert_int_equal(fwrite(script.data, 1, script.length, out), script.length);
    fclose(out);
    snprintf(line, sizeof line, "bash %s", name);
    FILE *in = popen(line, "r");
    assert_non_null(in);
    for (uint64_t i = 0; i < WORDS; i++) {
        char word[16], got[64];
        size_t length = 0;
        hostile_word(i, word);
        int byte = 0;
        while ((byte = fgetc(in)) > 0 && length < sizeof got - 1) {
            got[length++] = (char)byte;
        }
        got[length] = '\0';
        assert_string_equal(got, word);
    }
    assert_int_equal(fgetc(in), EOF);
    assert_int_equal(pclose(in), 0);
    remove(name);
    be_text_free(&script);
}

/* sbatch looks for #PBS lines to the end of a script. */
static void no_word_begins_a_line(void **state) {
    struct be_text text = {0};
    (void)state;
    be_shell_quote("a\n#PBS -N x\r\n", &text);
    assert_string_equal(text.data, "'a'$'\\n''#PBS -N x\r'$'\\n'''");
    be_text_free(&text);
}

static void a_program_is_not_taken_for_a_word_of_the_shell(void **state) {
    static const struct {
        const char *word, *quoted;
    } cases[] = {{"python", "python"},   {"A=b", "'A=b'"}, {"time", "'time'"}, {"if", "'if'"},
                 {"./a.out", "./a.out"}, {"{", "'{'"},     {"!", "'!'"},       {"", "''"}};
    (void)state;
    for (size_t i = 0; i < BE_COUNT(cases); i++) {
        struct be_text text = {0};
        be_shell_quote_program(cases[i].word, &text);
        assert_string_equal(text.data, cases[i].quoted);
        be_text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bash_reads_back_every_word),
        cmocka_unit_test(no_word_begins_a_line),
        cmocka_unit_test(a_program_is_not_taken_for_a_word_of_the_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
