#include "forecast/occasions.h"

#include <stdint.h>

#include "forecast/forecast.h"

enum { LOOKED_AT = 10 * BE_TABLE_JOBS }; /* starts, of all partitions */

int be_occasions(const struct be_history *history, const size_t *started, size_t starts,
                 int partition, double least_s) {
    size_t kept[BE_TABLE_JOBS];
    int count = 0, found = 0;
    const size_t end = starts > LOOKED_AT ? starts - LOOKED_AT : 0;
    for (size_t i = starts; i > end && count < BE_TABLE_JOBS; i--) {
        const struct be_past_job *job = &history->job[started[i - 1]];
        if (job->partition == partition && (double)(job->start_s - job->submit_s) >= least_s) {
            kept[count++] = started[i - 1];
        }
    }
    /* By their starts: the next that was submitted after the last one taken had started. */
    int64_t last_s = INT64_MIN;
    for (int i = count - 1; i >= 0; i--) {
        const struct be_past_job *job = &history->job[kept[i]];
        if (job->submit_s > last_s) {
            found++;
            last_s = job->start_s;
        }
    }
    return found;
}
