/* The workload "toy": the least that a workload has. Its values approach their own numbers. */
#include "workload/workload.h"

#include "base/error.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "workload/options.h"
#include "workload/result.h"

#include <math.h>
#include <stdlib.h>

enum toy_method { TOY_AUTO, TOY_SINGLE, TOY_MANY };

struct toy_params {
    size_t size;
    uint64_t items, steps;
    double rate;
    int32_t method;
};

static const char *const methods[] = {"auto", "single", "many", NULL};

#define OPTIONS_OF struct toy_params
static const struct shoal_option options[] = {
    {.name = "items",
     .group = "Problem",
     OPTION_UINT(items, "N", 1, 1048576),
     .help = "number of values",
     .flags = SHOAL_OPTION_SHOWN},
    {.name = "rate", OPTION_REAL(rate, "R", 0, 1), .help = "part of the missing difference that a step adds"},
    {.name = "steps",
     OPTION_UINT(steps, "N", 1, 4294967040.0),
     .help = "number of steps",
     .flags = SHOAL_OPTION_FREE_ON_RESUME | SHOAL_OPTION_SHOWN},
    {.name = "method",
     OPTION_CHOICE(method, "NAME", methods),
     .help = "steps of a kernel launch: a single one, or as many as are asked for",
     .flags = SHOAL_OPTION_METHOD},
};

static void params_init(void *params)
{
    *(struct toy_params *)params =
        (struct toy_params){.size = sizeof(struct toy_params), .items = 1000, .steps = 100, .rate = 0.1};
}

static uint64_t total_steps(const void *params)
{
    return ((const struct toy_params *)params)->steps;
}

static void make_endless(void *params, uint64_t warm_up_steps)
{
    (void)warm_up_steps;
    ((struct toy_params *)params)->steps = 4294967040;
}

static const struct shoal_entry_desc entries[] = {
    ENTRY(toy_toy, toy_approach, .roof = SHOAL_ROOF_FP32_FLOPS, .help = "some steps of every value")};
static const struct shoal_define_desc defines[] = {DEFINE(toy_toy, WG, 1, 1024, "work-group size")};
static const struct shoal_program_desc toy_program = PROGRAM("toy.approach", toy_toy, 0, defines, entries);
static const struct shoal_program_desc *const programs[] = {&toy_program, NULL};

/* Solvers ---------------------------------------------------------------------------------------------- */

struct toy {
    uint64_t done;
    enum toy_method method;
    struct shoal_buffer *buffer; /* on a device */
    struct shoal_kernel *kernel;
    float *values; /* read back from there */
    double *exact; /* on the host */
};

static const struct toy_params *params_of(const struct shoal_solver *solver)
{
    return solver->params;
}

static size_t state_count(const struct shoal_solver *solver)
{
    return (size_t)params_of(solver)->items;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct toy *toy = solver->state = calloc(1, sizeof *toy);
    if (!toy)
        return fail_host_memory(error);
    toy->values = calloc(state_count(solver), sizeof *toy->values);
    toy->exact = calloc(state_count(solver), sizeof *toy->exact);
    return toy->values && toy->exact ? SHOAL_OK : fail_host_memory(error);
}

static enum shoal_status fits(const struct method *method, const void *problem,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    (void)method, (void)problem, (void)info, (void)error;
    return SHOAL_OK;
}

static const struct method single = {.name = "single", .fits = fits}, many = {.name = "many", .fits = fits};
static const struct method *const choice[] = {&single, &many, NULL};

static enum shoal_status create_on_device(struct shoal_solver *solver, struct shoal_error *error)
{
    enum shoal_status status = create(solver, error);
    if (status)
        return status;
    struct toy *toy = solver->state;
    const size_t bytes = state_count(solver) * sizeof *toy->values;
    const struct entry_kernel kernel = {"toy_approach", &toy->kernel};
    const int32_t asked = params_of(solver)->method;
    solver->choice = (struct method_choice){
        .methods = choice, .asked = asked == TOY_AUTO ? NULL : methods[asked], .program = "toy.method"};
    status = method_choose(solver->device, &solver->choice, &many, &solver->method.method, error);
    if (status)
        return status;
    toy->method = solver->method.method == &many ? TOY_MANY : TOY_SINGLE;
    status = programs_build(&solver->programs, &toy_program, &(struct defines){.count = 0}, &kernel, 1, NULL,
                            error);
    if (!status)
        status = shoal_buffer_create(solver->device, bytes, &toy->buffer, error);
    return status ? status : shoal_buffer_fill(solver->queue, toy->buffer, 0, bytes, 0, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct toy *toy = solver->state;
    if (!toy)
        return;
    shoal_buffer_destroy(&toy->buffer);
    free(toy->values);
    free(toy->exact);
    free(toy);
}

static enum shoal_status launch(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct toy *toy = solver->state;
    return LAUNCH(toy_approach, solver->queue, toy->kernel,
                  shoal_kernel_groups(toy->kernel, state_count(solver)), error, .values = toy->buffer,
                  .count = (uint32_t)params_of(solver)->items, .rate = (float)params_of(solver)->rate,
                  .steps = (uint32_t)steps);
}

static enum shoal_status step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                              struct shoal_error *error)
{
    struct toy *toy = solver->state;
    const uint64_t left = params_of(solver)->steps - toy->done;
    enum shoal_status status = SHOAL_OK;
    *done = steps < left ? steps : left;
    for (uint64_t s = 0; s < *done && !status; s++)
        if (!solver->queue)
            for (size_t i = 0; i < state_count(solver); i++)
                toy->exact[i] += params_of(solver)->rate * ((double)i - toy->exact[i]);
        else if (toy->method == TOY_SINGLE)
            status = launch(solver, 1, error);
    if (!status && *done && solver->queue && toy->method == TOY_MANY)
        status = launch(solver, *done, error);
    toy->done += *done;
    return status;
}

