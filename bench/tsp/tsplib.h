/* Problems of TSPLIB in files. */
#ifndef BENCH_TSP_TSPLIB_H
#define BENCH_TSP_TSPLIB_H

#include "bench/runner/bench.h"

/* Finds the file NAME.tsp in the folder that $SHOAL_TSPLIB names. SHOAL_UNSUPPORTED: the file is not
 * there. */
enum shoal_status bench_tsplib(const char *name, char *path, size_t size, struct shoal_error *error);

#endif
