/* The ascent to penalties whose shortest 1-tree is long, and the lower bound of such penalties. */
#include "tsp/bound/device.h"
#include "tsp/bound/rounds.h"
#include "tsp/device/neighbours.h"

#include "base/error.h"
#include "base/threads.h"

#include <math.h>
#include <stdlib.h>

#include "lib/host.h"
#include "tsp/bound/rounds.clh"

/* Candidates of a city in the graph. */
enum { LIST = 8 };
/* A mean edge is at least this long after scaling, so that whole numbers are fine enough for penalties. */
static const double least_mean = 1 << 20;

/* Steps that fall from `first` to `last`: by halves, and in a straight line within each half. */
struct steps {
    int64_t first;
    uint32_t halves, rounds;
};

static struct steps steps_between(double first, double last, uint32_t rounds)
{
    struct steps steps = {.first = (int64_t)fmin(fmax(1, first), 0x1p40), .rounds = rounds};
    while (ldexp((double)steps.first, -(int)steps.halves) > last)
        steps.halves++;
    return steps;
}

static int64_t step_of(const struct steps *steps, uint32_t round)
{
    const uint64_t at = ((uint64_t)round * steps->halves << 10) / steps->rounds;
    const int64_t half = steps->first >> (at >> 10);
    return half - half * (int64_t)(at & 1023) / 2048;
}

/* The number of rounds: fewer where a round takes long, more where some edges of the shortest tree are much
 * longer than the mean, as between clusters. */
static uint32_t rounds_of(const struct tsp_graph *graph, double mean, double longest)
{
    const double more = fmax(1, fmin(5, longest / mean / 8));
    return (uint32_t)(fmax(100, fmin(400, 2e4 / sqrt(graph->n))) * more);
}

/* How an ascent is made. */
struct plan {
    bool is_repeated; /* it begins near its end: it has an eighth of the rounds, and small steps */
    int threads;
    const struct tsp_bound_device *device; /* NULL: the host */
    struct long_step *cut;
};

/* weight and longest: of the first tree. */
static struct steps steps_of(const struct tsp_graph *graph, const struct plan *plan, int64_t weight,
                             int64_t longest)
{
    const double mean = fmax(1, (double)weight / graph->n);
    const uint32_t count = rounds_of(graph, mean, (double)longest);
    if (plan->is_repeated)
        return steps_between(mean / 16, mean / 256, count / 8);
    return steps_between((double)longest * count / 80, mean / 128, count);
}

/* Both functions make the ascent from the graph's penalties on. */

static enum shoal_status ascend_on_host(struct tsp_graph *graph, const struct plan *plan,
                                        struct shoal_error *error)
{
    struct tsp_rounds rounds = {0};
    const enum shoal_status status = tsp_rounds_create(graph, plan->threads, &rounds, error);
    if (!status) {
        tsp_rounds_find(&rounds);
        const struct steps steps = steps_of(graph, plan, rounds.weight, rounds.longest);
        for (uint32_t i = 0; i < steps.rounds && rounds.even < graph->n && !long_step_look(plan->cut); i++) {
            tsp_rounds_move(&rounds, step_of(&steps, i));
            tsp_rounds_find(&rounds);
        }
        tsp_rounds_give(&rounds, graph);
    }
    tsp_rounds_destroy(&rounds);
    return status;
}

static enum shoal_status ascend_on_device(struct tsp_graph *graph, const struct plan *plan,
                                          struct shoal_error *error)
{
    enum { WAIT = 16 }; /* rounds between two looks at the device and at what may cut the work */
    struct tsp_device_rounds rounds = {0};
    round_total total;
    struct steps steps = {0};
    enum shoal_status status = tsp_device_rounds_create(plan->device, graph, plan->threads, &rounds, error);
    if (!status)
        status = tsp_device_rounds_find(&rounds, error);
    if (!status)
        status = tsp_device_rounds_look(&rounds, &total, error);
    if (!status)
        steps = steps_of(graph, plan, total.weight, total.longest);
    for (uint32_t i = 0; i < steps.rounds && !total.is_tour && !status; i++) {
        status = tsp_device_rounds_move(&rounds, step_of(&steps, i), error);
        if (!status)
            status = tsp_device_rounds_find(&rounds, error);
        if (!status && i % WAIT == WAIT - 1) {
            status = tsp_device_rounds_look(&rounds, &total, error);
            if (long_step_look(plan->cut))
                break;
        }
    }
    if (!status)
        status = tsp_device_rounds_give(&rounds, graph, error);
    status = tsp_places_finish(plan->device->places, status, error);
    tsp_device_rounds_destroy(&rounds);
    return status;
}

static enum shoal_status ascend_graph(struct tsp_graph *graph, const struct plan *plan,
                                      struct shoal_error *error)
{
    const enum shoal_status status =
        plan->device ? ascend_on_device(graph, plan, error) : ascend_on_host(graph, plan, error);
    return status ? status : long_step_status(plan->cut, error);
}

