/* The calls that make_calls.py writes, and what they take as valid arguments. */
#ifndef SHOAL_TESTS_API_VALUES_H
#define SHOAL_TESTS_API_VALUES_H

#include <shoal/cuda.h>
#include <shoal/mpi.h>
#include <shoal/opencl.h>
#include <shoal/shoal.h>
#include <shoal/theses.h>
#include <stdlib.h>

/* What is wrong with one argument in a turn: nothing; it is NULL; the size in its struct is 0; the struct is
 * that of an older program, of a newer one, and of one that sets what the library does not know. */
enum turn_kind { TURN_VALID, TURN_NULL, TURN_NO_SIZE, TURN_SHORTER, TURN_LONGER, TURN_LONGER_SET, TURNS };

struct turn {
    enum turn_kind kind;
    size_t argument; /* not of TURN_VALID */
};

/* TAKES_STRUCT: a struct that begins with its size, read by the call; FILLS_STRUCT: written. */
enum { IS_POINTER = 1, TAKES_STRUCT = 2, FILLS_STRUCT = 4 };

struct argument {
    const char *name;
    unsigned flags;
};

enum gives { GIVES_NOTHING, GIVES_STATUS, GIVES_POINTER, GIVES_NUMBER, GIVES_REAL };

struct outcome {
    enum gives gives;
    enum shoal_status status;
    struct shoal_error error;
    const void *pointer;
    int64_t number;
    double real;
};

struct call {
    const char *name;
    void (*run)(const struct turn *turn, struct outcome *outcome);
    const struct argument *arguments;
    size_t count;
};

extern const struct call calls[];
extern const size_t call_count;

/* What stands for valid arguments must be created; else the process ends. */
void must(enum shoal_status status, const char *what);
#define MUST(call) must((call), #call)

enum { VALID_MEMORY = 1 << 16 };

/* Memory of zeros, freed behind the turn: of a struct, and 64 kB for what a call reads or writes. */
void *valid_struct(size_t size);
void *valid_memory(void);
void values_end_turn(void);
/* The struct `full` of `size` bytes as the turn wants it, if it is of this argument. */
void *resized(const struct turn *turn, size_t argument, void *full, size_t size);

/* Objects live until the end. */
struct shoal *valid_shoal(void);
struct shoal_device *valid_host_device(void);
struct shoal_device *valid_shoal_device(void); /* through OpenCL */
struct shoal_queue *valid_shoal_queue(void);
struct shoal_buffer *valid_shoal_buffer(void);
struct shoal_event *valid_shoal_event(void);
const struct shoal_program_desc *valid_shoal_program_desc(void);
struct shoal_program *valid_shoal_program(void);
struct shoal_kernel *valid_shoal_kernel(void);
const struct shoal_arg *valid_shoal_arg(void);
const char *valid_entry(void);
struct shoal_objective *valid_shoal_objective(void); /* a model */
struct shoal_table *valid_shoal_table(void);
struct shoal_dataset *valid_shoal_dataset(void);
struct shoal_evaluator *valid_shoal_evaluator(void);
const struct shoal_workload *valid_shoal_workload(void);
const struct shoal_option *valid_shoal_option(void);
struct shoal_solver *valid_shoal_solver(const char *workload); /* on the host */
struct shoal_checkpoint *valid_shoal_checkpoint(void);
struct shoal_stage_end *valid_shoal_stage_end(void);
struct shoal_mlp *valid_shoal_mlp(void);
struct shoal_mlp_model *valid_shoal_mlp_model(void);
struct shoal_mlp_predictor *valid_shoal_mlp_predictor(void);
struct shoal_mlp_preparation *valid_shoal_mlp_preparation(void);
struct shoal_mlp_trainer *valid_shoal_mlp_trainer(void);
struct shoal_optimiser *valid_shoal_optimiser(void);
struct shoal_random *valid_shoal_random(void);
struct shoal_fmm *valid_shoal_fmm(void);
struct shoal_gas_replicas *valid_shoal_gas_replicas(void);
struct shoal_gemm *valid_shoal_gemm(void);
struct shoal_reduce *valid_shoal_reduce(void);
struct shoal_scan *valid_shoal_scan(void);
struct shoal_sort *valid_shoal_sort(void);
struct shoal_tsp_problem *valid_shoal_tsp_problem(void);
struct shoal_tsp_bounder *valid_shoal_tsp_bounder(void);
struct shoal_tsp_improver *valid_shoal_tsp_improver(void);
struct shoal_tsp_lister *valid_shoal_tsp_lister(void);
struct shoal_tsp_starter *valid_shoal_tsp_starter(void);
struct shoal_variables *valid_shoal_variables(void);
const struct shoal_search_params *valid_shoal_search_params(void);

