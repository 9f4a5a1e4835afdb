#include "decide/network.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Latency of a message between two nodes, MPI: with remote direct memory access 1.1 us were published (Cray Aries; Sarus user
 * guide), 1.2 us (InfiniBand EDR; Open MPI's list, 2015) and 1.9 us (40 Gb/s Ethernet past the kernel; Cisco, 2014), through
 * the kernel 24.5 us (10 Gb/s Ethernet; ALBA). Libraries for GPUs take longer; they have the upper end. */
static const struct be_predict_time direct = {1e-6, 2e-6, 20e-6},
                                    through_kernel = {2e-6, 25e-6, 100e-6};

/* Programs get a share of a link's rate: all of it between two idle nodes (97 % of InfiniBand EDR), four fifths in training (S. Bekman,
 * "Machine Learning Engineering", Network), a fifth where 33 nodes share 7 links (Narval's documentation: 4.7 to 1). */
static const double share_typical = 0.8, share_least = 0.2;

static const struct fabric {
    const char *word;
    double gigabits_s; /* of one link, as its name says */
    const struct be_predict_time *message;
} fabrics[] = {
    {"ethernet-10", 10, &through_kernel},
    {"ethernet-25", 25, &through_kernel},
    {"ethernet-100", 100, &through_kernel},
    {"roce-100", 100, &direct},
    {"omni-path", 100, &direct},
    {"edr", 100, &direct},
    {"hdr100", 100, &direct},
    {"hdr200", 200, &direct},
    {"ndr200", 200, &direct},
    {"ndr400", 400, &direct},
    {"slingshot-11", 200, &direct},
};

enum { LINKS_MAX = 16 };
static const double bits = 8e-9; /* seconds of a byte at 1 Gb/s */

const char *be_network_word(size_t index) {
    return index < BE_COUNT(fabrics) ? fabrics[index].word : NULL;
}

static bool same_word(const char *a, const char *b) {
    for (; *a && tolower((unsigned char)*a) == *b; a++, b++) {
    }
    return *a == *b;
}

bool be_network_named(const char *word, struct be_network *network) {
    char *end = NULL;
    const long count = strtol(word, &end, 10);
    const bool several = end != word && *end == 'x';
    const long links = several ? count : 1;
    if (links < 1 || links > LINKS_MAX || strlen(word) >= BE_NAME) {
        return false;
    }
    for (size_t i = 0; i < BE_COUNT(fabrics); i++) {
        const double byte_s = bits / (fabrics[i].gigabits_s * (double)links);
        if (same_word(several ? end + 1 : word, fabrics[i].word)) {
            *network = (struct be_network){
                .byte_s = {byte_s, byte_s / share_typical, byte_s / share_least},
                .message_s = *fabrics[i].message};
            be_copy_text(network->name, BE_NAME, word);
            return true;
        }
    }
    return false;
}

struct be_network be_network_measured(double gigabytes_s, double microseconds) {
    const double byte_s = 1e-9 / gigabytes_s, message_s = 1e-6 * microseconds;
    struct be_network network = {.byte_s = {byte_s, byte_s, 2 * byte_s}, /* others use it, too */
                                 .message_s = {message_s, message_s, 2 * message_s}};
    snprintf(network.name, BE_NAME, "%g GB/s, %g us", gigabytes_s, microseconds);
    return network;
}

struct be_network be_network_unknown(void) {
    const struct fabric *slow = &fabrics[0], *usual = &fabrics[6], *fast = &fabrics[9];
    return (struct be_network){
        .byte_s = {bits / fast->gigabits_s, bits / usual->gigabits_s / share_typical,
                   bits / slow->gigabits_s / share_typical},
        .message_s = {direct.lo_s, direct.typical_s, through_kernel.typical_s},
        .guess = true};
}

bool be_exchange_any(const struct be_exchange *exchange) {
    return exchange->reduce_bytes > 0 || exchange->halo_bytes > 0;
}

static double seconds_at(double byte_s, double message_s, const struct be_exchange *e, int nodes) {
    const double p = nodes, steps = ceil(log2(p));
    const double ring_s = 2 * (p - 1) * (message_s + e->reduce_bytes / p * byte_s);
    const double doubling_s = steps * (message_s + e->reduce_bytes * byte_s);
    const double reduce_s = e->reduce_bytes > 0 ? e->reduces * fmin(ring_s, doubling_s) : 0;
    return reduce_s + (e->halo_bytes > 0 ? e->halos * (message_s + e->halo_bytes * byte_s) : 0);
}

struct be_predict_time be_exchange_s(const struct be_network *network,
                                     const struct be_exchange *exchange, int nodes) {
    const double hidden = 0.9;
    const struct be_predict_time *b = &network->byte_s, *m = &network->message_s;
    if (nodes < 2) {
        return (struct be_predict_time){0};
    }
    return (struct be_predict_time){(1 - hidden) * seconds_at(b->lo_s, m->lo_s, exchange, nodes),
                                    seconds_at(b->typical_s, m->typical_s, exchange, nodes),
                                    seconds_at(b->hi_s, m->hi_s, exchange, nodes)};
}
