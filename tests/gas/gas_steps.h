/* Steps of gases by neighbour lists over the fake backend. */
#ifndef SHOAL_TESTS_GAS_STEPS_H
#define SHOAL_TESTS_GAS_STEPS_H

/* Registers kernels that count the steps they are launched for and move nothing: a run that waits for its
 * device comes to its end. They stay until fake_reset. */
void gas_count_steps(void);

#endif
