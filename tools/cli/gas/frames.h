/* What a run of the gas writes: lines of thermo, frames as text, pictures, charts. The makers return a text
 * that the caller frees, NULL without memory. */
#ifndef SHOAL_TOOLS_GAS_FILES_H
#define SHOAL_TOOLS_GAS_FILES_H

#include "cli/charts/chart.h"

#include <shoal/gas.h>

enum gas_format { GAS_TABLE, GAS_CSV, GAS_JSON_LINES, GAS_XYZ, GAS_DUMP };

/* Of thermo lines by the end of the name: .csv, .jsonl or .json, else a table. */
enum gas_format gas_lines_of(const char *path);
/* Columns of thermo lines, a table without those that a run of these parameters has no value for; "" for JSON
 * lines. */
char *gas_thermo_head(enum gas_format lines, const struct shoal_gas_params *params, size_t *bytes);
char *gas_thermo_line(enum gas_format lines, const struct shoal_gas_thermo *thermo,
                      const struct shoal_gas_params *params, size_t *bytes);

/* Extended XYZ: pos and velo of every particle, Lattice, pbc, Time and Step in the second line. */
char *gas_frame_xyz(const struct shoal_gas_frame *frame, size_t *bytes);
/* LAMMPS text dump: id type x y z vx vy vz ix iy iz. */
char *gas_frame_dump(const struct shoal_gas_frame *frame, size_t *bytes);

/* Bytes of the file that hold what came before `step`, whole lines and frames alone: where a run that goes on
 * writes on, whether the one before it ended or was killed. `interval`: what a run in one go writes is of its
 * multiples, 0 among them (0: of step 0 alone); the line of an end between them goes. SHOAL_IO: the file
 * cannot be read, or is no such file. */
SHOAL_MUST_CHECK enum shoal_status gas_kept_bytes(const char *path, enum gas_format format, uint64_t step,
                                                  uint64_t interval, size_t *bytes,
                                                  struct shoal_error *error);

/* PNG, `pixels` along the longer side, each particle a disk of its radius (at least a pixel), coloured by its
 * speed: dark at rest, bright at `fastest`. 3D: seen along z. Status SHOAL_OUT_OF_HOST_MEMORY or
 * SHOAL_FAILED. */
SHOAL_MUST_CHECK enum shoal_status gas_frame_png(const struct shoal_gas_frame *frame, double radius,
                                                 double fastest, size_t pixels, void **png, size_t *bytes,
                                                 struct shoal_error *error);

#endif
