#include "nn/update/update.h"

static const char *const names[][BE_NN_STATES] = {
    [BE_NN_SGD] = {"momentum_buffer"},
    [BE_NN_ADADELTA] = {"square_avg", "acc_delta"},
    [BE_NN_ADAM] = {"exp_avg", "exp_avg_sq"},
};

int be_nn_states(const struct be_nn_rule *rule) {
    return names[rule->optimiser][1] ? 2 : 1;
}

const char *be_nn_rule_name(const struct be_nn_rule *rule) {
    static const char *const rules[] = {
        [BE_NN_SGD] = "sgd", [BE_NN_ADADELTA] = "adadelta", [BE_NN_ADAM] = "adam"};
    return rules[rule->optimiser];
}

const char *be_nn_state_name(const struct be_nn_rule *rule, int state) {
    return names[rule->optimiser][state];
}

void be_nn_update(const struct be_nn_update *update, size_t first, size_t count) {
    switch (update->rule->optimiser) {
    case BE_NN_SGD:
        BE_SIMD_BEST(be_nn_update_sgd)(update, first, count);
        break;
    case BE_NN_ADADELTA:
        BE_SIMD_BEST(be_nn_update_adadelta)(update, first, count);
        break;
    case BE_NN_ADAM:
        BE_SIMD_BEST(be_nn_update_adam)(update, first, count);
        break;
    }
}
