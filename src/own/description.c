#include "own/description.h"

static const size_t element_bytes[BE_OWN_ELEMENTS] = {[BE_OWN_FLOAT32] = 4,
                                                      [BE_OWN_FLOAT64] = 8,
                                                      [BE_OWN_INT32] = 4,
                                                      [BE_OWN_INT64] = 8,
                                                      [BE_OWN_BYTE] = 1};

uint64_t be_own_count(const struct be_problem *problem, int k) {
    const struct be_computation *c = be_own_of(problem)->computation;
    return c->array[k].count ? c->array[k].count(c->self, problem->value) : problem->value[0];
}

size_t be_own_element_bytes(const struct be_problem *problem, int k) {
    const enum be_element element = be_own_of(problem)->computation->array[k].element;
    return element == BE_OWN_REAL ? be_real_bytes(problem->real) : element_bytes[element];
}

size_t be_own_guard_bytes(const struct be_computation *computation) {
    enum { GUARD = 256 * sizeof(double) };
    const bool foreign = computation->device.source && computation->device.language != BE_OWN_WORDS;
    return foreign && !computation->elementwise ? GUARD : 0;
}

uint64_t be_own_items(const struct be_problem *problem) {
    const struct be_computation *c = be_own_of(problem)->computation;
    return c->items ? c->items(c->self, problem->value) : problem->value[0];
}

int be_own_launches(const struct be_own_device *device) {
    return device->launches > 0 ? device->launches : 1;
}

struct be_own_launch be_own_launch(const struct be_own_device *device, int i) {
    return device->launches > 0 ? device->launch[i]
                                : (struct be_own_launch){.kernel = device->kernel,
                                                         .lanes = device->lanes,
                                                         .items_per_lane = device->items_per_lane,
                                                         .groups = device->groups};
}
