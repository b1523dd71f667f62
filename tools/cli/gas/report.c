/* shoal gas: lines and files of a run, presets, and the control run beside it. */
#include "cli/charts/chart.h"
#include "cli/gas/data.h"
#include "cli/gas/fields.h"
#include "cli/gas/files/output.h"
#include "cli/gas/live.h"
#include "cli/gas/presets.h"
#include "cli/gas/replicas/replicas.h"
#include "cli/gas/series.h"
#include "cli/gas/verify/verify.h"
#include "cli/output/files/endings.h"
#include "cli/stages.h"
#include "cli/workload.h"

#include <shoal/gas_picture.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct values {
    struct replicas_values replicas; /* must be first, with the options of every workload */
    struct gas_output_values frames;
    struct gas_live_values live;
    const char *plot_energy, *plot_temperature, *plot_samples, *plot_columns;
    const char *plots[GAS_SERIES_KINDS], *files[GAS_SERIES_KINDS]; /* charts and files of the series */
    const char *preset;
    bool control;
    double attraction;      /* attraction given by the user; the control run has attraction 0 */
    struct gas_output *run; /* output of the run in progress; NULL: no run is in progress */
    struct gas_live *view;  /* view of the run in progress; NULL: there is none */
};

#define FIELD(name) offsetof(struct values, name)

