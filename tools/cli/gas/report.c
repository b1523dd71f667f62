/* shoal gas: lines and files of a run, presets, and the control run beside it. */
#include "cli/gas/frames.h"
#include "cli/gas/verify.h"
#include "cli/output/append.h"
#include "cli/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES = 5 }; /* time, kinetic, potential, conserved energy of a particle, temperature */

struct text_file {
    struct append_file *file; /* NULL: nobody asked for it */
    enum gas_format format;
};

/* What one run has open. */
struct output {
    struct cli *cli;
    struct text_file thermo, xyz, dump;
    bool goes_on; /* from a checkpoint, and nothing is written yet */
    double *series[SERIES];
    size_t count, room;
    double fastest; /* of the colours: set by the first frame, so that pictures compare */
    char *tag;      /* in the names of its files */
    struct shoal_error error;
};

struct values {
    struct workload_values common; /* first: the options of every workload */
    const char *thermo_file, *xyz, *dump, *png;
    const char *plot_energy, *plot_temperature, *plot_rdf, *plot_speeds;
    const char *preset;
    uint64_t png_size;
    bool control;
    double attraction; /* of the run that was asked for; the control run has none */
    struct output run;
};

#define FIELD(name) offsetof(struct values, name)

static const struct shoal_option options[] = {
    {.name = "thermo-file",
     .group = "Files",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(thermo_file),
     .unit = "FILE",
     .help =
         "write the samples to FILE, as CSV if the name ends in .csv, as a JSON object a line if it ends in "
         ".jsonl, else as a table; about 1000 unless --thermo is given; without FILE they go to the output"},
    {.name = "xyz",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(xyz),
     .unit = "FILE",
     .help = "append every frame as extended XYZ; about ten frames unless --frames is given, here and below"},
    {.name = "dump",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(dump),
     .unit = "FILE",
     .help = "append every frame as a LAMMPS text dump"},
    {.name = "png",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(png),
     .unit = "PREFIX",
     .help = "draw every frame as PREFIX-STEP.png, with particles coloured by speed"},
    {.name = "png-size",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(png_size),
     .unit = "PIXELS",
     .min = 16,
     .max = 16384,
     .help = "longer side of a picture",
     .needs = "png"},
    {.name = "plot-energy",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_energy),
     .unit = "FILE",
     .help = "draw the energies per particle over time as SVG"},
    {.name = "plot-temperature",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_temperature),
     .unit = "FILE",
     .help = "draw the temperature over time as SVG"},
    {.name = "plot-rdf",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_rdf),
     .unit = "FILE",
     .help = "draw the radial distribution function as SVG"},
    {.name = "plot-speeds",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_speeds),
     .unit = "FILE",
     .help = "draw the distribution of speeds beside Maxwell's as SVG"},
    {.name = "control",
     .type = SHOAL_OPTION_FLAG,
     .offset = FIELD(control),
     .unit = "",
     .help = "run again without the long-range attraction, for comparison; the files of this run, its "
             "checkpoint too, have '-control' in their names"},
    {.name = "preset",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(preset),
     .unit = "NAME",
     .help = "a scenario that sets every option not given; condensation: a gas between damping walls "
             "condenses into droplets, with pictures and a control run (200000 steps, twice: minutes on a "
             "few CPU cores; for a shorter run give --steps, --frames and --thermo)"},
};

static void values_init(void *values)
{
    struct values *v = values;
    v->png_size = 800;
}

/* Of one run ------------------------------------------------------------------------------------------ */

static const struct values *values_of(const struct cli *cli)
{
    return cli->values;
}

static struct shoal_gas_params *params_of(const struct cli *cli)
{
    return cli->params;
}

/* What an earlier run wrote of this step and those behind it goes before the first of them comes again: a run
 * that was killed leaves more than its checkpoint knows of, and perhaps half a line. */
static bool go_on_at(struct output *output, uint64_t step)
{
    const struct shoal_gas_params *params = params_of(output->cli);
    const struct text_file *const texts[] = {&output->thermo, &output->xyz, &output->dump};
    bool good = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && output->goes_on && good; i++) {
        size_t bytes;
        if (!texts[i]->file || append_is_empty(texts[i]->file))
            continue;
        good = gas_kept_bytes(append_path(texts[i]->file), texts[i]->format, step,
                              texts[i] == &output->thermo ? params->thermo : params->frames, &bytes,
                              &output->error) == SHOAL_OK &&
               append_cut(texts[i]->file, bytes, &output->error) == SHOAL_OK;
    }
    output->goes_on = false;
    return good;
}

static bool write_piece(struct output *output, const struct text_file *text, char *piece, size_t bytes)
{
    bool good = piece && append_write(text->file, piece, bytes, &output->error) == SHOAL_OK;
    if (!piece)
        snprintf(output->error.message, sizeof output->error.message, "out of memory");
    free(piece);
    return good;
}

