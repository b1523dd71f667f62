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
    /* Arrays with a row for each run. scalars: enum cma_scalar; numbers: vectors and matrices; kept: best
     * values and history; values: values of the points of a generation. weights, points: scratch of a step:
     * weights of its points, and their vectors z and y, unless local memory holds these. */
    struct shoal_buffer *scalars, *numbers, *kept, *values, *weights, *points;
    /* [runs][most parts][2][lambda][dim]: vectors of a generation; NULL: not kept */
    struct shoal_buffer *parts;
    struct shoal_buffer *constants; /* constants of struct cmaes_problem */
    struct shoal_buffer *start;     /* [start_count][dim]: start points in units of the box; NULL: none */
    bool is_written;                /* whether constants and start have been written */
    bool has_lost; /* `parts` does not hold the generation's vectors, because a state was loaded */
};

static inline struct cmaes_device *cmaes_device_of(const struct shoal_solver *solver)
{
    return solver->state;
}

extern const struct search_device_ops cmaes_device_functions;
extern const struct search_method cmaes_onchip_method, cmaes_pipeline_method;

/* Specialisation of the kernels for the size of a population. */
struct cmaes_plan {
    bool in_local; /* whether local memory holds vectors, matrices and points of a step */
    bool by_team;  /* whether all work-items of a group compute the values of its points together */
    bool keeps;    /* whether global memory holds the vectors of all parts of a generation */
    size_t pool;   /* size of the local memory in units of 8 bytes */
    size_t groups; /* groups that a compute unit is to hold if all populations run at the same time */
    uint32_t work_group;
};

struct cmaes_plan cmaes_plan_make(const struct cmaes_problem *problem, const struct shoal_device_info *info);

/* Number of work-items of the group that works on a population: the tuned value of the program, else the
 * value of the plan. */
uint32_t cmaes_work_group(const struct shoal_solver *solver, const struct shoal_program_desc *program);

/* Least number of groups that a multiprocessor must hold at the same time: the limit that the CUDA compiler
 * gets. Without a limit, the compiler gives each work-item 250 registers, with which a multiprocessor holds
 * only four groups. The number is not larger than plan->groups. */
uint32_t cmaes_min_groups(const struct cmaes_plan *plan, uint32_t work_group);

/* Adds the -D values of the kernels that work on populations, except the values for the plan's local
 * memory. */
void cmaes_defines(const struct shoal_solver *solver, uint32_t work_group, struct defines *defines);

/* Contract rows (compute/contract.h) for the defines of cmaes_defines. */
enum { CMAES_MOST_DIM = 1 << 20 };
#define CMAES_DEFINE_DESCS(file)                                                                             \
    SEARCH_BOX_DESC(file), DEFINE(file, CMA_KEEPS, 0, 1, "1: memory holds the vectors of a generation"),     \
        DEFINE(file, DIM, 1, CMAES_MOST_DIM, "dimensions"),                                                  \
        DEFINE(file, FORM, CMA_FULL, CMA_SEPARABLE, "0 a full covariance matrix, 1 a diagonal"),             \
        DEFINE(file, LAMBDA, 2, 65536, "points of a step"),                                                  \
        DEFINE(file, MOST, 0, 12, "most doublings of the population"),                                       \
        DEFINE(file, REAL, 32, 64, "floating-point format: 32 or 64"),                                       \
        DEFINE(file, RESTARTS, CMA_NO_RESTARTS, CMA_BIPOP, "0 none, 1 IPOP, 2 BIPOP"),                       \
        DEFINE(file, RING, 1, 1 << 30, "best values that a population keeps"),                               \
        DEFINE(file, WG, 1, 1024, "work-group size, less than 32 or a multiple of 32")

/* SHOAL_INVALID: the parameters ask for the limited form or for the augmented Lagrangian, which devices do
 * not have. */
SHOAL_MUST_CHECK enum shoal_status cmaes_check_device(const struct cmaes_problem *problem,
                                                      struct shoal_error *error);

/* `guide` of struct search_device_ops. */
SHOAL_MUST_CHECK enum shoal_status cmaes_device_guide(const struct search_device *device,
                                                      const struct search_image *image, size_t run,
                                                      const double *point, struct shoal_error *error);

/* Notes that a state was loaded: `load` of both methods. */
SHOAL_MUST_CHECK enum shoal_status cmaes_load(struct shoal_solver *solver,
                                              const struct checkpoint *checkpoint, struct shoal_error *error);

/* Writes constants and start points to their buffers at the first call. */
SHOAL_MUST_CHECK enum shoal_status cmaes_write_tables(struct shoal_solver *solver, struct shoal_error *error);

#endif
