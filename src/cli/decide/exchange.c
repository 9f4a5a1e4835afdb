#include "cli/decide/exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"
#include "report/queue/queue.h"

/* Numbers above 0 with a comma between them, `most` at most; how many there are, 0: it is something else. */
static int numbers_of(const char *text, double *value, int most) {
    int count = 0;
    for (char *end = NULL; count < most; text = end + 1) {
        value[count] = strtod(text, &end);
        if (end == text || !(value[count] > 0) || !isfinite(value[count])) {
            return 0;
        }
        count++;
        if (*end != ',') {
            return *end == '\0' ? count : 0;
        }
    }
    return 0; /* one comma too many */
}

static const char *nearest(const char *text) {
    const char *best = NULL, *word;
    size_t least = be_near_limit(strlen(text));
    for (size_t i = 0; (word = be_network_word(i)); i++) {
        best = be_is_nearer(text, strlen(text), word, &least) ? word : best;
    }
    return best;
}

enum be_status be_cli_network_set(const char *text, struct be_network *network,
                                  struct be_error *error) {
    double value[2];
    struct be_text words = {0};
    if (numbers_of(text, value, 2) == 2) {
        *network = be_network_measured(value[0], value[1]);
        return BE_OK;
    }
    if (be_network_named(text, network)) {
        return BE_OK;
    }
    const char *word, *near = nearest(text);
    for (size_t i = 0; (word = be_network_word(i)); i++) {
        be_text_add(&words, "%s%s", i ? ", " : "", word);
    }
    be_fail(error, BE_USAGE,
            "--network %.40s: %s%s%sGB/s out of a node and microseconds of a message, as 25,2, or "
            "one of %s, or several of them side by side, as 4xhdr200",
            text, near ? "did you mean " : "", near ? near : "", near ? "? It takes " : "",
            words.data ? words.data : "?");
    be_text_free(&words);
    return BE_USAGE;
}

enum be_status be_cli_exchange_set(const char *option, const char *text, double *bytes,
                                   double *times, struct be_error *error) {
    double value[2] = {0, 1};
    const int count = numbers_of(text, value, 2);
    if (count == 0) {
        return be_fail(error, BE_USAGE,
                       "%s %.40s: bytes above 0 are needed, and how often, as %s=4e8,1000", option,
                       text, option);
    }
    *bytes = value[0];
    *times = count > 1 ? value[1] : 1;
    return BE_OK;
}

/* The place there with most nodes; -1: there is none. */
static int widest(const struct be_cli_places *places, const struct be_cluster *cluster) {
    int best = -1;
    for (int i = 0; i < places->places; i++) {
        const struct be_cli_place *job = &places->job[i];
        if (job->cluster == cluster && job->request.nodes > 1 &&
            (best < 0 || job->request.nodes > places->job[best].request.nodes)) {
            best = i;
        }
    }
    return best;
}

static void remark_on(struct be_cli_places *places, int i) {
    const struct be_cli_place *job = &places->job[i];
    const struct be_predict_time *time = &places->place[i].network;
    char typical[BE_WORD], most[BE_WORD];
    be_format_wait(typical, sizeof typical, time->typical_s, "?");
    be_format_wait(most, sizeof most, time->hi_s, "?");
    if (job->network.guess) {
        be_cli_places_remark(places,
                             "%s: which network its nodes have is not known. Exchanges of %d nodes "
                             "are guessed to take %s, up to %s: say --network=GB/s,us.",
                             places->place[i].where, job->request.nodes, typical, most);
    } else {
        be_cli_places_remark(places,
                             "%s: exchanges of %d nodes over %s take %s, up to %s, less what is "
                             "hidden behind computing. Nobody measured them.",
                             places->place[i].where, job->request.nodes, job->network.name, typical,
                             most);
    }
}

void be_cli_exchange_remark(const struct be_cli_work *work, struct be_cli_places *places) {
    const struct be_cluster *done = NULL;
    bool several = false;
    for (int i = 0; i < places->places; i++) {
        const struct be_cluster *cluster = places->job[i].cluster;
        several |= places->job[i].request.nodes > 1;
        if (cluster != done && be_exchange_any(&work->asked.exchange)) {
            const int at = widest(places, cluster);
            if (at >= 0) {
                remark_on(places, at);
            }
            done = cluster;
        }
    }
    if (several && !be_exchange_any(&work->asked.exchange)) {
        be_cli_places_remark(places,
                             "\"2 x ..\" are two nodes. Nobody said what they exchange "
                             "(--all-reduce, --halo): at worst several nodes are no faster than "
                             "one.");
    }
}
