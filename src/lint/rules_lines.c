/* Rules about lines that are meant as directives and are none. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "lint/rules.h"

/* Does an option of sbatch begin here? "--time=5", "-n 4", with blanks before it. */
static bool begins_option(const char *at) {
    at += strspn(at, " \t");
    bool several = false;
    if (at[0] != '-') {
        return false;
    }
    if (at[1] == '-') {
        size_t length = strcspn(at + 2, "= \t\r\n#");
        return length > 1 && be_sbatch_abbreviated(at + 2, length, &several);
    }
    return be_sbatch_lettered(at[1]);
}

static struct be_span line_of(const struct be_lint *lint, size_t index) {
    return lint->script->line[index].span;
}

/* "#SBTACH", "#Sbatch", "#SLURM": a word of a comment that is nearly SBATCH. */
static bool is_misspelt(const char *word, size_t length) {
    static const char *const spellings[] = {"SBTACH",  "SBACTH",  "SBATH",   "SBACH",   "SBATHC",
                                            "SABTCH",  "SBATC",   "SATCH",   "BATCH",   "SBACTCH",
                                            "SBATCHT", "SSBATCH", "SBBATCH", "SBATTCH", "SBATACH",
                                            "SBSTCH",  "SBATVH",  "SBARCH",  "SVATCH",  "SBASH"};
    if (length == 6 && strncasecmp(word, "SBATCH", 6) == 0) {
        return strncmp(word, "SBATCH", 6) != 0;
    }
    for (size_t i = 0; i < BE_COUNT(spellings); i++) {
        if (strlen(spellings[i]) == length && strncasecmp(word, spellings[i], length) == 0) {
            return true;
        }
    }
    return false;
}

/* "SBATCH --time=5": the shell looks for a program of that name. */
static void check_without_hash(struct be_lint *lint, struct be_span line) {
    static const char word[] = "SBATCH";
    const char *text = lint->script->text;
    const size_t at = line.at + strspn(text + line.at, " \t"), length = sizeof word - 1;
    if (strncmp(text + at, word, length) == 0 && strchr(" \t", text[at + length]) &&
        begins_option(text + at + length)) {
        struct be_lint_finding *finding =
            be_lint_add(lint, BE_WARNING, (struct be_span){at, length},
                        "SBATCH without a # is a command, which is not there");
        be_lint_advise(finding, "write #SBATCH");
        be_lint_replace(lint, finding, (struct be_span){line.at, at + length - line.at}, false,
                        "#SBATCH");
    }
}

/* "--mem=4G" below a directive, where a line was broken or #SBATCH forgotten: no program is called so. */
static void check_without_word(struct be_lint *lint, size_t index) {
    struct be_span line = line_of(lint, index);
    const char *text = lint->script->text + line.at;
    size_t blanks = strspn(text, " \t");
    size_t length = strcspn(text + blanks, " \t\r\n");
    struct be_span above = line_of(lint, index - 1);
    if (lint->script->line[index - 1].kind == BE_LINE_SBATCH &&
        lint->script->text[above.at + above.length - 1] != '\\' && /* another rule has that */
        strncmp(text + blanks, "--", 2) == 0 && begins_option(text + blanks)) {
        be_lint_advise(be_lint_add(lint, BE_WARNING, (struct be_span){line.at + blanks, length},
                                   "without #SBATCH this is a command, which is not there"),
                       "write #SBATCH before it");
    }
}

void be_check_misspelt(struct be_lint *lint) {
    for (size_t i = 1; i < lint->script->lines; i++) {
        struct be_span span = line_of(lint, i);
        const char *at = lint->script->text + span.at;
        if (lint->script->line[i].kind == BE_LINE_COMMAND && lint->script->shell) {
            check_without_hash(lint, span);
            check_without_word(lint, i);
        }
        if (lint->script->line[i].kind != BE_LINE_COMMENT || !lint->script->line[i].read ||
            at[0] != '#') {
            continue;
        }
        size_t length = 0;
        while (isalpha((unsigned char)at[1 + length])) {
            length++;
        }
        if (is_misspelt(at + 1, length) && begins_option(at + 1 + length)) {
            struct be_span word = {span.at, 1 + length};
            struct be_lint_finding *finding = be_lint_add(
                lint, BE_WARNING, word, "#%.*s is a comment, not a directive", (int)length, at + 1);
            be_lint_advise(finding, "write #SBATCH, in capitals");
            be_lint_replace(lint, finding, word, false, "#SBATCH");
        }
    }
}

