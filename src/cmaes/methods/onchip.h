/* Private: the method that keeps whole populations in on-chip memory, with a work-group for each
 * population. */
#ifndef SHOAL_CMAES_ONCHIP_H
#define SHOAL_CMAES_ONCHIP_H

#include <shoal/program.h>

extern const struct shoal_program_desc cmaes_onchip_program;

#endif
