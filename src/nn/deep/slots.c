#include "nn/deep/slots.h"

/* The slot of a place's gradient; *begins: it had none before. */
static int slot_for(struct be_nn_slots *slots, bool used[], int place, bool *begins) {
    *begins = slots->of[place] < 0;
    if (*begins) {
        int free = 0;
        while (free < BE_NN_SLOTS_MAX - 1 && used[free]) {
            free++;
        }
        used[free] = true;
        slots->of[place] = free;
        slots->slots = free + 1 > slots->slots ? free + 1 : slots->slots;
    }
    return slots->of[place];
}

void be_nn_slots_find(const struct be_nn_shape *shape, struct be_nn_slots *slots) {
    bool used[BE_NN_SLOTS_MAX] = {false};
    bool begins;
    *slots = (struct be_nn_slots){0};
    for (int i = 0; i < shape->layers; i++) {
        slots->of[i] = -1;
        slots->widest = shape->place[i].out > slots->widest ? shape->place[i].out : slots->widest;
    }
    slot_for(slots, used, shape->layers - 1, &begins);
    for (int i = shape->layers - 1; i >= 0; i--) {
        const struct be_nn_place *p = &shape->place[i];
        if (p->add >= 0) {
            slot_for(slots, used, p->add, &slots->begins_add[i]);
        }
        if (p->input >= 0) {
            slot_for(slots, used, p->input, &slots->begins[i]);
        }
        used[slots->of[i]] = false;
    }
}