/* Read as #SBATCH is, with a complaint each time. */
void be_check_slurm_word(struct be_lint *lint) {
    for (size_t i = 0; i < lint->script->lines && lint->script->line[i].read; i++) {
        struct be_span word = {line_of(lint, i).at, strlen("#SLURM")};
        if (lint->script->line[i].kind == BE_LINE_SBATCH &&
            strncmp(lint->script->text + word.at, "#SLURM", word.length) == 0) {
            struct be_lint_finding *finding = be_lint_add(
                lint, BE_WARNING, word, "sbatch reads #SLURM as a directive, and complains");
            be_lint_advise(finding, "write #SBATCH; if it is a remark, a blank after the #");
            be_lint_replace(lint, finding, word, true, "#SBATCH");
        }
    }
}

/* "#$ -pe smp 8": sbatch reads #PBS and #BSUB, and no others. */
void be_check_other_system(struct be_lint *lint) {
    static const struct {
        const char *head, *system;
    } others[] = {
        {"#$", "SGE"}, {"#MSUB", "Moab"}, {"#OAR", "OAR"}, {"#PJM", "PJM"}, {"#COBALT", "Cobalt"}};
    /* With #SBATCH beside them it is meant for both. */
    for (size_t i = 1;
         lint->script->options == 0 && i < lint->script->lines && lint->script->line[i].read; i++) {
        struct be_span line = line_of(lint, i);
        const char *text = lint->script->text + line.at;
        for (size_t k = 0; lint->script->line[i].kind == BE_LINE_COMMENT && k < BE_COUNT(others);
             k++) {
            const size_t length = strlen(others[k].head);
            const char *after = text + length;
            if (strncmp(text, others[k].head, length) == 0 && strchr(" \t", *after) &&
                after[strspn(after, " \t")] == '-') {
                be_lint_advise(
                    be_lint_add(lint, BE_WARNING, line,
                                "a directive of %s: to sbatch it is a comment", others[k].system),
                    "say it with #SBATCH; %s", "https://slurm.schedmd.com/rosetta.pdf has both");
                return; /* one is enough for all */
            }
        }
    }
}

/* Is the option of a line, which begins behind "SBATCH", given by a directive that counts? Then the line was put out of
 * use. */
static bool is_given(const struct be_lint *lint, struct be_span rest) {
    struct be_text alone = {0};
    struct be_script script = {0};
    struct be_error error = {0};
    be_text_add(&alone, "#!/bin/sh\n#SBATCH%.*s\n", (int)rest.length, lint->script->text + rest.at);
    bool given = !alone.failed &&
                 be_script_parse(alone.data, alone.length, NULL, &script, &error) == BE_OK &&
                 script.options > 0 &&
                 be_script_option(lint->script, -1, script.option[0].option->name);
    be_script_free(&script);
    be_text_free(&alone);
    return given;
}

void be_check_blank_before(struct be_lint *lint) {
    for (size_t i = 1; i < lint->script->lines; i++) {
        struct be_span span = line_of(lint, i);
        const char *text = lint->script->text + span.at;
        size_t before = strspn(text, " \t"), between = 0;
        if (lint->script->line[i].kind != BE_LINE_COMMENT || !lint->script->line[i].read ||
            text[before] != '#') {
            continue;
        }
        between = strspn(text + before + 1, " \t");
        const char *word = text + before + 1 + between;
        if (before + between == 0 || strncmp(word, "SBATCH", 6) != 0 || !begins_option(word + 6)) {
            continue;
        }
        struct be_span head = {span.at, before + 1 + between + 6};
        if (is_given(lint, (struct be_span){head.at + head.length, span.length - head.length})) {
            continue;
        }
        struct be_lint_finding *finding =
            be_lint_add(lint, BE_WARNING, head, "a blank %s: it is a comment, not a directive",
                        before ? "before #SBATCH" : "within # SBATCH");
        be_lint_advise(finding, before ? "let the line begin with #SBATCH"
                                       : "write #SBATCH; if it is meant as a comment, ##SBATCH");
        /* So is a line put out of use: with it the job may be another. */
        be_lint_replace(lint, finding, head, false, "#SBATCH");
    }
}

