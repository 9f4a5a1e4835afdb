/*
 * One table of the text report: a workload on the CPU and on one device beside it, and the parts around it. It does
 * not know other tables.
 */
#ifndef BE_REPORT_COMPARISON_BLOCK_H
#define BE_REPORT_COMPARISON_BLOCK_H

#include "base/text.h"
#include "breakeven.h"

/* Whose answer it is, of the three that a workload may have in one placement. */
enum be_answer_of { BE_ANSWER_BEST, BE_ANSWER_CALLABLE, BE_ANSWER_WRITTEN };

/* Is the break-even such an answer? Is the result of code that the answer is of? */
bool be_answer_is(enum be_answer_of of, const struct be_breakeven *even);
bool be_answer_has(enum be_answer_of of, const struct be_result *result);

/* One table: a workload on the CPU and on one device beside it. */
struct be_block {
    const struct be_comparison *comparison;
    const char *workload, *dtype;
    const char *device;                /* id; NULL: the CPU alone */
    const struct be_device_info *info; /* of that device; NULL when the machine does not list it */
    bool alone;                        /* no other device beside the cpu was measured */
};

/* The name of the device in a table: "GPU", "OpenCL on the CPU", "opencl:0". */
const char *be_block_label(const struct be_block *block);
/* The things that a size counts: "elements", "keys", "points". */
const char *be_size_words(const struct be_result *result);
bool be_size_is_elements(const struct be_result *result);
bool be_block_has(const struct be_block *block, const struct be_result *result);
/* Is it a result (not the published way of timing)? And one that the table shows? */
bool be_block_counts(const struct be_block *block, const struct be_result *result);
bool be_block_shows(const struct be_block *block, const struct be_result *result);
/* Are the times of a size those of cold data, since there are no others? Then all that stands side by side is. */
bool be_block_cold(const struct be_block *block, uint64_t size);
/* The other side of a device: `all_cores`, or in `to` "the best code on 2 cores" where no CPU case that has a
 * time had as many threads as there are cores; of those as written, "the code on 2 cores". */
const char *be_report_against(const struct be_comparison *comparison, const struct be_block *block,
                              enum be_answer_of of, const char *all_cores, char to[BE_NAME]);

/* Table, legend and notes of one block. `explained`: terms the report has explained so far. */
void be_report_table(const struct be_block *block, unsigned *explained, struct be_text *out);
/* The lines below the table: the published way of timing, what is not shown, what was slowed. */
void be_report_below(const struct be_block *block, struct be_text *out);
/* Every variant at the largest size; nothing where there is but one. */
void be_report_variants(const struct be_block *block, unsigned *explained, struct be_text *out);
/* Where the device gets ahead, and what repays the copy and the first call. */
void be_report_verdict(const struct be_block *block, struct be_text *out);

/* A break-even in words: "from 7.2e4 (6.9e4 - 7.4e4)", "never up to 1e6". */
enum { BE_ANSWER_TEXT = 9 * BE_WORD };
void be_report_answer(const struct be_breakeven *even, char to[BE_ANSWER_TEXT]);

/* Two whole programs, in place of all blocks. */
bool be_report_has_programs(const struct be_comparison *comparison);
void be_report_programs(const struct be_comparison *comparison, struct be_text *out);

/* The energy of a call at the largest size of which it is known; nothing where it is not. */
void be_report_energy(const struct be_block *block, struct be_text *out);

#endif
