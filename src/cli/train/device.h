/* The device that `breakeven train --device=ID` names. */
#ifndef BE_CLI_TRAIN_DEVICE_H
#define BE_CLI_TRAIN_DEVICE_H

#include "breakeven_error.h"

struct be_device;

/* Opens it; `title` says which it is ("cuda:0, NVIDIA H100"). BE_USAGE: no such one is here, the text lists those that are. */
enum be_status be_cli_train_device(const char *id, struct be_device **device, char title[BE_NOTE],
                                   struct be_error *error);
void be_cli_train_device_close(struct be_device *device); /* accepts NULL */

#endif
