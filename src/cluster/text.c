#include "cluster/text.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum { WIDTH = 80 };

void be_limit_text(double seconds, char text[BE_WORD]) {
    static const struct {
        double seconds;
        const char *one, *many;
    } unit[] = {{86400, "day", "days"}, {3600, "hour", "hours"}, {60, "minute", "minutes"}};
    be_copy_text(text, BE_WORD, "-");
    for (size_t i = 0; i < BE_COUNT(unit) && seconds > 0; i++) {
        double count = seconds / unit[i].seconds;
        if (count >= 1 && floor(count) >= count) {
            snprintf(text, BE_WORD, "%.0f %s", count, count > 1 ? unit[i].many : unit[i].one);
            return;
        }
    }
    if (seconds > 0) {
        snprintf(text, BE_WORD, "%.0f s", seconds);
    }
}

void be_gpu_request_text(const struct be_cluster *cluster, const struct be_cluster_gpu *gpu,
                         const char *count, char *text, size_t capacity) {
    const char *colon = *gpu->type ? ":" : "";
    switch (cluster->request) {
    case BE_REQUEST_PER_NODE:
        snprintf(text, capacity, "--gpus-per-node=%s%s%s", gpu->type, colon, count);
        break;
    case BE_REQUEST_GPUS:
        snprintf(text, capacity, "--gpus=%s%s%s", gpu->type, colon, count);
        break;
    case BE_REQUEST_GRES:
        snprintf(text, capacity, "--gres=gpu:%s%s%s", gpu->type, colon, count);
        break;
    case BE_REQUEST_LSF:
        snprintf(text, capacity, "-R \"rusage[ngpus_excl_p=%s]\"", count);
        break;
    default:
        *text = '\0';
        break;
    }
}

/* MiB as "124.5 GiB"; "-": not known. */
static void memory_text(double mib, char text[BE_WORD]) {
    if (isnan(mib)) {
        be_copy_text(text, BE_WORD, "-");
    } else {
        snprintf(text, BE_WORD, mib < 102400 ? "%.1f GiB" : "%.0f GiB", mib / 1024);
    }
}

static void count_text(int count, char text[BE_WORD]) {
    snprintf(text, BE_WORD, count > 0 ? "%d" : "-", count);
}

