/* The particles of a gas as a LAMMPS data file: docs/gas-forces.md, "Files". */
#include "cli/cli.h"
#include "cli/gas/files/output.h"
#include "cli/gas/frames.h"
#include "cli/run/rescue.h"
#include "io/decimal.h"

#include <stdlib.h>

static void put_head(FILE *out, const struct shoal_gas_frame *frame, const struct shoal_gas_species *species)
{
    fprintf(out, "LAMMPS data file of shoal %s, step %llu, units lj\n\n%zu atoms\n%zu atom types\n\n",
            shoal_version(), (unsigned long long)frame->step, frame->particles, species->count);
    /* a flat box reaches from -0.5 to 0.5 along z */
    for (size_t k = 0; k < 3; k++)
        fprintf(out, "%s %s %clo %chi\n", decimal_text(k < frame->dim ? frame->origin[k] : -0.5, false).s,
                decimal_text(k < frame->dim ? frame->origin[k] + frame->length[k] : 0.5, false).s, "xyz"[k],
                "xyz"[k]);
    fputs("\nMasses\n\n", out);
    for (size_t s = 0; s < species->count; s++)
        fprintf(out, "%zu %s%s%s\n", s + 1, decimal_text(species->mass[s], false).s,
                *species->names[s] ? " # " : "", species->names[s]);
}

static void put_atoms(FILE *out, const struct shoal_gas_frame *frame, const struct shoal_gas_species *species)
{
    const bool charged = gas_frame_has_charges(species);
    const size_t dim = frame->dim;
    fprintf(out, "\nAtoms # %s\n\n", charged ? "charge" : "atomic");
    for (size_t i = 0; i < frame->particles; i++) {
        const size_t s = species->of ? species->of[i] : 0;
        fprintf(out, "%zu %zu", i + 1, s + 1);
        if (charged)
            fprintf(out, " %s", decimal_text(species->charge[s], false).s);
        for (size_t k = 0; k < 3; k++)
            fprintf(out, " %s", decimal_text(k < dim ? frame->position[i * dim + k] : 0, false).s);
        for (size_t k = 0; k < 3; k++)
            fprintf(out, " %d", k < dim ? frame->image[i * dim + k] : 0);
        fputc('\n', out);
    }
    fputs("\nVelocities\n\n", out);
    for (size_t i = 0; i < frame->particles; i++) {
        fprintf(out, "%zu", i + 1);
        for (size_t k = 0; k < 3; k++)
            fprintf(out, " %s", decimal_text(k < dim ? frame->velocity[i * dim + k] : 0, false).s);
        fputc('\n', out);
    }
}

int gas_write_data(const char *path, struct shoal_solver *solver)
{
    struct shoal_gas_species species = {.size = sizeof species};
    struct shoal_gas_frame frame;
    struct shoal_error error = {0};
    char *text = NULL;
    size_t bytes;
    if (shoal_gas_get_species(solver, &species, &error) || shoal_gas_get_frame(solver, &frame, &error))
        return cli_fail("--data-file", &error);
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return cli_error(CLI_FAILURE, "--data-file: out of memory");
    put_head(out, &frame, &species);
    put_atoms(out, &frame, &species);
    const int code = fclose(out) == 0 ? run_write_bytes("--data-file", path, text, bytes)
                                      : cli_error(CLI_FAILURE, "--data-file: out of memory");
    free(text);
    return code;
}
