/* The rows of a fold in double precision. */
#include "base/error.h"
#include "mlp/mlp.h"

#include <stdlib.h>

enum shoal_status mlp_rows_create(const struct mlp_fold *fold, struct mlp_rows *out,
                                  struct shoal_error *error)
{
    const struct prepared *prepared = fold->prepared;
    const size_t rows = prepared->rows, inputs = fold->net->inputs, outputs = fold->net->outputs;
    *out = (struct mlp_rows){.inputs = rows <= SIZE_MAX / sizeof(double) / inputs
                                           ? malloc(rows * inputs * sizeof *out->inputs)
                                           : NULL};
    if (!out->inputs)
        return fail(error, SHOAL_OUT_OF_HOST_MEMORY,
                    "%zu rows of %zu inputs in double precision need %.3g bytes on the host", rows, inputs,
                    (double)rows * (double)inputs * 8);
    out->factors = prepared->targets ? calloc(SHOAL_MLP_PARTS * outputs, sizeof *out->factors) : NULL;
    if (prepared->targets && !out->factors)
        return fail_host_memory(error);
    out->all = (struct pass_data){.rows = rows,
                                  .inputs = out->inputs,
                                  .classes = prepared->classes,
                                  .targets = prepared->targets,
                                  .weights = prepared->weights};
    for (int part = 0; part < SHOAL_MLP_PARTS; part++) {
        const size_t first = fold->first[part];
        out->part[part] =
            (struct pass_data){.rows = fold->count[part],
                               .inputs = out->inputs + first * inputs,
                               .classes = prepared->classes ? prepared->classes + first : NULL,
                               .targets = prepared->targets ? prepared->targets + first * outputs : NULL,
                               .weights = prepared->weights ? prepared->weights + first : NULL,
                               .factors = out->factors ? out->factors + (size_t)part * outputs : NULL};
        if (out->factors)
            pass_factors(prepared->targets, prepared->weights, first, fold->count[part], (uint32_t)outputs,
                         out->factors + (size_t)part * outputs);
    }
    return prepared_rows(prepared, 0, rows, out->inputs, error);
}

void mlp_rows_destroy(struct mlp_rows *rows)
{
    free(rows->inputs);
    free(rows->factors);
    *rows = (struct mlp_rows){.inputs = NULL};
}
