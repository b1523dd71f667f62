/* Private: the kernels of a step: move, evaluation, personal best. */
#ifndef SHOAL_PSO_PIPELINE_H
#define SHOAL_PSO_PIPELINE_H

#include "pso/device/device.h"

extern const struct shoal_program_desc pso_move_program, pso_best_program;

#endif