static bool failure_of(const struct output *output, bool good, const char **failure)
{
    if (!good)
        *failure = output->error.message;
    return !good;
}

static void keep_sample(struct output *output, const struct shoal_gas_thermo *thermo)
{
    const double particles = (double)thermo->particles;
    const double sample[SERIES] = {thermo->time, thermo->kinetic / particles, thermo->potential / particles,
                                   thermo->conserved / particles, thermo->temperature};
    if (output->count == output->room) {
        output->room = output->room ? 2 * output->room : 256;
        for (size_t s = 0; s < SERIES; s++)
            output->series[s] = cli_realloc(output->series[s], output->room * sizeof *output->series[s]);
    }
    for (size_t s = 0; s < SERIES; s++)
        output->series[s][output->count] = sample[s];
    output->count++;
}

static bool on_thermo(void *data, const struct shoal_gas_thermo *thermo, const char **failure)
{
    struct output *output = data;
    const struct cli *cli = output->cli;
    size_t bytes = 0;
    const struct text_file *text = &output->thermo;
    keep_sample(output, thermo);
    bool good = go_on_at(output, thermo->step);
    if (!text->file)
        return failure_of(output, good, failure);
    cli_progress_clear();
    if (good && output->count == 1 && append_is_empty(text->file)) {
        char *head = gas_thermo_head(text->format, params_of(cli), &bytes);
        good = write_piece(output, text, head, bytes);
    }
    if (good) {
        char *line = gas_thermo_line(text->format, thermo, params_of(cli), &bytes);
        good = write_piece(output, text, line, bytes);
    }
    return failure_of(output, good, failure);
}

/* Three times the root mean square speed: nearly every particle of a gas in equilibrium is slower. */
static double fastest_of(const struct shoal_gas_frame *frame)
{
    double sum = 0;
    for (size_t i = 0; i < frame->particles * frame->dim; i++)
        sum += frame->velocity[i] * frame->velocity[i];
    return 3 * sqrt(sum / (double)frame->particles);
}

static bool write_picture(struct output *output, const struct shoal_gas_frame *frame)
{
    const struct cli *cli = output->cli;
    const struct shoal_gas_params *params = params_of(cli);
    const struct values *values = values_of(cli);
    void *png;
    size_t bytes;
    if (!(output->fastest > 0))
        output->fastest = fastest_of(frame);
    /* Particles that touch are about a sigma apart, or where the energy is least: at 1 unless the numbers
     * differ. */
    const bool sized = params->potential == SHOAL_GAS_LJ || params->potential == SHOAL_GAS_WCA;
    const double radius = sized ? 0.5 * params->sigma : 0.5;
    if (gas_frame_png(frame, radius, output->fastest, (size_t)values->png_size, &png, &bytes, &output->error))
        return false;
    char *path = cli_sprintf("%s%s-%09llu.png", values->png, output->tag, (unsigned long long)frame->step);
    bool good = cli_write_file(path, png, bytes, &output->error) == SHOAL_OK;
    free(path);
    free(png);
    return good;
}

static bool on_frame(void *data, const struct shoal_gas_frame *frame, const char **failure)
{
    struct output *output = data;
    const struct cli *cli = output->cli;
    size_t bytes = 0;
    bool good = go_on_at(output, frame->step);
    if (good && output->xyz.file) {
        char *text = gas_frame_xyz(frame, &bytes);
        good = write_piece(output, &output->xyz, text, bytes);
    }
    if (good && output->dump.file) {
        char *text = gas_frame_dump(frame, &bytes);
        good = write_piece(output, &output->dump, text, bytes);
    }
    if (good && values_of(cli)->png)
        good = write_picture(output, frame);
    return failure_of(output, good, failure);
}

static int open_file(const struct cli *cli, const struct cli_row *row, const char *option, const char *path,
                     enum gas_format format, struct text_file *text)
{
    struct shoal_error error = {0};
    if (!path)
        return CLI_OK;
    char *name = cli_row_path(cli, row, path);
    *text = (struct text_file){.format = format};
    int code = append_open(name, values_of(cli)->common.resume != NULL, &text->file, &error)
                   ? cli_fail(option, &error)
                   : CLI_OK;
    free(name);
    return code;
}

