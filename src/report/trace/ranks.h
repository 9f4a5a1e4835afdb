/*
 * The traces of the ranks of one parallel program, as one: which rank is the slowest, how evenly the work is shared.
 * It does not know when ranks wait for each other: libraries that pass messages often wait at full speed.
 */
#ifndef BE_REPORT_TRACE_RANKS_H
#define BE_REPORT_TRACE_RANKS_H

#include "report/trace/trace.h"

/* The facts that are kept of one rank's trace. */
struct be_rank_line {
    int rank, ranks;
    char host[BE_NAME], job[BE_NAME], command[BE_NOTE];
    bool failed;             /* it ended with another exit code than 0, or by a signal */
    double elapsed_s, cpu_s; /* NAN not known, here and below */
    double cores, bytes;     /* cores' worth of time that it had; memory at most */
    char finding[BE_NAME];   /* the dearest; empty: none that costs or is worth knowing */
};

void be_rank_take(const struct be_trace *trace, struct be_rank_line *line);
/* Are they different ranks of one program? Two or more. */
bool be_ranks_are(const struct be_rank_line *line, int count);
/* Sorts them by rank. */
void be_ranks_text(struct be_rank_line *line, int count, struct be_text *out);

#endif
