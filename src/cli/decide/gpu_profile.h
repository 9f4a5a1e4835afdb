/* Which profile describes a GPU that a catalogue or a trace names. */
#ifndef BE_CLI_DECIDE_GPU_PROFILE_H
#define BE_CLI_DECIDE_GPU_PROFILE_H

#include "breakeven_profile.h"

/* "A100", "MI250X": the word of a model by which people call it; false: there is none. */
bool be_cli_gpu_word(const char *model, char word[BE_NAME]);

/* The profile or data sheet of a GPU of that model ("NVIDIA A100 40 GB SXM4") and memory (NAN: any); false: none. */
bool be_cli_gpu_profile(const char *model, double memory_bytes, struct be_profile *profile);

#endif
