/* Private: numbers of a particle as devices, and checkpoints of devices, hold them, by the precision of the
 * parameters: see device.h. `place` is the place of the particle in the array. */
#ifndef SHOAL_GAS_NUMBERS_H
#define SHOAL_GAS_NUMBERS_H

#include "gas/gas.h"

void gas_put_position(const struct gas_problem *problem, void *array, size_t place, size_t axis, double x);
double gas_get_position(const struct gas_problem *problem, const void *array, size_t place, size_t axis);
/* Store and load a velocity or an acceleration. */
void gas_put_vector(const struct gas_problem *problem, void *array, size_t place, size_t axis, double value);
double gas_get_vector(const struct gas_problem *problem, const void *array, size_t place, size_t axis);
/* Bytes of the position of a particle, and of its velocity. */
size_t gas_position_bytes(const struct gas_problem *problem);
size_t gas_vector_bytes(const struct gas_problem *problem);

#endif
