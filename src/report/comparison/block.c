/* Which results a block of the text report has, and what its sizes and its device are called. */
#include <stdio.h>
#include <string.h>

#include "report/comparison/block.h"
#include "report/comparison/comparison.h"

bool be_block_has(const struct be_block *block, const struct be_result *result) {
    bool place = result->placement == BE_HOST ||
                 (block->device && strcmp(result->device, block->device) == 0);
    return place && strcmp(result->workload, block->workload) == 0 &&
           strcmp(result->dtype, block->dtype) == 0;
}

bool be_block_counts(const struct be_block *block, const struct be_result *result) {
    return be_block_has(block, result) && strcmp(result->variant, BE_AS_PUBLISHED) != 0;
}

/* Sizes that only narrow a break-even would fill the table with lines of one time each; one that
 * went wrong is shown all the same. */
bool be_block_shows(const struct be_block *block, const struct be_result *result) {
    return be_block_counts(block, result) && !(result->refines && result->status == BE_RESULT_OK);
}

bool be_block_cold(const struct be_block *block, uint64_t size) {
    const struct be_comparison *all = block->comparison;
    bool cold = false;
    for (size_t i = 0; i < all->results; i++) {
        const struct be_result *r = &all->result[i];
        if (be_block_shows(block, r) && r->status == BE_RESULT_OK && r->size == size) {
            if (r->cache != BE_COLD) {
                return false;
            }
            cold = true;
        }
    }
    return cold;
}

bool be_answer_is(enum be_answer_of of, const struct be_breakeven *even) {
    return even->as_written == (of == BE_ANSWER_WRITTEN) &&
           even->callable == (of == BE_ANSWER_CALLABLE);
}

bool be_answer_has(enum be_answer_of of, const struct be_result *result) {
    switch (of) {
    case BE_ANSWER_CALLABLE:
        return result->code != BE_CODE_EXPERT && !result->as_written;
    case BE_ANSWER_WRITTEN:
        return result->as_written;
    case BE_ANSWER_BEST:
        break;
    }
    return true;
}

/* block: NULL: of all workloads. */
const char *be_report_against(const struct be_comparison *comparison, const struct be_block *block,
                              enum be_answer_of of, const char *all_cores, char to[BE_NAME]) {
    int max = 0;
    for (size_t i = 0; i < comparison->results; i++) {
        const struct be_result *r = &comparison->result[i];
        if (r->placement == BE_HOST && r->status == BE_RESULT_OK && r->threads > max &&
            be_answer_has(of, r) && (!block || be_block_counts(block, r))) {
            max = r->threads;
        }
    }
    if (max == 0 || max >= comparison->machine.cores_allowed) {
        return all_cores;
    }
    snprintf(to, BE_NAME, "the %scode on %d core%s", of == BE_ANSWER_BEST ? "best " : "", max,
             max == 1 ? "" : "s");
    return to;
}

const char *be_block_label(const struct be_block *block) {
    bool opencl = strncmp(block->device, "opencl", 6) == 0;
    if (block->info && block->info->kind == BE_KIND_GPU) {
        return "GPU";
    }
    if (block->info && block->info->kind == BE_KIND_CPU && opencl) {
        return "OpenCL on the CPU";
    }
    return block->device;
}

const char *be_size_words(const struct be_result *result) {
    const char *name, *what;
    if (*result->size_name && strcmp(result->size_name, "size") != 0) {
        return result->size_name;
    }
    for (int i = 0; be_workload_parameter(result->workload, i, &name, &what); i++) {
        if (strcmp(name, "size") == 0) {
            return what;
        }
    }
    return "elements"; /* of a workload that this version does not have */
}

bool be_size_is_elements(const struct be_result *result) {
    return strcmp(be_size_words(result), "elements") == 0;
}