struct shoal_buffer *valid_result_buffer(void);
struct shoal_mlp_trainer *valid_device_trainer(void);
struct shoal_optimiser *valid_fitted_optimiser(void); /* of a model, with a best point */
struct shoal_solver *valid_history_solver(void);
const char *valid_checkpoint_path(void);
const char *valid_optimiser_path(void);
const void *valid_optimiser_bytes(void);
size_t valid_optimiser_size(void);

/* New in each turn. */
struct shoal_ranks *valid_shoal_ranks(void); /* the only rank, whose messages go nowhere */
struct shoal_table **valid_new_table(void);
struct shoal_solver *valid_new_gas_solver(void);
struct shoal_solver *valid_device_gas_solver(void);
struct shoal_gas_snapshot *valid_shoal_gas_snapshot(void);
struct shoal_optimiser *valid_constrained_optimiser(void);
struct shoal_optimiser *valid_asked_optimiser(void);
size_t valid_asked_count(void);
uint32_t *valid_tour(void);
const double *valid_positions(void);
const char *valid_tour_path(void);
const char *valid_points_path(void);
const char *valid_model_path(void);
const char *valid_table_text(void);
void *valid_workload_params(void);
struct shoal_optimise_params *valid_optimise_params(void);
size_t valid_workload_params_size(void);
const struct shoal_planned_run *valid_planned_run(void);
const char *valid_path(void);
const char *valid_text(void);

/* Members that have no usable default. */
void fill_shoal_split_params(struct shoal_split_params *params);
void fill_shoal_tsp_params(struct shoal_tsp_params *params);
void fill_shoal_dataset_params(struct shoal_dataset_params *params);
void fill_shoal_dataset_generator(struct shoal_dataset_generator *generator);
void fill_shoal_dataset_block(struct shoal_dataset_block *block);
void fill_shoal_table_params(struct shoal_table_params *params);
void fill_shoal_rates_params(struct shoal_rates_params *params);
void fill_shoal_rows(struct shoal_rows *rows);
void fill_shoal_model(struct shoal_model *model);
void fill_shoal_evaluator_params(struct shoal_evaluator_params *params);
void fill_shoal_gas_params(struct shoal_gas_params *params);
void fill_shoal_mlp_params(struct shoal_mlp_params *params);
void fill_shoal_mlp_trainer_params(struct shoal_mlp_trainer_params *params);
void fill_shoal_mlp_model_file(struct shoal_mlp_model_file *file);
void fill_shoal_mlp_outcome(struct shoal_mlp_outcome *outcome);
void fill_shoal_gas_replicas_params(struct shoal_gas_replicas_params *params);
void fill_shoal_fmm_params(struct shoal_fmm_params *params);
void fill_shoal_fmm_points(struct shoal_fmm_points *points);
void fill_shoal_fmm_args(struct shoal_fmm_args *args);
void fill_shoal_gemm_params(struct shoal_gemm_params *params);
void fill_shoal_sort_params(struct shoal_sort_params *params);
void fill_shoal_gemm_args(struct shoal_gemm_args *args);
void fill_shoal_reduce_args(struct shoal_reduce_args *args);
void fill_shoal_sort_args(struct shoal_sort_args *args);

double call_shoal_objective_fn(const double *x, size_t dim, void *data);
void call_shoal_objective_points_fn(const double *points, size_t count, size_t dim, double *values,
                                    void *data);
void call_shoal_constraints_fn(const double *x, size_t dim, double *g, void *data);
bool call_shoal_sample_callback(void *data, const void *sample, const char **failure);
bool call_shoal_rate_fn(void *data, const struct shoal_rate *rate);
bool call_shoal_tsp_solved_callback(void *data, const struct shoal_tsp_solved *solved);
bool call_shoal_table_progress(void *data, size_t done, size_t rows);
bool call_stop(void *data);

#endif
