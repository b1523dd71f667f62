/* Private: species of the particles of a device. Without species the functions do nothing. */
#ifndef SHOAL_GAS_SPECIES_DEVICE_H
#define SHOAL_GAS_SPECIES_DEVICE_H

#include "gas/device/device.h"

extern const struct shoal_program_desc gas_species_program;

/* Number of numbers that the buffer of settings has for species and a schedule, in addition to the settings;
 * 0: there is one species. */
double gas_species_numbers(const struct gas_device *device);
/* Fills the numbers of several species that are the same for all particles: those from SPECIES_RATIOS to
 * SPECIES_PLACES. */
enum { GAS_SPECIES_CONSTANTS = SPECIES_PLACES - SPECIES_RATIOS };
void gas_species_constants(const struct gas_problem *problem, double numbers[GAS_SPECIES_CONSTANTS]);
/* Sets MASSES and SPECIES (cl/gas/model/state.clh). */
void gas_species_defines(const struct gas_problem *problem, struct defines *defines);
/* Builds the kernel and writes the numbers of the species to the settings. */
SHOAL_MUST_CHECK enum shoal_status gas_species_start(struct shoal_solver *solver, struct shoal_error *error);
/* Enqueues the storing of the species of the particle at each place, after the places have changed. ids:
 * numbers of the particles at the places; is_observed: places of the sort for distances instead of those of
 * the gas. */
SHOAL_MUST_CHECK enum shoal_status gas_species_place(struct shoal_solver *solver, struct shoal_buffer *ids,
                                                     bool is_observed, struct shoal_error *error);

#endif