/* The option that names a chart or a file of a series. */
#define SERIES_OPTION(option, member, kind, further_flags, text)                                             \
    {                                                                                                        \
        .name = option, .type = SHOAL_OPTION_TEXT, .offset = FIELD(member[GAS_SERIES_##kind]),               \
        .unit = "FILE", .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_STAGE | (further_flags), .help = text    \
    }

/* By enum shoal_gas_colouring. */
static const char *const colours[] = {"speed", "species", "hexatic", "density", NULL};

static const struct shoal_option options[] = {
    {.name = "xyz",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(frames.xyz),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN | SHOAL_OPTION_STAGE | SHOAL_OPTION_GROWS,
     .help = "write every frame as extended XYZ; files of frames have about ten frames unless --frames is "
             "given. gzip packs a file whose name ends in .gz, except pictures and charts"},
    {.name = "element",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(frames.element),
     .unit = "SYMBOL",
     .help = "chemical element of the particles in files of --xyz, for programs that draw them",
     .needs = "xyz",
     .flags = SHOAL_OPTION_STAGE},
    {.name = "dump",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(frames.dump),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_STAGE | SHOAL_OPTION_GROWS,
     .help = "write every frame as a LAMMPS text dump"},
    {.name = "gsd",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(frames.gsd),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_STAGE | SHOAL_OPTION_GROWS,
     .help =
         "write every frame to a GSD file with the schema of HOOMD-blue, and the sample of its step as log "
         "data"},
    {.name = "data-file",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(frames.data),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_STAGE,
     .help = "write the particles at the end as a LAMMPS data file"},
    {.name = "png",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(frames.png),
     .unit = "PREFIX",
     .help = "draw every frame as PREFIX-STEP.png: the particles, the time, and a scale of the colours",
     .flags = SHOAL_OPTION_STAGE},
    {.name = "video",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(frames.video),
     .unit = "FILE",
     .help = "draw every frame into a film, .mp4 or .mkv, 25 frames a second; the program ffmpeg encodes it",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_STAGE},
    {.name = "png-size",
     .type = SHOAL_OPTION_UINT,
     .offset = FIELD(frames.png_size),
     .unit = "PIXELS",
     .min = 16,
     .max = 16384,
     .help = "longer side of a picture",
     .needs = "png or video",
     .flags = SHOAL_OPTION_STAGE},
    {.name = "png-colour",
     .type = SHOAL_OPTION_CHOICE,
     .offset = FIELD(frames.colour),
     .unit = "COLOUR",
     .choices = colours,
     .help = "what the colours of pictures show; hexatic is the order |psi6| of each particle",
     .needs = "png or video",
     .flags = SHOAL_OPTION_STAGE},
    {.name = "plot-energy",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_energy),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN | SHOAL_OPTION_STAGE | SHOAL_OPTION_GROWS,
     .help = "draw the energies per particle over time as SVG"},
    {.name = "plot-temperature",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_temperature),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_STAGE | SHOAL_OPTION_GROWS,
     .help = "draw the temperature over time as SVG"},
    {.name = "plot-samples",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_samples),
     .unit = "FILE",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_STAGE | SHOAL_OPTION_GROWS,
     .help = "draw columns of the samples over time as SVG, the pressure unless --plot-columns is given"},
    {.name = "plot-columns",
     .type = SHOAL_OPTION_TEXT,
     .offset = FIELD(plot_columns),
     .unit = "LIST",
     .help = "up to four columns that --plot-samples draws, separated by commas: piston,pressure",
     .needs = "plot-samples",
     .flags = SHOAL_OPTION_STAGE},
    SERIES_OPTION("plot-rdf", plots, RDF, 0, "draw the radial distribution function as SVG"),
    SERIES_OPTION("plot-speeds", plots, SPEEDS, 0, "draw the distribution of speeds beside Maxwell's as SVG"),
    SERIES_OPTION("plot-profile", plots, PROFILE, 0,
                  "draw the density profile as SVG, along x unless --profile-axis is given"),
    SERIES_OPTION("plot-msd", plots, MSD, 0, "draw the mean-square displacement over time as SVG"),
    SERIES_OPTION("plot-structure", plots, STRUCTURE, 0, "draw the structure factor S(k) as SVG"),
    SERIES_OPTION("plot-vacf", plots, VACF, 0, "draw the velocity autocorrelation over time as SVG"),
    SERIES_OPTION("plot-clusters", plots, CLUSTERS, 0,
                  "draw the fraction of the particles in clusters of each size as SVG"),
    SERIES_OPTION("plot-g6", plots, G6, 0, "draw the correlation g6(r) of the hexatic order as SVG"),
    SERIES_OPTION(
        "rdf-file", files, RDF, SHOAL_OPTION_MAIN,
        "write the radial distribution function g(r) as numbers: .csv or .json; files and charts of g(r), "
        "speeds, profile and displacement have about 100 samples unless --thermo or --average-every is "
        "given"),
    SERIES_OPTION("speeds-file", files, SPEEDS, 0,
                  "write the distribution of speeds, beside Maxwell's, as numbers: .csv or .json"),
    SERIES_OPTION("profile-file", files, PROFILE, 0,
                  "write the density profile, along x unless --profile-axis is given: .csv or .json"),
    SERIES_OPTION(
        "msd-file", files, MSD, SHOAL_OPTION_MAIN,
        "write the mean-square displacement over time, in total and along each axis: .csv or .json"),
    SERIES_OPTION("structure-file", files, STRUCTURE, 0,
                  "write the structure factor S(k) with its errors: .csv or .json"),
    SERIES_OPTION(
        "vacf-file", files, VACF, 0,
        "write the velocity autocorrelation and the mean-square displacement over many time origins: .csv "
        "or .json"),
    SERIES_OPTION("clusters-file", files, CLUSTERS, 0,
                  "write the numbers of clusters by their size, with --cluster-distance: .csv or .json"),
    SERIES_OPTION("g6-file", files, G6, 0,
                  "write the correlation g6(r) of the hexatic order, with --hexatic-range: .csv or .json"),
    {.name = "control",
     .type = SHOAL_OPTION_FLAG,
     .offset = FIELD(control),
     .unit = "",
     .help = "run again without the long-range attraction, for comparison; the files of the second run, its "
             "checkpoint included, have '-control' in their names"},
    PRESET_OPTION(FIELD(preset)),
    GAS_LIVE_ROWS(live),
    REPLICAS_ROWS,
};

static const struct sample_chart charts[] = {
    {.option = "--plot-energy",
     .offset = FIELD(plot_energy),
     .up = "energy of a particle",
     .columns = {"kinetic", "potential", "total", "conserved"},
     .per = "particles"},
    {.option = "--plot-temperature",
     .offset = FIELD(plot_temperature),
     .up = "temperature",
     .columns = {"temperature"}},
    {.option = "--plot-samples",
     .offset = FIELD(plot_samples),
     .columns = {"pressure"},
     .list_option = "--plot-columns",
     .list_offset = FIELD(plot_columns)},
};

static void values_init(void *values)
{
    struct values *v = values;
    v->frames.png_size = 800;
    v->frames.element = "Ar";
}

/* Output of one run ------------------------------------------------------------------------------------ */

