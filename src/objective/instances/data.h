/* Private: the data of an instance, which the makers and readers of instances fill. */
#ifndef SHOAL_OBJECTIVE_INSTANCE_DATA_H
#define SHOAL_OBJECTIVE_INSTANCE_DATA_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The data of an instance. */
struct instance_data {
    double *numbers; /* the table that the kernel text reads, row by row; freed with the instance */
    size_t rows, columns;
    size_t dim;
    uint32_t number;    /* number of the instance, from 1; 0: instances of the function have no numbers */
    double best;        /* optimal value, or best known value; NaN: unknown */
    bool has_no_repair; /* the repair of the function cannot handle the instance */
};

/* Allocates room for rows * columns numbers. */
SHOAL_MUST_CHECK enum shoal_status instance_allocate(struct instance_data *data, size_t rows, size_t columns,
                                                     struct shoal_error *error);

#endif
