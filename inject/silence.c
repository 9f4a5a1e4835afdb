#include "silence.h"

static uint64_t settle(struct silence *silence, uint64_t looked_at) {
    silence->turns = 0;
    silence->launches = silence->ns = 0;
    return looked_at;
}

uint64_t silence_turn(struct silence *silence, uint64_t ns, uint64_t records, uint64_t launches) {
    if (records > 0) {
        silence->blind = 0;
        return settle(silence, silence->ns + ns);
    }
    silence->turns++;
    silence->launches += launches;
    silence->ns += ns;
    uint64_t rested = 0;
    if (silence->launches == 0 && silence->turns % SILENCE_REST == 0) {
        rested = silence->ns;
        silence->ns = 0;
    }
    return rested;
}

bool silence_is_blind(struct silence *silence) {
    if (silence->launches < SILENCE_LAUNCHES) {
        return false;
    }
    settle(silence, 0);
    silence->blind++;
    return true;
}

uint64_t silence_end(struct silence *silence) {
    return settle(silence, silence->launches == 0 ? silence->ns : 0);
}
