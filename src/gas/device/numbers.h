/* Private: converts the numbers of a particle to and from the formats of device arrays and of checkpoints of
 * devices, which depend on the precision of the parameters: device.h. `place` is the index of the particle in
 * the array. */
#ifndef SHOAL_GAS_NUMBERS_H
#define SHOAL_GAS_NUMBERS_H

#include "gas/gas.h"

void gas_put_position(const struct gas_problem *problem, void *array, size_t place, size_t axis, double x);
double gas_get_position(const struct gas_problem *problem, const void *array, size_t place, size_t axis);
/* Store and load a velocity or an acceleration. */
void gas_put_vector(const struct gas_problem *problem, void *array, size_t place, size_t axis, double value);
double gas_get_vector(const struct gas_problem *problem, const void *array, size_t place, size_t axis);
/* Bytes of the position, and of a velocity or acceleration, of a particle. */
size_t gas_position_bytes(const struct gas_problem *problem);
size_t gas_vector_bytes(const struct gas_problem *problem);

#endif
