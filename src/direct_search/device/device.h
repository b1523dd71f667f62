/* Private: the direct searches on a device. */
#ifndef SHOAL_DIRECT_SEARCH_DEVICE_H
#define SHOAL_DIRECT_SEARCH_DEVICE_H

#include "direct_search/direct_search.h"
#include "search/device/device.h"
#include "search/device/islands.h"

struct direct_device {
    struct search_device search;
    struct search_problem problem;
    struct shoal_buffer *p, *best; /* positions of the members, in tiles, and their values, in tiles */
    struct shoal_buffer *counts;   /* [islands][DIRECT_WORDS] */
    struct shoal_buffer *numbers;  /* [islands][DIRECT_REALS] */
    /* [islands][dim]: reflected points of Nelder-Mead, or the centres of the pattern search before the last
     * success */
    struct shoal_buffer *extra;
    struct shoal_buffer *start; /* [start_count][dim]: start points; NULL: there are none */
    bool is_written;            /* whether `start` has been written */
};

static inline struct direct_device *direct_device_of(const struct shoal_solver *solver)
{
    return solver->state;
}

extern const struct search_device_ops direct_search_device_functions;
extern const struct search_method direct_onchip_method, direct_pipeline_method;
extern const struct shoal_program_desc direct_onchip_program, direct_pipeline_program;

/* Specialisation of the kernels for the size of an island. */
struct direct_plan {
    bool in_local; /* whether local memory holds members and points */
    /* size of the local memory in units of 8 bytes, without the memory that each work-item needs */
    size_t pool;
    uint32_t work_group;
};

struct direct_plan direct_plan_make(const struct search_problem *problem,
                                    const struct shoal_device_info *info);

/* Adds the -D values of the kernels, except the values for the plan's local memory. */
void direct_defines(const struct shoal_solver *solver, const struct shoal_program_desc *program,
                    struct defines *defines);

/* Bytes of local memory for the reals and words that each work-item of a group needs. */
enum { DIRECT_ITEM_BYTES = 4 * sizeof(double) + 2 * sizeof(uint32_t) };

/* Contract rows (compute/contract.h) for the defines of direct_defines. */
#define DIRECT_DEFINE_DESCS(file)                                                                            \
    DEFINE(file, BOX, 0, 1, "1: box and shift of each dimension"),                                           \
        DEFINE(file, DIM, 1, 1 << 20, "dimensions"),                                                         \
        DEFINE(file, DIRECT_RULE, NELDER_MEAD, RANDOM_POINTS, "0 nelder-mead, 1 pattern, 2 random"),         \
        DEFINE(file, MEMBERS, 1, 1 << 28, "members of an island"),                                           \
        DEFINE(file, POINTS, 1, 1 << 28, "points of an island in a step"),                                   \
        DEFINE(file, REAL, 32, 64, "floating-point format: 32 or 64"),                                       \
        DEFINE(file, WG, 1, 1024, "work-group size, a power of two")

/* Writes the start points to their buffer at the first call. */
SHOAL_MUST_CHECK enum shoal_status direct_write_start(struct shoal_solver *solver, struct shoal_error *error);

#endif
