/* Tables of a gas: the pressure tensor, profiles, the structure factor and others, from the sums of the
 * samples.
 */
#include "base/error.h"
#include "gas/observe/sampling.h"
#include "gas/piston/piston.h"
#include "workload/checkpoint/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { MOST_COLUMNS = 20 };

static const char *const sections[GAS_TABLES] = {
    [SHOAL_GAS_TENSOR] = "tensor sums",       [SHOAL_GAS_PROFILES] = "slice sums",
    [SHOAL_GAS_STRUCTURE] = "structure sums", [SHOAL_GAS_HEXATIC] = "hexatic sums",
    [SHOAL_GAS_CLUSTERS] = "cluster sums",    [SHOAL_GAS_G6] = "g6 sums",
};

static const char origins_section[] = "time origins";

/* Sums ------------------------------------------------------------------------------------------------- */

size_t gas_table_cells(const struct gas_problem *problem, const struct gas_waves *waves,
                       enum shoal_gas_table_kind kind)
{
    const struct shoal_gas_params *params = problem->params;
    if (kind == SHOAL_GAS_TENSOR)
        return gas_has_tensor(params) ? STRESS_PARTS : 0;
    if (kind == SHOAL_GAS_PROFILES)
        return params->profile_all ? gas_slices(problem) * PROFILE_SUMS : 0;
    if (kind == SHOAL_GAS_HEXATIC)
        return params->hexatic_range > 0 ? HEXATIC_SUMS : 0;
    if (kind == SHOAL_GAS_CLUSTERS)
        return params->cluster_distance > 0 ? CLUSTER_SIZES + 2 * gas_cluster_bins(problem->n) : 0;
    if (kind == SHOAL_GAS_G6)
        return (size_t)params->g6_bins * G6_SUMS;
    return kind == SHOAL_GAS_STRUCTURE ? waves->count : 0;
}

bool gas_has_tables(const struct shoal_gas_params *params)
{
    return gas_samples_have_tables(params) || params->profile_all;
}

bool gas_samples_have_tables(const struct shoal_gas_params *params)
{
    return gas_has_tensor(params) || params->hexatic_range > 0 || params->cluster_distance > 0 ||
           params->structure_bins;
}

size_t gas_slices(const struct gas_problem *problem)
{
    return gas_bins(problem, SHOAL_GAS_PROFILE);
}

size_t gas_slice_of(const struct gas_problem *problem, double x)
{
    const size_t axis = gas_profile_axis(problem), slices = gas_slices(problem);
    const double at = x / problem->length[axis] * (double)slices;
    if (at >= 0 && at < (double)slices)
        return (size_t)at;
    return problem->boundary[axis] == SHOAL_GAS_OPEN ? SIZE_MAX : at < 0 ? 0 : slices - 1;
}

void gas_tensor(const struct gas_problem *problem, const double sums[STRESS_PARTS],
                double tensor[STRESS_PARTS])
{
    for (size_t part = 0; part < STRESS_PARTS; part++)
        tensor[part] = gas_tensor_name(part, problem->dim) ? sums[part] : NAN;
}

enum shoal_status gas_waves_fit(const struct gas_problem *problem, struct gas_tables *tables,
                                struct shoal_error *error)
{
    struct gas_waves *waves = &tables->waves;
    if (!problem->params->structure_bins || memcmp(waves->length, problem->length, sizeof waves->length) == 0)
        return SHOAL_OK;
    gas_waves_destroy(waves);
    const enum shoal_status status = gas_waves_create(problem, waves, error);
    if (status)
        gas_waves_destroy(waves);
    return status;
}

/* Number of waves that follow `first` in its bin, with it. */
static size_t waves_of_bin(const struct gas_waves *waves, size_t first)
{
    size_t end = first + 1;
    while (end < waves->count && waves->bin[end] == waves->bin[first])
        end++;
    return end - first;
}

/* Mean of S(k) of the vectors of a bin in the current sample. */
static double mean_of_bin(const struct gas_problem *problem, const struct gas_tables *tables, size_t first,
                          size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += tables->sums[SHOAL_GAS_STRUCTURE][first + i];
    return sum / ((double)count * (double)problem->n);
}

/* Mean of |k| of the vectors of a bin. */
static double wave_number(const struct gas_problem *problem, const struct gas_waves *waves, size_t first,
                          size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double square = 0;
        for (size_t axis = 0; axis < problem->dim; axis++)
            square += pow(2 * pi * waves->waves[first + i][axis] / problem->length[axis], 2);
        sum += sqrt(square);
    }
    return sum / (double)count;
}

