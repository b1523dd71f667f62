/* Steps of the host solver: batches of particles, then the record of the islands. */
#include "base/clock.h"
#include "pso/host/host.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* A wait for an occupied core is little beside this. */
static const double long_call_s = 10e-3;

/* Batches ---------------------------------------------------------------------------------------------- */

size_t pso_host_batches(const struct pso_host *host)
{
    const struct pso_problem *problem = &host->problem;
    return (problem->search.members + problem->batch - 1) / problem->batch;
}

/* Particles of one island in the batch. */
static size_t batch_part(const struct pso_host *host, size_t batch)
{
    const struct pso_problem *problem = &host->problem;
    const size_t left = problem->search.members - batch * problem->batch;
    return left < problem->batch ? left : problem->batch;
}

size_t pso_host_batch_size(const struct pso_host *host, size_t batch)
{
    return batch_part(host, batch) * host->problem.search.run_islands;
}

/* First of island k. */
static size_t batch_first(const struct pso_host *host, size_t k, size_t batch)
{
    return k * host->problem.search.members + batch * host->problem.batch;
}

size_t pso_host_batch_particle(const struct pso_host *host, size_t run, size_t batch, size_t number)
{
    const size_t part = batch_part(host, batch);
    return batch_first(host, run * host->problem.search.run_islands + number / part, batch) + number % part;
}

typedef void (*particle_fn)(struct pso_host *host, size_t i, uint64_t step, double *scratch);

static void count_progress(const struct pso_host *host, int thread)
{
    _Atomic uint64_t *count = &host->progress[thread].count;
    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1, memory_order_relaxed);
}

uint64_t pso_host_progress(const struct pso_host *host)
{
    uint64_t sum = 0;
    for (int thread = 0; thread < host->threads; thread++)
        sum += atomic_load_explicit(&host->progress[thread].count, memory_order_relaxed);
    return sum;
}

static void for_batch(struct pso_host *host, size_t run, size_t batch, struct pso_host_team team,
                      particle_fn function)
{
    const size_t swarms = host->problem.search.run_islands, part = batch_part(host, batch);
    const uint64_t step = pso_host_making(host, run);
    if (team.threads == 1) {
        for (size_t k = run * swarms; k < (run + 1) * swarms; k++) {
            const size_t first = batch_first(host, k, batch);
            for (size_t i = first; i < first + part; i++) {
                function(host, i, step, pso_host_scratch_of(host, team.thread));
                count_progress(host, team.thread);
            }
        }
        return;
    }
    double spent_s = 0;
#pragma omp parallel num_threads(team.threads) reduction(+ : spent_s)
    {
        const int thread = omp_get_thread_num();
        const double start = clock_thread_seconds();
#pragma omp for schedule(static) nowait
        for (size_t number = 0; number < part * swarms; number++) {
            function(host, pso_host_batch_particle(host, run, batch, number), step,
                     pso_host_scratch_of(host, thread));
            count_progress(host, thread);
        }
        spent_s += clock_thread_seconds() - start;
    }
    host->spent_s += spent_s;
}

static bool is_restarting(const struct pso_host *host, size_t island)
{
    const uint64_t restart = host->problem.params->search.restart;
    return restart && host->islands[island].stagnant >= restart;
}

static bool is_drawing(const struct pso_host *host, size_t island)
{
    return !host->drawn || is_restarting(host, island);
}

/* Is the particle redrawn in the current step? */
static bool is_drawn(const struct pso_host *host, size_t i)
{
    if (host->drawn && !host->problem.params->search.restart)
        return false;
    return is_drawing(host, i / host->problem.search.members);
}

static void propose(struct pso_host *host, size_t i, uint64_t step, double *scratch)
{
    host->outside[i] = 0;
    if (!is_drawn(host, i)) {
        pso_host_move(host, i, step, scratch);
        return;
    }
    pso_host_draw(host, i, scratch);
    host->best[i] = INFINITY;
}

