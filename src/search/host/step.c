/* Steps of the host solver: the batches of points, then the records of the islands. */
#include "base/clock.h"
#include "search/host/host.h"
#include "search/start.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* An evaluation that takes at least this time is worth a wait for a core that another program uses. */
static const double long_call_s = 10e-3;

/* Time of a part in seconds. Several short steps form a part. */
static const double part_seconds = 0.1;

/* Batches ---------------------------------------------------------------------------------------------- */

static bool is_restarting(const struct search_host *host, size_t island)
{
    const uint64_t restart = host->problem->params->restart;
    return restart && host->islands[island].stagnant >= restart;
}

bool search_host_is_drawing(const struct search_host *host, size_t island)
{
    return !host->drawn || is_restarting(host, island);
}

/* Number of points that an island makes in the current step. */
static size_t island_points(const struct search_host *host, size_t island)
{
    return search_host_is_drawing(host, island) ? host->problem->members : host->problem->points;
}

/* Largest number of points that an island of the run makes in the current step. */
static size_t step_points(const struct search_host *host, size_t run)
{
    const struct search_problem *problem = host->problem;
    const struct search_shrinking *shrinking = problem->algorithm->shrinking;
    if (shrinking)
        return shrinking->members(problem, search_host_making(host, run));
    if (problem->points == problem->members || !host->drawn)
        return problem->members;
    size_t most = problem->points;
    for (size_t k = run * problem->run_islands; k < (run + 1) * problem->run_islands; k++)
        if (island_points(host, k) > most)
            most = problem->members;
    return most;
}

size_t search_host_batches(const struct search_host *host, size_t run)
{
    return (step_points(host, run) + host->batch - 1) / host->batch;
}

size_t search_host_most_points(const struct search_host *host)
{
    const size_t width = host->problem->width;
    return (host->batch < width ? host->batch : width) * host->problem->run_islands;
}

struct search_batch search_host_find_batch(const struct search_host *host, size_t run, size_t batch)
{
    const size_t left = step_points(host, run) - batch * host->batch, islands = host->problem->run_islands,
                 width = host->problem->width, part = left < host->batch ? left : host->batch;
    return (struct search_batch){run * islands * width + batch * host->batch, part, part * islands, width};
}

size_t search_host_batch_size(const struct search_host *host, size_t run, size_t batch)
{
    return search_host_find_batch(host, run, batch).size;
}

size_t search_host_batch_point(const struct search_host *host, size_t run, size_t batch, size_t number)
{
    const struct search_batch points = search_host_find_batch(host, run, batch);
    return search_batch_point(&points, number);
}

uint64_t search_host_count_work(const struct search_host *host)
{
    uint64_t sum = 0;
    for (int thread = 0; thread < host->threads; thread++)
        sum += atomic_load_explicit(&host->progress[thread].count, memory_order_relaxed);
    return sum;
}

void search_host_for_batch(struct search_host *host, size_t run, size_t batch, struct search_team team,
                           void (*function)(struct search_host *host, size_t i, uint64_t step,
                                            double *scratch))
{
    const struct search_batch points = search_host_find_batch(host, run, batch);
    const uint64_t step = search_host_making(host, run);
    if (team.threads == 1) {
        for (size_t k = 0; k < host->problem->run_islands; k++) {
            const size_t first = points.first + k * points.width;
            for (size_t i = first; i < first + points.part; i++) {
                function(host, i, step, search_host_scratch_of(host, team.thread));
                search_host_count(host, (size_t)team.thread);
            }
        }
        return;
    }
#pragma omp parallel num_threads(team.threads)
    {
        const int thread = omp_get_thread_num();
        const double start = clock_thread_seconds();
#pragma omp for schedule(static) nowait
        for (size_t number = 0; number < points.size; number++) {
            function(host, search_batch_point(&points, number), step, search_host_scratch_of(host, thread));
            search_host_count(host, (size_t)thread);
        }
        thread_choice_work(&host->choice, start);
    }
}

/* Whether the island of point i is drawn anew in the current step. */
static bool is_drawn(const struct search_host *host, size_t i)
{
    if (host->drawn && !host->problem->params->restart)
        return false;
    return search_host_is_drawing(host, i / host->problem->width);
}

/* Makes point i of a batch. All islands have the same number of points in a batch, so a point may be beyond
 * the points that this island makes in the step; such a point is only marked as `outside`. */
