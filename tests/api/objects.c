/* Valid objects: small problems on the host, and what belongs to the first CPU that OpenCL has. */
#include "test.h"
#include "values.h"

#include "compute/remote/ranks.h"

#include <string.h>

enum { MOST_ARGUMENTS = 16, SOLVERS = 4 };

/* Objects --------------------------------------------------------------------------------------------- */

/* The function of an object that is created once, by `create`, which sets `object`. */
#define ONCE(type, create)                                                                                   \
    struct type *valid_##type(void)                                                                          \
    {                                                                                                        \
        static struct type *object;                                                                          \
        if (!object)                                                                                         \
            create;                                                                                          \
        return object;                                                                                       \
    }

static void open_instance(struct shoal **shoal)
{
    struct shoal_params params;
    shoal_params_init(&params);
    params.cache_dir = test_path("cache");
    MUST(shoal_open(shoal, &params, &test_error));
}

ONCE(shoal, open_instance(&object))

static void find_device(struct shoal_device **device)
{
    for (size_t i = 0; i < shoal_device_count(valid_shoal()) && !*device; i++) {
        struct shoal_device *found = shoal_device_at(valid_shoal(), i);
        const struct shoal_device_info *info = shoal_device_get_info(found);
        if (info->is_cpu && !info->is_host)
            *device = found;
    }
    must(*device ? SHOAL_OK : SHOAL_NO_DEVICE, "CPU of OpenCL");
}

ONCE(shoal_device, find_device(&object))
ONCE(shoal_queue, MUST(shoal_queue_create(valid_shoal_device(), SHOAL_QUEUE_PROFILING, &object, &test_error)))

static void create_buffer(struct shoal_buffer **buffer)
{
    MUST(shoal_buffer_create(valid_shoal_device(), VALID_MEMORY, buffer, &test_error));
    MUST(shoal_buffer_fill(valid_shoal_queue(), *buffer, 0, VALID_MEMORY, 0, &test_error));
}

ONCE(shoal_buffer, create_buffer(&object))

struct shoal_buffer *valid_result_buffer(void)
{
    static struct shoal_buffer *buffer;
    if (!buffer)
        create_buffer(&buffer);
    return buffer;
}

const struct shoal_program_desc *valid_shoal_program_desc(void)
{
    const struct shoal_program_desc *desc = NULL;
    for (size_t i = 0; (desc = shoal_program_desc_at(i)) && strcmp(desc->name, "lib.reduce") != 0; i++)
        continue;
    return desc;
}

const char *valid_entry(void)
{
    return valid_shoal_program_desc()->entries[0].name;
}

ONCE(shoal_program,
     MUST(shoal_program_create(valid_shoal_device(), valid_shoal_program_desc(), NULL, &object, &test_error)))
ONCE(shoal_kernel, MUST(shoal_kernel_create(valid_shoal_program(), valid_entry(), &object, &test_error)))

/* Of the entry: buffers, and 0 for each value. */
const struct shoal_arg *valid_shoal_arg(void)
{
    static struct shoal_arg args[MOST_ARGUMENTS];
    const struct shoal_entry_desc *entry = &valid_shoal_program_desc()->entries[0];
    for (uint32_t i = 0; i < entry->arg_count; i++)
        args[i] = entry->args[i].access != SHOAL_VALUE        ? shoal_arg_buffer(valid_shoal_buffer())
                  : strcmp(entry->args[i].type, "ulong") == 0 ? shoal_arg_ulong(0)
                                                              : shoal_arg_uint(0);
    return args;
}

ONCE(shoal_event, MUST(shoal_launch(valid_shoal_queue(), valid_shoal_kernel(), 1, valid_shoal_arg(),
                                    valid_shoal_program_desc()->entries[0].arg_count, &object, &test_error)))

static void end_all(void *data, int code)
{
    (void)data, (void)code;
}

static void close_transport(void *data)
{
    (void)data;
}

struct shoal_ranks *valid_shoal_ranks(void)
{
    static struct shoal_ranks *ranks;
    const struct transport transport = {.count = 1, .end = end_all, .close = close_transport};
    struct shoal_ranks_params params;
    shoal_ranks_leave(&ranks, 0);
    shoal_ranks_params_init(&params);
    MUST(ranks_join_by(&transport, "host", &params, &ranks, &test_error));
    return ranks;
}

static void create_objective(struct shoal_objective **objective)
{
    struct shoal_model model;
    shoal_model_init(&model);
    fill_shoal_model(&model);
    MUST(shoal_objective_from_model(&model, objective, &test_error));
}

ONCE(shoal_objective, create_objective(&object))

static void open_table(struct shoal_table **table)
{
    struct shoal_table_params params;
    shoal_table_params_init(&params);
    fill_shoal_table_params(&params);
    MUST(shoal_table_open_with(&params, table, &test_error));
}

