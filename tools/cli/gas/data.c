/* shoal data gas: shows what a run would start from. */
#include "cli/gas/data.h"
#include "cli/output/json.h"
#include "cli/output/text.h"

#include <inttypes.h>
#include <math.h>

struct values {
    double mass;
};

static const struct shoal_option options[] = {
    {"mass", SHOAL_OPTION_REAL, offsetof(struct values, mass), "M", 1e-12, 1e12, NULL,
     "mass of a particle, by which momenta are divided where the file gives no masses"},
};

static const struct shoal_example examples[] = {
    {"shoal data gas run.xyz", "particles, frames, box, and what of the file a run does not use"},
};

static void values_init(void *block)
{
    struct values *values = block;
    values->mass = 1;
}

enum shoal_status gas_data_read(const char *kernel_dir, const struct shoal_gas_params *params,
                                struct shoal_gas_start_info *info, struct shoal_error *error)
{
    struct shoal *shoal = NULL;
    struct shoal_params own;
    shoal_params_init(&own);
    own.host_only = true;
    own.kernel_dir = kernel_dir;
    enum shoal_status status = shoal_open(&shoal, &own, error);
    if (!status)
        status = shoal_gas_read_start(shoal, params, info, error);
    shoal_close(&shoal);
    return status;
}

static int print_json(const char *file, const struct shoal_gas_start_info *info)
{
    cJSON *json = cli_json_new("data");
    cli_json_text(json, "file", file);
    cli_json_text(json, "format", info->format);
    cli_json_uint(json, "particles", info->particles);
    cli_json_uint(json, "dim", info->dim);
    cli_json_uint(json, "frames", info->frames);
    cli_json_uint(json, "frame", info->frame);
    cJSON_AddBoolToObject(json, "cut", info->is_cut);
    cJSON_AddBoolToObject(json, "velocities", info->has_velocities);
    cli_json_real(json, "mean_square_speed", info->has_velocities ? info->mean_square_speed : NAN);
    if (info->has_box)
        cJSON_AddItemToObject(json, "box", cJSON_CreateDoubleArray(info->length, (int)info->dim));
    cJSON *ranges = cJSON_AddArrayToObject(json, "ranges");
    for (size_t k = 0; k < info->dim; k++)
        cJSON_AddItemToArray(ranges,
                             cJSON_CreateDoubleArray((double[]){info->least[k], info->greatest[k]}, 2));
    cli_json_text(json, "notes", *info->notes ? info->notes : NULL);
    return cli_json_print(json);
}

static void print_text(const char *file, const struct shoal_gas_start_info *info)
{
    cli_print("file        %s\n", file);
    printf("format      %s\nparticles   %" PRIu64 ", in %" PRIu64 " dimensions\n", info->format,
           info->particles, info->dim);
    printf("frames      %" PRIu64 "%s\n", info->frames,
           info->is_cut && info->frames > 1 ? ", the last cut" : "");
    if (info->frames > 1)
        printf("read        frame %" PRIu64 "\n", info->frame);
    printf("box         %s", info->has_box ? "" : "none: --width and --height are needed");
    for (size_t k = 0; k < info->dim && info->has_box; k++)
        printf("%s%.10g", k ? " " : "", info->length[k]);
    for (size_t k = 0; k < info->dim; k++)
        printf("\n%c           %.10g to %.10g", "xyz"[k], info -> least[k], info -> greatest[k]);
    if (info->has_velocities)
        printf("\nvelocities  of a mean square of %.6g\n", info->mean_square_speed);
    else
        printf("\nvelocities  none: they are drawn by --temperature\n");
}

static int run(struct cli *cli)
{
    const struct values *values = cli->values;
    struct shoal_gas_params params;
    struct shoal_gas_start_info info = {.size = sizeof info};
    struct shoal_error error = {0};
    shoal_gas_params_init(&params);
    if (!cli->argument_count)
        return cli_error(CLI_USAGE, "no file; give the name of one, or - for standard input");
    params.start_file = cli->arguments[0];
    params.mass = values->mass;
    if (gas_data_read(cli->common.kernel_dir, &params, &info, &error))
        return cli_fail(NULL, &error);
    int code = CLI_OK;
    if (cli->common.json)
        code = print_json(params.start_file, &info);
    else
        print_text(params.start_file, &info);
    if (code == CLI_OK)
        cli_notes(cli, info.notes);
    return code;
}

static const struct cli_command command = {
    .name = "data gas",
    .summary = "show what a run would start from",
    .description =
        "Reads a file of particles as 'shoal gas --start-file' does: extended XYZ, GSD, a LAMMPS text dump "
        "or data file, or a checkpoint of a gas (-: standard input). Shows the content of the file, and "
        "names the parts that a run does not use.",
    .takes = CLI_TAKES_JSON,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .values_init = values_init,
    .argument = "FILE",
    .max_arguments = 1,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .when_stopped = "nothing was shown",
    .run = run};

const struct cli_command *gas_data(void)
{
    return &command;
}
