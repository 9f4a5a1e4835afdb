/* The rates of matrix products that the CPU here reaches, from a profile of this machine. It measures nothing. */
#ifndef BE_CLI_RUN_MATRIX_RATES_H
#define BE_CLI_RUN_MATRIX_RATES_H

#include "observe/trace.h"

/* To trace->calls: from the newest measured profile of the trace's host and processor. Left as they are where there is
 * none. */
void be_matrix_rates(struct be_trace *trace);

#endif
