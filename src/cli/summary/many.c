#include "cli/summary/many.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accounting/usage/usage.h"
#include "base/error.h"
#include "cli/common/values.h"
#include "report/usage/usage.h"

bool be_cli_many_asked(const struct be_cli_many *many) {
    return many->users || many->accounts || many->partitions || many->since || many->until ||
           many->last || many->by || many->top || many->all_users;
}

/* ---- the question ------------------------------------------------------------------------------ */

/* It becomes a word of a command: names, dates and lists of them. */
static enum be_status check_word(const char *option, const char *text, struct be_error *error) {
    static const char signs[] = "._-+:,/@T";
    for (const char *at = text; at && *at; at++) {
        if (!isalnum((unsigned char)*at) && !strchr(signs, *at)) {
            return be_fail(error, BE_USAGE, "%s %.60s: names and dates have no such sign", option,
                           text);
        }
    }
    return text && (!*text || *text == '-')
               ? be_fail(error, BE_USAGE, "%s: which? the value is empty or an option", option)
               : BE_OK;
}

/* "7d" becomes "now-7days", as sacct has it. */
static enum be_status read_last(const char *text, char *to, size_t capacity,
                                struct be_error *error) {
    static const struct {
        char sign;
        const char *word;
    } units[] = {{'m', "minutes"}, {'h', "hours"}, {'d', "days"}, {'w', "weeks"}};
    const size_t digits = strspn(text, "0123456789");
    for (size_t i = 0; digits > 0 && digits < 6 && i < BE_COUNT(units); i++) {
        if (text[digits] == units[i].sign && !text[digits + 1]) {
            snprintf(to, capacity, "now-%.*s%s", (int)digits, text, units[i].word);
            return BE_OK;
        }
    }
    return be_fail(error, BE_USAGE, "--last %.40s: a number and m, h, d or w, as 7d", text);
}

static enum be_status read_query(const struct be_cli_many *many, char since[BE_NAME],
                                 struct be_account_query *query, struct be_error *error) {
    const struct {
        const char *option, *text;
    } words[] = {{"--user", many->users},           {"--account", many->accounts},
                 {"--partition", many->partitions}, {"--since", many->since},
                 {"--until", many->until},          {"JOBID", many->jobs}};
    enum be_status status = BE_OK;
    for (size_t i = 0; status == BE_OK && i < BE_COUNT(words); i++) {
        status = check_word(words[i].option, words[i].text, error);
    }
    if (status == BE_OK && many->last && many->since) {
        status = be_fail(error, BE_USAGE, "--last and --since: one of them");
    }
    *query = (struct be_account_query){.jobs = many->jobs,
                                       .users = many->users,
                                       .accounts = many->accounts,
                                       .partitions = many->partitions,
                                       .since = many->since,
                                       .until = many->until};
    if (status == BE_OK && many->last) {
        status = read_last(many->last, since, BE_NAME, error);
        query->since = since;
    }
    /* sacct shows the jobs of today, and one's own, unless it is told of others. */
    query->since = query->since || many->jobs ? query->since : "now-1days";
    query->all_users = !many->users && (many->all_users || many->accounts || many->partitions);
    return status;
}

/* ---- the answer -------------------------------------------------------------------------------- */

struct written {
    const struct be_usage_list *list;
    size_t top;
    struct be_made made;
};

static enum be_status write_usage(const void *results, enum be_format format, FILE *out,
                                  struct be_error *error) {
    const struct written *written = results;
    struct be_text text = {0};
    if (format == BE_JSON) {
        be_usage_json(written->list, &text);
    } else if (format == BE_CSV) {
        be_usage_csv(written->list, &text);
    } else if (format == BE_HTML) {
        be_usage_html(written->list, written->top, &written->made, &text);
    } else if (format == BE_SVG) {
        be_usage_svg(written->list, &text);
    } else {
        be_usage_text(written->list, written->top, &text);
    }
    enum be_status status = BE_OK;
    if (text.failed) {
        status = be_fail(error, BE_NOMEM, "summary: no host memory");
    } else if (fwrite(text.data, 1, text.length, out) != text.length || fflush(out) != 0) {
        status = be_fail(error, BE_IO, "summary: cannot be written: %s", strerror(errno));
    }
    be_text_free(&text);
    return status;
}

static enum be_status take(void *context, const struct be_account *account,
                           struct be_error *error) {
    return be_usage_add(context, account, error);
}

enum be_status be_cli_many_run(const struct be_cli_many *many, struct be_cli_outputs *outputs,
                               struct be_error *error) {
    static const char *const by_word[] = {
        [BE_BY_ARRAY] = "array",         [BE_BY_JOB] = "job",
        [BE_BY_USER] = "user",           [BE_BY_ACCOUNT] = "account",
        [BE_BY_PARTITION] = "partition", NULL};
    struct be_usage_list list = {0};
    struct be_account_query query;
    char since[BE_NAME];
    uint64_t top = 50;
    int by = BE_BY_ARRAY;
    enum be_status status = read_query(many, since, &query, error);
    if (status == BE_OK && many->by) {
        status = be_cli_choice("by", many->by, by_word, &by, error);
    }
    if (status == BE_OK && many->top) {
        status = be_cli_whole("--top", many->top, 0, &top, error);
    }
    status = status == BE_OK ? be_cli_outputs_open(outputs, error) : status;
    status = status == BE_OK ? be_account_each(&query, take, &list, error) : status;
    if (status == BE_OK) {
        be_usage_finish(&list, (enum be_usage_by)by);
        const struct written written = {&list, top ? (size_t)top : SIZE_MAX, many->made};
        status = be_cli_outputs_write(outputs, write_usage, &written, error);
    }
    be_cli_outputs_close(outputs);
    be_usage_free(&list);
    return status;
}
