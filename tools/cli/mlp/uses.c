#include "cli/mlp/uses.h"

#include "base/counted.h"

#include <shoal/mlp_model.h>

void mlp_uses(const struct cli_data_file *file, struct cli_uses *uses)
{
    static const char command[] = "mlp --load";
    struct shoal_mlp_model_file of;
    struct shoal_mlp_model *model;
    struct shoal_error error = {0};
    shoal_mlp_model_file_init(&of);
    of.path = file->table.path;
    if (shoal_mlp_model_open(&of, &model, &error)) {
        cli_uses_refuse(uses, command, &error);
        return;
    }
    const struct shoal_mlp_model_info *info = shoal_mlp_model_get_info(model);
    cli_uses_add(uses, command,
                 cli_sprintf("net of %s, %s, %s, %s%s", counted(info->columns, "column").s,
                             counted(info->inputs, "input").s, counted(info->layers, "layer").s,
                             counted(info->outputs, "output").s, info->classes ? " of classes" : ""),
                 NULL);
    shoal_mlp_model_destroy(&model);
}
