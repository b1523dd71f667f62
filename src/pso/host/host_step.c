/* Steps of the host solver: batches of particles, then the books of the islands. */
#include "base/clock.h"
#include "pso/host/host.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Waking the threads takes about a tenth of this. */
static const double worth_threads = 50e-6;

/* Batches ---------------------------------------------------------------------------------------------- */

size_t reference_batches(const struct reference *reference)
{
    const struct pso_problem *problem = &reference->problem;
    return (problem->particles + problem->batch - 1) / problem->batch;
}

/* Particles of one island in the batch. */
static size_t batch_part(const struct reference *reference, size_t batch)
{
    const struct pso_problem *problem = &reference->problem;
    const size_t left = problem->particles - batch * problem->batch;
    return left < problem->batch ? left : problem->batch;
}

size_t reference_batch_size(const struct reference *reference, size_t batch)
{
    return batch_part(reference, batch) * reference->problem.swarms;
}

/* First of island k. */
static size_t batch_first(const struct reference *reference, size_t k, size_t batch)
{
    return k * reference->problem.particles + batch * reference->problem.batch;
}

size_t reference_batch_particle(const struct reference *reference, size_t run, size_t batch, size_t number)
{
    const size_t part = batch_part(reference, batch);
    return batch_first(reference, run * reference->problem.swarms + number / part, batch) + number % part;
}

typedef void (*particle_fn)(struct reference *reference, size_t i, uint64_t step, double *scratch);

static void beat(const struct reference *reference, int thread)
{
    _Atomic uint64_t *count = &reference->beats[thread].count;
    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1, memory_order_relaxed);
}

uint64_t reference_beats(const struct reference *reference)
{
    uint64_t sum = 0;
    for (int thread = 0; thread < reference->threads; thread++)
        sum += atomic_load_explicit(&reference->beats[thread].count, memory_order_relaxed);
    return sum;
}

static void for_batch(struct reference *reference, size_t run, size_t batch, struct reference_team team,
                      particle_fn function)
{
    const size_t swarms = reference->problem.swarms, part = batch_part(reference, batch);
    const uint64_t step = reference_making(reference, run);
    if (team.threads == 1) {
        for (size_t k = run * swarms; k < (run + 1) * swarms; k++) {
            const size_t first = batch_first(reference, k, batch);
            for (size_t i = first; i < first + part; i++) {
                function(reference, i, step, reference_scratch_of(reference, team.thread));
                beat(reference, team.thread);
            }
        }
        return;
    }
#pragma omp parallel for schedule(static) num_threads(team.threads)
    for (size_t number = 0; number < part * swarms; number++) {
        const int thread = omp_get_thread_num();
        function(reference, reference_batch_particle(reference, run, batch, number), step,
                 reference_scratch_of(reference, thread));
        beat(reference, thread);
    }
}

static bool is_restarting(const struct reference *reference, size_t island)
{
    const uint64_t restart = reference->problem.params->restart;
    return restart && reference->islands[island].stagnant >= restart;
}

static bool is_drawing(const struct reference *reference, size_t island)
{
    return !reference->drawn || is_restarting(reference, island);
}

/* Is the particle drawn anew in the step that is being made? */
static bool is_drawn(const struct reference *reference, size_t i)
{
    if (reference->drawn && !reference->problem.params->restart)
        return false;
    return is_drawing(reference, i / reference->problem.particles);
}

static void propose(struct reference *reference, size_t i, uint64_t step, double *scratch)
{
    reference->outside[i] = 0;
    if (!is_drawn(reference, i)) {
        reference_move(reference, i, step, scratch);
        return;
    }
    reference_draw(reference, i, scratch);
    reference->best[i] = INFINITY;
}

static void evaluate(struct reference *reference, size_t i, uint64_t step, double *scratch)
{
    (void)step;
    const size_t dim = reference->problem.dim;
    reference->y[i] =
        reference->outside[i] ? INFINITY : pso_value(&reference->problem, reference->x + i * dim, scratch);
}

static void keep(struct reference *reference, size_t i, uint64_t step, double *scratch)
{
    (void)step;
    (void)scratch;
    const size_t dim = reference->problem.dim;
    const bool better = reference->y[i] < reference->best[i];
    if (better)
        reference->best[i] = reference->y[i];
    /* A particle without a value is where it was drawn. */
    if (better || is_drawn(reference, i))
        memcpy(reference->p + i * dim, reference->x + i * dim, dim * sizeof *reference->p);
}

/* What comes before the first batch of a step. */
static void begin_step(struct reference *reference, size_t run)
{
    const struct pso_problem *problem = &reference->problem;
    const uint64_t step = reference_making(reference, run);
    for (size_t k = run * problem->swarms; k < (run + 1) * problem->swarms; k++) {
        struct reference_island *island = &reference->islands[k];
        if (step && is_restarting(reference, k))
            island->restarts++;
        else if (reference->links && island->links_at == step)
            reference_draw_links(reference, k);
    }
}

