/* Private: CMA-ES on a device. */
#ifndef SHOAL_CMAES_DEVICE_H
#define SHOAL_CMAES_DEVICE_H

#include "cmaes/cmaes.h"
#include "search/device/device.h"

struct cmaes_device {
    struct search_device search;
    struct cmaes_problem problem;
    struct shoal_buffer *x, *best; /* points of the last step and their values, in tiles */
    struct shoal_buffer *counts;   /* [runs][CMA_WORDS] */
    /* [runs] each: scalars, vectors and matrices, best values and history, values of the generation, and
     * scratch: weights of its points; z and y of the points of a step, unless they are in local memory. */
    struct shoal_buffer *scalars, *numbers, *kept, *values, *weights, *points;
    struct shoal_buffer *constants; /* those of struct cmaes_problem */
    struct shoal_buffer *start;     /* [start_count][dim]: start points in units of the box; NULL: none */
    bool is_written;                /* constants and start have been written */
};

static inline struct cmaes_device *cmaes_device_of(const struct shoal_solver *solver)
{
    return solver->state;
}

extern const struct search_device_ops cmaes_device_functions;
extern const struct search_method cmaes_onchip_method, cmaes_pipeline_method;

/* How kernels are specialised for a population. */
struct cmaes_plan {
    bool in_local; /* vectors, matrices and points of a step are in local memory */
    size_t pool;   /* local memory in units of 8 bytes */
    size_t groups; /* of a compute unit, if all populations are on the device at a time */
    uint32_t work_group;
};

struct cmaes_plan cmaes_plan_make(const struct cmaes_problem *problem, const struct shoal_device_info *info);

/* Work-items of a group that works on a population: the tuned value of the program, else that of the plan. */
uint32_t cmaes_work_group(const struct shoal_solver *solver, const struct shoal_program_desc *program);

/* CUDA: groups that are to fit a multiprocessor at a time. Without such a limit the compiler takes 250
 * registers, of which four groups are a multiprocessor's share; no more groups are meant than there are. */
uint32_t cmaes_min_groups(const struct cmaes_plan *plan, uint32_t work_group);

/* Adds the -D values of the kernels of populations, except those of the plan's local memory. */
void cmaes_defines(const struct shoal_solver *solver, uint32_t work_group, struct defines *defines);

/* These defines in a contract: rows of compute/contract.h. */
enum { CMAES_MOST_DIM = 1 << 20 };
#define CMAES_DEFINE_DESCS(file)                                                                             \
    SEARCH_BOX_DESC(file), DEFINE(file, DIM, 1, CMAES_MOST_DIM, "dimensions"),                               \
        DEFINE(file, FORM, CMA_FULL, CMA_SEPARABLE, "0 a full covariance matrix, 1 a diagonal"),             \
        DEFINE(file, LAMBDA, 2, 65536, "points of a step"),                                                  \
        DEFINE(file, MOST, 0, 12, "most doublings of the population"),                                       \
        DEFINE(file, REAL, 32, 64, "floating-point format: 32 or 64"),                                       \
        DEFINE(file, RESTARTS, CMA_NO_RESTARTS, CMA_BIPOP, "0 none, 1 IPOP, 2 BIPOP"),                       \
        DEFINE(file, RING, 1, 1 << 30, "best values that a population keeps"),                               \
        DEFINE(file, WG, 1, 1024, "work-group size, less than 32 or a multiple of 32")

/* SHOAL_INVALID: devices have no limited form and no augmented Lagrangian. */
SHOAL_MUST_CHECK enum shoal_status cmaes_check_device(const struct cmaes_problem *problem,
                                                      struct shoal_error *error);

/* Writes constants and start points to their buffers, once. */
SHOAL_MUST_CHECK enum shoal_status cmaes_write_tables(struct shoal_solver *solver, struct shoal_error *error);

#endif