/* Words of `from`, folded at WIDTH: the first line after `head`, others below its end. */
static void add_folded(struct be_text *out, const char *head, const char *from) {
    size_t indent = strlen(head), column = indent;
    be_text_add(out, "%s", head);
    for (bool first = true; *from; first = false) {
        size_t length = strcspn(from, " ");
        if (!first && column + 1 + length > WIDTH) {
            be_text_add(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!first) {
            be_text_add(out, " ");
            column++;
        }
        be_text_add_bytes(out, from, length);
        column += length;
        from += length + strspn(from + length, " ");
    }
    be_text_add(out, "\n");
}

/* ---- all ------------------------------------------------------------------------------------- */

enum { NAME_WIDTH = 22 };

static void add_row(struct be_text *out, const struct be_cluster *cluster,
                    const struct be_cluster_node *node, bool first) {
    const struct be_cluster_gpu *gpu = node ? be_cluster_gpu(cluster, node->gpu) : NULL;
    char nodes[2 * BE_WORD] = "-", cores[BE_WORD] = "-", memory[BE_WORD] = "-", limit[BE_WORD];
    be_limit_text(cluster->limit_s, limit);
    if (gpu) {
        char count[BE_WORD];
        count_text(node->count, count);
        snprintf(nodes, sizeof nodes, "%s x %d", node->count > 0 ? count : "?", node->gpus);
        count_text(be_cluster_cores_each(gpu, node), cores);
        memory_text(be_cluster_mib_each(gpu, node), memory);
    }
    const char *name = gpu && *gpu->type ? gpu->type : gpu && *gpu->model ? gpu->model : "-";
    const char *more = strlen(name) > NAME_WIDTH ? "..." : "";
    char ended[BE_NAME + BE_WORD] = "";
    if (*cluster->ended) {
        snprintf(ended, sizeof ended, "ended, now %s", cluster->successor);
    }
    be_text_add(out, "%-10s %-8s %-*.*s%s %5s %10s  %s", first ? cluster->name : "", nodes,
                NAME_WIDTH - (int)strlen(more), NAME_WIDTH - (int)strlen(more), name, more, cores,
                memory,
                !first            ? ""
                : *cluster->ended ? ended
                                  : limit);
    be_text_end_line(out);
}

void be_catalogue_text(const struct be_catalogue *catalogue, struct be_text *out) {
    be_text_add(out, "%-10s %-8s %-22s %5s %10s  %s\n", "cluster", "GPUs", "GPU", "cores", "memory",
                "longest job");
    const struct be_cluster *cluster = NULL;
    for (size_t i = 0; (cluster = be_catalogue_at(catalogue, i)); i++) {
        bool first = true;
        for (size_t k = 0; k < cluster->nodes; k++) {
            if (cluster->node[k].gpus > 0) {
                add_row(out, cluster, &cluster->node[k], first);
                first = false;
            }
        }
        if (first) {
            add_row(out, cluster, NULL, true);
        }
    }
    be_text_add(out, "\n  GPUs    nodes x GPUs a node\n"
                     "  cores   of the host that go with one GPU; memory: likewise\n"
                     "  -, ?    not known here\n"
                     "`breakeven clusters NAME` has partitions, slices, costs and sources.\n");
    for (size_t i = 0; i < catalogue->files; i++) {
        const struct be_catalogue_file *file = &catalogue->file[i];
        if (file->status != BE_OK) {
            add_folded(out, "cannot be read: ", file->error.text);
        }
        for (size_t k = 0; k < file->clusters.remarks; k++) {
            add_folded(out, "note: ", file->clusters.remark[k]);
        }
    }
}

/* ---- one ------------------------------------------------------------------------------------- */

/* Adds what each job names, and what to do when submitting. */
static void add_needs(struct be_text *out, const struct be_cluster *cluster) {
    char line[2 * BE_NOTE] = "";
    for (int i = 0; i < cluster->requireds; i++) {
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s--%s", i ? ", " : "",
                 cluster->required[i]);
    }
    if (*line) {
        add_folded(out, "  each job names ", line);
    }
    *line = '\0';
    for (int i = 0; i < cluster->licences; i++) {
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s", i ? ", " : "",
                 cluster->licence[i]);
    }
    if (*line) {
        add_folded(out, "  --licenses, for what a job uses: ", line);
    }
    if (*cluster->reminder) {
        add_folded(out, "  ", cluster->reminder);
    }
}

static void add_head(struct be_text *out, const struct be_cluster *cluster, const char *path) {
    char limit[BE_WORD], line[2 * BE_NOTE] = "";
    be_text_add(out, "%s: %s\n", cluster->name, *cluster->title ? cluster->title : "no title");
    if (*cluster->ended) {
        be_text_add(out, "  OUT OF SERVICE since %s%s%s\n", cluster->ended,
                    *cluster->successor ? "; its successor is " : "", cluster->successor);
    }
    snprintf(line, sizeof line, "%s%s%s", cluster->scheduler == BE_SCHEDULER_LSF ? "LSF" : "Slurm",
             *cluster->slurm ? " " : "", cluster->slurm);
    if (cluster->needs_account) {
        strncat(line, "; jobs name an account", sizeof line - strlen(line) - 1);
    }
    if (cluster->limit_s > 0) {
        be_limit_text(cluster->limit_s, limit);
        snprintf(line + strlen(line), sizeof line - strlen(line), "; no job longer than %s", limit);
    }
    if (cluster->min_s > 0) {
        be_limit_text(cluster->min_s, limit);
        snprintf(line + strlen(line), sizeof line - strlen(line), ", none shorter than %s wanted",
                 limit);
    }
    if (cluster->max_jobs > 0) {
        snprintf(line + strlen(line), sizeof line - strlen(line), "; at most %d jobs of a user",
                 cluster->max_jobs);
    }
    add_folded(out, "  ", line);
    static const char *const billed[] = {
        [BE_BILLING_UNKNOWN] = "",
        [BE_BILLING_BUNDLE] = "GPUs, or cores or memory in units of one GPU's share, whichever is "
                              "most, times the GPU's charge",
        [BE_BILLING_SHARE] = "the largest share of a node's GPUs, cores or memory, times the "
                             "node's charge",
        [BE_BILLING_NODE] = "whole nodes, times the node's charge",
    };
    if (cluster->billing != BE_BILLING_UNKNOWN) {
        snprintf(line, sizeof line, "%s; in %s", billed[cluster->billing],
                 *cluster->unit ? cluster->unit : "units not known here");
        add_folded(out, "  an hour counts ", line);
    }
    add_needs(out, cluster);
    snprintf(line, sizeof line, "facts of %s%s%.300s", cluster->date, path ? ", from " : "",
             path ? path : "");
    add_folded(out, "  ", line);
}