static void evaluate(struct pso_host *host, size_t i, uint64_t step, double *scratch)
{
    (void)step;
    const size_t dim = host->problem.search.dim;
    host->y[i] =
        host->outside[i] ? INFINITY : search_value(&host->problem.search, host->x + i * dim, scratch);
}

static void keep(struct pso_host *host, size_t i, uint64_t step, double *scratch)
{
    (void)step;
    (void)scratch;
    const size_t dim = host->problem.search.dim;
    const bool better = host->y[i] < host->best[i];
    if (better)
        host->best[i] = host->y[i];
    /* A particle without a value is where it was drawn. */
    if (better || is_drawn(host, i))
        memcpy(host->p + i * dim, host->x + i * dim, dim * sizeof *host->p);
}

/* Work before the first batch of a step. */
static void begin_step(struct pso_host *host, size_t run)
{
    const struct pso_problem *problem = &host->problem;
    const uint64_t step = pso_host_making(host, run);
    for (size_t k = run * problem->search.run_islands; k < (run + 1) * problem->search.run_islands; k++) {
        struct pso_host_island *island = &host->islands[k];
        if (step && is_restarting(host, k))
            island->restarts++;
        else if (host->links && island->links_at == step)
            pso_host_draw_links(host, k);
    }
}

void pso_host_propose(struct pso_host *host, size_t run, size_t batch, struct pso_host_team team)
{
    if (batch == 0)
        begin_step(host, run);
    for_batch(host, run, batch, team, propose);
}

void pso_host_evaluate(struct pso_host *host, size_t run, size_t batch, struct pso_host_team team)
{
    for_batch(host, run, batch, team, evaluate);
}

static bool leads(const double *best, size_t a, size_t b)
{
    return best[a] < best[b] || (best[a] == best[b] && a < b);
}

void pso_host_accept(struct pso_host *host, size_t run, size_t batch, struct pso_host_team team)
{
    const struct pso_problem *problem = &host->problem;
    const size_t part = batch_part(host, batch);
    for_batch(host, run, batch, team, keep);
    for (size_t k = run * problem->search.run_islands; k < (run + 1) * problem->search.run_islands; k++) {
        struct pso_host_island *island = &host->islands[k];
        const size_t start = k * problem->search.members, first = batch_first(host, k, batch);
        for (size_t i = first; i < first + part; i++) {
            if (leads(host->best + start, i - start, island->leader))
                island->leader = i - start;
            if (isinf(host->y[i]) && !host->outside[i])
                host->runs[run].not_finite++;
        }
    }
}

/* Records of the islands -------------------------------------------------------------------------------- */

static double goal_of(const struct pso_host *host, size_t k)
{
    return host->best[k * host->problem.search.members + host->islands[k].leader];
}

/* After a restart of the island its best may be lost. */
static void find_leader(struct pso_host *host, size_t k)
{
    const size_t particles = host->problem.search.members;
    const double *best = host->best + k * particles;
    size_t leader = 0;
    for (size_t i = 1; i < particles; i++)
        if (best[i] < best[leader])
            leader = i;
    host->islands[k].leader = leader;
}

static void keep_champion(struct pso_host *host, size_t k, bool first)
{
    const struct pso_problem *problem = &host->problem;
    struct pso_host_island *island = &host->islands[k];
    const double goal = goal_of(host, k);
    if (!first && !(goal < island->champion))
        return;
    island->champion = goal;
    memcpy(host->champion + k * problem->search.dim,
           host->p + (k * problem->search.members + island->leader) * problem->search.dim,
           problem->search.dim * sizeof *host->champion);
}

size_t pso_host_champion(const struct pso_host *host, size_t run)
{
    const size_t first = run * host->problem.search.run_islands;
    size_t best = first;
    for (size_t k = first + 1; k < first + host->problem.search.run_islands; k++)
        if (host->islands[k].champion < host->islands[best].champion)
            best = k;
    return best;
}