/* Where a directive that stands too late belongs: after the last line that sbatch reads. */
static size_t place_for(const struct be_lint *lint) {
    const struct be_script *script = lint->script;
    size_t last = 0;
    for (size_t i = 0; i < script->lines && script->line[i].read; i++) {
        last = script->line[i].kind == BE_LINE_SBATCH || i == 0 ? i : last;
    }
    return last + 1 < script->lines && script->line[last + 1].kind != BE_LINE_GIVEN
               ? script->line[last + 1].span.at
               : script->length;
}

/* The line moved up, where what it says is not said before and sbatch takes it. */
static void move_up(struct be_lint *lint, struct be_lint_finding *finding, struct be_span line) {
    const char *from = lint->script->text + line.at;
    size_t whole = line.length + (line.at + line.length < lint->script->length);
    struct be_text moved = {0};
    be_text_add(&moved, "#!/bin/sh\n%.*s\n", (int)line.length, from);
    struct be_script alone = {0};
    bool fits = !moved.failed && lint->script->line[0].read && !memchr(from, '\r', whole) &&
                !memchr(from, '\0', whole) &&
                be_script_parse(moved.data, moved.length, NULL, &alone, NULL) == BE_OK &&
                alone.faults == 0 && alone.options > 0;
    for (size_t i = 0; fits && i < alone.options; i++) {
        const struct be_script_option *option = &alone.option[i];
        fits = !be_script_option(lint->script, -1, option->option->name) &&
               !(option->text && (strchr(option->text, '$') || /* which sbatch does not expand */
                                  be_sbatch_refuses(option->option, option->text)));
    }
    be_script_free(&alone);
    be_text_free(&moved);
    if (fits) {
        char copy[BE_NOTE];
        snprintf(copy, sizeof copy, "%.*s\n", (int)line.length, from);
        be_lint_replace(lint, finding, (struct be_span){place_for(lint), 0}, false, copy);
        be_lint_replace(lint, finding, (struct be_span){line.at, whole}, false, "");
    }
}

/* May byte `at` stand in a string or a here-document of a language that is not read here? */
static bool in_string(const struct be_script *script, size_t at) {
    static const char *const opens[] = {"\"\"\"", "'''", "<<", "=begin", "q{", "qq{", "%{"};
    size_t quotes[2] = {0, 0};
    for (size_t i = 0; i < BE_COUNT(opens); i++) {
        if (memmem(script->text, at, opens[i], strlen(opens[i]))) {
            return true;
        }
    }
    for (size_t i = 0; i < at; i++) {
        quotes[0] += script->text[i] == '"';
        quotes[1] += script->text[i] == '\'';
    }
    return quotes[0] % 2 || quotes[1] % 2;
}

void be_check_after_command(struct be_lint *lint) {
    const struct be_script *script = lint->script;
    size_t first = 0;
    while (first < script->lines && script->line[first].kind != BE_LINE_COMMAND) {
        first++;
    }
    for (size_t i = first; i < script->lines; i++) {
        if (script->line[i].kind != BE_LINE_SBATCH || script->line[i].read ||
            strncmp(script->text + script->line[i].span.at, "#SBATCH", 7) != 0 ||
            (!script->shell && in_string(script, script->line[i].span.at))) {
            continue;
        }
        struct be_lint_finding *finding =
            be_lint_add(lint, BE_WARNING, line_of(lint, i),
                        "sbatch reads no directive after the first command, line %zu", first + 1);
        const bool expands =
            memchr(script->text + line_of(lint, i).at, '$', line_of(lint, i).length);
        be_lint_advise(finding, "move it up, before line %zu%s", first + 1,
                       expands ? ", with the value itself: sbatch expands no variable" : "");
        if (line_of(lint, i).length + 2 < BE_NOTE) {
            move_up(lint, finding, line_of(lint, i));
        }
    }
}

