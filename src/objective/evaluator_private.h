/* Private to the evaluators. */
#ifndef SHOAL_OBJECTIVE_EVALUATOR_PRIVATE_H
#define SHOAL_OBJECTIVE_EVALUATOR_PRIVATE_H

#include "objective/evaluator.h"

/* DIM and COLUMNS are constants of the kernels that keep a position or a row in registers. */
enum { EVALUATOR_MAX_DIM = 4096 };

extern const struct shoal_program_desc eval_dimension_program, eval_whole_program;

struct evaluator {
    struct shoal_device *device;
    struct shoal_queue *queue;
    enum evaluator_method method;
    size_t dim, points, tile;
    size_t real;                /* bytes of a number */
    size_t items, group_points; /* points of a work-item and of a group */
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct shoal_buffer *shift; /* NULL: none */
};

/* A define as it was tuned, else `value`. */
struct shoal_define evaluator_define(struct shoal_device *device, const struct shoal_program_desc *desc,
                                     const char *name, int64_t value);

/* Points, rows or work-items: the least power of two that is no less. */
static inline uint64_t power_of_two_at_least(uint64_t value)
{
    uint64_t power = 1;
    while (power < value)
        power *= 2;
    return power;
}

static inline uint64_t clamped(uint64_t value, uint64_t least, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

#endif