static void add_gpus(struct be_text *out, const struct be_cluster *cluster) {
    if (cluster->gpus) {
        be_text_add(out, "\n%-42s %7s %5s %10s %7s\n", "GPU, and how it is asked for", "memory",
                    "cores", "of host", "charge");
    }
    for (size_t i = 0; i < cluster->gpus; i++) {
        const struct be_cluster_gpu *gpu = &cluster->gpu[i];
        const struct be_cluster_node *node = be_cluster_node_of(cluster, gpu, NULL);
        char own[BE_WORD], cores[BE_WORD], memory[BE_WORD], charge[BE_WORD], how[BE_NOTE];
        be_format_bytes(own, sizeof own, gpu->memory_bytes, "-");
        count_text(be_cluster_cores_each(gpu, node), cores);
        memory_text(be_cluster_mib_each(gpu, node), memory);
        be_format_ratio(charge, sizeof charge, gpu->charge, "-");
        be_gpu_request_text(cluster, gpu, "N", how, sizeof how);
        if (!*how) {
            be_copy_text(how, sizeof how, "(comes with the node)");
        }
        if (strlen(how) > 42) {
            be_text_add(out, "%s\n%-42s", how, "");
        } else {
            be_text_add(out, "%-42s", how);
        }
        be_text_add(out, " %7s %5s %10s %7s\n", own, cores, memory, charge);
        char max[BE_WORD] = "";
        if (gpu->max > 0) {
            snprintf(max, sizeof max, ", at most %d in a job", gpu->max);
        }
        if (*gpu->model || *max) {
            be_text_add(out, "    %s%s\n", *gpu->model ? gpu->model : "GPU", max);
        }
    }
}

static void add_nodes(struct be_text *out, const struct be_cluster *cluster) {
    if (cluster->nodes) {
        be_text_add(out, "\n%-14s %6s %6s %10s %8s %7s  %s\n", "nodes", "count", "cores", "memory",
                    "disk", "charge", "GPUs");
    }
    for (size_t i = 0; i < cluster->nodes; i++) {
        const struct be_cluster_node *node = &cluster->node[i];
        char count[BE_WORD], cores[BE_WORD], memory[BE_WORD], disk[BE_WORD], charge[BE_WORD];
        count_text(node->count, count);
        count_text(node->cores, cores);
        memory_text(node->memory_mib, memory);
        be_format_bytes(disk, sizeof disk, node->disk_bytes, "-");
        be_format_ratio(charge, sizeof charge, node->charge, "-");
        be_text_add(out, "%-14s %6s %6s %10s %8s %7s  ", node->name, count, cores, memory, disk,
                    charge);
        if (node->gpus > 0) {
            if (strlen(node->gpu) > 18) {
                be_text_end_line(out);
                be_text_add(out, "%20s", "");
            }
            be_text_add(out, "%d%s%s", node->gpus, *node->gpu ? " " : "", node->gpu);
        }
        for (int k = 0; k < node->counts; k++) {
            be_text_add(out, "%s%d%s", k == 0 ? " (by " : ", ", node->count_of[k],
                        k + 1 == node->counts ? ")" : "");
        }
        be_text_end_line(out);
        if (*node->constraint) {
            be_text_add(out, "    --constraint=%s\n", node->constraint);
        }
        if (*node->reminder) {
            add_folded(out, "    ", node->reminder);
        }
    }
}

