/* Valid arguments: memory, texts, files and the members of structs. */
#include "values.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

enum { MOST_BLOCKS = 64, LONGER = 64 };

static void *blocks[MOST_BLOCKS];
static size_t block_count;

void must(enum shoal_status status, const char *what)
{
    if (!status)
        return;
    fprintf(stderr, "no valid %s: %s\n", what, test_error.message);
    exit(EXIT_FAILURE);
}

/* Memory ---------------------------------------------------------------------------------------------- */

void *valid_struct(size_t size)
{
    void *block = block_count < MOST_BLOCKS ? calloc(1, size) : NULL;
    must(block ? SHOAL_OK : SHOAL_OUT_OF_HOST_MEMORY, "memory");
    blocks[block_count++] = block;
    return block;
}

void *valid_memory(void)
{
    return valid_struct(VALID_MEMORY);
}

void values_end_turn(void)
{
    while (block_count)
        free(blocks[--block_count]);
}

void *resized(const struct turn *turn, size_t argument, void *full, size_t size)
{
    if (turn->argument != argument || turn->kind <= TURN_NULL)
        return full;
    const size_t given = turn->kind == TURN_NO_SIZE   ? 0
                         : turn->kind == TURN_SHORTER ? size - sizeof(size_t)
                                                      : size + LONGER;
    unsigned char *other = valid_struct(given ? given : size);
    memcpy(other, full, given && given < size ? given : size);
    memcpy(other, &given, sizeof given);
    if (turn->kind == TURN_LONGER_SET)
        other[size + LONGER - 1] = 1;
    return other;
}

/* Texts and files ------------------------------------------------------------------------------------- */

static const double numbers[] = {1, 2, 3, 2, 3, 5, 3, 5, 8, 4, 4, 9};
static const double places[] = {0, 0, 1, 0, 1, 1, 0, 1, 2, 2, 3, 1, 2, 0, 3, 3};

struct shoal_optimise_params *valid_optimise_params(void)
{
    static struct shoal_optimise_params params;
    shoal_optimise_params_init(&params);
    return &params;
}

const char *valid_path(void)
{
    const char *path = test_path("table.csv");
    test_write_text(path, "a,b,kind\n1,2,x\n2,3,y\n3,5,x\n4,4,y\n");
    return path;
}

const char *valid_text(void)
{
    return "#define SHAPE PER_DIMENSION\n#define TERMS 1\n"
           "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n"
           "{\n    term[0] = x * x;\n}\n"
           "static inline real objective_finish(const real *sum, uint dim)\n{\n    return sum[0];\n}\n";
}

const char *valid_table_text(void)
{
    return "#define SHAPE OPAQUE\n#define TABLE\n"
           "static inline real objective_value(const real *x, __global const real *table, uint dim)\n"
           "{\n    return ELEMENT(table, 0, 0) * x[0];\n}\n";
}

const char *valid_model_path(void)
{
    return test_path("saved.safetensors");
}

const char *valid_points_path(void)
{
    const char *path = test_path("points.csv");
    test_write_text(path, "0,0\n1,0\n1,1\n0,1\n");
    return path;
}

/* Positions of the two particles of fill_shoal_gas_params. */
const double *valid_positions(void)
{
    return numbers;
}

uint32_t *valid_tour(void)
{
    uint32_t *tour = valid_memory();
    for (uint32_t i = 0; i < sizeof places / sizeof *places / 2; i++)
        tour[i] = i;
    return tour;
}

const char *valid_tour_path(void)
{
    const char *path = test_path("tour.txt");
    test_write_text(path, "1\n2\n3\n4\n5\n6\n7\n8\n");
    return path;
}

void fill_shoal_split_params(struct shoal_split_params *params)
{
    static struct shoal_device *devices[1];
    devices[0] = valid_shoal_device();
    params->devices = devices;
    params->count = 1;
}

void fill_shoal_tsp_params(struct shoal_tsp_params *params)
{
    params->points = places;
    params->count = sizeof places / sizeof *places / 2;
    params->dim = 2;
}

void fill_shoal_dataset_params(struct shoal_dataset_params *params)
{
    params->path = valid_path();
}

void fill_shoal_dataset_generator(struct shoal_dataset_generator *generator)
{
    generator->kind = "xor";
}

void fill_shoal_table_params(struct shoal_table_params *params)
{
    params->path = test_path("numbers.csv");
    test_write_text(params->path, "a,b,c\n1,2,3\n2,3,5\n3,5,8\n");
}

void fill_shoal_dataset_block(struct shoal_dataset_block *block)
{
    block->values = numbers;
    block->columns = 2;
}

void fill_shoal_rates_params(struct shoal_rates_params *params)
{
    params->parts = SHOAL_RATES_LAUNCHES;
    params->figure_seconds = 1e-4;
    params->give = call_shoal_rate_fn;
}

void fill_shoal_rows(struct shoal_rows *rows)
{
    rows->values = numbers;
    rows->rows = 4;
    rows->columns = 3;
}

void fill_shoal_model(struct shoal_model *model)
{
    static const struct shoal_model_parameter parameters[] = {{"p", -5, 5}, {"q", -5, 5}};
    static const char *const columns[] = {"t", "y"};
    static const double *const values[] = {numbers, numbers + 6};
    model->formula = "p*t+q";
    model->parameters = parameters;
    model->parameter_count = 2;
    model->columns = columns;
    model->values = values;
    model->column_count = 2;
    model->rows = 6;
    model->target = "y";
}