ONCE(shoal_table, open_table(&object))

/* Destroyed by the call, or by the next turn. */
struct shoal_table **valid_new_table(void)
{
    static struct shoal_table *table;
    shoal_table_destroy(&table);
    open_table(&table);
    return &table;
}

static void open_dataset(struct shoal_dataset **dataset)
{
    struct shoal_dataset_generator generator;
    shoal_dataset_generator_init(&generator);
    generator.kind = "xor";
    MUST(shoal_dataset_generate(&generator, dataset, &test_error));
}

ONCE(shoal_dataset, open_dataset(&object))

static void create_evaluator(struct shoal_evaluator **evaluator)
{
    struct shoal_evaluator_params params;
    shoal_evaluator_params_init(&params);
    fill_shoal_evaluator_params(&params);
    MUST(shoal_evaluator_create(valid_shoal_queue(), &params, evaluator, &test_error));
}

ONCE(shoal_evaluator, create_evaluator(&object))
static void create_fmm(struct shoal_fmm **fmm)
{
    struct shoal_fmm_params params;
    shoal_fmm_params_init(&params);
    fill_shoal_fmm_params(&params);
    MUST(shoal_fmm_create(valid_shoal_device(), &params, fmm, &test_error));
}

ONCE(shoal_fmm, create_fmm(&object))

static void create_replicas(struct shoal_gas_replicas **replicas)
{
    struct shoal_gas_replicas_params params;
    shoal_gas_replicas_params_init(&params);
    fill_shoal_gas_replicas_params(&params);
    MUST(shoal_gas_replicas_create(valid_host_device(), NULL, &params, replicas, &test_error));
}

ONCE(shoal_gas_replicas, create_replicas(&object))

static void create_gemm(struct shoal_gemm **gemm)
{
    struct shoal_gemm_params params;
    shoal_gemm_params_init(&params);
    fill_shoal_gemm_params(&params);
    MUST(shoal_gemm_create(valid_shoal_device(), &params, gemm, &test_error));
}

ONCE(shoal_gemm, create_gemm(&object))
ONCE(shoal_random, MUST(shoal_random_create(valid_shoal_device(), SHOAL_TYPE_FLOAT, SHOAL_VARIANT_AUTO,
                                            &object, &test_error)))
ONCE(shoal_reduce, MUST(shoal_reduce_create(valid_shoal_device(), SHOAL_SUM, SHOAL_TYPE_FLOAT, 64,
                                            SHOAL_VARIANT_AUTO, &object, &test_error)))
ONCE(shoal_scan, MUST(shoal_scan_create(valid_shoal_device(), 64, SHOAL_SCAN_AUTO, SHOAL_VARIANT_AUTO,
                                        &object, &test_error)))
ONCE(shoal_sort, MUST(shoal_sort_create(valid_shoal_device(), 64, SHOAL_SORT_AUTO, SHOAL_VARIANT_AUTO,
                                        &object, &test_error)))
ONCE(shoal_variables, MUST(shoal_variables_parse("x1-x2 real -1 1", 2, &object, &test_error)))

/* Workloads ------------------------------------------------------------------------------------------- */

const struct shoal_workload *valid_shoal_workload(void)
{
    return shoal_workload_find("pso");
}

const struct shoal_option *valid_shoal_option(void)
{
    return valid_shoal_workload()->options;
}

static void fill_pso(struct shoal_pso_params *params)
{
    shoal_pso_params_init(params);
    params->search.dim = 2;
    params->particles = 8;
    params->search.iterations = 1000;
    params->search.precision = SHOAL_FP32;
}

void *valid_workload_params(void)
{
    struct shoal_pso_params *params = valid_struct(sizeof *params);
    fill_pso(params);
    return params;
}

const struct shoal_planned_run *valid_planned_run(void)
{
    static struct shoal_planned_run run;
    run = (struct shoal_planned_run){.workload = valid_shoal_workload(),
                                     .device = valid_shoal_device(),
                                     .params = valid_workload_params()};
    return &run;
}

size_t valid_workload_params_size(void)
{
    return sizeof(struct shoal_pso_params);
}

const struct shoal_search_params *valid_shoal_search_params(void)
{
    return valid_workload_params();
}

struct shoal_device *valid_host_device(void)
{
    return test_host_device(valid_shoal());
}