/* Adds the part of a node that the partition's jobs get, where that is not all. */
static void add_max(const struct be_cluster_partition *partition, char *line, size_t capacity) {
    char cores[BE_WORD] = "", memory[BE_WORD] = "";
    if (partition->max_cores > 0) {
        snprintf(cores, sizeof cores, "%d core%s", partition->max_cores,
                 partition->max_cores > 1 ? "s" : "");
    }
    if (partition->max_memory_mib > 0) {
        memory_text(partition->max_memory_mib, memory);
    }
    if (*cores || *memory) {
        size_t used = strlen(line);
        snprintf(line + used, capacity - used, "; at most %s%s%s of a node", cores,
                 *cores && *memory ? " and " : "", memory);
    }
}

static void add_partitions(struct be_text *out, const struct be_cluster *cluster) {
    if (cluster->partitions) {
        be_text_add(out, "\n%-16s %-11s %s\n", "partition", "longest", "nodes");
    }
    for (size_t i = 0; i < cluster->partitions; i++) {
        const struct be_cluster_partition *partition = &cluster->partition[i];
        char limit[BE_WORD], head[BE_NAME + 2 * BE_WORD], line[2 * BE_NOTE] = "";
        be_limit_text(partition->limit_s, limit);
        snprintf(head, sizeof head, "%-16s %-11s ", partition->name, limit);
        for (int k = 0; k < partition->nodes; k++) {
            snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s", k ? ", " : "",
                     partition->node[k]);
        }
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s%s",
                 partition->preset ? " (default)" : "", *partition->note && *line ? "; " : "",
                 partition->note);
        if (partition->max_nodes > 0) {
            snprintf(line + strlen(line), sizeof line - strlen(line), "; at most %d nodes a job",
                     partition->max_nodes);
        }
        add_max(partition, line, sizeof line);
        add_folded(out, head, *line == ';' ? line + 2 : line);
    }
}

static void add_qoses(struct be_text *out, const struct be_cluster *cluster) {
    if (cluster->qoses) {
        be_text_add(out, "\n%-16s %-11s %s\n", "QOS", "longest", "what it is");
    }
    for (size_t i = 0; i < cluster->qoses; i++) {
        const struct be_cluster_qos *qos = &cluster->qos[i];
        char limit[BE_WORD], head[BE_NAME + 2 * BE_WORD], line[2 * BE_NOTE],
            nodes[2 * BE_NAME] = "";
        be_limit_text(qos->limit_s, limit);
        snprintf(head, sizeof head, "%-16s %-11s ", qos->name, limit);
        if (qos->max_nodes > 0) {
            snprintf(nodes, sizeof nodes, "; at most %d nodes a job", qos->max_nodes);
        }
        snprintf(line, sizeof line, "%s%s%s%s", qos->preset ? "; default" : "",
                 *qos->note ? "; " : "", qos->note, nodes);
        if (*line) {
            add_folded(out, head, line + 2);
        } else {
            be_text_add(out, "%s", head);
            be_text_end_line(out);
        }
    }
}

void be_cluster_text(const struct be_cluster *cluster, const char *path, struct be_text *out) {
    add_head(out, cluster, path);
    add_gpus(out, cluster);
    add_nodes(out, cluster);
    add_partitions(out, cluster);
    add_qoses(out, cluster);
    be_text_add(out, "%s", cluster->remarks ? "\n" : "");
    for (size_t i = 0; i < cluster->remarks; i++) {
        add_folded(out, "- ", cluster->remark[i]);
    }
    be_text_add(out, "%s", cluster->sources ? "\nfrom\n" : "");
    for (size_t i = 0; i < cluster->sources; i++) {
        char line[3 * BE_NOTE];
        snprintf(line, sizeof line, "%s (%s)%s%s", cluster->source[i].name, cluster->source[i].date,
                 *cluster->source[i].what ? ": " : "", cluster->source[i].what);
        add_folded(out, "  ", line);
    }
}
