/* Private: the method whose steps are three launches: points, evaluation, rules. */
#ifndef SHOAL_CMAES_PIPELINE_H
#define SHOAL_CMAES_PIPELINE_H

#include <shoal/program.h>

extern const struct shoal_program_desc cmaes_pipeline_program;

#endif