/* Champion `from` takes the place of the worst particle of island k. */
static void take_champion(struct pso_host *host, size_t k, size_t from)
{
    const struct pso_problem *problem = &host->problem;
    const size_t start = k * problem->search.members;
    if (!(host->islands[from].champion < goal_of(host, k)))
        return;
    size_t worst = 0;
    for (size_t i = 1; i < problem->search.members; i++)
        if (host->best[start + i] >= host->best[start + worst])
            worst = i;
    host->best[start + worst] = host->islands[from].champion;
    memcpy(host->p + (start + worst) * problem->search.dim, host->champion + from * problem->search.dim,
           problem->search.dim * sizeof *host->p);
    host->islands[k].leader = worst;
}

static void exchange(struct pso_host *host, size_t run)
{
    const struct pso_problem *problem = &host->problem;
    const size_t first = run * problem->search.run_islands;
    const bool ring = problem->params->search.exchange_topology == SHOAL_SEARCH_EXCHANGE_RING;
    const size_t best = pso_host_champion(host, run);
    for (size_t s = 0; s < problem->search.run_islands; s++)
        take_champion(host, first + s,
                      ring ? first + (s + problem->search.run_islands - 1) % problem->search.run_islands
                           : best);
}

/* Any finite value improves on an infinite mark, which has no relative tolerance. */
static bool has_fallen(double goal, double mark, double tolerance)
{
    return goal < mark && (isinf(mark) || mark - goal > tolerance * fmax(1, fabs(mark)));
}

static void settle_island(struct pso_host *host, size_t k, uint64_t step, bool drawn)
{
    struct pso_host_island *island = &host->islands[k];
    const double goal = goal_of(host, k);
    if (drawn || !(goal < island->goal))
        island->links_at = step + 1;
    if (drawn || has_fallen(goal, island->mark, host->problem.params->search.stagnation_tolerance)) {
        island->mark = goal;
        island->stagnant = 0;
    } else {
        island->stagnant++;
    }
    island->goal = goal;
}

static bool has_stagnated(const struct pso_host *host, size_t run)
{
    const struct pso_problem *problem = &host->problem;
    const uint64_t limit = problem->params->search.stagnation;
    for (size_t k = run * problem->search.run_islands; k < (run + 1) * problem->search.run_islands; k++)
        if (!limit || host->islands[k].stagnant < limit)
            return false;
    return true;
}

void pso_host_look_for_end(struct pso_host *host, size_t run)
{
    struct pso_host_run *record = &host->runs[run];
    const double best = host->islands[pso_host_champion(host, run)].champion;
    record->reached = best <= host->problem.search.target;
    record->ended = record->reached || has_stagnated(host, run);
}