void reference_propose(struct reference *reference, size_t run, size_t batch, struct reference_team team)
{
    if (batch == 0)
        begin_step(reference, run);
    for_batch(reference, run, batch, team, propose);
}

void reference_evaluate(struct reference *reference, size_t run, size_t batch, struct reference_team team)
{
    for_batch(reference, run, batch, team, evaluate);
}

static bool leads(const double *best, size_t a, size_t b)
{
    return best[a] < best[b] || (best[a] == best[b] && a < b);
}

void reference_accept(struct reference *reference, size_t run, size_t batch, struct reference_team team)
{
    const struct pso_problem *problem = &reference->problem;
    const size_t part = batch_part(reference, batch);
    for_batch(reference, run, batch, team, keep);
    for (size_t k = run * problem->swarms; k < (run + 1) * problem->swarms; k++) {
        struct reference_island *island = &reference->islands[k];
        const size_t start = k * problem->particles, first = batch_first(reference, k, batch);
        for (size_t i = first; i < first + part; i++) {
            if (leads(reference->best + start, i - start, island->leader))
                island->leader = i - start;
            if (isinf(reference->y[i]) && !reference->outside[i])
                reference->runs[run].not_finite++;
        }
    }
}

/* Books of the islands --------------------------------------------------------------------------------- */

static double goal_of(const struct reference *reference, size_t k)
{
    return reference->best[k * reference->problem.particles + reference->islands[k].leader];
}

/* The best may be gone where the island was drawn anew. */
static void find_leader(struct reference *reference, size_t k)
{
    const size_t particles = reference->problem.particles;
    const double *best = reference->best + k * particles;
    size_t leader = 0;
    for (size_t i = 1; i < particles; i++)
        if (best[i] < best[leader])
            leader = i;
    reference->islands[k].leader = leader;
}

static void keep_champion(struct reference *reference, size_t k, bool first)
{
    const struct pso_problem *problem = &reference->problem;
    struct reference_island *island = &reference->islands[k];
    const double goal = goal_of(reference, k);
    if (!first && !(goal < island->champion))
        return;
    island->champion = goal;
    memcpy(reference->champion + k * problem->dim,
           reference->p + (k * problem->particles + island->leader) * problem->dim,
           problem->dim * sizeof *reference->champion);
}

size_t reference_champion(const struct reference *reference, size_t run)
{
    const size_t first = run * reference->problem.swarms;
    size_t best = first;
    for (size_t k = first + 1; k < first + reference->problem.swarms; k++)
        if (reference->islands[k].champion < reference->islands[best].champion)
            best = k;
    return best;
}

/* Champion `from` takes the place of the worst particle of island k. */
static void take_champion(struct reference *reference, size_t k, size_t from)
{
    const struct pso_problem *problem = &reference->problem;
    const size_t start = k * problem->particles;
    if (!(reference->islands[from].champion < goal_of(reference, k)))
        return;
    size_t worst = 0;
    for (size_t i = 1; i < problem->particles; i++)
        if (reference->best[start + i] >= reference->best[start + worst])
            worst = i;
    reference->best[start + worst] = reference->islands[from].champion;
    memcpy(reference->p + (start + worst) * problem->dim, reference->champion + from * problem->dim,
           problem->dim * sizeof *reference->p);
    reference->islands[k].leader = worst;
}

static void exchange(struct reference *reference, size_t run)
{
    const struct pso_problem *problem = &reference->problem;
    const size_t first = run * problem->swarms;
    const bool ring = problem->params->exchange_topology == SHOAL_PSO_EXCHANGE_RING;
    const size_t best = reference_champion(reference, run);
    for (size_t s = 0; s < problem->swarms; s++)
        take_champion(reference, first + s,
                      ring ? first + (s + problem->swarms - 1) % problem->swarms : best);
}

/* Any finite value is below an infinite mark, relative to which nothing is small. */
static bool has_fallen(double goal, double mark, double tolerance)
{
    return goal < mark && (isinf(mark) || mark - goal > tolerance * fmax(1, fabs(mark)));
}

static void settle_island(struct reference *reference, size_t k, uint64_t step, bool drawn)
{
    struct reference_island *island = &reference->islands[k];
    const double goal = goal_of(reference, k);
    if (drawn || !(goal < island->goal))
        island->links_at = step + 1;
    if (drawn || has_fallen(goal, island->mark, reference->problem.params->stagnation_tolerance)) {
        island->mark = goal;
        island->stagnant = 0;
    } else {
        island->stagnant++;
    }
    island->goal = goal;
}

