/* Nets as one NumPy array of all parameters: for each layer the weights, row after row, then the biases. */
#include "mlp/files/model.h"

#include "base/error.h"
#include "io/output.h"
#include "io/table.h"

#include <stdlib.h>
#include <string.h>

enum { LAYERS_MOST = 64, NUMBERS_AT_ONCE = 1 << 15 };

enum shoal_status model_read_flat(const char *path, size_t count, double *parameters,
                                  struct shoal_error *error)
{
    struct shoal_table *table;
    enum shoal_status status = shoal_table_open(path, NULL, &table, error);
    if (status)
        return status;
    const struct shoal_table_info *info = shoal_table_get_info(table);
    if (info->rows != count / info->columns || info->rows * info->columns != count)
        status = fail(error, SHOAL_IO, "%s: has %zu x %zu numbers, the net has %zu parameters", path,
                      info->rows, info->columns, count);
    else
        status = shoal_table_read(table, 0, info->rows, parameters, error);
    shoal_table_destroy(&table);
    return status;
}

/* Reads a shape such as "64-63-26" into widths[0 .. *layers]. */
static bool read_shape(const char *shape, uint32_t widths[LAYERS_MOST + 1], uint32_t *layers)
{
    uint32_t count = 0;
    for (const char *at = shape;; at++) {
        char *end;
        const unsigned long long width = strtoull(at, &end, 10);
        if (*at < '0' || *at > '9' || width < 1 || width > UINT32_MAX || count > LAYERS_MOST)
            return false;
        widths[count++] = (uint32_t)width;
        at = end;
        if (!*at)
            break;
        if (*at != '-')
            return false;
    }
    *layers = count - 1;
    return count >= 2;
}

enum shoal_status model_open_npy(const struct shoal_mlp_model_file *file, struct shoal_mlp_model **out,
                                 struct shoal_error *error)
{
    uint32_t widths[LAYERS_MOST + 1], layers;
    struct net *net;
    if (!file->shape)
        return fail(error, SHOAL_INVALID,
                    "%s: holds parameters alone; give the shape of the net, such as 64-63-26", file->path);
    if (!read_shape(file->shape, widths, &layers))
        return fail(
            error, SHOAL_INVALID,
            "%s: '%.40s' is no shape of a net; give its inputs, then the units of each layer, such as "
            "64-63-26",
            file->path, file->shape);
    enum shoal_status status = model_net_of(file, widths, layers, &net, error);
    if (status)
        return status;
    double *parameters = malloc(net->parameters * sizeof *parameters);
    status = parameters ? model_read_flat(file->path, net->parameters, parameters, error)
                        : fail_host_memory(error);
    if (!status) {
        const struct model_parts parts = {.net = net, .parameters = parameters, .precision = SHOAL_FP64};
        status = model_create(&parts, out, error);
    }
    free(parameters);
    net_destroy(&net);
    return status;
}

enum shoal_status model_write_npy(const struct shoal_mlp_model *model, const char *path,
                                  struct shoal_error *error)
{
    struct output output;
    const size_t count = model->net->parameters;
    output_open(&output, path);
    table_add_npy_header(&output.text, model->info.precision, count, 0);
    for (size_t first = 0; first < count; first += NUMBERS_AT_ONCE) {
        const size_t left = count - first;
        table_add_binary(&output.text, model->parameters + first,
                         left < NUMBERS_AT_ONCE ? left : NUMBERS_AT_ONCE, model->info.precision);
        output_add(&output, ""); /* writes the buffered text */
    }
    return output_close(&output, true, error);
}
