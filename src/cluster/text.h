/*
 * Clusters as people read them: a table of all, a page of one; 80 columns. Writes into a text and
 * prints nothing.
 */
#ifndef BE_CLUSTER_TEXT_H
#define BE_CLUSTER_TEXT_H

#include "cluster/catalogue.h"

/* A line for each kind of GPU node; then what could not be read, and keys that were passed over. */
void be_catalogue_text(const struct be_catalogue *catalogue, struct be_text *out);
/* `path`: the file it comes from; NULL: none. */
void be_cluster_text(const struct be_cluster *cluster, const char *path, struct be_text *out);

/* How so many GPUs are asked for: "--gpus-per-node=a100:2"; empty: they come with the node. */
void be_gpu_request_text(const struct be_cluster *cluster, const struct be_cluster_gpu *gpu,
                         const char *count, char *text, size_t capacity);

/* "7 days", "30 minutes", "-": a limit. */
void be_limit_text(double seconds, char text[BE_WORD]);

#endif
