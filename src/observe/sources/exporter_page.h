/*
 * The page of dcgm-exporter, a service that administrators run: what the units of each GPU did, as text for Prometheus. It
 * knows nothing of the driver, nor of how often the service looks.
 */
#ifndef BE_OBSERVE_SOURCES_EXPORTER_PAGE_H
#define BE_OBSERVE_SOURCES_EXPORTER_PAGE_H

#include <stdint.h>

#include "base/text.h"
#include "breakeven_error.h"

/* Fetches the page from 127.0.0.1:port within a second, and 8 MiB. BE_ABSENT: nobody listens there, or what comes is no
 * page of metrics. */
enum be_status be_exporter_fetch(int port, struct be_text *page, struct be_error *error);

/* The value of "METRIC{...,UUID="UUID",...} VALUE", of a whole GPU; NAN: it is not there. */
double be_exporter_value(const char *page, const char *metric, const char *uuid);
/* A number that follows from all lines of the GPU: another one, another reading of the service. 0: it has none. */
uint64_t be_exporter_reading(const char *page, const char *uuid);

#endif
