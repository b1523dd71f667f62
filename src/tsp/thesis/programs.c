/* Contracts of the programs of the thesis, and their work-group sizes on a device. */
#include "tsp/thesis/programs.h"

#include "base/error.h"
#include "compute/contract.h"
#include "compute/device.h"

/* Macro ------------------------------------------------------------------------------------------------ */

static const struct shoal_entry_desc macro_entries[] = {
    ENTRY(tsp_macro, tsp_thesis_ants, .local_bytes_per_item = 16, .local_define = "LEFT",
          .local_bytes_per_unit = 4, .help = "the tours of a cycle, a work-group for an ant"),
    ENTRY(tsp_macro, tsp_thesis_rows, .help = "pheromone after a cycle, and the weights"),
};

enum { MOST_LEFT = 8192, MOST_WIDTH = 1 << 18 };

static const struct shoal_define_desc macro_defines[] = {
    TSP_PLACES_DEFINES(tsp_macro),
    DEFINE(tsp_macro, DRAWS, 0, 1, "1: the next city is drawn by weights as whole numbers"),
    DEFINE(tsp_macro, LEFT, 0, MOST_LEFT,
           "words of local memory for cities not visited; 0: in global memory"),
    DEFINE(tsp_macro, LISTS, 0, 1, "1: near cities come first in a row"),
    DEFINE(tsp_macro, WG, 1, 1024, "work-group size"),
    DEFINE(tsp_macro, WIDTH, 1, MOST_WIDTH, "entries of a row"),
};

const struct shoal_program_desc tsp_thesis_macro_program =
    PROGRAM("tsp.thesis-macro", tsp_macro, SHOAL_WITHOUT_CONTRACTION, macro_defines, macro_entries);

/* Sets the work-group size and local memory of the macro level. With candidate lists a work-group is a warp,
 * which compares values without barriers. A search over all cities has more work-items. */
void thesis_macro_plan(const struct shoal_tsp_thesis *params, const struct thesis_rules *rules, uint32_t n,
                       const struct shoal_device_info *info, struct thesis_macro_plan *plan)
{
    enum { LISTS = 32, ALL = 512 };
    const uint32_t words = div_up(n, 32), by_rule = is_cpu_alone(info) ? 1 : rules->candidates ? LISTS : ALL;
    const uint64_t group = params->macro_squad ? params->macro_squad : by_rule;
    plan->work_group = (uint32_t)(group < info->max_work_group ? group : info->max_work_group);
    plan->left =
        words <= MOST_LEFT && 4 * (uint64_t)words + 16 * (uint64_t)plan->work_group <= info->local_mem
            ? (uint32_t)power_of_two_at_least(words)
            : 0;
    if (4 * (uint64_t)plan->left + 16 * (uint64_t)plan->work_group > info->local_mem)
        plan->left = plan->left ? words : 0;
}

/* Micro ------------------------------------------------------------------------------------------------ */

static const struct shoal_entry_desc micro_entries[] = {
    ENTRY(tsp_micro, tsp_thesis_pieces, .local_define = "POOL", .local_bytes_per_unit = 4,
          .help = "all cycles of a piece, a work-group for each"),
};

static const struct shoal_define_desc micro_defines[] = {
    TSP_PLACES_DEFINES(tsp_micro),
    DEFINE(tsp_micro, DRAWS, 0, 1, "1: the next city is drawn by weights as whole numbers"),
    DEFINE(tsp_micro, HISTORY, 0, 1, "1: the best tour of each cycle is kept"),
    DEFINE(tsp_micro, LATE, 0, 1, "1: tours are turned at the end of a cycle"),
    DEFINE(tsp_micro, MEMORY, 0, 3,
           "of the matrix: 0 global, local 1 square, 2 turned rows, 3 each pair once"),
    DEFINE(tsp_micro, PIECE, THESIS_LEAST_PIECE, THESIS_MOST_PIECE, "most cities of a piece"),
    DEFINE(tsp_micro, POOL, 1, 1 << 17, "words of a piece beside the matrices in global memory"),
    DEFINE(tsp_micro, TEAM, 1, 64, "work-items of an ant in 2-opt"),
    DEFINE(tsp_micro, WG, 1, 1024, "work-group size"),
};

const struct shoal_program_desc tsp_thesis_micro_program =
    PROGRAM("tsp.thesis-micro", tsp_micro, SHOAL_WITHOUT_CONTRACTION, micro_defines, micro_entries);

uint32_t thesis_frame_words(uint32_t piece)
{
    return piece * (piece - 1) + 2 * ((piece * piece + 3) / 4);
}

/* Returns the number of 32-bit words of local memory for a piece: POOL_WORDS of the kernels. */
static uint32_t pool_words(uint32_t piece, int memory)
{
    const uint32_t pairs = piece * (piece - 1) / 2, square = piece * piece;
    const uint32_t cells = memory + 1 != SHOAL_TSP_MEMORY_TRIANGLE ? square
                           : pairs > 2 * piece                     ? pairs
                                                                   : 2 * piece;
    return cells + (square + 3) / 4 + 2 * piece * div_up(piece, 32) + 2 * piece;
}

enum shoal_status thesis_micro_plan(const struct tsp_problem *problem, const struct thesis_rules *rules,
                                    const struct shoal_device_info *info, struct thesis_micro_plan *plan,
                                    struct shoal_error *error)
{
    enum { TEAM = 8, WARP = 32, REDUCING = 80 };
    const struct shoal_tsp_thesis *params = problem->params->thesis;
    const bool is_cpu = is_cpu_alone(info);
    plan->memory = params->memory - 1;
    if (params->memory == SHOAL_TSP_MEMORY_AUTO) {
        const int small = SHOAL_TSP_MEMORY_TRIANGLE - 1;
        plan->memory = is_cpu || 4 * pool_words(rules->piece, small) > info->local_mem
                           ? SHOAL_TSP_MEMORY_GLOBAL - 1
                           : small;
    }
    plan->pool = pool_words(rules->piece, plan->memory);
    if (plan->memory + 1 != SHOAL_TSP_MEMORY_GLOBAL && 4 * (uint64_t)plan->pool > info->local_mem)
        return fail(error, SHOAL_UNSUPPORTED,
                    "--piece-memory: pieces of %u cities need %u bytes of local memory, %s (%s) has %llu: "
                    "lower --piece, "
                    "or take global or auto",
                    (unsigned)rules->piece, 4 * (unsigned)plan->pool, info->id, info->name,
                    (unsigned long long)info->local_mem);
    /* A device of compute capability 8.0 or above has an instruction for the least value of a warp. There a
     * whole warp constructs the tour of an ant, without barriers. */
    const uint32_t by_device = is_cpu ? 1 : info->architecture >= REDUCING ? WARP : TEAM;
    plan->team = (uint32_t)(params->micro_squad ? params->micro_squad : by_device);
    /* Teams of several work-items compare numbers of 32 bits; a wide form has larger distances. */
    if (problem->form.is_wide)
        plan->team = 1;
    /* On a CPU a work-item executes a whole team or, if a team is one work-item, the whole piece. */
    const uint32_t items =
        is_cpu && plan->team == 1 ? 1 : (rules->piece * plan->team + WARP - 1) / WARP * WARP;
    plan->work_group = items < info->max_work_group ? items : (uint32_t)info->max_work_group;
    if (plan->team > plan->work_group)
        plan->team = plan->work_group;
    return SHOAL_OK;
}