static const struct values *values_of(const struct cli *cli)
{
    return cli->values;
}

static struct shoal_gas_params *params_of(const struct cli *cli)
{
    return cli->params;
}

static int row_begin(struct cli *cli, struct cli_row *row, struct piece_files *files)
{
    struct values *values = cli->values;
    int code = gas_output_begin(cli, row, &values->frames, files, &values->run);
    if (code != CLI_OK)
        return code;
    code = gas_live_begin(cli, row, &values->live, &values->view);
    if (code != CLI_OK)
        gas_output_end(&values->run); /* row_end is not called then */
    return code;
}

/* Series ----------------------------------------------------------------------------------------------- */

enum { SERIES_CURVES = 4 };

/* The options and labels of one kind of series. */
struct series_use {
    const char *plot, *file;           /* options that name the chart and the file */
    const char *across, *up;           /* labels of the axes; across NULL: the name of the first
                                        * column */
    const char *curves[SERIES_CURVES]; /* labels of the columns from `first` on; a chart shows no column
                                          without a label */
    size_t first;                      /* 0: 1 */
    bool is_logarithmic;               /* whether the horizontal axis is logarithmic */
};
static const struct series_use uses[GAS_SERIES_KINDS] = {
    [GAS_SERIES_RDF] = {"--plot-rdf", "--rdf-file", "r", "g", {"g(r)"}},
    [GAS_SERIES_SPEEDS] =
        {"--plot-speeds", "--speeds-file", "speed", "density", {"this gas", "Maxwell's law"}},
    [GAS_SERIES_PROFILE] = {"--plot-profile", "--profile-file", NULL, "density", {"density"}},
    [GAS_SERIES_MSD] = {"--plot-msd",
                        "--msd-file",
                        "time",
                        "mean-square displacement",
                        {"all", "along x", "along y", "along z"}},
    [GAS_SERIES_STRUCTURE] = {"--plot-structure", "--structure-file", "k", "S", {"S(k)"}},
    [GAS_SERIES_VACF] = {"--plot-vacf", "--vacf-file", "time", "<v(0) v(t)>", {"<v(0) v(t)>"}},
    [GAS_SERIES_CLUSTERS] = {"--plot-clusters",
                             "--clusters-file",
                             "particles of a cluster",
                             "fraction of the particles",
                             {"fraction of the particles"},
                             .first = 3,
                             .is_logarithmic = true},
    [GAS_SERIES_G6] = {"--plot-g6", "--g6-file", "r", "g6", {"g6(r)"}},
};

static int plot_series(const struct cli *cli, const struct cli_row *row, const struct gas_series *series,
                       const char *path)
{
    const struct series_use *use = &uses[series->kind];
    struct chart_curve curves[SERIES_CURVES];
    char *title = cli_row_title(row), *subtitle = cli_run_line(row->workload, cli->params, row, 1);
    struct chart chart = {.title = title,
                          .subtitle = subtitle,
                          .across = use->across ? use->across : series->names[0],
                          .up = use->up,
                          .across_is_logarithmic = use->is_logarithmic,
                          .curves = curves,
                          .count = 0};
    /* g(r) of two species is shown beside that of all, if there are curves for all of them */
    const bool has_pairs = series->kind == GAS_SERIES_RDF && series->column_count <= SERIES_CURVES + 1;
    const size_t first = use->first ? use->first : 1;
    for (size_t c = 0; c < SERIES_CURVES && c + first < series->column_count && (use->curves[c] || has_pairs);
         c++)
        curves[chart.count++] =
            (struct chart_curve){.label = use->curves[c] ? use->curves[c] : series->names[c + first],
                                 .x = series->columns[0],
                                 .y = series->columns[c + first],
                                 .count = series->rows};
    int code = chart_write(use->plot, path, &chart);
    free(subtitle);
    free(title);
    return code;
}

static int show_series(const struct cli *cli, const struct cli_row *row, const struct gas_series *series)
{
    const char *plot = values_of(cli)->plots[series->kind], *file = values_of(cli)->files[series->kind];
    int code = CLI_OK;
    if (plot) {
        char *path = cli_row_path(cli, row, plot);
        code = plot_series(cli, row, series, path);
        free(path);
    }
    if (file) {
        char *path = cli_row_path(cli, row, file);
        code = cli_first_failure(code, gas_series_write(uses[series->kind].file, path, series));
        free(path);
    }
    return code;
}

