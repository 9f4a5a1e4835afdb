/* `breakeven train` without a net, or without images: what there is, and where it is to be had. */
#ifndef BE_CLI_TRAIN_LACKING_H
#define BE_CLI_TRAIN_LACKING_H

#include "nn/net.h"

/* Both print on standard error, and return the exit code. */
int be_cli_train_list(void);
int be_cli_train_images(const struct be_net_kind *kind);

#endif