static bool has_stagnated(const struct reference *reference, size_t run)
{
    const struct pso_problem *problem = &reference->problem;
    const uint64_t limit = problem->params->stagnation;
    for (size_t k = run * problem->swarms; k < (run + 1) * problem->swarms; k++)
        if (!limit || reference->islands[k].stagnant < limit)
            return false;
    return true;
}

void reference_look_for_end(struct reference *reference, size_t run)
{
    struct reference_run *books = &reference->runs[run];
    const double best = reference->islands[reference_champion(reference, run)].champion;
    books->reached = best <= reference->problem.target;
    books->ended = books->reached || has_stagnated(reference, run);
}

void reference_settle(struct reference *reference, size_t run)
{
    const struct pso_problem *problem = &reference->problem;
    const struct shoal_pso_params *params = problem->params;
    const size_t first = run * problem->swarms, end = first + problem->swarms;
    const uint64_t step = reference_making(reference, run);
    for (size_t k = first; k < end; k++) {
        if (is_drawing(reference, k))
            find_leader(reference, k);
        keep_champion(reference, k, step == 0);
    }
    /* What an island takes is not its neighbour's to take in the same step: champions follow after all. */
    const bool exchanges = params->exchange && step && step % params->exchange == 0;
    if (exchanges)
        exchange(reference, run);
    for (size_t k = first; k < end; k++) {
        settle_island(reference, k, step, is_drawing(reference, k));
        if (exchanges)
            keep_champion(reference, k, false);
    }
    reference->runs[run].steps = step;
    if (params->trace && step % params->trace == 0)
        reference->trace[step / params->trace * problem->runs + run] =
            reference->islands[reference_champion(reference, run)].champion;
    reference_look_for_end(reference, run);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static void make_step(struct reference *reference, size_t run, struct reference_team team)
{
    const size_t batches = reference_batches(reference);
    for (size_t batch = 0; batch < batches; batch++) {
        reference_propose(reference, run, batch, team);
        reference_evaluate(reference, run, batch, team);
        reference_accept(reference, run, batch, team);
    }
    reference_settle(reference, run);
}

static bool is_active(const struct reference *reference, size_t run)
{
    const struct reference_run *books = &reference->runs[run];
    return !books->ended && books->steps < reference->problem.max_steps;
}

/* A run ends for itself. */
static void advance_run(struct reference *reference, size_t run, uint64_t steps, struct reference_team team)
{
    if (!reference->drawn)
        make_step(reference, run, team);
    else
        for (uint64_t made = 0; made < steps && is_active(reference, run); made++)
            make_step(reference, run, team);
}

/* Threads share out the runs, or the particles of each batch. */
static void advance_runs(struct reference *reference, size_t first, uint64_t steps)
{
    const size_t runs = reference->problem.runs;
    const struct reference_team team = reference_team(reference);
    if (team.threads > 1 || reference->threads == 1 || runs - first < 2) {
        for (size_t run = first; run < runs; run++)
            advance_run(reference, run, steps, team);
        return;
    }
#pragma omp parallel for schedule(dynamic) num_threads(reference->threads)
    for (size_t run = first; run < runs; run++)
        advance_run(reference, run, steps, (struct reference_team){1, omp_get_thread_num()});
}

struct reference_team reference_team(const struct reference *reference)
{
    const double seconds = reference->particle_seconds * (double)reference_batch_size(reference, 0);
    const bool alone = reference->problem.runs >= (size_t)reference->threads || seconds < worth_threads;
    return (struct reference_team){alone ? 1 : reference->threads, 0};
}

/* The first draw of the first run tells what a particle costs. */
static void draw_all(struct reference *reference)
{
    const double start = clock_seconds();
    make_step(reference, 0, (struct reference_team){reference->threads, 0});
    reference->particle_seconds = (clock_seconds() - start) * reference->threads /
                                  (double)(reference->problem.particles * reference->problem.swarms);
    advance_runs(reference, 1, 0);
    reference->drawn = true;
}

uint64_t reference_advance(struct reference *reference, uint64_t steps)
{
    if (!reference->drawn)
        draw_all(reference);
    const uint64_t before = reference_steps(reference);
    advance_runs(reference, 0, steps);
    return reference_steps(reference) - before;
}

bool reference_ended(const struct reference *reference)
{
    if (!reference->drawn)
        return false;
    for (size_t run = 0; run < reference->problem.runs; run++)
        if (is_active(reference, run))
            return false;
    return true;
}

uint64_t reference_steps(const struct reference *reference)
{
    uint64_t steps = 0;
    for (size_t run = 0; run < reference->problem.runs; run++)
        if (reference->runs[run].steps > steps)
            steps = reference->runs[run].steps;
    return steps;
}
