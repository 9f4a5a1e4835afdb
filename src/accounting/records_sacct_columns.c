/*
 * Names of sacct's columns, in the order of `sacct --helpformat` (Slurm 17.11 to 25.05): of names that a
 * shortened one fits, sacct takes the first.
 */
#include <strings.h>

#include "accounting/records_sacct.h"
#include "base/error.h"

#define OTHER(name)                                                                                \
    { name, BE_COLUMN_OTHER }
#define FREE(name)                                                                                 \
    { name, BE_COLUMN_FREE }
#define LIST(name)                                                                                 \
    { name, BE_COLUMN_LIST }

static const struct {
    const char *name;
    enum be_sacct_column column;
} names[] = {
    {"Account", BE_COLUMN_ACCOUNT},
    FREE("AdminComment"),
    {"AllocCPUS", BE_COLUMN_NCPUS},
    {"AllocGRES", BE_COLUMN_ALLOCGRES},
    {"AllocNodes", BE_COLUMN_NNODES},
    {"AllocTRES", BE_COLUMN_ALLOCTRES},
    OTHER("AssocID"),
    OTHER("AveCPU"),
    OTHER("AveCPUFreq"),
    OTHER("AveDiskRead"),
    OTHER("AveDiskWrite"),
    OTHER("AvePages"),
    OTHER("AveRSS"),
    OTHER("AveVMSize"),
    OTHER("BlockID"),
    OTHER("Cluster"),
    FREE("Comment"),
    FREE("Constraints"),
    OTHER("ConsumedEnergy"),
    OTHER("ConsumedEnergyRaw"),
    FREE("Container"),
    OTHER("CPUTime"),
    OTHER("CPUTimeRAW"),
    OTHER("DBIndex"),
    OTHER("DerivedExitCode"),
    {"Elapsed", BE_COLUMN_ELAPSED},
    {"ElapsedRaw", BE_COLUMN_ELAPSEDRAW},
    {"Eligible", BE_COLUMN_ELIGIBLE},
    {"End", BE_COLUMN_END},
    OTHER("ExitCode"),
    FREE("Extra"),
    FREE("FailedNode"),
    OTHER("Flags"),
    OTHER("GID"),
    OTHER("Group"),
    {"JobID", BE_COLUMN_JOBID},
    {"JobIDRaw", BE_COLUMN_JOBIDRAW},
    FREE("JobName"),
    OTHER("Layout"),
    FREE("Licenses"),
    OTHER("MaxDiskRead"),
    OTHER("MaxDiskWrite"),
    OTHER("MaxPages"),
    OTHER("MaxRSS"),
    OTHER("MaxVMSize"),
    OTHER("McsLabel"),
    OTHER("MinCPU"),
    {"NCPUS", BE_COLUMN_NCPUS},
    {"NNodes", BE_COLUMN_NNODES},
    {"NodeList", BE_COLUMN_NODELIST},
    OTHER("NTasks"),
    {"Partition", BE_COLUMN_PARTITION},
    OTHER("Planned"),
    OTHER("Priority"),
    {"QOS", BE_COLUMN_QOS},
    OTHER("QOSRAW"),
    {"Reason", BE_COLUMN_REASON},
    OTHER("ReqCPUFreq"),
    {"ReqCPUS", BE_COLUMN_REQCPUS},
    {"ReqGRES", BE_COLUMN_REQGRES},
    {"ReqMem", BE_COLUMN_REQMEM},
    OTHER("ReqNodes"),
    {"ReqTRES", BE_COLUMN_REQTRES},
    OTHER("Reservation"),
    OTHER("ReservationId"),
    OTHER("Reserved"),
    OTHER("Restarts"),
    OTHER("ResvCPU"),
    OTHER("SLUID"),
    {"Start", BE_COLUMN_START},
    {"State", BE_COLUMN_STATE},
    FREE("StdErr"),
    FREE("StdIn"),
    FREE("StdOut"),
    {"Submit", BE_COLUMN_SUBMIT},
    FREE("SubmitLine"),
    OTHER("Suspended"),
    FREE("SystemComment"),
    OTHER("SystemCPU"),
    {"Timelimit", BE_COLUMN_TIMELIMIT},
    {"TimelimitRaw", BE_COLUMN_TIMELIMITRAW},
    OTHER("TotalCPU"),
    LIST("TRESUsageInAve"),
    LIST("TRESUsageInMax"),
    LIST("TRESUsageInMin"),
    LIST("TRESUsageInTot"),
    LIST("TRESUsageOutAve"),
    LIST("TRESUsageOutMax"),
    LIST("TRESUsageOutMin"),
    LIST("TRESUsageOutTot"),
    OTHER("UID"),
    {"User", BE_COLUMN_USER},
    OTHER("UserCPU"),
    FREE("WCKey"),
    OTHER("WCKeyID"),
    FREE("WorkDir"),
};

/* Names of squeue -O, and of the data sets that NREL publishes (job_id, wallclock_req in seconds). */
static const struct {
    const char *name;
    enum be_sacct_column column;
} others[] = {
    {"job_id", BE_COLUMN_JOBID},
    {"JobArrayID", BE_COLUMN_JOBID},
    {"UserName", BE_COLUMN_USER},
    {"submit_time", BE_COLUMN_SUBMIT},
    {"SubmitTime", BE_COLUMN_SUBMIT},
    {"eligible_time", BE_COLUMN_ELIGIBLE},
    {"EligibleTime", BE_COLUMN_ELIGIBLE},
    {"start_time", BE_COLUMN_START},
    {"StartTime", BE_COLUMN_START},
    {"end_time", BE_COLUMN_END},
    {"EndTime", BE_COLUMN_END},
    {"run_time", BE_COLUMN_ELAPSEDRAW},
    {"NumNodes", BE_COLUMN_NNODES},
    {"nodes_req", BE_COLUMN_NNODES},
    {"NumCPUs", BE_COLUMN_NCPUS},
    {"processors_req", BE_COLUMN_REQCPUS},
    {"wallclock_req", BE_COLUMN_LIMIT_S},
    {"gpus_req", BE_COLUMN_GPUS},
    FREE("name"),
    FREE("work_dir"),
    FREE("submit_line"),
};

enum be_sacct_column be_sacct_column_of(struct be_slice name, bool *whole) {
    const char *percent = memchr(name.text, '%', name.length);
    size_t length = percent ? (size_t)(percent - name.text) : name.length;
    enum be_sacct_column shortened = BE_COLUMNS;
    *whole = true;
    if (length >= 2 && name.text[0] == '"' && name.text[length - 1] == '"') {
        name.text++;
        length -= 2;
    }
    if (memchr(name.text, '\0', length)) { /* a comparison would end there, and look like a match */
        length = 0;
    }
    for (size_t i = 0; i < BE_COUNT(names) && length; i++) {
        if (strncasecmp(name.text, names[i].name, length) != 0) {
            continue;
        }
        if (names[i].name[length] == '\0') {
            return names[i].column;
        }
        shortened = shortened == BE_COLUMNS ? names[i].column : shortened;
    }
    for (size_t i = 0; i < BE_COUNT(others) && length; i++) {
        if (strncasecmp(name.text, others[i].name, length) == 0 && !others[i].name[length]) {
            return others[i].column;
        }
    }
    *whole = false;
    return shortened;
}
