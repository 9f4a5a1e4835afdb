/* The options that say what ranks on several nodes exchange, and over which network; and what an answer says of it. */
#ifndef BE_CLI_DECIDE_EXCHANGE_H
#define BE_CLI_DECIDE_EXCHANGE_H

#include "cli/decide/places.h"

/* "hdr200", "4xslingshot-11", or measured: "25,2" for GB/s and us. BE_USAGE: it is none of them. */
enum be_status be_cli_network_set(const char *text, struct be_network *network,
                                  struct be_error *error);
/* "BYTES" or "BYTES,TIMES" of `option`; once where no TIMES are said. */
enum be_status be_cli_exchange_set(const char *option, const char *text, double *bytes,
                                   double *times, struct be_error *error);

/* Remarks on places of several nodes: what their exchanges take and what that rests on. */
void be_cli_exchange_remark(const struct be_cli_work *work, struct be_cli_places *places);

#endif
