/* Presets of shoal gas. */
#ifndef SHOAL_TOOLS_GAS_PRESETS_H
#define SHOAL_TOOLS_GAS_PRESETS_H

#include "cli/workload.h"

extern const struct workload_preset gas_presets[]; /* ended by a preset without a name */

#endif
