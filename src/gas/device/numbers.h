/* Private: converts components of positions and velocities to and from the formats of device arrays, which
 * checkpoints of devices have, too. The formats depend on the precision: device.h. `place` is the index of
 * the particle in the array. */
#ifndef SHOAL_GAS_NUMBERS_H
#define SHOAL_GAS_NUMBERS_H

#include "gas/gas.h"

void gas_put_position(const struct gas_problem *problem, void *array, size_t place, size_t axis, double x);
double gas_get_position(const struct gas_problem *problem, const void *array, size_t place, size_t axis);
/* gas_put_vector and gas_get_vector store and load a component of a velocity or an acceleration. */
void gas_put_vector(const struct gas_problem *problem, void *array, size_t place, size_t axis, double value);
double gas_get_vector(const struct gas_problem *problem, const void *array, size_t place, size_t axis);
/* Bytes of a particle in an array of positions, and in an array of velocities or accelerations. */
size_t gas_position_bytes(const struct gas_problem *problem);
size_t gas_vector_bytes(const struct gas_problem *problem);

#endif
