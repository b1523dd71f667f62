/* Forces and steps of the host solver. */
#include "base/clock.h"
#include "base/error.h"
#include "gas/host/host.h"
#include "gas/model/thermostat.h"

#include <math.h>
#include <string.h>

/* Sums ------------------------------------------------------------------------------------------------- */

static size_t block_end(const struct gas_reference *reference, size_t block)
{
    const size_t end = (block + 1) * GAS_BLOCK;
    return end < reference->problem.n ? end : reference->problem.n;
}

double gas_reference_kinetic(const struct gas_reference *reference)
{
    const struct gas_problem *problem = &reference->problem;
    const size_t dim = problem->dim;
    double sum = 0;
#pragma omp parallel for schedule(static) num_threads(reference->threads)
    for (size_t block = 0; block < gas_blocks(reference); block++) {
        double squares = 0;
        for (size_t at = block * GAS_BLOCK * dim; at < block_end(reference, block) * dim; at++) {
            const double v = gas_reference_full_velocity(reference, at);
            squares += v * v;
        }
        reference->block_sums[block] = squares;
    }
    for (size_t block = 0; block < gas_blocks(reference); block++)
        sum += reference->block_sums[block];
    return 0.5 * problem->params->mass * sum;
}

/* Forces ----------------------------------------------------------------------------------------------- */

/* Energies leave the accelerations as they are: who looks on changes no bit. */
static enum shoal_status forces_by_list(struct gas_reference *reference, bool energies,
                                        struct shoal_error *error)
{
    struct gas_reference_list *list = &reference->list;
    list->threads = reference->threads;
    enum shoal_status status = gas_reference_list_follow(list, reference->x, error);
    if (status)
        return status;
    if (!reference->is_fresh)
        gas_reference_list_forces(list, reference->a);
    if (energies)
        gas_reference_list_energies(list, reference->energy, reference->virial);
    return SHOAL_OK;
}

enum shoal_status gas_reference_forces(struct gas_reference *reference, bool energies,
                                       struct shoal_error *error)
{
    const double start = clock_seconds(), made_s = reference->list.make_s;
    enum shoal_status status = SHOAL_OK;
    if (reference->is_ideal || (reference->is_fresh && !energies))
        return SHOAL_OK;
    if (reference->list.problem)
        status = forces_by_list(reference, energies, error);
    else
        status = gas_forces(&reference->problem, reference->x, reference->a,
                            energies ? reference->energy : NULL, energies ? reference->virial : NULL, error);
    reference->is_fresh = !status;
    *(energies ? &reference->observe_s : &reference->force_s) +=
        clock_seconds() - start - (reference->list.make_s - made_s);
    return status;
}

/* Thermostats between steps ---------------------------------------------------------------------------- */

/* Stochastic rescaling of the velocities of the full step. */
static void rescale(struct gas_reference *reference, uint64_t made)
{
    const struct gas_problem *problem = &reference->problem;
    const struct gas_rescaling rescaling = gas_rescale_draw(problem, made);
    const double kinetic = gas_reference_kinetic(reference);
    const double factor = gas_rescale_factor(&rescaling, kinetic);
#pragma omp parallel for schedule(static) num_threads(reference->threads)
    for (size_t at = 0; at < problem->n * problem->dim; at++) {
        const double full = gas_reference_full_velocity(reference, at);
        reference->v[at] += (factor - 1) * full;
    }
    reference->books.heat += (factor * factor - 1) * kinetic;
}

static void prepare_limiter(struct gas_reference *reference)
{
    const struct gas_problem *problem = &reference->problem;
    if (problem->params->limiter == SHOAL_GAS_LIMIT_ENERGY)
        reference->limit_kinetic = problem->limit * gas_reference_kinetic(reference) / (double)problem->n;
}

/* Motion ----------------------------------------------------------------------------------------------- */

