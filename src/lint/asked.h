/*
 * A look at job scripts as somebody asks for it: the site by its name, versions and rules as words. It makes of them the
 * options that the rules need. It does not know files.
 */
#ifndef BE_LINT_ASKED_H
#define BE_LINT_ASKED_H

#include "cluster/catalogue.h"
#include "lint/lint.h"

/* Zero-initialise, then set what was said. */
struct be_lint_asked {
    const char *cluster;   /* its name; NULL: none */
    const char *catalogue; /* a folder where clusters are looked for first; NULL: none */
    const char *show;      /* "warning": findings from this level on; NULL: all */
    bool typed;            /* as options: messages have their dashes */
    struct be_lint_options options;
};

/* Puts the cluster into the options, which lasts as long as *catalogue. *min is the level of `show`. BE_USAGE: no
 * cluster, version, rule or level of that name, or options that do not fit together. */
enum be_status be_lint_asked_open(struct be_lint_asked *asked, struct be_catalogue *catalogue,
                                  enum be_severity *min, struct be_error *error);

/* A level by its word. BE_USAGE: there is none; `option` is named, and `last` behind those there are: ", never" */
enum be_status be_lint_level(const char *option, const char *text, const char *last, int *level,
                             struct be_error *error);

#endif