static void propose(struct search_host *host, size_t i, uint64_t step, double *scratch)
{
    const struct search_problem *problem = host->problem;
    const size_t island = search_host_part(i, problem->width), number = i - island * problem->width;
    host->outside[i] = number >= island_points(host, island);
    if (host->outside[i])
        return;
    if (!is_drawn(host, i)) {
        host->ops->move(host, i, step, scratch);
        return;
    }
    host->ops->draw(host, i, scratch);
    const double *start = host->drawn ? NULL : search_start_of(problem, island * problem->members + number);
    if (start && !problem->algorithm->places_start)
        memcpy(host->x + i * problem->dim, start, problem->dim * sizeof *start);
    host->best[island * problem->members + number] = INFINITY;
}

static void evaluate(struct search_host *host, size_t i, uint64_t step, double *scratch)
{
    const size_t dim = host->problem->dim;
    host->y[i] = INFINITY;
    if (host->outside[i] || (host->outside[i] = search_host_is_cut(host)))
        return;
    search_repair(host->problem, host->x + i * dim, scratch);
    host->y[i] = host->ops->value ? host->ops->value(host, i, step, scratch)
                                  : search_value_in_step(host->problem, host->x + i * dim, step, scratch);
    search_host_worked(host, search_host_thread_of(host, scratch), SEARCH_EVALUATION);
}

static void keep(struct search_host *host, size_t i, uint64_t step, double *scratch)
{
    (void)step;
    (void)scratch;
    const struct search_problem *problem = host->problem;
    const size_t island = search_host_part(i, problem->width), number = i - island * problem->width;
    const bool drawn = is_drawn(host, i);
    if (host->ops->keep) {
        host->ops->keep(host, i, drawn);
    } else if (drawn && number < problem->members) {
        const size_t member = island * problem->members + number;
        host->best[member] = host->y[i];
        memcpy(host->p + member * problem->dim, host->x + i * problem->dim, problem->dim * sizeof *host->p);
    }
}

/* If the objective is dynamic, evaluates the members again, in the step that begins. */
static void evaluate_members(struct search_host *host, size_t run, uint64_t step, struct search_team team)
{
    const struct search_problem *problem = host->problem;
    const size_t members = problem->run_islands * problem->members, first = run * members;
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (size_t i = first; i < first + members; i++) {
        const int thread = team.threads > 1 ? omp_get_thread_num() : team.thread;
        if (search_host_is_cut(host))
            continue;
        host->best[i] = search_value_in_step(problem, host->p + i * problem->dim, step,
                                             search_host_scratch_of(host, thread));
        search_host_worked(host, (size_t)thread, SEARCH_EVALUATION);
    }
    for (size_t k = run * problem->run_islands; k < (run + 1) * problem->run_islands; k++)
        search_host_find_leader(host, k);
}

/* Work of a step before the first batch. */
static void begin_step(struct search_host *host, size_t run, struct search_team team)
{
    const struct search_problem *problem = host->problem;
    const uint64_t step = search_host_making(host, run);
    if (problem->info->dynamic && step)
        evaluate_members(host, run, step, team);
    for (size_t k = run * problem->run_islands; k < (run + 1) * problem->run_islands; k++) {
        struct search_island *island = &host->islands[k];
        if (step && is_restarting(host, k))
            island->restarts++;
        else if (host->ops->renew && island->renew_at == step)
            host->ops->renew(host, k);
        if (host->ops->prepare && !search_host_is_drawing(host, k))
            host->ops->prepare(host, k);
        if (host->ops->begin && search_host_is_drawing(host, k))
            host->ops->begin(host, k);
    }
}

/* Whether all points of a batch are made by `move`. */
static bool moves_all(const struct search_host *host, size_t run, const struct search_batch *points)
{
    const struct search_problem *problem = host->problem;
    const size_t first = run * problem->run_islands;
    bool moves = points->first - first * problem->width + points->part <= problem->points;
    for (size_t k = first; k < first + problem->run_islands && moves; k++)
        moves = !search_host_is_drawing(host, k);
    return moves;
}

void search_host_propose(struct search_host *host, size_t run, size_t batch, struct search_team team)
{
    if (batch == 0)
        begin_step(host, run, team);
    const struct search_batch points = search_host_find_batch(host, run, batch);
    if (!moves_all(host, run, &points)) {
        search_host_for_batch(host, run, batch, team, propose);
        return;
    }
    for (size_t k = 0; k < host->problem->run_islands; k++)
        memset(host->outside + points.first + k * points.width, false, points.part * sizeof *host->outside);
    search_host_for_batch(host, run, batch, team, host->ops->move);
}

