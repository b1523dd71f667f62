/* Private: declarations that the files of the workload "portfolio" share. */
#ifndef SHOAL_PORTFOLIO_PORTFOLIO_H
#define SHOAL_PORTFOLIO_PORTFOLIO_H

#include "portfolio/model/problem.h"
#include "search/observe/observe.h"
#include "search/options/options.h"
#include "workload/workload.h"

/* Default number of steps without improvement that end a run. */
#define PORTFOLIO_STAGNATION 5000

enum { PORTFOLIO_OPTIONS = SEARCH_OPTIONS + 7 };
extern const struct shoal_option portfolio_options[PORTFOLIO_OPTIONS];

#endif