double gas_structure_length(const struct gas_problem *problem, const struct gas_tables *tables)
{
    const struct gas_waves *waves = &tables->waves;
    double sum = 0, weighted = 0;
    for (size_t first = 0, count; first < waves->count; first += count) {
        count = waves_of_bin(waves, first);
        const double s = mean_of_bin(problem, tables, first, count);
        sum += s;
        weighted += s * wave_number(problem, waves, first, count);
    }
    return weighted > 0 ? 2 * pi * sum / weighted : NAN;
}

/* Adds the sums of S(k) of the vectors of each bin, as their mean, to the blocks. */
static enum shoal_status add_structure(struct gas_tables *tables, const struct gas_problem *problem,
                                       struct shoal_error *error)
{
    const size_t bins = (size_t)problem->params->structure_bins;
    const struct gas_waves *waves = &tables->waves;
    double *means = calloc(bins, sizeof *means);
    if (!means)
        return fail_host_memory(error);
    for (size_t first = 0, count; first < waves->count; first += count) {
        count = waves_of_bin(waves, first);
        means[waves->bin[first]] = mean_of_bin(problem, tables, first, count);
    }
    enum shoal_status status = gas_blocks_add(&tables->blocks[SHOAL_GAS_STRUCTURE], bins, means, error);
    free(means);
    return status;
}

/* Whether samples have columns of a table. */
static bool is_in_samples(enum shoal_gas_table_kind kind)
{
    return kind == SHOAL_GAS_TENSOR || kind == SHOAL_GAS_HEXATIC || kind == SHOAL_GAS_CLUSTERS ||
           kind == SHOAL_GAS_STRUCTURE;
}

/* Replaces the sums by the local and the global order, and 0. */
static void find_hexatic(const struct gas_problem *problem, double sums[HEXATIC_SUMS])
{
    const double n = (double)problem->n;
    sums[0] = sums[HEXATIC_LOCAL] / n;
    sums[1] = hypot(sums[HEXATIC_X], sums[HEXATIC_Y]) / n;
    sums[2] = 0;
}

enum shoal_status gas_tabulate(struct shoal_solver *solver, bool counts, struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    struct gas_tables *tables = &common->tables;
    double *wanted[GAS_TABLES] = {NULL};
    enum shoal_status status = gas_waves_fit(problem, tables, error);
    if (status)
        return status;
    for (int kind = 0; kind < GAS_TABLES; kind++) {
        const size_t cells = gas_table_cells(problem, &tables->waves, (enum shoal_gas_table_kind)kind);
        if (cells == 0 || (!counts && !is_in_samples((enum shoal_gas_table_kind)kind)))
            continue;
        const bool is_structure = kind == SHOAL_GAS_STRUCTURE;
        if (!tables->sums[kind])
            tables->sums[kind] =
                calloc(is_structure ? gas_most_waves(problem->params) : cells, sizeof(double));
        wanted[kind] = tables->sums[kind];
        if (!wanted[kind])
            return fail_host_memory(error);
    }
    status = common->stepper->tabulate(solver, wanted, error);
    if (status)
        return status;
    /* Divided by the volume of the sample, which changes at constant pressure. */
    for (size_t at = 0; at < STRESS_PARTS && wanted[SHOAL_GAS_TENSOR]; at++)
        wanted[SHOAL_GAS_TENSOR][at] /= gas_volume(problem);
    for (size_t at = 0; wanted[SHOAL_GAS_PROFILES] && at < gas_slices(problem) * PROFILE_SUMS; at++)
        wanted[SHOAL_GAS_PROFILES][at] /= problem->volume / (double)gas_slices(problem);
    if (wanted[SHOAL_GAS_HEXATIC])
        find_hexatic(problem, wanted[SHOAL_GAS_HEXATIC]);
    if (wanted[SHOAL_GAS_CLUSTERS])
        gas_clusters_find(problem, wanted[SHOAL_GAS_CLUSTERS]);
    for (int kind = 0; kind < GAS_TABLES && counts && !status; kind++)
        if (wanted[kind] && kind != SHOAL_GAS_STRUCTURE)
            status = gas_blocks_add(&tables->blocks[kind],
                                    gas_table_cells(problem, &tables->waves, (enum shoal_gas_table_kind)kind),
                                    wanted[kind], error);
    if (!status && counts && wanted[SHOAL_GAS_STRUCTURE])
        status = add_structure(tables, problem, error);
    return status;
}

/* Memory and checkpoints ------------------------------------------------------------------------------- */

void gas_tables_reset(struct gas_tables *tables)
{
    for (int kind = 0; kind < GAS_TABLES; kind++)
        gas_blocks_clear(&tables->blocks[kind]);
    tables->origins = (struct gas_origins){.count = {0}};
}

