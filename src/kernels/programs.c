/* The device programs: a source for the devices' compilers, and the same as host C. */
#include "kernel_sources.h"
#include "kernels/kernels.h"

const struct be_program be_program_elementwise = {
    .name = "elementwise", .source = be_source_elementwise, .host = be_elementwise_host};

const struct be_program be_program_ceilings = {
    .name = "ceilings", .source = be_source_ceilings, .host = be_ceilings_host};
