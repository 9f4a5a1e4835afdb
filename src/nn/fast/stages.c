#include "nn/fast/stages.h"

static bool begins(const struct be_nn_place *p, struct be_nn_stages *stages,
                   struct be_nn_stage **now) {
    const bool dense = p->layer.kind == BE_NN_DENSE;
    const int size = p->layer.size;
    int *count = dense ? &stages->dense : &stages->convolutions;
    if (*count == BE_NN_STAGES ||
        (!dense && (stages->dense || !p->layer.relu || (size != 3 && size != 5)))) {
        return false;
    }
    *now = dense ? &stages->layer[*count] : &stages->convolution[*count];
    **now = (struct be_nn_stage){
        .main = p, .height = p->out_height, .width = p->out_width, .out = p->out};
    stages->parameters = dense ? stages->parameters : p->bias + (size_t)p->out_channels;
    (*count)++;
    return true;
}

bool be_nn_stages_find(const struct be_nn_shape *shape, struct be_nn_stages *stages) {
    struct be_nn_stage *now = NULL;
    *stages = (struct be_nn_stages){0};
    for (int i = 0; i < shape->layers; i++) {
        const struct be_nn_place *p = &shape->place[i];
        if (p->weights) {
            if (!begins(p, stages, &now)) {
                return false;
            }
        } else if (!now || !now->main->layer.relu || now->drop > 0) {
            return false;
        } else if (p->layer.kind == BE_NN_DROPOUT) {
            now->drop = p->layer.drop;
            now->drop_layer = i;
        } else {
            if (now->pool || now->main->layer.kind != BE_NN_CONV) {
                return false;
            }
            now->pool = true;
            now->height = p->out_height;
            now->width = p->out_width;
            now->out = p->out;
        }
    }
    return stages->convolutions > 0 && stages->dense > 0;
}