static enum shoal_status read_back(struct shoal_solver *solver, struct shoal_error *error)
{
    struct toy *toy = solver->state;
    if (!solver->queue)
        return SHOAL_OK;
    const enum shoal_status status = shoal_buffer_read(solver->queue, toy->buffer, 0, toy->values,
                                                       state_count(solver) * sizeof *toy->values, error);
    for (size_t i = 0; i < state_count(solver) && !status; i++)
        toy->exact[i] = toy->values[i];
    return status;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    const enum shoal_status status = read_back(solver, error);
    for (size_t i = 0; i < state_count(solver) && !status; i++)
        values[i] = ((struct toy *)solver->state)->exact[i];
    return status;
}

static enum shoal_status result(struct shoal_solver *solver, struct shoal_result *out,
                                struct shoal_error *error)
{
    const struct toy *toy = solver->state;
    const enum shoal_status status = read_back(solver, error);
    const double reached = 1 - pow(1 - params_of(solver)->rate, (double)toy->done);
    for (size_t i = 0; i < state_count(solver); i++)
        out->error = fmax(out->error, fabs(toy->exact[i] - (double)i * reached) / fmax(1, (double)i));
    out->value = toy->exact[state_count(solver) - 1];
    out->value_name = "last";
    out->check_name = "the closed form";
    out->check_passed = out->error <= 1e-5;
    out->steps = toy->done;
    out->step_work = (double)state_count(solver);
    out->work = out->step_work * (double)toy->done;
    out->work_unit = "values";
    out->roof = SHOAL_ROOF_COPY_BYTES;
    out->roof_work = 2 * sizeof(float);
    result_add_text(out, "method", solver->queue ? methods[toy->method] : "host");
    return status;
}

static enum shoal_status save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct toy *toy = solver->state;
    const enum shoal_status status = read_back(solver, error);
    checkpoint_add(checkpoint, "step", &toy->done, sizeof toy->done);
    checkpoint_add(checkpoint, "values", toy->exact, state_count(solver) * sizeof *toy->exact);
    return status;
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct toy *toy = solver->state;
    const size_t count = state_count(solver);
    uint64_t done;
    enum shoal_status status = checkpoint_get(checkpoint, "step", &done, sizeof done, error);
    if (!status)
        status = checkpoint_get(checkpoint, "values", toy->exact, count * sizeof *toy->exact, error);
    for (size_t i = 0; i < count && !status; i++)
        toy->values[i] = (float)toy->exact[i];
    toy->done = status ? 0 : done;
    if (!status && solver->queue)
        status = shoal_buffer_write(solver->queue, toy->buffer, 0, toy->values, count * sizeof *toy->values,
                                    error);
    return status;
}

static double tolerance(const struct shoal_solver *solver, uint64_t steps)
{
    (void)solver, (void)steps;
    return 1e-5;
}

#define SHARED_OPS                                                                                           \
    .what = "the values", .destroy = destroy, .step = step, .result = result, .save = save, .load = load,    \
    .state_count = state_count, .get_state = get_state

static const struct shoal_solver_ops device_ops = {
    .kind = "device", .create = create_on_device, SHARED_OPS, .tolerance = tolerance};
static const struct shoal_solver_ops host_ops = {.kind = "host", .create = create, SHARED_OPS};

static const struct shoal_example examples[] = {
    {"shoal toy --items 1e6 --steps 1000", "a million values"},
    {"shoal tune toy", "the faster of its methods"},
};

static const struct shoal_case cases[] = {
    {"small", "items=96 steps=20", SHOAL_CASE_COMPARE},
    {"medium", "items=4096 steps=20", SHOAL_CASE_COMPARE},
    {"large", "items=65536 steps=20", SHOAL_CASE_COMPARE},
    {"few", "items=96", SHOAL_CASE_VERIFY},
    {"many", "items=4096", SHOAL_CASE_TUNE},
};

extern const struct workload toy_workload;
const struct workload toy_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "toy",
             .summary = "let values approach their own numbers",
             .params_size = sizeof(struct toy_params),
             .params_init = params_init,
             .options = options,
             .option_count = sizeof options / sizeof *options,
             .examples = examples,
             .example_count = sizeof examples / sizeof *examples},
    .total_steps = total_steps,
    .make_endless = make_endless,
    .programs = programs,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .steps_section = "step",
    .steps_options = "--steps",
    .device = &device_ops,
    .host = &host_ops,
};
