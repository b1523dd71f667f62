/* Everything but the native handles (<shoal/opencl.h>, <shoal/cuda.h>) and runs of several processes
 * (<shoal/mpi.h>). */
#ifndef SHOAL_SHOAL_H
#define SHOAL_SHOAL_H

#include <shoal/ahead.h>
#include <shoal/cmaes.h>
#include <shoal/data.h>
#include <shoal/dataset.h>
#include <shoal/de.h>
#include <shoal/device.h>
#include <shoal/direct_search.h>
#include <shoal/error.h>
#include <shoal/evaluator.h>
#include <shoal/fit.h>
#include <shoal/fmm.h>
#include <shoal/ga.h>
#include <shoal/gas.h>
#include <shoal/gas_changes.h>
#include <shoal/gas_picture.h>
#include <shoal/gas_tables.h>
#include <shoal/log.h>
#include <shoal/measure.h>
#include <shoal/mlp.h>
#include <shoal/mlp_model.h>
#include <shoal/mlp_preparation.h>
#include <shoal/mlp_report.h>
#include <shoal/objective.h>
#include <shoal/optimise.h>
#include <shoal/portfolio.h>
#include <shoal/primitives.h>
#include <shoal/program.h>
#include <shoal/pso.h>
#include <shoal/queue.h>
#include <shoal/replicas.h>
#include <shoal/rng.h>
#include <shoal/search.h>
#include <shoal/split.h>
#include <shoal/tsp.h>
#include <shoal/tsp_bound.h>
#include <shoal/variables.h>
#include <shoal/workload.h>

#endif
