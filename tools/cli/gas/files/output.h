/* Files of a run of a gas that hold its particles: growing files of frames, pictures, and the particles at
 * the end. */
#ifndef SHOAL_TOOLS_GAS_OUTPUT_H
#define SHOAL_TOOLS_GAS_OUTPUT_H

#include "cli/output/samples.h"
#include "cli/workload.h"

#include <shoal/gas.h>

/* Values of the options. Paths may be NULL: not asked for. */
struct gas_output_values {
    const char *xyz, *dump, *gsd, *png, *video, *data;
    const char *element; /* chemical symbol of the particles in files of frames */
    uint64_t png_size;   /* pixels along the longer side */
    int32_t colour;      /* enum shoal_gas_colouring, of pictures and films */
};

/* Checks before the run that the files can be written. Returns an exit code. */
int gas_output_check(const struct gas_output_values *values);
/* Whether a file needs frames. */
static inline bool gas_output_has_frames(const struct gas_output_values *values)
{
    return values->xyz || values->dump || values->gsd || values->png || values->video;
}

/* The output of one run. */
struct gas_output;
/* Opens the output, and sets the callback for frames in the parameters of the run. Returns an exit code;
 * after a failure there is no output. */
int gas_output_begin(struct cli *cli, const struct cli_row *row, const struct gas_output_values *values,
                     struct piece_files *files, struct gas_output **out);
/* Waits for the last frame. Where a frame has failed, the run fails: `error`, that of the row of the run,
 * takes the failure, also its status in place of the SHOAL_IO with which the library ended the run. */
void gas_output_settle(const struct gas_output *output, struct shoal_error *error);
/* Writes what is left, closes the files and the film, and sets the pointer to NULL. */
void gas_output_end(struct gas_output **out);

/* Defined in lammps_data.c. Writes the particles of a solver as a LAMMPS data file. Returns an exit code. */
int gas_write_data(const char *path, struct shoal_solver *solver);

#endif