/* Threads with fewer edges would wait for each other most of the time. */
static int threads_of(const struct tsp_graph *graph, const struct tsp_listing *listing)
{
    const double most = 1 + (double)graph->count / 16384;
    const int threads = listing->threads > 0 ? listing->threads : threads_once(INFINITY);
    return (int)fmin(threads, most);
}

/* The power of two by which all lengths are multiplied; the length of a tree then fits 60 bits. */
static int64_t factor_of(const struct tsp_graph *graph, double mean)
{
    int64_t factor = 1, longest = 0;
    for (size_t i = 0; i < graph->count; i++)
        longest = graph->edges[i].length > longest ? graph->edges[i].length : longest;
    while (mean * (double)factor < least_mean && (double)longest * (double)factor * graph->n < 0x1p59)
        factor *= 2;
    return factor;
}

/* All edges of the additional city of a path have length 0, so its penalty begins with the length of the
 * longest other edge: else the first tree would have no other edges. */
static void set_additional(struct tsp_graph *graph)
{
    const uint32_t additional = graph->n - 1;
    int64_t longest = 0;
    for (size_t i = 0; i < graph->count; i++) {
        const struct tsp_edge *edge = &graph->edges[i];
        if (edge->a != additional && edge->b != additional && edge->length > longest)
            longest = edge->length;
    }
    graph->penalties[additional] = longest;
}

static int64_t unscaled(const struct tsp_graph *graph, int64_t weight)
{
    return weight <= 0 ? 0 : (weight + graph->scale - 1) / graph->scale;
}

/* Makes the graph of near cities. */
static enum shoal_status list_edges(const struct tsp_problem *problem, const struct tsp_listing *listing,
                                    const struct tsp_bound_device *device, struct tsp_graph *graph,
                                    struct shoal_error *error)
{
    const uint32_t k = tsp_list_length(problem, LIST, 0);
    const struct tsp_listing base = {.count = k,
                                     .kind = problem->form.dim ? TSP_QUADRANT : TSP_NEAREST,
                                     .threads = listing->threads,
                                     .cut = listing->cut};
    uint32_t *lists = malloc((size_t)problem->form.n * k * sizeof *lists);
    enum shoal_status status = SHOAL_OK;
    if (!lists)
        status = fail_host_memory(error);
    else if (device && !problem->given)
        status = tsp_candidates(problem, device->places, device->programs, &base, lists, error);
    else
        status = tsp_neighbours(problem, &base, lists, error);
    if (!status)
        status = tsp_graph_create(problem, lists, k, graph, error);
    free(lists);
    return status;
}

enum shoal_status tsp_ascend(const struct tsp_problem *problem, const struct tsp_listing *listing,
                             const struct tsp_bound_device *device, struct tsp_graph *graph, int64_t *bound,
                             struct shoal_error *error)
{
    enum { REPEATS = 3 };
    struct plan plan = {.device = device, .cut = listing->cut};
    size_t added;
    int64_t weight;
    enum shoal_status status = list_edges(problem, listing, device, graph, error);
    if (status)
        return status;
    plan.threads = threads_of(graph, listing);
    if (problem->form.is_path)
        set_additional(graph);
    status = tsp_complete_tree(graph, plan.threads, plan.cut, &weight, &added, error);
    if (status)
        return status;
    if (bound)
        *bound = unscaled(graph, weight);
    tsp_graph_scale(graph, factor_of(graph, fmax(1, (double)weight / problem->form.n)));
    status = ascend_graph(graph, &plan, error);
    plan.is_repeated = true;
    for (int repeat = 0; repeat < REPEATS && bound && !status; repeat++) {
        status = tsp_complete_tree(graph, plan.threads, plan.cut, &weight, &added, error);
        if (!status && unscaled(graph, weight) > *bound)
            *bound = unscaled(graph, weight);
        if (status || !added || repeat + 1 == REPEATS)
            break;
        status = ascend_graph(graph, &plan, error);
    }
    return status;
}

enum shoal_status tsp_bound(const struct tsp_problem *problem, const struct tsp_listing *listing,
                            const struct tsp_bound_device *device, int64_t *bound, struct shoal_error *error)
{
    struct tsp_graph graph = {0};
    if (problem->form.is_asymmetric)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%s: a lower bound needs equal distances there and back: leave out --bound",
                    problem->name);
    if (problem->form.n <= TSP_ONE_TOUR) {
        const uint32_t tour[] = {0, 1, 2};
        *bound = tsp_length(problem, tour, NULL);
        return SHOAL_OK;
    }
    const enum shoal_status status = tsp_ascend(problem, listing, device, &graph, bound, error);
    tsp_graph_destroy(&graph);
    return status;
}