static int row_begin(struct cli *cli, struct cli_row *row)
{
    const struct values *values = values_of(cli);
    struct shoal_gas_params *params = params_of(cli);
    const bool to_output = !values->thermo_file && params->thermo && !cli->common.json && !cli->common.quiet;
    const char *thermo_file = values->thermo_file ? values->thermo_file : to_output ? "-" : NULL;
    struct output *output = &((struct values *)cli->values)->run;
    *output =
        (struct output){.cli = cli, .tag = cli_row_tag(cli, row), .goes_on = values->common.resume != NULL};
    if (to_output && (cli->device_count > 1 || row->label)) {
        printf("\n%s%s%s\n", shoal_device_get_info(row->device)->id, row->label ? " " : "",
               row->label ? row->label : "");
        fflush(stdout);
    }
    const enum gas_format lines = values->thermo_file ? gas_lines_of(values->thermo_file) : GAS_TABLE;
    params->on_thermo = on_thermo;
    params->on_frame = values->xyz || values->dump || values->png ? on_frame : NULL;
    params->data = output;
    int code = open_file(cli, row, "--thermo-file", thermo_file, lines, &output->thermo);
    if (code == CLI_OK)
        code = open_file(cli, row, "--xyz", values->xyz, GAS_XYZ, &output->xyz);
    if (code == CLI_OK)
        code = open_file(cli, row, "--dump", values->dump, GAS_DUMP, &output->dump);
    return code;
}

/* Charts ----------------------------------------------------------------------------------------------- */

static int write_chart(const struct cli *cli, const struct cli_row *row, const char *option, const char *path,
                       const char *title, const char *across, const char *up,
                       const struct chart_curve *curves, size_t count)
{
    struct shoal_error error = {0};
    char *text = NULL, *name = cli_row_path(cli, row, path);
    size_t bytes = 0;
    int code = CLI_OK;
    FILE *out = open_memstream(&text, &bytes);
    if (out)
        chart_curves(out, title, across, up, curves, count);
    if (!out || fclose(out) != 0)
        code = cli_error(CLI_FAILURE, "out of memory");
    else if (cli_write_file(name, text, bytes, &error) != SHOAL_OK)
        code = cli_fail(option, &error);
    free(text);
    free(name);
    return code;
}

static int plot_series(const struct cli *cli, const struct cli_row *row, const char *title)
{
    const struct output *output = &values_of(cli)->run;
    const struct values *values = values_of(cli);
    const struct chart_curve energies[] = {
        {"kinetic", output->series[0], output->series[1], output->count},
        {"potential", output->series[0], output->series[2], output->count},
        {"conserved", output->series[0], output->series[3], output->count},
    };
    const struct chart_curve temperature = {"temperature", output->series[0], output->series[4],
                                            output->count};
    int code = CLI_OK;
    if (values->plot_energy)
        code = write_chart(cli, row, "--plot-energy", values->plot_energy, title, "time",
                           "energy of a particle", energies, 3);
    if (values->plot_temperature)
        code = cli_first_failure(code, write_chart(cli, row, "--plot-temperature", values->plot_temperature,
                                                   title, "time", "temperature", &temperature, 1));
    return code;
}

static int plot_histogram(const struct cli *cli, const struct cli_row *row, struct shoal_solver *solver,
                          int kind, const char *option, const char *path, const char *title)
{
    struct shoal_gas_histogram histogram;
    struct shoal_error error = {0};
    if (!path)
        return CLI_OK;
    if (shoal_gas_get_histogram(solver, kind, &histogram, &error) != SHOAL_OK)
        return cli_fail(option, &error);
    double *middle = cli_alloc(histogram.bins * sizeof *middle);
    for (size_t b = 0; b < histogram.bins; b++)
        middle[b] = ((double)b + 0.5) * histogram.width;
    const struct chart_curve curves[] = {
        {kind == 0 ? "g(r)" : "this gas", middle, histogram.value, histogram.bins},
        {"Maxwell's law", middle, histogram.theory, histogram.bins}};
    int code = write_chart(cli, row, option, path, title, kind == 0 ? "r" : "speed",
                           kind == 0 ? "g" : "density", curves, histogram.theory ? 2 : 1);
    free(middle);
    return code;
}

static int row_end(struct cli *cli, struct cli_row *row, struct shoal_solver *solver)
{
    struct output *output = &((struct values *)cli->values)->run;
    const struct values *values = values_of(cli);
    int code = CLI_OK;
    append_close(&output->thermo.file);
    append_close(&output->xyz.file);
    append_close(&output->dump.file);
    if (solver && cli_row_has_result(row)) {
        char *title = cli_sprintf("shoal gas: %s, %s%s%s", row->result.title ? row->result.title : "",
                                  shoal_device_get_info(row->device)->id, row->label ? ", " : "",
                                  row->label ? row->label : "");
        code = plot_series(cli, row, title);
        code = cli_first_failure(code,
                                 plot_histogram(cli, row, solver, 0, "--plot-rdf", values->plot_rdf, title));
        code = cli_first_failure(
            code, plot_histogram(cli, row, solver, 1, "--plot-speeds", values->plot_speeds, title));
        free(title);
    }
    for (size_t s = 0; s < SERIES; s++) {
        free(output->series[s]);
        output->series[s] = NULL;
    }
    free(output->tag);
    output->tag = NULL;
    return code;
}

