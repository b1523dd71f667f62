#include "cli/gas/files/output.h"

#include "cli/charts/film.h"
#include "cli/gas/frames.h"
#include "cli/gas/picture.h"
#include "cli/output/files/endings.h"
#include "cli/output/files/gsd.h"
#include "cli/stages.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gas_output {
    struct cli *cli;
    const struct gas_output_values *values;
    struct piece_files *files;
    char *tag;                 /* part of the names of the files of this run */
    bool no_pictures;          /* a picture could not be written, and no further picture is tried */
    void *sample;              /* the last sample; NULL: there was none */
    struct gas_writer *writer; /* NULL: no file of frames is asked for */
    char *film_path;           /* NULL: no film is asked for */
    struct film *film;         /* NULL: it has no picture yet */
    struct gas_picture_style film_style;
    bool no_film; /* the film has failed, and no further picture is added */
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
    if (code == CLI_OK && values->video)
        code = film_check("--video", values->video);
    if (code == CLI_OK && values->data && !cli_check_output("--data-file", values->data, false))
        code = CLI_FAILURE;
    return code;
}

/* Frames ------------------------------------------------------------------------------------------------ */

static enum shoal_status write_png(struct gas_output *output, const struct canvas *canvas, uint64_t step,
                                   struct shoal_error *error)
{
    void *png;
    size_t bytes;
    enum shoal_status status = canvas_png(canvas, &png, &bytes, error);
    if (status)
        return status;
    char *path = cli_sprintf("%s%s-%09llu.png", output->values->png, output->tag, (unsigned long long)step);
    status = cli_write_file(path, png, bytes, error);
    free(path);
    free(png);
    return status;
}

/* Draws the gas. A picture that cannot be written ends the pictures, but not the run. */
static void draw_png(struct gas_output *output, struct shoal_solver *solver, uint64_t step)
{
    const struct gas_output_values *values = output->values;
    struct gas_picture_style style = {.colouring = (enum shoal_gas_colouring)values->colour,
                                      .pixels = (size_t)values->png_size};
    struct shoal_error error;
    struct canvas canvas;
    if (!values->png || output->no_pictures)
        return;
    enum shoal_status status = gas_picture_draw(solver, &style, &canvas, &error);
    if (!status)
        status = write_png(output, &canvas, step, &error);
    canvas_destroy(&canvas);
    if (status) {
        output->no_pictures = true;
        output->files->code =
            cli_error(CLI_FAILURE, "%s; the run goes on without further pictures", error.message);
    }
}

/* Adds a picture to the film, all of whose pictures have the size of the first one, rounded to even numbers
 * as encoders need. */
static enum shoal_status film_gas(struct gas_output *output, struct shoal_solver *solver,
                                  struct shoal_error *error)
{
    struct gas_picture_style *style = &output->film_style;
    struct canvas canvas;
    enum shoal_status status = SHOAL_OK;
    if (!output->film) {
        *style = (struct gas_picture_style){.colouring = (enum shoal_gas_colouring)output->values->colour,
                                            .pixels = (size_t)output->values->png_size};
        status = gas_picture_draw(solver, style, &canvas, error);
        if (status)
            return status;
        style->width = (canvas.width + 1) / 2 * 2;
        style->height = (canvas.height + 1) / 2 * 2;
        canvas_destroy(&canvas);
        status = film_begin(output->film_path, style->width, style->height, &output->film, error);
    }
    if (!status)
        status = gas_picture_draw(solver, style, &canvas, error);
    if (status)
        return status;
    status = film_add(output->film, &canvas, error);
    canvas_destroy(&canvas);
    return status;
}

/* A film that fails ends, but not the run. */
static void add_to_film(struct gas_output *output, struct shoal_solver *solver)
{
    struct shoal_error error;
    if (!output->film_path || output->no_film || !film_gas(output, solver, &error))
        return;
    output->no_film = true;
    output->files->code = cli_error(CLI_FAILURE, "%s; the run goes on without the film", error.message);
}

static char *xyz_text(void *data, const struct shoal_gas_frame *frame, size_t *bytes)
{
    const struct gas_output *output = data;
    return gas_frame_xyz(frame, output->values->element, params_of(output)->mass, bytes);
}

static char *dump_text(void *data, const struct shoal_gas_frame *frame, size_t *bytes)
{
    (void)data;
    return gas_frame_dump(frame, bytes);
}

