/* Results that the iterations of a loop hand on in vector registers. Pure. */
#ifndef BE_CODE_CHAIN_H
#define BE_CODE_CHAIN_H

#include "code/loop.h"

/* `instruction`: those of a loop, in their order. */
enum be_code_chain be_code_chain_of(const struct be_instruction *instruction, size_t instructions);

#endif
