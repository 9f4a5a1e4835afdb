/*
 * Where clusters' records lie: folders named on the command line, BREAKEVEN_CLUSTERS, the site's,
 * and those that come with breakeven. Reads files of the form of docs/json.md.
 */
#ifndef BE_CLUSTER_CATALOGUE_H
#define BE_CLUSTER_CATALOGUE_H

#include "cluster/cluster.h"

enum be_catalogue_shelf {
    BE_CATALOGUE_NAMED,   /* --catalogue */
    BE_CATALOGUE_LISTED,  /* BREAKEVEN_CLUSTERS */
    BE_CATALOGUE_SITE,    /* /etc/breakeven/clusters */
    BE_CATALOGUE_SHIPPED, /* beside the program */
    BE_CATALOGUE_SHELVES
};

struct be_catalogue_file {
    enum be_catalogue_shelf shelf;
    char *path;
    enum be_status status;
    struct be_error error; /* where status is not BE_OK; the clusters are then none */
    struct be_clusters clusters;
};

struct be_catalogue {
    struct be_catalogue_file *file; /* by shelf, then by path; of two of a name the first counts */
    size_t files;
};

/* Reads every file there is. `named`: folders or files with colons between, before all others; may
 * be NULL. One that is named there and cannot be read is an error; a bad file elsewhere is kept
 * with its error, and the rest is there. */
enum be_status be_catalogue_open(const char *named, struct be_catalogue *catalogue,
                                 struct be_error *error);
void be_catalogue_close(struct be_catalogue *catalogue); /* accepts a zeroed one */

/* The first cluster of that name, letters of either case. BE_USAGE: there is none; the text lists
 * what there is, or why its file cannot be read. */
enum be_status be_catalogue_find(const struct be_catalogue *catalogue, const char *name,
                                 const struct be_cluster **cluster, struct be_error *error);

/* The file that this cluster of the catalogue is from. */
const struct be_catalogue_file *be_catalogue_file_of(const struct be_catalogue *catalogue,
                                                     const struct be_cluster *cluster);

/* Cluster `index` of those that count, or NULL past the last. */
const struct be_cluster *be_catalogue_at(const struct be_catalogue *catalogue, size_t index);

#endif
