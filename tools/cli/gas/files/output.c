#include "cli/gas/files/output.h"

#include "cli/gas/frames.h"
#include "cli/output/files/endings.h"
#include "cli/output/files/gsd.h"
#include "cli/stages.h"

#include <stdlib.h>
#include <string.h>

struct gas_output {
    struct cli *cli;
    const struct gas_output_values *values;
    struct piece_files *files;
    struct piece_file *xyz, *dump; /* NULL: not asked for */
    struct gas_gsd *gsd;           /* NULL: not asked for */
    char *tag;                     /* part of the names of the files of this run */
    bool no_pictures;              /* a picture could not be written, and no further picture is tried */
    void *sample;                  /* the last sample; NULL: there was none */
};

static const struct shoal_gas_params *params_of(const struct gas_output *output)
{
    return output->cli->params;
}

/* Checks ------------------------------------------------------------------------------------------------ */

/* Whether `text` is a chemical symbol: a capital and up to two small letters, as in "Uue". */
static bool is_symbol(const char *text)
{
    static const char small[] = "abcdefghijklmnopqrstuvwxyz";
    return *text >= 'A' && *text <= 'Z' && strspn(text + 1, small) == strlen(text + 1) && strlen(text) <= 3;
}

int gas_output_check(const struct gas_output_values *values)
{
    static const char *const xyz_endings[] = {".xyz", ".extxyz", ".exyz", ".txt", NULL};
    static const char *const dump_endings[] = {".dump",   ".lammpstrj", ".lammpsdump", ".lammps",
                                               ".custom", ".trj",       ".txt",        NULL};
    static const char *const data_endings[] = {".data", ".lmp", ".lammps", ".txt", NULL};
    int code = CLI_OK;
    if (!is_symbol(values->element))
        code = cli_error(CLI_USAGE, "--element: '%s' is no symbol of an element, such as Ar or Kr",
                         values->element);
    if (code == CLI_OK &&
        ((values->xyz && !cli_check_ending("--xyz", values->xyz, xyz_endings, true)) ||
         (values->dump && !cli_check_ending("--dump", values->dump, dump_endings, true)) ||
         (values->data && !cli_check_ending("--data-file", values->data, data_endings, true))))
        code = CLI_USAGE;
    if (code == CLI_OK && values->xyz)
        code = piece_check("--xyz", values->xyz, gas_next_xyz);
    if (code == CLI_OK && values->dump)
        code = piece_check("--dump", values->dump, gas_next_dump);
    if (code == CLI_OK && values->gsd)
        code = gsd_check("--gsd", values->gsd);
    if (code == CLI_OK && values->png && !cli_check_output("--png", values->png, false))
        code = CLI_FAILURE;
    if (code == CLI_OK && values->data && !cli_check_output("--data-file", values->data, false))
        code = CLI_FAILURE;
    return code;
}

/* Frames ------------------------------------------------------------------------------------------------ */

static bool write_picture(struct gas_output *output, const struct shoal_gas_frame *frame,
                          struct shoal_error *error)
{
    const struct shoal_gas_params *params = params_of(output);
    const struct gas_output_values *values = output->values;
    void *png;
    size_t bytes;
    /* Radius of the disks of particles in pictures: half of sigma, about half the distance of touching
     * particles, if the potential has a sigma; otherwise half a unit of length. */
    const bool sized = params->potential == SHOAL_GAS_LJ || params->potential == SHOAL_GAS_WCA;
    const double radius = sized ? 0.5 * params->sigma : 0.5;
    if (gas_frame_png(frame, radius, gas_frame_fastest(frame), (size_t)values->png_size, &png, &bytes, error))
        return false;
    char *path = cli_sprintf("%s%s-%09llu.png", values->png, output->tag, (unsigned long long)frame->step);
    bool good = cli_write_file(path, png, bytes, error) == SHOAL_OK;
    free(path);
    free(png);
    return good;
}