static void row_free(struct cli_row *row)
{
    struct gas_series *all = row->kept;
    for (size_t kind = 0; kind < GAS_SERIES_KINDS && all; kind++)
        gas_series_clear(&all[kind]);
    free(all);
    row->kept = NULL;
}

/* Takes the series that the run has sampled, for its files and its JSON. */
static int take_series(struct cli *cli, struct cli_row *row, struct shoal_solver *solver)
{
    struct shoal_error error = {0};
    struct gas_series *all = cli_alloc(GAS_SERIES_KINDS * sizeof *all);
    int code = CLI_OK;
    memset(all, 0, GAS_SERIES_KINDS * sizeof *all);
    row->kept = all;
    for (int kind = 0; kind < GAS_SERIES_KINDS; kind++) {
        if (gas_series_take(solver, cli->params, (enum gas_series_kind)kind, &all[kind], &error))
            code = cli_first_failure(code, cli_fail("gas", &error));
        else if (all[kind].rows > 0)
            code = cli_first_failure(code, show_series(cli, row, &all[kind]));
    }
    return code;
}

static void row_json(cJSON *object, const struct cli_row *row)
{
    const struct gas_series *all = row->kept;
    for (size_t kind = 0; kind < GAS_SERIES_KINDS && all; kind++)
        if (all[kind].rows > 0)
            gas_series_json(object, &all[kind]);
}

static int row_end(struct cli *cli, struct cli_row *row, struct shoal_solver *solver)
{
    struct values *values = cli->values;
    const bool is_abandoned = cli_row_is_abandoned(cli, row);
    if (!is_abandoned)
        gas_output_settle(values->run, &row->error);
    const bool has_result = solver && cli_row_has_result(row);
    int code = has_result ? take_series(cli, row, solver) : CLI_OK;
    if (has_result && values->frames.data) {
        char *path = cli_row_path(cli, row, values->frames.data);
        code = cli_first_failure(code, gas_write_data(path, solver));
        free(path);
    }
    code = cli_first_failure(code, gas_live_end(cli, row, &values->view));
    if (!is_abandoned)
        gas_output_end(&values->run);
    return code;
}

/* Before the run --------------------------------------------------------------------------------------- */

static int check_files(const struct values *values)
{
    int code = gas_output_check(&values->frames);
    for (int kind = 0; kind < GAS_SERIES_KINDS; kind++) {
        if (code == CLI_OK && values->plots[kind])
            code = chart_check(uses[kind].plot, values->plots[kind]);
        if (code == CLI_OK && values->files[kind])
            code = gas_series_check(uses[kind].file, values->files[kind]);
    }
    return code;
}

static bool shows_series(const struct cli *cli, enum gas_series_kind kind)
{
    const struct values *values = cli->values;
    return values->plots[kind] || values->files[kind];
}

/* Steps between the frames of a file: about 10 frames. */
static uint64_t default_frames(const struct shoal_gas_params *params)
{
    return params->steps / 10 ? params->steps / 10 : 1;
}

/* Samples for the log data of GSD files: about 1000, or a little more, so that each frame has a sample. */
static void want_logs(struct cli *cli)
{
    struct shoal_gas_params *params = params_of(cli);
    const uint64_t frames = params->frames ? params->frames : default_frames(params);
    if (cli_is_given(cli, "thermo") || cli_is_given(cli, "average-every"))
        return;
    cli_want_samples(cli);
    uint64_t interval = params->thermo < frames ? params->thermo : frames;
    const uint64_t least = interval / 2;
    while (interval > least + 1 && frames % interval)
        interval--;
    params->thermo = frames % interval ? frames : interval;
}

/* Sets options for the data that charts and files show: 200 bins, and the profile along x, unless options say
 * otherwise. */
