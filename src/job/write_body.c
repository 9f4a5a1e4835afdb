/* The commands of a job script: threads, data to local disk, the command. */
#include <string.h>

#include "job/words.h"
#include "job/write.h"
#include "script/shell_quote.h"

static const char *base_name(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    while (length > 0 && path[length - 1] != '/') {
        length--;
    }
    return path + length;
}

static void write_threads(const struct be_job_words *words, struct be_text *text) {
    be_text_add(text,
                "\n# A line that fails ends the job: nothing is computed with half of the data.\n"
                "set -eo pipefail\n\n"
                "# Threads for the cores asked for; libraries otherwise take all of the node's.\n"
                "# PyTorch takes OMP_NUM_THREADS, too.\n"
                "export OMP_NUM_THREADS=%s\n"
                "export MKL_NUM_THREADS=$OMP_NUM_THREADS\n"
                "export OPENBLAS_NUM_THREADS=$OMP_NUM_THREADS\n",
                words->cpus);
}

/* Local disk is named by the cluster's variable, or by what there commonly is. */
static void write_staging(const struct be_job_plan *plan, const struct be_job_words *words,
                          struct be_text *text) {
    const struct be_job_request *request = plan->request;
    const char *disk = plan->cluster->local_disk;
    const char *each = plan->nodes > 1 ? words->launch : "";
    if (request->stages == 0) {
        return;
    }
    be_text_add(text,
                "\n# Data on the node's own disk: read once over the network, then locally.\n"
                "stage=${%s:-${TMPDIR:-/tmp}}/breakeven-%s\n",
                *disk ? disk : "SLURM_TMPDIR",
                plan->cluster->scheduler == BE_SCHEDULER_LSF ? "$LSB_JOBID-${LSB_JOBINDEX:-0}"
                                                             : "$SLURM_JOB_ID");
    if (plan->nodes > 1) {
        be_text_add(text, "# On every node.\n"
                          "on_nodes=(srun --nodes=\"$SLURM_JOB_NUM_NODES\" "
                          "--ntasks=\"$SLURM_JOB_NUM_NODES\" --ntasks-per-node=1)\n");
        each = "\"${on_nodes[@]}\" ";
    }
    be_text_add(text, "%smkdir -p -- \"$stage\"\ntrap '%srm -rf -- \"$stage\"' EXIT\n", each, each);
    be_text_add(text, "%scp -r --", each);
    for (int i = 0; i < request->stages; i++) {
        be_text_add(text, " ");
        be_shell_quote(request->staged[i], text);
    }
    be_text_add(text, " \"$stage\"/\n");
}

/* Pieces between "{index}" are quoted, the index is not. */
static void add_with_index(const struct be_job_plan *plan, const struct be_job_words *words,
                           const char *word, bool program, struct be_text *text) {
    static const char mark[] = "{index}";
    const char *at = plan->request->array ? strstr(word, mark) : NULL;
    if (!at) {
        if (program) {
            be_shell_quote_program(word, text);
        } else {
            be_shell_quote(word, text);
        }
        return;
    }
    for (; at; at = strstr(word, mark)) {
        struct be_text piece = {0};
        be_text_add_bytes(&piece, word, (size_t)(at - word));
        if (piece.length && program) { /* "a=" before an index would be an assignment */
            be_shell_quote_program(piece.data, text);
        } else if (piece.length) {
            be_shell_quote(piece.data, text);
        }
        text->failed |= piece.failed;
        be_text_free(&piece);
        be_text_add(text, "%s", words->index);
        word = at + sizeof mark - 1;
    }
    if (*word) {
        be_shell_quote(word, text);
    }
}

/* An argument that is a staged file becomes its copy. */
static const char *copy_of(const struct be_job_request *request, const char *word) {
    for (int i = 0; i < request->stages; i++) {
        if (strcmp(request->staged[i], word) == 0) {
            return base_name(word);
        }
    }
    return NULL;
}

static void write_command(const struct be_job_plan *plan, const struct be_job_words *words,
                          struct be_text *text) {
    const struct be_job_request *request = plan->request;
    be_text_add(text, "\n# Here is the place for module load ..., source venv/bin/activate and the "
                      "like.\n\n");
    if (plan->tasks > 1) {
        be_text_add(text, "# srun starts the %d processes; without it there would be one.\n",
                    plan->tasks);
    }
    if (request->watch) {
        be_text_add(text, "# Watched: at the end breakeven says whether it used what it had.\n");
    }
    be_text_add(text, "%s%s", plan->tasks > 1 ? words->launch : "",
                request->watch ? "breakeven run -- " : "");
    bool bare = plan->tasks == 1 && !request->watch;
    for (int i = 0; i < request->words; i++) {
        const char *copy = i > 0 ? copy_of(request, request->word[i]) : NULL;
        be_text_add(text, "%s%s", i ? " " : "", copy ? "\"$stage\"/" : "");
        if (copy) {
            size_t length = strcspn(copy, "/");
            struct be_text name = {0};
            be_text_add_bytes(&name, copy, length);
            be_shell_quote(name.data ? name.data : "", text);
            text->failed |= name.failed;
            be_text_free(&name);
        } else {
            add_with_index(plan, words, request->word[i], i == 0 && bare, text);
        }
    }
    be_text_add(text, "\n");
}

void be_job_write_body(const struct be_job_plan *plan, const struct be_job_words *words,
                       struct be_text *text) {
    write_threads(words, text);
    write_staging(plan, words, text);
    write_command(plan, words, text);
}
