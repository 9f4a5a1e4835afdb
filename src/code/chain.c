#include "code/chain.h"

enum { REGISTERS = BE_VECTOR_REGISTERS };

/* The registers at the beginning of an iteration that the present value of one comes from: a bit each. */
struct origin {
    uint32_t any;   /* in whatever way */
    uint32_t other; /* in another way than by copies and sums */
};

static void step(const struct be_instruction *one, struct origin *now) {
    struct origin made = {0};
    if (one->target_register < 0) {
        return;
    }
    for (int i = 0; i < BE_FLOW_SOURCES; i++) {
        if (one->source[i] >= 0) {
            const struct origin *from = &now[one->source[i]];
            made.any |= from->any;
            made.other |= one->flow[i] == BE_FLOW_OTHER ? from->any : from->other;
        }
    }
    now[one->target_register] = made;
}

/* The same over several iterations, until nothing is added: a value may come back to its register by way of others. */
static void close_over(struct origin *end) {
    for (int round = 0; round < REGISTERS; round++) {
        for (int to = 0; to < REGISTERS; to++) {
            const struct origin one = end[to];
            for (int by = 0; by < REGISTERS; by++) {
                if (one.any >> by & 1) {
                    end[to].any |= end[by].any;
                    end[to].other |= one.other >> by & 1 ? end[by].any : end[by].other;
                }
            }
        }
    }
}

enum be_code_chain be_code_chain_of(const struct be_instruction *instruction, size_t instructions) {
    struct origin now[REGISTERS];
    bool written[REGISTERS] = {false};
    enum be_code_chain chain = BE_CHAIN_NONE;
    for (int i = 0; i < REGISTERS; i++) {
        now[i] = (struct origin){.any = UINT32_C(1) << i};
    }
    for (size_t i = 0; i < instructions; i++) {
        step(&instruction[i], now);
        if (instruction[i].target_register >= 0) {
            written[instruction[i].target_register] = true;
        }
    }
    for (int i = 0; i < REGISTERS; i++) {
        now[i] = written[i] ? now[i] : (struct origin){0}; /* it holds a constant */
    }
    close_over(now);
    for (int i = 0; i < REGISTERS; i++) {
        if (now[i].other >> i & 1) {
            return BE_CHAIN_STEPS;
        }
        chain = now[i].any >> i & 1 ? BE_CHAIN_SUM : chain;
    }
    return chain;
}
