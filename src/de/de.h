/* Private: declarations that the files of the workload "de" share. */
#ifndef SHOAL_DE_DE_H
#define SHOAL_DE_DE_H

#include "de/model/problem.h"
#include "search/observe/observe.h"
#include "search/options/options.h"
#include "workload/workload.h"

extern const struct shoal_solver_ops de_device_solver, de_host_solver;

/* Default number of steps without improvement that end a run. */
#define DE_STAGNATION 500

enum { DE_OPTIONS = SEARCH_OPTIONS + 12 };
extern const struct shoal_option de_options[DE_OPTIONS];

/* Names of the methods, in the order of enum shoal_de_method, ended by NULL. */
extern const char *const de_method_names[];

#endif