static enum shoal_status settle(void *data, struct shoal_error *error)
{
    const struct gas_output *output = data;
    if (gas_writer_wait(output->writer))
        return SHOAL_OK;
    const struct shoal_error *own = gas_writer_error(output->writer);
    return cli_set_error(error, own->status, "%s", own->message);
}

static bool on_moment(void *data, struct shoal_solver *solver, uint64_t step, const char **failure)
{
    struct gas_output *output = data;
    if (output->writer && !gas_writer_give_state(output->writer, solver, output->sample)) {
        *failure = gas_writer_error(output->writer)->message;
        return true;
    }
    draw_png(output, solver, step);
    add_to_film(output, solver);
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

/* Opens the files of frames. Returns an exit code. */
static int add_files(const struct cli_row *row, struct gas_output *output)
{
    const struct gas_output_values *values = output->values;
    const struct cli *cli = output->cli;
    const struct {
        const char *option, *path;
        piece_next *next;
        gas_frame_text *text;
    } texts[] = {{"--xyz", values->xyz, gas_next_xyz, xyz_text},
                 {"--dump", values->dump, gas_next_dump, dump_text},
                 {"--gsd", values->gsd, NULL, NULL}};
    bool good = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *path = texts[i].path;
        if (!path)
            continue;
        char *name = cli_row_path(cli, row, path);
        const bool continues = cli_stage_continues(cli, path);
        good = texts[i].text ? gas_writer_add_texts(output->writer, name, continues, texts[i].next,
                                                    texts[i].text, output)
                             : gas_writer_add_gsd(output->writer, name, continues);
        free(name);
        if (!good)
            return cli_fail(texts[i].option, gas_writer_error(output->writer));
    }
    return CLI_OK;
}

/* A film that exists may be of the part of a resumed run before its checkpoint, and would be lost. Stages
 * have films of their own. */
static int add_film(const struct cli_row *row, struct gas_output *output)
{
    const char *path = output->values->video;
    if (!path)
        return CLI_OK;
    output->film_path = cli_row_path(output->cli, row, path);
    if (!output->files->resumes || access(output->film_path, F_OK) != 0)
        return CLI_OK;
    return cli_error(CLI_USAGE,
                     "--video: %s exists, and a resumed run cannot continue a film: give another name",
                     output->film_path);
}

static void begin_files(struct gas_output *output)
{
    const struct cli *cli = output->cli;
    /* all stages have the same columns */
    const struct sample_form form = {.format = SAMPLE_TABLE,
                                     .sampling = cli->command->workload->sampling,
                                     .params = cli->params,
                                     .stage = cli->stage ? "" : NULL,
                                     .stages_have = cli->stage ? cli_stages_have : NULL,
                                     .run_stage = cli->stage};
    output->writer = gas_writer_create(output->files, &form);
    output->files->settle = settle;
    output->files->settle_data = output;
}

int gas_output_begin(struct cli *cli, const struct cli_row *row, const struct gas_output_values *values,
                     struct piece_files *files, struct gas_output **out)
{
    struct shoal_gas_params *params = cli->params;
    struct gas_output *output = *out = cli_alloc(sizeof *output);
    *output = (struct gas_output){.cli = cli, .values = values, .files = files, .tag = cli_row_tag(cli, row)};
    const bool has_files = values->xyz || values->dump || values->gsd;
    params->on_moment = has_files || values->png || values->video ? on_moment : NULL;
    params->data = output;
    files->on_sample = values->gsd ? on_sample : NULL;
    files->sample_data = output;
    int code = CLI_OK;
    if (has_files) {
        begin_files(output);
        code = add_files(row, output);
    }
    if (code == CLI_OK)
        code = add_film(row, output);
    if (code != CLI_OK)
        gas_output_end(out);
    return code;
}

void gas_output_settle(const struct gas_output *output, struct shoal_error *error)
{
    if (!output->writer || gas_writer_wait(output->writer))
        return;
    const struct shoal_error *own = gas_writer_error(output->writer);
    if (error->status == SHOAL_OK || error->status == SHOAL_STOPPED)
        *error = *own;
    else if (error->status == SHOAL_IO) /* the message has the step, too */
        error->status = own->status;
}

void gas_output_end(struct gas_output **out)
{
    struct gas_output *output = *out;
    struct shoal_error error;
    int code = output->writer ? gas_writer_destroy(&output->writer) : CLI_OK;
    if (film_end(&output->film, &error))
        code = cli_fail("--video", &error);
    output->files->code = output->files->code ? output->files->code : code;
    output->files->settle = NULL;
    free(output->film_path);
    free(output->sample);
    free(output->tag);
    free(output);
    *out = NULL;
}