void gas_tables_destroy(struct gas_tables *tables)
{
    gas_tables_reset(tables);
    gas_waves_destroy(&tables->waves);
    for (int kind = 0; kind < GAS_TABLES; kind++)
        free(tables->sums[kind]);
    free(tables->numbers);
    free(tables->columns);
    free(tables->names);
    *tables = (struct gas_tables){.numbers = NULL};
}

enum shoal_status gas_tables_save(const struct gas_common *common, struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (int kind = 0; kind < GAS_TABLES && !status; kind++)
        status = gas_blocks_save(&common->tables.blocks[kind], sections[kind], checkpoint, error);
    if (common->problem->params->vacf)
        checkpoint_add(checkpoint, origins_section, &common->tables.origins, sizeof common->tables.origins);
    return status;
}

static bool are_sound(const struct gas_origins *origins, uint64_t samples)
{
    bool sound = true;
    for (size_t row = 0; row < GAS_ORIGIN_ROWS && sound; row++) {
        sound = origins->count[row] <= samples;
        for (size_t g = 0; g < GAS_MSD_GROUPS; g++)
            sound = sound && isfinite(origins->products[row][g]) && isfinite(origins->squares[row][g]);
    }
    return sound;
}

enum shoal_status gas_tables_load(struct gas_common *common, const struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    struct gas_tables *tables = &common->tables;
    enum shoal_status status = SHOAL_OK;
    for (int kind = 0; kind < GAS_TABLES && !status; kind++) {
        size_t cells = gas_table_cells(common->problem, &tables->waves, (enum shoal_gas_table_kind)kind);
        if (kind == SHOAL_GAS_STRUCTURE)
            cells = (size_t)common->problem->params->structure_bins;
        gas_blocks_clear(&tables->blocks[kind]);
        /* Earlier versions kept no sums of clusters, and other sums of profiles. A run that began in such a
         * version begins these sums when it is resumed. */
        const bool may_lack = kind == SHOAL_GAS_CLUSTERS || kind == SHOAL_GAS_PROFILES;
        if (cells && common->clock.samples && !(may_lack && !checkpoint_find(checkpoint, sections[kind])))
            status = gas_blocks_load(&tables->blocks[kind], sections[kind], cells, checkpoint, error);
        const uint64_t samples = tables->blocks[kind].samples;
        if (!status && cells &&
            (may_lack ? samples > common->clock.samples : samples != common->clock.samples))
            status = checkpoint_damaged(checkpoint, error);
    }
    if (!status && common->problem->params->vacf)
        status = checkpoint_get(checkpoint, origins_section, &tables->origins, sizeof tables->origins, error);
    if (!status && !are_sound(&tables->origins, common->clock.samples))
        status = checkpoint_damaged(checkpoint, error);
    return status;
}

/* Tables ----------------------------------------------------------------------------------------------- */

static const char *const tensor_names[STRESS_PARTS] = {"pressure_xx", "pressure_yy", "pressure_zz",
                                                       "pressure_xy", "pressure_xz", "pressure_yz"};
static const char *const tensor_error_names[STRESS_PARTS] = {"pressure_xx_error", "pressure_yy_error",
                                                             "pressure_zz_error", "pressure_xy_error",
                                                             "pressure_xz_error", "pressure_yz_error"};

static bool has_part(size_t part, size_t dim)
{
    return dim == 3 || part == STRESS_XX || part == STRESS_YY || part == STRESS_XY;
}

const char *gas_tensor_name(size_t part, size_t dim)
{
    return has_part(part, dim) ? tensor_names[part] : NULL;
}

const char *gas_tensor_error_name(size_t part, size_t dim)
{
    return has_part(part, dim) ? tensor_error_names[part] : NULL;
}

enum shoal_status gas_table_begin(struct gas_tables *tables, size_t rows, struct gas_filling *filling,
                                  struct shoal_error *error)
{
    *filling = (struct gas_filling){tables, rows, 0};
    free(tables->numbers);
    tables->numbers = calloc(rows * MOST_COLUMNS, sizeof *tables->numbers);
    if (!tables->columns)
        tables->columns = calloc(MOST_COLUMNS, sizeof *tables->columns);
    if (!tables->names)
        tables->names = calloc(MOST_COLUMNS, sizeof *tables->names);
    return tables->numbers && tables->columns && tables->names ? SHOAL_OK : fail_host_memory(error);
}

