/* Private: the kernels of a step with members in global memory. */
#ifndef SHOAL_DE_PIPELINE_H
#define SHOAL_DE_PIPELINE_H

#include "de/device/device.h"

extern const struct shoal_program_desc de_trial_program, de_replace_program;

#endif