static void imply(struct cli *cli)
{
    struct shoal_gas_params *params = params_of(cli);
    struct values *values = cli->values;
    values->replicas.rdf = values->files[GAS_SERIES_RDF];
    gas_replicas_imply(&values->replicas, params);
    gas_live_imply(cli, &values_of(cli)->live);
    if (cli->resumed)
        return;
    if (shows_series(cli, GAS_SERIES_RDF) && params->rdf_bins == 0)
        params->rdf_bins = 200;
    if (shows_series(cli, GAS_SERIES_SPEEDS) && params->speed_bins == 0)
        params->speed_bins = 200;
    if (shows_series(cli, GAS_SERIES_PROFILE) && params->profile_axis == SHOAL_GAS_NO_AXIS)
        params->profile_axis = SHOAL_GAS_X;
    if (values_of(cli)->frames.gsd)
        want_logs(cli);
    params->msd = params->msd || shows_series(cli, GAS_SERIES_MSD);
    params->vacf = params->vacf || shows_series(cli, GAS_SERIES_VACF);
    if (shows_series(cli, GAS_SERIES_STRUCTURE) && params->structure_bins == 0)
        params->structure_bins = 200;
    if (shows_series(cli, GAS_SERIES_G6) && params->g6_bins == 0 && params->hexatic_range > 0)
        params->g6_bins = 200;
}

/* Checks a series that a chart or a file shows: the run must take samples, by --thermo or --average-every,
 * and a resumed run cannot begin a series. has: the parameters ask for the series; lacks: what the run of the
 * checkpoint did not record if `has` is false, for the message. */
static int check_series(struct cli *cli, enum gas_series_kind kind, bool has, const char *lacks)
{
    const struct values *values = values_of(cli);
    const struct shoal_gas_params *params = params_of(cli);
    const char *option = values->plots[kind] ? uses[kind].plot : uses[kind].file;
    const bool no_lines = cli_is_given(cli, "thermo"), no_averages = cli_is_given(cli, "average-every");
    if (!shows_series(cli, kind))
        return CLI_OK;
    if (!has)
        return cli_error(CLI_USAGE, "%s: the run of the checkpoint took no %s; leave it out", option, lacks);
    if (!cli->resumed && !params->thermo && !params->average_every && (no_lines || no_averages))
        return cli_error(CLI_USAGE,
                         "%s: with --%s 0 the run takes no samples for it: give --average-every above 0, or "
                         "leave --%s out",
                         option, no_averages ? "average-every" : "thermo",
                         no_averages ? "average-every" : "thermo");
    return CLI_OK;
}

/* Checks a series whose distance, the value of the option --`needed`, has no default. */
static int check_distance(struct cli *cli, enum gas_series_kind kind, bool has, const char *needed)
{
    const char *option = values_of(cli)->plots[kind] ? uses[kind].plot : uses[kind].file;
    if (shows_series(cli, kind) && !has && !cli->resumed)
        return cli_error(CLI_USAGE, "%s needs --%s, which has no default", option, needed);
    return check_series(cli, kind, has, "samples for it");
}

static int check_all_series(struct cli *cli)
{
    const struct shoal_gas_params *params = params_of(cli);
    int code = check_series(cli, GAS_SERIES_RDF, params->rdf_bins, "histogram (--rdf-bins 0)");
    if (code == CLI_OK)
        code = check_series(cli, GAS_SERIES_SPEEDS, params->speed_bins, "histogram (--speed-bins 0)");
    if (code == CLI_OK)
        code = check_series(cli, GAS_SERIES_PROFILE, params->profile_axis != SHOAL_GAS_NO_AXIS,
                            "profile (--profile-axis none)");
    if (code == CLI_OK)
        code = check_series(cli, GAS_SERIES_MSD, params->msd, "displacements (no --msd)");
    if (code == CLI_OK)
        code = check_series(cli, GAS_SERIES_STRUCTURE, params->structure_bins,
                            "structure factor (--structure-bins 0)");
    if (code == CLI_OK)
        code = check_series(cli, GAS_SERIES_VACF, params->vacf, "time origins (no --vacf)");
    if (code == CLI_OK)
        code = check_distance(cli, GAS_SERIES_CLUSTERS, params->cluster_distance > 0, "cluster-distance");
    if (code == CLI_OK)
        code = check_distance(cli, GAS_SERIES_G6, params->g6_bins, "hexatic-range");
    return code;
}