double *gas_table_add(struct gas_filling *filling, const char *name)
{
    double *column = filling->tables->numbers + filling->count * filling->rows;
    filling->tables->columns[filling->count] = column;
    filling->tables->names[filling->count++] = name;
    return column;
}

static enum shoal_status fill_tensor(struct gas_common *common, struct gas_filling *filling,
                                     struct shoal_error *error)
{
    const struct gas_problem *problem = common->problem;
    const struct gas_blocks *blocks = &common->tables.blocks[SHOAL_GAS_TENSOR];
    double errors[STRESS_PARTS];
    enum shoal_status status = gas_table_begin(&common->tables, 1, filling, error);
    for (size_t part = 0; part < STRESS_PARTS && !status; part++)
        if (has_part(part, problem->dim)) {
            *gas_table_add(filling, tensor_names[part]) =
                gas_blocks_mean(blocks, part, GAS_ONE, &errors[part]);
        }
    for (size_t part = 0; part < STRESS_PARTS && !status; part++)
        if (has_part(part, problem->dim))
            *gas_table_add(filling, tensor_error_names[part]) = errors[part];
    return status;
}

const char *const gas_hexatic_names[GAS_HEXATIC] = {"hexatic_local", "hexatic_global"};
const char *const gas_hexatic_error_names[GAS_HEXATIC] = {"hexatic_local_error", "hexatic_global_error"};

static enum shoal_status fill_hexatic(struct gas_common *common, struct gas_filling *filling,
                                      struct shoal_error *error)
{
    const struct gas_blocks *blocks = &common->tables.blocks[SHOAL_GAS_HEXATIC];
    double errors[GAS_HEXATIC];
    enum shoal_status status = gas_table_begin(&common->tables, 1, filling, error);
    for (size_t k = 0; k < GAS_HEXATIC && !status; k++)
        *gas_table_add(filling, gas_hexatic_names[k]) = gas_blocks_mean(blocks, k, GAS_ONE, &errors[k]);
    for (size_t k = 0; k < GAS_HEXATIC && !status; k++)
        *gas_table_add(filling, gas_hexatic_error_names[k]) = errors[k];
    return status;
}

static enum shoal_status fill_g6(struct gas_common *common, struct gas_filling *filling,
                                 struct shoal_error *error)
{
    const struct shoal_gas_params *params = common->problem->params;
    const struct gas_blocks *blocks = &common->tables.blocks[SHOAL_GAS_G6];
    const size_t bins = (size_t)params->g6_bins;
    enum shoal_status status = gas_table_begin(&common->tables, bins, filling, error);
    if (status)
        return status;
    double *r = gas_table_add(filling, "r"), *g6 = gas_table_add(filling, "g6"),
           *off = gas_table_add(filling, "g6_error"), *pairs = gas_table_add(filling, "pairs"), ignored;
    for (size_t bin = 0; bin < bins; bin++) {
        const size_t cell = bin * G6_SUMS;
        r[bin] = ((double)bin + 0.5) * gas_g6_range(params) / (double)bins;
        g6[bin] = gas_blocks_mean(blocks, cell + G6_PRODUCTS, cell + G6_PAIRS, &off[bin]);
        pairs[bin] = gas_blocks_mean(blocks, cell + G6_PAIRS, GAS_ONE, &ignored);
    }
    return SHOAL_OK;
}

/* The columns of a quantity and of its error in the profiles. */
struct pair_of_columns {
    double *value, *error;
};

/* The temperature of a slice: <m (v - u)^2> / dim, with the mean velocity u of the mass in all samples. */
static double slice_temperature(const struct gas_problem *problem, const struct gas_blocks *blocks,
                                size_t cell, double *error)
{
    const double per = problem->params->mass / (double)problem->dim;
    double ignored, mass = gas_blocks_mean(blocks, cell + PROFILE_MASS, cell + PROFILE_COUNT, &ignored);
    double square = gas_blocks_mean(blocks, cell + PROFILE_SQUARES, cell + PROFILE_COUNT, error);
    for (size_t k = 0; k < problem->dim; k++)
        square -=
            pow(gas_blocks_mean(blocks, cell + PROFILE_VELOCITY + k, cell + PROFILE_MASS, &ignored), 2) *
            mass;
    *error *= per;
    return square * per;
}

