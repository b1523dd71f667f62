#include "cli/run/stages.h"

#include "base/text.h"
#include "cli/cli.h"
#include "cli/output/tables/layout.h"

#include <stdlib.h>
#include <string.h>

/* Adds the values of options to `object`. shared true: only options that all stages share. */
static void put_options(cJSON *object, const struct cli *cli, bool shared)
{
    const struct shoal_workload *workload = cli->command->workload;
    for (size_t i = 0; i < workload->option_count; i++)
        if (!shared || !(workload->options[i].flags & SHOAL_OPTION_STAGE))
            cli_json_options(object, &workload->options[i], 1, cli->params);
}

void run_stages_json(cJSON *json, const struct cli *cli)
{
    put_options(cli_json_object(json, "params"), cli, cli->stage_count > 0);
    if (!cli->stage_count)
        return;
    cJSON *array = cli_json_array(json, "stages");
    for (size_t s = 0; s < cli->stage_count; s++) {
        cJSON *object = cli_json_object(array, NULL);
        cli_json_text(object, "name", cli->stages[s]->name);
        put_options(cli_json_object(object, "params"), &cli->stages[s]->cli, false);
    }
}

void run_stages_text(const struct cli *cli)
{
    for (size_t s = 0; s < cli->stage_count; s++) {
        const struct cli_stage *stage = cli->stages[s];
        char *values = cli_stage_line(stage, true), *line = cli_sprintf("%s: %s", stage->name, values);
        text_clean(line, "");
        cli_paragraph(stdout, strlen(stage->name) + 2, line);
        free(line);
        free(values);
    }
}