static void move_all(struct gas_reference *reference, uint32_t step)
{
    const bool is_free = gas_reference_is_free(&reference->problem);
#pragma omp parallel for schedule(static) num_threads(reference->threads)
    for (size_t block = 0; block < gas_blocks(reference); block++) {
        struct gas_books books = {0};
        struct gas_trouble trouble = {SIZE_MAX, SIZE_MAX};
        for (size_t i = block * GAS_BLOCK; i < block_end(reference, block); i++)
            if (is_free)
                gas_reference_move_free(reference, i, &trouble);
            else
                gas_reference_move(reference, i, step, &books, &trouble);
        reference->block_books[block] = books;
        reference->troubles[block] = trouble;
    }
    reference->is_fresh = false;
}

/* The thesis's first program: particle after particle, each sees the ones before it where they are already.
 */
static void move_in_place(struct gas_reference *reference, uint32_t step)
{
    const struct gas_problem *problem = &reference->problem;
    for (size_t block = 0; block < gas_blocks(reference); block++) {
        struct gas_books books = {0};
        struct gas_trouble trouble = {SIZE_MAX, SIZE_MAX};
        for (size_t i = block * GAS_BLOCK; i < block_end(reference, block); i++) {
            gas_forces_sampled(problem, reference->x, &i, 1, reference->a + i * problem->dim, NULL);
            gas_reference_move(reference, i, step, &books, &trouble);
        }
        reference->block_books[block] = books;
        reference->troubles[block] = trouble;
    }
    reference->is_fresh = false;
}

static void add_books(struct gas_reference *reference)
{
    struct gas_books *books = &reference->books;
    for (size_t block = 0; block < gas_blocks(reference); block++) {
        const struct gas_books *part = &reference->block_books[block];
        books->heat += part->heat;
        for (size_t k = 0; k < GAS_MAX_DIM; k++)
            for (size_t side = 0; side < 2; side++)
                books->impulse[k][side] += part->impulse[k][side];
    }
}

/* Blocks are in the order of the particles: the first trouble is that of the lowest number. */
static enum shoal_status check_trouble(const struct gas_reference *reference, uint64_t made,
                                       struct shoal_error *error)
{
    struct gas_trouble trouble = {SIZE_MAX, SIZE_MAX};
    for (size_t block = gas_blocks(reference); block-- > 0;) {
        const struct gas_trouble *part = &reference->troubles[block];
        trouble.exploded = part->exploded < SIZE_MAX ? part->exploded : trouble.exploded;
        trouble.escaped = part->escaped < SIZE_MAX ? part->escaped : trouble.escaped;
    }
    if (trouble.exploded < SIZE_MAX)
        return gas_fail_exploded(&reference->problem, made, trouble.exploded, error);
    if (trouble.escaped < SIZE_MAX)
        return gas_fail_escaped(&reference->problem, made, trouble.escaped, error);
    return SHOAL_OK;
}

enum shoal_status gas_reference_advance(struct shoal_solver *solver, uint64_t steps,
                                        struct shoal_error *error)
{
    struct gas_reference *reference = gas_reference_of(solver);
    const struct shoal_gas_params *params = gas_params(solver);
    const bool in_place = params->integrator == SHOAL_GAS_EULER_IN_PLACE;
    const uint64_t begin = reference->common.clock.made;
    for (uint64_t made = begin; made < begin + steps; made++) {
        const bool rescales = gas_rescale_is_due(params, made);
        const double start = clock_seconds();
        enum shoal_status status = SHOAL_OK;
        reference->threads = reference->problem.threads = gas_pace_threads(&reference->pace);
        if (!in_place || rescales)
            status = gas_reference_forces(reference, false, error);
        if (status)
            return status;
        if (rescales)
            rescale(reference, made);
        prepare_limiter(reference);
        if (in_place)
            move_in_place(reference, (uint32_t)(made + 1));
        else
            move_all(reference, (uint32_t)(made + 1));
        add_books(reference);
        gas_pace_learn(&reference->pace, clock_seconds() - start);
        status = check_trouble(reference, made + 1, error);
        if (status)
            return status;
    }
    return SHOAL_OK;
}
