#include "cli/run/outputs.h"

#include "cli/output/files/endings.h"
#include "cli/tsp/picture.h"

#include <math.h>
#include <shoal/mlp_preparation.h>
#include <shoal/tsp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The value of an option that is a text; NULL: not set, or there is no such option. */
static const char *text_of(const struct cli *cli, const char *name)
{
    size_t index;
    const struct shoal_option *option = cli_groups_find(cli->groups, name, &index);
    const char *text = NULL;
    if (option && option->type == SHOAL_OPTION_TEXT)
        memcpy(&text, (const char *)cli->groups->group[index].values + option->offset, sizeof text);
    return text;
}

/* The word of an option that is a choice. */
static const char *choice_of(const struct cli *cli, const char *name)
{
    size_t index;
    const struct shoal_option *option = cli_groups_find(cli->groups, name, &index);
    int32_t choice;
    memcpy(&choice, (const char *)cli->groups->group[index].values + option->offset, sizeof choice);
    return option->choices[choice];
}

/* Places ---------------------------------------------------------------------------------------------------
 */

static int check_places(const struct cli *cli)
{
    for (size_t g = 0; g < cli->groups->count; g++) {
        const struct cli_group *group = &cli->groups->group[g];
        for (size_t i = 0; i < group->count; i++) {
            const struct shoal_option *option = &group->options[i];
            const char *path = NULL;
            if (!(option->flags & SHOAL_OPTION_WRITES))
                continue;
            memcpy(&path, (const char *)group->values + option->offset, sizeof path);
            if (!path || strcmp(path, "-") == 0)
                continue;
            char *name = cli_sprintf("--%s", option->name);
            const bool good = cli_check_output(name, path, false);
            free(name);
            if (!good)
                return CLI_FAILURE;
        }
    }
    return CLI_OK;
}

/* Tours ----------------------------------------------------------------------------------------------------
 */

/* Whether the input can be read twice: a regular file, or no file. */
static bool is_read_twice(const struct shoal_tsp_params *params)
{
    struct stat about;
    return !params->data || (stat(params->data, &about) == 0 && S_ISREG(about.st_mode));
}

static int check_tour(const struct cli *cli)
{
    const struct shoal_tsp_params *params = cli->params;
    const char *out = text_of(cli, "out");
    const bool is_map = out && cli_has_format(out, ".geojson");
    struct shoal_tsp_problem *problem;
    struct shoal_error error = {0};
    int code = CLI_OK;
    if (!out || !(is_map || tsp_is_picture(out)) || !is_read_twice(params))
        return CLI_OK;
    if (shoal_tsp_open(params, &problem, &error))
        return cli_fail(NULL, &error);
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    if (!info->dim)
        code =
            cli_error(CLI_USAGE,
                      "--out: %s: %s is a matrix, whose cities have no places to draw; write a .tour, .txt, "
                      ".csv or .json",
                      out, info->name);
    else if (is_map && !tsp_is_on_earth(info))
        code =
            cli_error(CLI_USAGE,
                      "--out: %s: a .geojson has places on the earth, and %s has points of a plane; write a "
                      ".tour, .txt, .csv or .json, or a picture, .svg or .png",
                      out, info->name);
    shoal_tsp_close(&problem);
    return code;
}

/* Nets ------------------------------------------------------------------------------------------------------
 */

static int check_net_file(const struct shoal_mlp_preparation *preparation, const char *option,
                          const char *path, const char *form)
{
    struct shoal_error error = {0};
    return shoal_mlp_preparation_can_save(preparation, path, form, &error)
               ? cli_error(CLI_USAGE, "%s: %s", option, error.message)
               : CLI_OK;
}

/* Whether the format of a file in the list may be unable to hold the net. */
static bool is_choosy(const char *files)
{
    return files && (strstr(files, ".net") || strstr(files, ".c"));
}

static int check_net(const struct cli *cli)
{
    const struct shoal_mlp_params *params = cli->params;
    const char *model = text_of(cli, "model"), *exports = text_of(cli, "export");
    struct shoal_mlp_preparation *preparation;
    struct shoal_error error = {0};
    const bool has_rows = params->data || params->generate || params->dataset;
    if (!has_rows || text_of(cli, "predict") || (!is_choosy(model) && !is_choosy(exports)))
        return CLI_OK;
    if (params->data && strcmp(params->data, "-") == 0) /* standard input can be read only once */
        return CLI_OK;
    if (shoal_mlp_preparation_create(params, 0, &preparation, &error))
        return cli_fail(NULL, &error);
    int code = is_choosy(model) ? check_net_file(preparation, "--model", model, NULL) : CLI_OK;
    char *list = cli_strdup(exports ? exports : ""), *rest = list;
    for (char *path; code == CLI_OK && (path = strsep(&rest, ","));) {
        path += strspn(path, " ");
        if (is_choosy(path))
            code = check_net_file(preparation, "--export", path,
                                  cli_ends_with(path, ".c") ? choice_of(cli, "export-form") : NULL);
    }
    free(list);
    shoal_mlp_preparation_destroy(&preparation);
    return code;
}

/* Refuses options that would have no effect on a training. */
static int check_training(const struct cli *cli)
{
    const struct shoal_mlp_params *params = cli->params;
    const bool validates =
        params->folds || params->validation_rows || params->validation_data || params->validation != 0;
    if (cli_is_given(cli, "patience") && params->patience && !validates && !cli->resumed)
        return cli_error(CLI_USAGE,
                         "--patience: it waits for a better loss of the validation rows, and there are none "
                         "with --validation 0: give some, or omit --patience");
    return check_net(cli);
}

/* ----------------------------------------------------------------------------------------------------------
 */

int run_outputs_check(const struct cli *cli)
{
    static const struct {
        const char *workload;
        int (*check)(const struct cli *cli);
    } own[] = {{"tsp", check_tour}, {"mlp", check_training}};
    int code = check_places(cli);
    for (size_t i = 0; i < sizeof own / sizeof *own && code == CLI_OK; i++)
        if (strcmp(cli->command->workload->name, own[i].workload) == 0)
            code = own[i].check(cli);
    return code;
}