/* "--genome g \\ # the index": the backslash takes the blank, and the remark becomes words of the command. */
static bool check_remark(struct be_lint *lint, const struct be_script_command *command) {
    static const char sign[] = "\\ #";
    const char *from = lint->script->text + command->span.at;
    bool found = false;
    for (int k = 1; k < command->words && !found; k++) {
        found = strncmp(command->word[k], " #", 2) == 0;
    }
    const char *at = found ? memmem(from, command->span.length, sign, strlen(sign)) : NULL;
    if (at) {
        be_lint_advise(be_lint_add(lint, BE_WARNING,
                                   (struct be_span){(size_t)(at - lint->script->text), 3},
                                   "a remark behind the backslash: it becomes words of the "
                                   "command, and the line is not continued there"),
                       "put the remark on a line before the command");
    }
    return at;
}

/* "  --b 2" on a line of its own, which the line before does not continue: the shell looks for a program of that name.
 * In a list in parentheses, and as the pattern of a case, such words stand rightly. */
static bool check_begin(struct be_lint *lint, const struct be_script_command *command) {
    if (command == lint->script->command) {
        return false; /* only a directive can be before it, and those have a rule of their own */
    }
    const char *text = lint->script->code, *word = command->word[0];
    size_t line = be_script_line_at(lint->script, command->span.at);
    const struct be_span own = lint->script->line[line].span;
    const size_t end = own.at + own.length;
    if (word[0] != '-' || text[command->span.at] != '-' ||
        !isalpha((unsigned char)word[word[1] == '-' ? 2 : 1]) || line == 0 ||
        strspn(text + own.at, " \t") != command->span.at - own.at ||
        memchr(text + own.at, ')', own.length)) {
        return false;
    }
    const size_t behind = command->span.at + command->span.length;
    if (behind < end && text[behind + strspn(text + behind, " \t")] == '|') {
        return false; /* "-h | --help)" */
    }
    if (command[-1].word[0][0] == '-') {
        return true; /* said of the line before */
    }
    be_lint_advise(be_lint_add(lint, BE_WARNING, own,
                               "the line before it is not continued: the shell looks for a program "
                               "\"%.40s\", and the command above runs without it",
                               word),
                   "a backslash at the very end of each line before it; no remark and no blank "
                   "line in between");
    return true;
}

/* "srun -n 4 \\ ": the backslash takes the blank behind it, and the command is over. */
void be_check_broken_line(struct be_lint *lint) {
    const char *text = lint->script->text;
    for (size_t i = 0; i < lint->script->commands; i++) {
        const struct be_script_command *command = &lint->script->command[i];
        const char *last = command->word[command->words - 1];
        size_t end = command->span.at + command->span.length;
        if (check_begin(lint, command) || check_remark(lint, command) || *last == '\0' ||
            last[strspn(last, " \t")] != '\0' || end < 2 || text[end - 2] != '\\') {
            continue;
        }
        size_t blanks = strspn(text + end, " \t"), line = end + blanks;
        bool remark = text[line] == '#';
        line += remark ? strcspn(text + line, "\n") : 0;
        line += text[line] == '\r';
        if (text[line] != '\n' ||
            strspn(text + line + 1, " \t") == strcspn(text + line + 1, "\n")) {
            continue; /* nothing comes after it */
        }
        struct be_span away = {end - 1, 1 + blanks};
        struct be_lint_finding *finding =
            be_lint_add(lint, BE_WARNING, (struct be_span){end - 2, 2 + blanks},
                        "a %s behind the backslash: the command ends here, and the next line is "
                        "another",
                        remark ? "remark" : "blank");
        if (remark) {
            be_lint_advise(finding, "put the remark on a line before the command");
            continue;
        }
        be_lint_advise(finding, "take the blank away");
        be_lint_replace(lint, finding, away, false, "");
    }
}
