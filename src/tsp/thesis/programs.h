/* Private: work-group sizes and local memory of the kernels of the thesis on a device. */
#ifndef SHOAL_TSP_THESIS_PROGRAMS_H
#define SHOAL_TSP_THESIS_PROGRAMS_H

#include "tsp/thesis/state.h"

extern const struct shoal_program_desc tsp_thesis_macro_program, tsp_thesis_micro_program;

struct thesis_macro_plan {
    uint32_t work_group;
    /* 32-bit words of local memory for the set of cities that an ant has not visited; 0: the set is in global
     * memory */
    uint32_t left;
};
void thesis_macro_plan(const struct shoal_tsp_thesis *params, const struct thesis_rules *rules, uint32_t n,
                       const struct shoal_device_info *info, struct thesis_macro_plan *plan);

/* Plan of the micro level. memory: value of MEMORY in cl/tsp/thesis/piece.clh, which is enum
 * shoal_tsp_piece_memory less 1. */
struct thesis_micro_plan {
    uint32_t work_group, team, pool; /* pool: 32-bit words of local memory for a piece */
    int memory;
};
/* Returns the number of 32-bit words of global memory for a piece: FRAME of the kernels. */
uint32_t thesis_frame_words(uint32_t piece);
/* Sets the plan of the micro level. Returns SHOAL_UNSUPPORTED if the parameters put the matrix of a piece
 * into local memory, and the device has too little. */
SHOAL_MUST_CHECK enum shoal_status thesis_micro_plan(const struct tsp_problem *problem,
                                                     const struct thesis_rules *rules,
                                                     const struct shoal_device_info *info,
                                                     struct thesis_micro_plan *plan,
                                                     struct shoal_error *error);

#endif