/* Before the run --------------------------------------------------------------------------------------- */

static int check(struct cli *cli)
{
    struct values *values = cli->values;
    struct shoal_gas_params *params = params_of(cli);
    const struct {
        const char *option, *path;
    } files[] = {{"--thermo-file", values->thermo_file},
                 {"--xyz", values->xyz},
                 {"--dump", values->dump},
                 {"--png", values->png},
                 {"--plot-energy", values->plot_energy},
                 {"--plot-temperature", values->plot_temperature},
                 {"--plot-rdf", values->plot_rdf},
                 {"--plot-speeds", values->plot_speeds}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i].path && strcmp(files[i].path, "-") != 0 &&
            !cli_check_output(files[i].option, files[i].path, false))
            return CLI_FAILURE;
    const bool frames = values->xyz || values->dump || values->png;
    if (params->frames && !frames)
        return cli_error(CLI_USAGE, "--frames: no file to write to; give --xyz, --dump or --png too");
    /* What a file needs and nobody asked for: about 10 frames, 1000 lines, 200 bins. */
    if (frames && !params->frames)
        params->frames = params->steps / 10 ? params->steps / 10 : 1;
    if ((values->thermo_file || values->plot_energy || values->plot_temperature || values->plot_rdf ||
         values->plot_speeds) &&
        !params->thermo)
        params->thermo = (params->steps + 999) / 1000 ? (params->steps + 999) / 1000 : 1;
    if (values->plot_rdf && !params->rdf_bins)
        params->rdf_bins = 200;
    if (values->plot_speeds && !params->speed_bins)
        params->speed_bins = 200;
    const bool attracts = params->potential == SHOAL_GAS_LOG ||
                          params->potential == SHOAL_GAS_LOG_REPULSION ||
                          params->potential == SHOAL_GAS_REAL || params->potential == SHOAL_GAS_GRAVITY;
    if (values->control && (!attracts || params->attraction == 0))
        return cli_error(CLI_USAGE,
                         "--control: the run has no long-range attraction to leave out; omit --control");
    if (values->control && params->potential == SHOAL_GAS_LOG_REPULSION && isnan(params->repulsion))
        return cli_error(CLI_USAGE, "--control: the default repulsion of log-repulsion depends on its "
                                    "attraction and would change too; give --repulsion");
    values->attraction = params->attraction;
    return CLI_OK;
}

static const char *next(struct cli *cli, size_t round)
{
    if (!values_of(cli)->control)
        return NULL;
    params_of(cli)->attraction = round == 0 ? 0 : values_of(cli)->attraction;
    return round == 0 ? "control" : NULL;
}

/* Presets ---------------------------------------------------------------------------------------------- */

/* The condensation of the thesis with the numbers it leaves open, in units of the distance and about the
 * depth of the short-range well. Two particles stay together only where a third or a wall takes their energy:
 * so dense, and so long. |A| n / 4 = 0.025 is below the temperatures of the run: what falls together is no
 * collapse of the long-range attraction, as the control run without it shows. */
static const char *const condensation[][2] = {{"potential", "real"},
                                              {"particles", "1000"},
                                              {"density", "0.3"},
                                              {"boundary-x", "walls"},
                                              {"boundary-y", "walls"},
                                              {"wall-left", "damping"},
                                              {"wall-right", "damping"},
                                              {"wall-bottom", "damping"},
                                              {"wall-top", "damping"},
                                              {"wall-damping", "0.6"},
                                              {"attraction", "1e-4"},
                                              {"short-attraction", "2"},
                                              {"softening", "0.25"},
                                              {"cutoff", "2.5"},
                                              {"temperature", "1"},
                                              {"dt", "0.014"},
                                              {"steps", "200000"},
                                              {"start", "random"},
                                              {"thermo", "2000"},
                                              {"cluster-distance", "1.5"},
                                              {"frames", "50000"},
                                              {"png", "condensation"},
                                              {"control", "true"},
                                              {"plot-temperature", "condensation-temperature.svg"},
                                              {NULL, NULL}};

static const struct workload_preset presets[] = {
    {"condensation", "a gas between damping walls condenses into droplets", condensation},
    {NULL, NULL, NULL}};

const struct workload_output gas_report = {.workload = "gas",
                                           .options = options,
                                           .option_count = sizeof options / sizeof *options,
                                           .values_size = sizeof(struct values),
                                           .values_init = values_init,
                                           .presets = presets,
                                           .check = check,
                                           .row_begin = row_begin,
                                           .row_end = row_end,
                                           .next = next,
                                           .checks = gas_checks};