void pso_host_settle(struct pso_host *host, size_t run)
{
    const struct pso_problem *problem = &host->problem;
    const struct shoal_pso_params *params = problem->params;
    const size_t first = run * problem->search.run_islands, end = first + problem->search.run_islands;
    const uint64_t step = pso_host_making(host, run);
    for (size_t k = first; k < end; k++) {
        if (is_drawing(host, k))
            find_leader(host, k);
        keep_champion(host, k, step == 0);
    }
    /* Champions are updated after all islands, so that none passes on what it took in the same step. */
    const bool exchanges = params->search.exchange && step && step % params->search.exchange == 0;
    if (exchanges)
        exchange(host, run);
    for (size_t k = first; k < end; k++) {
        settle_island(host, k, step, is_drawing(host, k));
        if (exchanges)
            keep_champion(host, k, false);
    }
    host->runs[run].steps = step;
    if (params->search.trace && step % params->search.trace == 0)
        host->trace[step / params->search.trace * problem->search.runs + run] =
            host->islands[pso_host_champion(host, run)].champion;
    pso_host_look_for_end(host, run);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static void make_step(struct pso_host *host, size_t run, struct pso_host_team team)
{
    const size_t batches = pso_host_batches(host);
    for (size_t batch = 0; batch < batches; batch++) {
        pso_host_propose(host, run, batch, team);
        pso_host_evaluate(host, run, batch, team);
        pso_host_accept(host, run, batch, team);
    }
    pso_host_settle(host, run);
}

static bool is_active(const struct pso_host *host, size_t run)
{
    const struct pso_host_run *record = &host->runs[run];
    return !record->ended && record->steps < host->problem.search.max_steps;
}

/* Is a step worth waking the threads? With as many runs as threads each makes runs of its own. */
static bool shares_particles(const struct pso_host *host)
{
    const double seconds = host->particle_seconds * (double)pso_host_batch_size(host, 0);
    return host->problem.search.runs < (size_t)host->threads && threads_are_worth_waking(seconds);
}

struct pso_host_team pso_host_team(const struct pso_host *host)
{
    return (struct pso_host_team){shares_particles(host) ? thread_choice_threads(&host->choice) : 1, 0};
}

/* All threads share the particles, or one does the step while other programs take the cores. */
static void make_shared_step(struct pso_host *host, size_t run)
{
    const struct pso_host_team team = pso_host_team(host);
    const double start = clock_seconds();
    host->spent_s = 0;
    make_step(host, run, team);
    if (team.threads > 1)
        host->choice.alone_s = fmax(host->choice.alone_s, host->spent_s);
    thread_choice_learn(&host->choice, clock_seconds() - start);
}

/* Each run ends by itself. `thread` does its steps; < 0: all share them. */
static void advance_run(struct pso_host *host, size_t run, uint64_t steps, int thread)
{
    const struct pso_host_team alone = {1, thread};
    for (uint64_t done = 0; done < (host->drawn ? steps : 1) && (!host->drawn || is_active(host, run));
         done++)
        if (thread < 0)
            make_shared_step(host, run);
        else
            make_step(host, run, alone);
}

/* Distributes the runs, or the particles of each batch, over the threads. */
static void advance_runs(struct pso_host *host, size_t first, uint64_t steps)
{
    const size_t runs = host->problem.search.runs;
    const bool shares = shares_particles(host);
    const double particles = (double)(host->problem.search.members * host->problem.search.run_islands);
    const double alone_s = (double)steps * (double)(runs - first) * particles * host->particle_seconds;
    if (shares || host->threads == 1 || runs - first < 2 || !threads_are_worth_waking(alone_s)) {
        for (size_t run = first; run < runs; run++)
            advance_run(host, run, steps, shares ? -1 : 0);
        return;
    }
    struct thread_choice *choice = &host->choice;
    const bool is_short = alone_s < long_call_s;
    const double start = clock_seconds();
    const int threads = is_short ? thread_choice_threads(choice) : choice->most;
    choice->alone_s = alone_s;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t run = first; run < runs; run++)
        advance_run(host, run, steps, omp_get_thread_num());
    if (is_short)
        thread_choice_learn(choice, clock_seconds() - start);
}

/* The draw of all runs, or a step of each: of a new host and of one that was loaded, the first, which
 * measures the time of a particle. */
static void advance_measured(struct pso_host *host)
{
    size_t run = 0;
    while (host->drawn && run < host->problem.search.runs && !is_active(host, run))
        run++;
    if (run == host->problem.search.runs)
        return;
    host->spent_s = 0;
    make_step(host, run, (struct pso_host_team){host->threads, 0});
    host->particle_seconds =
        host->spent_s / (double)(host->problem.search.members * host->problem.search.run_islands);
    advance_runs(host, run + 1, 1);
    host->drawn = true;
}

uint64_t pso_host_advance(struct pso_host *host, uint64_t steps)
{
    if (!host->drawn)
        advance_measured(host);
    const uint64_t before = pso_host_steps(host);
    if (host->particle_seconds == 0 && steps > 0) {
        advance_measured(host);
        steps--;
    }
    advance_runs(host, 0, steps);
    return pso_host_steps(host) - before;
}

bool pso_host_ended(const struct pso_host *host)
{
    if (!host->drawn)
        return false;
    for (size_t run = 0; run < host->problem.search.runs; run++)
        if (is_active(host, run))
            return false;
    return true;
}

uint64_t pso_host_steps(const struct pso_host *host)
{
    uint64_t steps = 0;
    for (size_t run = 0; run < host->problem.search.runs; run++)
        if (host->runs[run].steps > steps)
            steps = host->runs[run].steps;
    return steps;
}