static bool write_gsd(struct gas_output *output, const struct shoal_gas_frame *frame)
{
    /* all stages have the same columns */
    const struct sample_form form = {.format = SAMPLE_TABLE,
                                     .sampling = output->cli->command->workload->sampling,
                                     .params = output->cli->params,
                                     .stage = output->cli->stage ? "" : NULL,
                                     .stages_have = output->cli->stage ? cli_stages_have : NULL,
                                     .run_stage = output->cli->stage};
    return gas_gsd_write(output->gsd, output->files, frame, &form, output->sample);
}

static bool on_frame(void *data, const struct shoal_gas_frame *frame, const char **failure)
{
    struct gas_output *output = data;
    struct shoal_error error;
    size_t bytes = 0;
    *failure = output->files->error.message;
    if (!piece_files_at(output->files, frame->step))
        return true;
    if (output->xyz) {
        char *text = gas_frame_xyz(frame, output->values->element, params_of(output)->mass, &bytes);
        piece_write(output->files, output->xyz, text, bytes);
    }
    if (output->dump) {
        char *text = gas_frame_dump(frame, &bytes);
        piece_write(output->files, output->dump, text, bytes);
    }
    if (output->gsd && !write_gsd(output, frame))
        return true;
    if (output->values->png && !output->no_pictures && !write_picture(output, frame, &error)) {
        output->no_pictures = true;
        output->files->code =
            cli_error(CLI_FAILURE, "%s; the run goes on without further pictures", error.message);
    }
    return false;
}

static void on_sample(void *data, const struct shoal_sampling *sampling, const void *sample)
{
    struct gas_output *output = data;
    if (!output->sample)
        output->sample = cli_alloc(sampling->size);
    memcpy(output->sample, sample, sampling->size);
}

/* A run ------------------------------------------------------------------------------------------------- */

static int add_file(const struct cli_row *row, const char *option, const char *path, piece_next *next,
                    struct gas_output *output, struct piece_file **file)
{
    if (!path)
        return CLI_OK;
    char *name = cli_row_path(output->cli, row, path);
    /* The interval 1 keeps every existing frame, even if an earlier run wrote it with another --frames. No
     * frame must be cut, since the end of a run adds no frame of its own. */
    *file = piece_files_add(output->files, name, next, 1);
    free(name);
    if (!*file)
        return cli_fail(option, &output->files->error);
    (*file)->continues = (*file)->continues || cli_stage_continues(output->cli, path);
    return CLI_OK;
}

static int add_gsd(const struct cli_row *row, struct gas_output *output)
{
    const char *path = output->values->gsd;
    if (!path)
        return CLI_OK;
    char *name = cli_row_path(output->cli, row, path);
    const bool good = gsd_may_replace(name, &output->files->error);
    if (good)
        output->gsd = gas_gsd_create(name, output->files->resumes || cli_stage_continues(output->cli, path));
    free(name);
    return good ? CLI_OK : cli_fail("--gsd", &output->files->error);
}

int gas_output_begin(struct cli *cli, const struct cli_row *row, const struct gas_output_values *values,
                     struct piece_files *files, struct gas_output **out)
{
    struct shoal_gas_params *params = cli->params;
    struct gas_output *output = *out = cli_alloc(sizeof *output);
    *output = (struct gas_output){.cli = cli, .values = values, .files = files, .tag = cli_row_tag(cli, row)};
    params->on_frame = gas_output_has_frames(values) ? on_frame : NULL;
    params->data = output;
    files->on_sample = values->gsd ? on_sample : NULL;
    files->sample_data = output;
    int code = add_file(row, "--xyz", values->xyz, gas_next_xyz, output, &output->xyz);
    if (code == CLI_OK)
        code = add_file(row, "--dump", values->dump, gas_next_dump, output, &output->dump);
    if (code == CLI_OK)
        code = add_gsd(row, output);
    if (code != CLI_OK)
        gas_output_end(out);
    return code;
}

void gas_output_end(struct gas_output **output)
{
    gas_gsd_destroy(&(*output)->gsd, (*output)->files);
    free((*output)->sample);
    free((*output)->tag);
    free(*output);
    *output = NULL;
}