struct shoal_solver *valid_shoal_solver(const char *name)
{
    static const char *const names[SOLVERS] = {"pso", "gas", "tsp", "mlp"};
    static struct shoal_solver *solvers[SOLVERS];
    union {
        struct shoal_pso_params pso;
        struct shoal_gas_params gas;
        struct shoal_tsp_params tsp;
        struct shoal_mlp_params mlp;
        uint64_t block[512]; /* with what lies behind these structs */
    } params;
    size_t k = 0;
    while (strcmp(names[k], name) != 0)
        k++;
    if (solvers[k])
        return solvers[k];
    const struct shoal_workload *workload = shoal_workload_find(name);
    workload->params_init(&params);
    if (k == 0)
        fill_pso(&params.pso);
    else if (k == 1)
        fill_shoal_gas_params(&params.gas);
    else if (k == 2)
        fill_shoal_tsp_params(&params.tsp);
    else
        fill_shoal_mlp_params(&params.mlp);
    MUST(shoal_solver_create(workload, valid_host_device(), NULL, &params, SHOAL_VARIANT_AUTO, &solvers[k],
                             &test_error));
    uint64_t done;
    static struct shoal_result result;
    MUST(shoal_solver_step(solvers[k], 1, &done, &test_error));
    MUST(shoal_solver_result(solvers[k], &result, &test_error));
    return solvers[k];
}

struct shoal_solver *valid_new_gas_solver(void)
{
    static struct shoal_solver *solver;
    struct shoal_gas_params params;
    shoal_solver_destroy(&solver);
    shoal_gas_params_init(&params);
    fill_shoal_gas_params(&params);
    MUST(shoal_solver_create(shoal_workload_find("gas"), valid_host_device(), NULL, &params,
                             SHOAL_VARIANT_AUTO, &solver, &test_error));
    return solver;
}

struct shoal_solver *valid_device_gas_solver(void)
{
    static struct shoal_solver *solver;
    struct shoal_gas_params params;
    if (solver)
        return solver;
    shoal_gas_params_init(&params);
    fill_shoal_gas_params(&params);
    params.method = SHOAL_GAS_ALLPAIRS;
    MUST(shoal_solver_create(shoal_workload_find("gas"), valid_shoal_device(), valid_shoal_queue(), &params,
                             SHOAL_VARIANT_CL, &solver, &test_error));
    return solver;
}

/* Begun in each turn, since a turn ends it. */
struct shoal_gas_snapshot *valid_shoal_gas_snapshot(void)
{
    static struct shoal_gas_snapshot *snapshot;
    MUST(shoal_gas_snapshot_begin(valid_shoal_solver("gas"), &snapshot, &test_error));
    return snapshot;
}

#if SHOAL_THESES
static void run_thesis(struct shoal_solver **solver)
{
    struct shoal_tsp_params params;
    struct shoal_tsp_thesis thesis = SHOAL_TSP_THESIS_PARAMS(.history = "kept");
    uint64_t done;
    shoal_tsp_params_init(&params);
    fill_shoal_tsp_params(&params);
    params.algorithm = SHOAL_TSP_THESIS;
    params.thesis = &thesis;
    MUST(shoal_solver_create(shoal_workload_find("tsp"), valid_host_device(), NULL, &params,
                             SHOAL_VARIANT_AUTO, solver, &test_error));
    MUST(shoal_solver_step(*solver, 1, &done, &test_error));
}

struct shoal_solver *valid_history_solver(void)
{
    static struct shoal_solver *solver;
    if (!solver)
        run_thesis(&solver);
    return solver;
}
#endif

const char *valid_checkpoint_path(void)
{
    const char *path = test_path("run.state");
    MUST(shoal_solver_save(valid_shoal_solver("pso"), path, &test_error));
    return path;
}

static void open_checkpoint(struct shoal_checkpoint **checkpoint)
{
    MUST(shoal_checkpoint_open(valid_checkpoint_path(), checkpoint, &test_error));
}

ONCE(shoal_checkpoint, open_checkpoint(&object))
ONCE(shoal_stage_end, MUST(shoal_solver_end_stage(valid_shoal_solver("gas"), &object, &test_error)))

static void create_net(struct shoal_mlp **net)
{
    struct shoal_mlp_params params;
    shoal_mlp_params_init(&params);
    fill_shoal_mlp_params(&params);
    MUST(shoal_mlp_create(valid_host_device(), &params, net, &test_error));
    MUST(shoal_mlp_train(*net, NULL, &test_error));
}

ONCE(shoal_mlp, create_net(&object))
ONCE(shoal_mlp_model, MUST(shoal_mlp_model_of(valid_shoal_solver("mlp"), 0, &object, &test_error)))
ONCE(shoal_mlp_predictor, MUST(shoal_mlp_predictor_create(valid_shoal_mlp_model(), valid_shoal_device(),
                                                          SHOAL_FP32, &object, &test_error)))

static void create_preparation(struct shoal_mlp_preparation **preparation)
{
    struct shoal_mlp_params params;
    shoal_mlp_params_init(&params);
    fill_shoal_mlp_params(&params);
    MUST(shoal_mlp_preparation_create(&params, 0, preparation, &test_error));
}

ONCE(shoal_mlp_preparation, create_preparation(&object))

