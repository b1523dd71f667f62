/* The result of a run: checks the best tour and computes its length again, from the distances of the
 * input. */
#include "base/counted.h"
#include "base/error.h"
#include "base/integer.h"
#include "tsp/observe/observe.h"
#include "workload/result.h"
#include "workload/steps/schedule.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct shoal_tsp_sample tsp_sample(const struct shoal_solver *solver, uint64_t step)
{
    const struct tsp_run *run = tsp_run_of(solver);
    const bool has_tour = run->length < INT64_MAX;
    return (struct shoal_tsp_sample){.step = step,
                                     .seconds = schedule_seconds(solver),
                                     .tours = run->look.tours,
                                     .length = has_tour ? tsp_in_unit(&run->problem, run->length) : NAN,
                                     .gap = has_tour ? tsp_gap(&run->problem, run->length) : NAN};
}

#define COLUMN(name_, unit_, type_, field)                                                                   \
    {                                                                                                        \
        .name = name_, .unit = unit_, .type = type_, .offset = offsetof(struct shoal_tsp_sample, field)      \
    }
static const struct shoal_column columns[] = {
    COLUMN("step", "", SHOAL_COLUMN_UINT, step),   COLUMN("seconds", "s", SHOAL_COLUMN_REAL, seconds),
    COLUMN("tours", "", SHOAL_COLUMN_UINT, tours), COLUMN("length", "", SHOAL_COLUMN_REAL, length),
    COLUMN("gap", "", SHOAL_COLUMN_REAL, gap),
};
#undef COLUMN

const struct shoal_sampling tsp_sampling = {.option = "trace",
                                            .what = "samples",
                                            .columns = columns,
                                            .column_count = COUNT(columns),
                                            .size = sizeof(struct shoal_tsp_sample)};

/* Sets the title of the result, such as "pr1002: 1002 cities, EUC_2D". */
static void set_title(struct tsp_run *run)
{
    const struct tsp_problem *problem = &run->problem;
    snprintf(run->title, sizeof run->title, "%.80s, %s, %s%s", problem->name, counted(problem->n, "city").s,
             tsp_metric_name(problem->metric), problem->is_path ? ", path" : "");
}

static void fail_check(struct shoal_result *result, const char *why)
{
    result->check_passed = false;
    snprintf(result->check_failure, sizeof result->check_failure, "%.150s", why);
}

/* Checks that the best tour is valid, and that its length, as the algorithm reports it for the form, agrees
 * with the sum of the distances of the input. */
static enum shoal_status check(struct shoal_solver *solver, struct shoal_result *result,
                               struct shoal_error *error)
{
    const struct tsp_run *run = tsp_run_of(solver);
    struct shoal_error fault;
    result->check_name = "each city once, length recomputed";
    result->check_passed = true;
    const enum shoal_status status = tsp_tour_fault(&run->problem, run->tour, run->problem.n, &fault);
    if (status == SHOAL_OUT_OF_HOST_MEMORY)
        return fail_host_memory(error);
    if (status) {
        fail_check(result, fault.message);
        return SHOAL_OK;
    }
    tsp_form_enter(&run->problem, run->tour, run->scratch);
    const int64_t length = tsp_form_length(&run->problem, run->scratch);
    if (length == run->look.best)
        return SHOAL_OK;
    char why[120];
    snprintf(why, sizeof why, "the length is %" PRId64 ", the algorithm has %" PRId64, length,
             run->look.best);
    result->error = fabs((double)(length - run->look.best)) / fmax(1, fabs((double)length));
    fail_check(result, why);
    return SHOAL_OK;
}

static void add_fields(struct shoal_solver *solver, struct shoal_result *result)
{
    const struct tsp_run *run = tsp_run_of(solver);
    const struct tsp_problem *problem = &run->problem;
    result_add_text(result, "algorithm", run->algorithm->name);
    if (run->choice)
        result_join_text(result, "chosen_for", tsp_choice_reason(run->choice, tsp_params(solver)));
    if (run->has_default_time)
        result_join_real(result, "time_limit", "s", tsp_params(solver)->time);
    if (solver->method.method && problem->lists == SHOAL_TSP_LISTS_NEAREST)
        result_add_unshown_text(result, "lists", tsp_lists_names[problem->lists]);
    else if (solver->method.method)
        result_add_text(result, "lists",
                        problem->params->neighbour_lists ? "given" : tsp_lists_names[problem->lists]);
    result_add_uint(result, "cities", "", problem->n);
    if (problem->optimum > 0) {
        result_add_real(result, "optimum", problem->unit_name, tsp_in_unit(problem, problem->optimum));
        result_set_digits(result, DBL_DECIMAL_DIG);
        result_join_real(result, "gap", "", tsp_gap(problem, run->length));
    }
    if (run->bound >= 0) {
        result_add_real(result, "bound", problem->unit_name, tsp_in_unit(problem, run->bound));
        result_set_digits(result, DBL_DECIMAL_DIG);
        if (run->bound > 0)
            result_join_real(result, "bound_gap", "", (double)run->length / (double)run->bound - 1);
    }
    result_add_flag(result, "optimal",
                    !solver->method.method || (problem->is_optimal && run->length == problem->optimum) ||
                        run->length == run->bound);
    result_add_uint(result, "best_step", "", run->look.best_step);
    result_join_uint(result, "tours", "", run->look.tours);
    const struct tsp_method *method = tsp_method_of(solver);
    if (run->begun && method && method->add_fields)
        method->add_fields(solver, result);
}

enum shoal_status tsp_result(struct shoal_solver *solver, struct shoal_result *result,
                             struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    if (run->length == INT64_MAX && !run->steps)
        return fail(error, SHOAL_FAILED, "%s: the run ended before its first tour: allow more time",
                    run->problem.name);
    if (run->length == INT64_MAX)
        return fail(error, SHOAL_INVALID,
                    "%s: no tour without a forbidden edge was found in %" PRIu64
                    " steps: there may be none; give more --iterations",
                    run->problem.name, run->steps);
    set_title(run);
    result->title = run->title;
    result->value = tsp_in_unit(&run->problem, run->length);
    result->value_name = "length";
    result->value_unit = run->problem.unit_name;
    result->value_digits = DBL_DECIMAL_DIG;
    result->steps = run->steps;
    result->work = (double)run->look.tours;
    result->step_work = run->steps ? result->work / (double)run->steps : 0;
    result->work_unit = "tours";
    const enum shoal_status status = check(solver, result, error);
    if (!status)
        add_fields(solver, result);
    return status;
}