size_t search_host_most_ahead(const struct search_host *host, size_t run)
{
    return host->drawn && host->ops->ahead ? host->ops->ahead(host, run) : 1;
}

size_t search_host_ahead(const struct search_host *host, size_t run, size_t most)
{
    const uint64_t limit = host->problem->max_steps, steps_done = host->runs[run].steps;
    const uint64_t left = limit > steps_done ? limit - steps_done : 1;
    const size_t known = search_host_most_ahead(host, run), steps = known < most ? known : most;
    return left < steps ? (size_t)left : steps;
}

void search_host_propose_ahead(struct search_host *host, size_t run, size_t steps, struct search_team team,
                               double *x)
{
    const size_t numbers = host->problem->members * host->problem->dim;
    for (size_t k = 0; k < steps; k++) {
        search_host_propose(host, run, 0, team);
        memcpy(x + k * numbers, host->x + run * numbers, numbers * sizeof *x);
        if (host->ops->keep_ahead)
            host->ops->keep_ahead(host, run, k);
        host->runs[run].steps++; /* the points of a step are drawn by its number */
    }
    host->runs[run].steps -= steps;
}

void search_host_evaluate(struct search_host *host, size_t run, size_t batch, struct search_team team)
{
    search_host_for_batch(host, run, batch, team, evaluate);
}

static bool leads(const double *best, size_t a, size_t b)
{
    return best[a] < best[b] || (best[a] == best[b] && a < b);
}

/* Whether points of the batch may become members at once. */
static bool keeps_points(const struct search_host *host, size_t run)
{
    const size_t islands = host->problem->run_islands;
    bool keeps = host->ops->keep;
    for (size_t k = run * islands; k < (run + 1) * islands && !keeps; k++)
        keeps = search_host_is_drawing(host, k);
    return keeps;
}