void fill_shoal_evaluator_params(struct shoal_evaluator_params *params)
{
    params->objective = shoal_objective_find("sphere");
    params->precision = SHOAL_FP32;
    params->dim = 2;
    params->points = 8;
}

void fill_shoal_gas_params(struct shoal_gas_params *params)
{
    params->steps = 1000;
    params->thermostat = SHOAL_GAS_LANGEVIN;
    params->changeable = true;
    params->thermo = 1;
    params->rdf_bins = 10;
    params->msd = true;
    params->start = SHOAL_GAS_FILE;
    params->start_file = test_path("start.xyz");
    test_write_text(params->start_file, "2\nLattice=\"10 0 0 0 10 0 0 0 10\"\nA 1 1 0\nA 5 5 0\n");
}

void fill_shoal_mlp_params(struct shoal_mlp_params *params)
{
    params->generate = "xor";
    params->hidden = "2";
    params->epochs = 2;
    params->validation = params->test = 0;
}

void fill_shoal_mlp_trainer_params(struct shoal_mlp_trainer_params *params)
{
    static struct shoal_mlp_params mlp;
    shoal_mlp_params_init(&mlp);
    params->mlp = &mlp;
    params->inputs = 2;
    params->outputs = 3;
    params->rows = 4;
    params->has_classes = true;
}

void fill_shoal_mlp_model_file(struct shoal_mlp_model_file *file)
{
    file->path = test_path("net.safetensors");
    MUST(shoal_mlp_model_save(valid_shoal_mlp_model(), file->path, NULL, &test_error));
}

void fill_shoal_mlp_outcome(struct shoal_mlp_outcome *outcome)
{
    static const char *const names[] = {"value"};
    outcome->rows = 4;
    outcome->outputs = 1;
    outcome->names = names;
    outcome->predicted = numbers;
    outcome->truth = numbers + 4;
}

void fill_shoal_gas_replicas_params(struct shoal_gas_replicas_params *params)
{
    static struct shoal_gas_params gas;
    shoal_gas_params_init(&gas);
    gas.particles = 16;
    gas.density = 0.05;
    gas.steps = 2;
    params->gas = &gas;
    params->count = 1;
}

void fill_shoal_fmm_params(struct shoal_fmm_params *params)
{
    params->max_sources = 4;
}

void fill_shoal_fmm_points(struct shoal_fmm_points *points)
{
    points->sources = numbers;
    points->source_count = 4;
}

void fill_shoal_fmm_args(struct shoal_fmm_args *args)
{
    args->sources = valid_shoal_buffer();
    args->field = valid_result_buffer();
    args->source_count = 4;
}

void fill_shoal_gemm_params(struct shoal_gemm_params *params)
{
    params->max_m = params->max_n = params->max_k = 8;
}

void fill_shoal_sort_params(struct shoal_sort_params *params)
{
    params->max_n = 8;
}

void fill_shoal_gemm_args(struct shoal_gemm_args *args)
{
    args->a = args->b = valid_shoal_buffer();
    args->c = valid_result_buffer();
    args->m = args->n = args->k = 8;
}

void fill_shoal_reduce_args(struct shoal_reduce_args *args)
{
    static struct shoal_buffer *result;
    if (!result)
        MUST(shoal_buffer_create(valid_shoal_device(), 64, &result, &test_error));
    *args = (struct shoal_reduce_args){.data = valid_shoal_buffer(), .n = 8, .result = result};
}

void fill_shoal_sort_args(struct shoal_sort_args *args)
{
    static struct shoal_buffer *values;
    if (!values)
        MUST(shoal_buffer_create(valid_shoal_device(), VALID_MEMORY, &values, &test_error));
    *args = (struct shoal_sort_args){.keys = valid_shoal_buffer(),
                                     .values = values,
                                     .keys_out = valid_shoal_buffer(),
                                     .values_out = values,
                                     .n = 8,
                                     .end_bit = 8};
}

double call_shoal_objective_fn(const double *x, size_t dim, void *data)
{
    (void)data;
    return dim ? x[0] * x[0] : 0;
}

void call_shoal_objective_points_fn(const double *points, size_t count, size_t dim, double *values,
                                    void *data)
{
    for (size_t i = 0; i < count; i++)
        values[i] = call_shoal_objective_fn(points + i * dim, dim, data);
}

void call_shoal_constraints_fn(const double *x, size_t dim, double *g, void *data)
{
    (void)data;
    g[0] = dim ? x[0] : 0;
}

bool call_shoal_sample_callback(void *data, const void *sample, const char **failure)
{
    (void)data, (void)sample, (void)failure;
    return false;
}

bool call_shoal_tsp_solved_callback(void *data, const struct shoal_tsp_solved *solved)
{
    (void)data, (void)solved;
    return true;
}

bool call_shoal_table_progress(void *data, size_t done, size_t rows)
{
    (void)data, (void)done, (void)rows;
    return true;
}

bool call_shoal_rate_fn(void *data, const struct shoal_rate *rate)
{
    (void)data, (void)rate;
    return true;
}

bool call_stop(void *data)
{
    (void)data;
    return false;
}
