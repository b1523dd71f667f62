/* Private: what the files of the workload "de" share. */
#ifndef SHOAL_DE_DE_H
#define SHOAL_DE_DE_H

#include "de/model/problem.h"
#include "search/observe/observe.h"
#include "search/options/options.h"
#include "workload/workload.h"

extern const struct shoal_solver_ops de_device_solver, de_host_solver;

/* Steps without improvement that end a run by default. */
#define DE_STAGNATION 500

enum { DE_OPTIONS = SEARCH_OPTIONS + 12 };
extern const struct shoal_option de_options[DE_OPTIONS];

/* Names of the methods, in the order of enum shoal_de_method; NULL ends the list. */
extern const char *const de_method_names[];

#endif
