/* Would a part of the GPU do, or a smaller one? Pure. */
#ifndef BE_ASK_GPU_SMALLER_H
#define BE_ASK_GPU_SMALLER_H

#include "ask/gpu_worth.h"

/* A part of this GPU (MIG): fills in `smaller`, `smaller_longer`. */
void be_gpu_part(const struct be_trace *trace, int gpu, struct be_gpu_worth *worth);

/* Smaller GPUs by their data sheets: fills in `card`. */
void be_gpu_cards(const struct be_trace *trace, int gpu, const struct be_gpu_work *work,
                  struct be_gpu_worth *worth);

#endif
