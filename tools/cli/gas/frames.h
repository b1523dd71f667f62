/* Frames of a gas as text and as pictures. Functions that make text return memory that the caller frees;
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

/* Makes a picture in the format PNG, with `pixels` pixels along the longer side of the box. A particle is a
 * disk of radius `radius`, at least half a pixel, in the colour of its speed: dark at rest, bright at
 * `fastest`. In three dimensions the view is along z. Below the box are the time and a scale of the colours,
 * unless the box is narrower than 250 pixels. Status SHOAL_OUT_OF_HOST_MEMORY or SHOAL_FAILED. */
SHOAL_MUST_CHECK enum shoal_status gas_frame_png(const struct shoal_gas_frame *frame, double radius,
                                                 double fastest, size_t pixels, void **png, size_t *bytes,
                                                 struct shoal_error *error);

/* Finds a value for `fastest`: three times the root mean square speed, which hardly any particle of a gas in
 * equilibrium exceeds. The value is rounded up to few digits, so that frames of about the same temperature
 * have the same colours. 0: all particles are at rest. */
double gas_frame_fastest(const struct shoal_gas_frame *frame);

#endif