static void fill_slices(struct gas_common *common, struct gas_filling *filling)
{
    static const char *const axes[] = {"x", "y", "z"}, *const flows[] = {"flow_x", "flow_y", "flow_z"},
                             *const flow_errors[] = {"flow_x_error", "flow_y_error", "flow_z_error"};
    const struct gas_problem *problem = common->problem;
    const struct gas_blocks *blocks = &common->tables.blocks[SHOAL_GAS_PROFILES];
    const size_t dim = problem->dim, slices = filling->rows, axis = gas_profile_axis(problem);
    struct pair_of_columns density, temperature, flow[GAS_MAX_DIM], pressure[GAS_MAX_DIM];
    double *middle = gas_table_add(filling, axes[axis]);
    density.value = gas_table_add(filling, "density");
    temperature.value = gas_table_add(filling, "temperature");
    for (size_t k = 0; k < dim; k++)
        flow[k].value = gas_table_add(filling, flows[k]);
    for (size_t k = 0; k < dim; k++)
        pressure[k].value = gas_table_add(filling, tensor_names[k]);
    density.error = gas_table_add(filling, "density_error");
    temperature.error = gas_table_add(filling, "temperature_error");
    for (size_t k = 0; k < dim; k++)
        flow[k].error = gas_table_add(filling, flow_errors[k]);
    for (size_t k = 0; k < dim; k++)
        pressure[k].error = gas_table_add(filling, tensor_error_names[k]);
    for (size_t s = 0; s < slices; s++) {
        const size_t cell = s * PROFILE_SUMS;
        middle[s] = ((double)s + 0.5) * problem->length[axis] / (double)slices;
        density.value[s] = gas_blocks_mean(blocks, cell, GAS_ONE, &density.error[s]);
        temperature.value[s] = slice_temperature(problem, blocks, cell, &temperature.error[s]);
        for (size_t k = 0; k < dim; k++) {
            flow[k].value[s] =
                gas_blocks_mean(blocks, cell + PROFILE_VELOCITY + k, cell + PROFILE_MASS, &flow[k].error[s]);
            pressure[k].value[s] =
                gas_blocks_mean(blocks, cell + PROFILE_STRESS + k, GAS_ONE, &pressure[k].error[s]);
        }
    }
}

static enum shoal_status fill_structure(struct gas_common *common, struct gas_filling *filling,
                                        struct shoal_error *error)
{
    const struct gas_problem *problem = common->problem;
    const struct gas_waves *waves = &common->tables.waves;
    const struct gas_blocks *blocks = &common->tables.blocks[SHOAL_GAS_STRUCTURE];
    size_t rows = 0;
    enum shoal_status status = gas_waves_fit(problem, &common->tables, error);
    if (status)
        return status;
    for (size_t first = 0; first < waves->count; first += waves_of_bin(waves, first))
        rows++;
    status = gas_table_begin(&common->tables, rows, filling, error);
    if (status)
        return status;
    double *k = gas_table_add(filling, "k"), *s = gas_table_add(filling, "s"),
           *off = gas_table_add(filling, "s_error"), *vectors = gas_table_add(filling, "vectors");
    for (size_t row = 0, first = 0, count; row < rows; row++, first += count) {
        count = waves_of_bin(waves, first);
        vectors[row] = (double)count;
        k[row] = wave_number(problem, waves, first, count);
        s[row] = gas_blocks_mean(blocks, waves->bin[first], GAS_ONE, &off[row]);
    }
    return SHOAL_OK;
}

enum shoal_status gas_table(struct shoal_solver *solver, enum shoal_gas_table_kind kind,
                            struct shoal_gas_table *table, struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    struct gas_tables *tables = &common->tables;
    struct gas_filling filling = {tables, 0, 0};
    enum shoal_status status = SHOAL_OK;
    table->samples = kind != SHOAL_GAS_MOTION ? tables->blocks[kind].samples
                     : problem->params->vacf  ? common->clock.samples
                                              : 0;
    if (table->samples == 0)
        filling.rows = 0;
    else if (kind == SHOAL_GAS_MOTION)
        status = gas_origins_fill(tables, problem, gas_sample_time(problem->params), &filling, error);
    else if (kind == SHOAL_GAS_TENSOR)
        status = fill_tensor(common, &filling, error);
    else if (kind == SHOAL_GAS_HEXATIC)
        status = fill_hexatic(common, &filling, error);
    else if (kind == SHOAL_GAS_G6)
        status = fill_g6(common, &filling, error);
    else if (kind == SHOAL_GAS_CLUSTERS)
        status = gas_clusters_fill(tables, problem, &filling, error);
    else if (kind == SHOAL_GAS_STRUCTURE)
        status = fill_structure(common, &filling, error);
    else if (!(status = gas_table_begin(tables, gas_slices(problem), &filling, error)))
        fill_slices(common, &filling);
    if (status)
        return status;
    table->rows = filling.rows;
    table->columns = filling.count;
    table->names = tables->names;
    table->column = tables->columns;
    return SHOAL_OK;
}