static void create_trainer(struct shoal_queue *queue, struct shoal_mlp_trainer **trainer)
{
    struct shoal_mlp_trainer_params params;
    shoal_mlp_trainer_params_init(&params);
    fill_shoal_mlp_trainer_params(&params);
    MUST(shoal_mlp_trainer_create(queue, SHOAL_VARIANT_AUTO, &params, trainer, &test_error));
}

ONCE(shoal_mlp_trainer, create_trainer(NULL, &object))

struct shoal_mlp_trainer *valid_device_trainer(void)
{
    static struct shoal_mlp_trainer *trainer;
    if (!trainer)
        create_trainer(valid_shoal_queue(), &trainer);
    return trainer;
}

/* Its settings are those of the last turn. */
static void create_optimiser(struct shoal_optimiser **optimiser)
{
    MUST(shoal_optimiser_create(2, optimiser, &test_error));
    MUST(shoal_optimiser_set_function(*optimiser, "sphere", &test_error));
    shoal_optimiser_params(*optimiser)->evaluations = 100;
}

ONCE(shoal_optimiser, create_optimiser(&object))

static void fit(struct shoal_optimiser **optimiser)
{
    double x[2], value;
    create_optimiser(optimiser);
    MUST(shoal_optimiser_set_objective(*optimiser, valid_shoal_objective(), &test_error));
    must(shoal_optimise(*optimiser, x, &value, &test_error) > 0 ? SHOAL_OK : SHOAL_FAILED, "fit");
}

struct shoal_optimiser *valid_fitted_optimiser(void)
{
    static struct shoal_optimiser *optimiser;
    if (!optimiser)
        fit(&optimiser);
    return optimiser;
}

static size_t asked;

struct shoal_optimiser *valid_asked_optimiser(void)
{
    static struct shoal_optimiser *optimiser;
    shoal_optimiser_destroy(&optimiser);
    create_optimiser(&optimiser);
    MUST(shoal_optimiser_ask(optimiser, valid_memory(), shoal_optimiser_capacity(optimiser), &asked,
                             &test_error));
    return optimiser;
}

struct shoal_optimiser *valid_constrained_optimiser(void)
{
    static struct shoal_optimiser *optimiser;
    shoal_optimiser_destroy(&optimiser);
    create_optimiser(&optimiser);
    MUST(shoal_optimiser_set_constrained(optimiser, true, &test_error));
    MUST(shoal_optimiser_ask(optimiser, valid_memory(), shoal_optimiser_capacity(optimiser), &asked,
                             &test_error));
    return optimiser;
}

size_t valid_asked_count(void)
{
    return asked;
}

const char *valid_optimiser_path(void)
{
    const char *path = test_path("optimiser.state");
    MUST(shoal_optimiser_save(valid_fitted_optimiser(), path, &test_error));
    return path;
}

static size_t state_size;

const void *valid_optimiser_bytes(void)
{
    static void *bytes;
    if (!bytes)
        MUST(shoal_optimiser_save_memory(valid_fitted_optimiser(), &bytes, &state_size, &test_error));
    return bytes;
}

size_t valid_optimiser_size(void)
{
    return state_size;
}

static void open_problem(struct shoal_tsp_problem **problem)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    fill_shoal_tsp_params(&params);
    MUST(shoal_tsp_open(&params, problem, &test_error));
}

ONCE(shoal_tsp_problem, open_problem(&object))

static void create_improver(struct shoal_tsp_improver **improver)
{
    struct shoal_tsp_improve_params params;
    shoal_tsp_improve_params_init(&params);
    MUST(shoal_tsp_improver_create(valid_shoal_tsp_problem(), &params, NULL, 1, improver, &test_error));
}

ONCE(shoal_tsp_improver, create_improver(&object))

static void create_bounder(struct shoal_tsp_bounder **bounder)
{
    MUST(shoal_tsp_bounder_create(valid_shoal_tsp_problem(), valid_shoal_queue(), SHOAL_VARIANT_AUTO, bounder,
                                  &test_error));
    MUST(shoal_tsp_bounder_run(*bounder, &test_error));
}

ONCE(shoal_tsp_bounder, create_bounder(&object))
ONCE(shoal_tsp_lister, MUST(shoal_tsp_lister_create(valid_shoal_tsp_problem(), 5, valid_shoal_queue(),
                                                    SHOAL_VARIANT_AUTO, &object, &test_error)))

static void create_starter(struct shoal_tsp_starter **starter)
{
    MUST(shoal_tsp_starter_create(valid_shoal_tsp_problem(), 5, valid_shoal_queue(), SHOAL_VARIANT_AUTO,
                                  starter, &test_error));
    MUST(shoal_tsp_starter_run(*starter, &test_error));
}

ONCE(shoal_tsp_starter, create_starter(&object))
