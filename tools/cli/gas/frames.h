/* Frames of a gas as text. Functions return memory that the caller frees;
 * NULL: out of memory. */
#ifndef SHOAL_TOOLS_GAS_FILES_H
#define SHOAL_TOOLS_GAS_FILES_H

#include "cli/gas/writer/writer.h"

/* Makes a frame in the format extended XYZ. Each particle is an atom of `element`, for example "Ar", with
 * pos, velo, mass and momentum (from which programs such as ASE compute velocities). With several species
 * their names, masses and charges are written instead of `element` and `mass`. The second line has
 * Lattice, pbc, Time and Step. */
char *gas_frame_xyz(const struct shoal_gas_frame *frame, const char *element, double mass, size_t *bytes);
/* Makes a frame of a LAMMPS text dump with the columns id type x y z vx vy vz ix iy iz; with several
 * species also element, the name of the species, mass and q, the charge. */
char *gas_frame_dump(const struct shoal_gas_frame *frame, size_t *bytes);

/* gas_next_xyz, gas_next_dump: read the next frame of a file in extended XYZ, of a LAMMPS dump. */
piece_next gas_next_xyz, gas_next_dump;

#endif