void search_host_accept(struct search_host *host, size_t run, size_t batch, struct search_team team)
{
    const struct search_problem *problem = host->problem;
    const struct search_batch points = search_host_find_batch(host, run, batch);
    const bool keeps = keeps_points(host, run);
    if (keeps)
        search_host_for_batch(host, run, batch, team, keep);
    for (size_t k = 0; k < problem->run_islands; k++) {
        const size_t number = run * problem->run_islands + k, start = number * problem->members,
                     first = points.first + k * points.width, end = first + points.part,
                     members = number * problem->width + problem->members;
        struct search_island *island = &host->islands[number];
        for (size_t i = first; i < end; i++)
            if (isinf(host->y[i]) && !host->outside[i])
                host->runs[run].not_finite++;
        for (size_t i = first; keeps && i < end && i < members; i++) {
            const size_t member = i - number * problem->width;
            if (leads(host->best + start, member, island->leader))
                island->leader = member;
        }
    }
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Whether the step was cut and will be dropped. If step 0 was cut, it is kept, since the evaluated points
 * give a result. */
static bool is_dropped(const struct search_host *host)
{
    return search_host_is_cut(host) && host->drawn;
}

static void make_step(struct search_host *host, size_t run, struct search_team team)
{
    const size_t batches = search_host_batches(host, run);
    for (size_t batch = 0; batch < batches && !is_dropped(host); batch++) {
        search_host_propose(host, run, batch, team);
        search_host_evaluate(host, run, batch, team);
        search_host_accept(host, run, batch, team);
    }
    if (host->ops->improve && !is_dropped(host))
        host->ops->improve(host, run, team);
    if (!is_dropped(host))
        search_host_settle(host, run, team);
    if (!is_dropped(host))
        search_host_polish(host, run, team);
}

static bool is_active(const struct search_host *host, size_t run)
{
    const struct search_run *record = &host->runs[run];
    return !record->ended && record->steps < host->problem->max_steps;
}

/* Whether a batch takes so long that it pays to wake threads among which its members are divided. With at
 * least as many runs as threads, each thread makes the steps of whole runs instead. */
static bool shares_members(const struct search_host *host)
{
    const struct search_problem *problem = host->problem;
    const size_t part = host->batch < problem->points ? host->batch : problem->points;
    const double seconds = host->point_seconds * (double)(part * problem->run_islands);
    return problem->runs < (size_t)host->threads && threads_are_worth_waking(seconds);
}

struct search_team search_host_team(const struct search_host *host)
{
    return (struct search_team){shares_members(host) ? thread_choice_threads(&host->choice) : 1, 0};
}

/* Makes a step with all threads; while other programs use the cores, with one thread. */
static void make_shared_step(struct search_host *host, size_t run)
{
    const struct search_team team = search_host_team(host);
    const double start = clock_thread_seconds();
    thread_choice_begin(&host->choice);
    make_step(host, run, team);
    if (team.threads == 1)
        thread_choice_work(&host->choice, start);
    thread_choice_end(&host->choice);
}

/* Makes steps of one run until it ends. thread: index of the thread that makes the steps alone; negative: all
 * threads make them together. */
static void advance_run(struct search_host *host, size_t run, uint64_t steps, int thread)
{
    const struct search_team alone = {1, thread};
    for (uint64_t done = 0;
         done < (host->drawn ? steps : 1) && (!host->drawn || is_active(host, run)) && !is_dropped(host);
         done++)
        if (thread < 0)
            make_shared_step(host, run);
        else
            make_step(host, run, alone);
}

/* Makes steps. Divides the runs among the threads, or the members of each batch. */
static void advance_runs(struct search_host *host, size_t first, uint64_t steps)
{
    const size_t runs = host->problem->runs;
    const bool shares = shares_members(host);
    const double points = (double)(host->problem->points * host->problem->run_islands);
    const double alone_s = (double)steps * (double)(runs - first) * points * host->point_seconds;
    if (shares || host->threads == 1 || runs - first < 2 || !threads_are_worth_waking(alone_s)) {
        for (size_t run = first; run < runs; run++)
            advance_run(host, run, steps, shares ? -1 : 0);
        return;
    }
    struct thread_choice *choice = &host->choice;
    const bool is_short = alone_s < long_call_s;
    const int threads = is_short ? thread_choice_threads(choice) : choice->most;
    thread_choice_begin(choice);
#pragma omp parallel num_threads(threads)
    {
        const double start = clock_thread_seconds();
#pragma omp for schedule(dynamic) nowait
        for (size_t run = first; run < runs; run++)
            advance_run(host, run, steps, omp_get_thread_num());
        thread_choice_work(choice, start);
    }
    if (is_short)
        thread_choice_end(choice);
}

/* Makes step 0 of all runs or, after a checkpoint was loaded, the first further step, and measures the time
 * of an evaluation. */
static void advance_measured(struct search_host *host)
{
    size_t run = 0;
    while (host->drawn && run < host->problem->runs && !is_active(host, run))
        run++;
    if (run == host->problem->runs)
        return;
    const double points = (double)(step_points(host, run) * host->problem->run_islands);
    thread_choice_begin(&host->choice);
    make_step(host, run, (struct search_team){host->threads, 0});
    host->point_seconds = host->choice.worked_s / points;
    advance_runs(host, run + 1, 1);
    host->drawn = true;
}

/* Returns the number of steps in a part: as many as take part_seconds, but at least one. */
static uint64_t part_of(const struct search_host *host, uint64_t steps)
{
    const double fitting = part_seconds / fmax(host->step_seconds, 1e-9);
    if (!host->can_cut || fitting >= (double)steps)
        return steps;
    return host->step_seconds > 0 && fitting > 1 ? (uint64_t)fitting : 1;
}

/* Makes `steps` steps as a part. Returns false if the part was cut; its steps are then dropped. */
static bool make_part(struct search_host *host, uint64_t steps)
{
    search_host_begin_part(host, true);
    if (host->point_seconds == 0)
        advance_measured(host);
    else
        advance_runs(host, 0, steps);
    host->step_seconds = (clock_seconds() - host->cut.began_s) / (double)steps;
    if (!search_host_is_cut(host))
        return true;
    search_host_drop_part(host);
    return false;
}

uint64_t search_host_advance(struct search_host *host, uint64_t steps)
{
    if (!host->drawn) {
        search_host_begin_part(host, false);
        advance_measured(host);
        host->is_partial = search_host_is_cut(host);
    }
    const uint64_t before = search_host_steps(host);
    for (uint64_t part; steps && !search_host_ended(host); steps -= part) {
        part = host->point_seconds == 0 ? 1 : part_of(host, steps);
        if (!make_part(host, part))
            break;
    }
    return search_host_steps(host) - before;
}

bool search_host_ended(const struct search_host *host)
{
    if (!host->drawn)
        return false;
    for (size_t run = 0; run < host->problem->runs; run++)
        if (is_active(host, run))
            return false;
    return true;
}

uint64_t search_host_steps(const struct search_host *host)
{
    uint64_t steps = 0;
    for (size_t run = 0; run < host->problem->runs; run++)
        if (host->runs[run].steps > steps)
            steps = host->runs[run].steps;
    return steps;
}