/* Refuses --temperature where it has no effect, since the start file has velocities. */
static int check_temperature(const struct cli *cli)
{
    const struct shoal_gas_params *params = params_of(cli);
    struct shoal_gas_start_info info = {.size = sizeof info};
    struct shoal_error error = {0};
    if (cli->resumed || !params->start_file || !cli_is_given(cli, "temperature") ||
        (cli->stage && cli->stage->before))
        return CLI_OK;
    if (gas_data_read(cli->common.kernel_dir, params, &info, &error))
        return cli_fail("--start-file", &error);
    if (info.uses_temperature)
        return CLI_OK;
    return cli_error(
        CLI_USAGE,
        "--temperature has no effect: %s holds velocities, and nothing keeps a temperature; give "
        "--equilibration or --thermostat, or omit it",
        params->start_file);
}

/* Checks that the gas has what the colours of pictures show. */
static int check_colour(const struct cli *cli)
{
    const struct shoal_gas_params *params = params_of(cli);
    const int32_t colour = values_of(cli)->frames.colour;
    if (colour == SHOAL_GAS_BY_SPECIES && !params->species)
        return cli_error(CLI_USAGE, "--png-colour species: all particles are alike; give --species");
    if (colour == SHOAL_GAS_BY_HEXATIC && !(params->hexatic_range > 0))
        return cli_error(CLI_USAGE, "--png-colour hexatic needs --hexatic-range, which has no default");
    return CLI_OK;
}

static int check(struct cli *cli)
{
    struct values *values = cli->values;
    struct shoal_gas_params *params = params_of(cli);
    int code = gas_replicas_check(cli);
    if (code == CLI_OK)
        code = check_files(values);
    if (code == CLI_OK)
        code = check_temperature(cli);
    if (code == CLI_OK)
        code = check_colour(cli);
    if (code != CLI_OK)
        return code;
    const bool frames = gas_output_has_frames(&values->frames);
    /* A resumed run has the value of `frames` from the run before, but may have other files. */
    if (cli->resumed && !frames && !cli_is_given(cli, "frames"))
        params->frames = 0;
    if (params->frames && !frames)
        return cli_error(CLI_USAGE,
                         "%s%s--frames: no file to write to; give --xyz, --dump, --gsd, --png or --video too",
                         cli->stage ? cli_stage_title(cli) : "", cli->stage ? ": " : "");
    if (frames && !params->frames)
        params->frames = default_frames(params);
    code = check_all_series(cli);
    if (code != CLI_OK)
        return code;
    const bool attracts = params->potential == SHOAL_GAS_LOG ||
                          params->potential == SHOAL_GAS_LOG_REPULSION ||
                          params->potential == SHOAL_GAS_REAL || params->potential == SHOAL_GAS_GRAVITY;
    if (values->control && cli->stage)
        return cli_error(CLI_USAGE, "--control: a run in stages has no control run; omit --control");
    if (values->control && (!attracts || params->attraction == 0))
        return cli_error(CLI_USAGE,
                         "--control: the run has no long-range attraction to leave out; omit --control");
    if (values->control && params->potential == SHOAL_GAS_LOG_REPULSION && isnan(params->repulsion))
        return cli_error(CLI_USAGE, "--control: the default repulsion of log-repulsion depends on its "
                                    "attraction and would change too; give --repulsion");
    values->attraction = params->attraction;
    return gas_live_check(cli, &values->live);
}

static const char *next(struct cli *cli, size_t round)
{
    if (!values_of(cli)->control)
        return NULL;
    params_of(cli)->attraction = round == 0 ? 0 : values_of(cli)->attraction;
    return round == 0 ? "control" : NULL;
}

const struct report gas_report = {.workload = "gas",
                                  .uses = gas_uses,
                                  .documents = "tutorial-liquid gas gas-forces gas-tuning gas-replicas "
                                               "gas-pictures live",
                                  .fields = {gas_fields},
                                  .data_fields = gas_data_fields,
                                  .data = gas_data,
                                  .options = options,
                                  .option_count = sizeof options / sizeof *options,
                                  .values_size = sizeof(struct values),
                                  .values_init = values_init,
                                  .presets = gas_presets,
                                  .charts = charts,
                                  .chart_count = sizeof charts / sizeof *charts,
                                  .imply = imply,
                                  .check = check,
                                  .instead = gas_replicas_instead,
                                  .other_fields = gas_replicas_fields,
                                  .row_begin = row_begin,
                                  .row_end = row_end,
                                  .row_json = row_json,
                                  .row_free = row_free,
                                  .next = next,
                                  .checks = gas_checks};
