/* Construction of a tour by an ant on the host; tests compare cl/tsp/ants/walk.clh with it. */
#include "tsp/ants/host.h"

#include <shoal/rng.h>

#include "tsp/ants/rules.h"

/* The sequence of uniform random numbers that an ant draws in a step. */
struct draws {
    uint64_t seed;
    uint32_t ant, step, block;
    struct shoal_words words;
};

static uint32_t draw(struct draws *draws, uint32_t number)
{
    if (number / 4 != draws->block) {
        draws->block = number / 4;
        draws->words = shoal_random_words(draws->seed, SHOAL_STREAM_TSP_ANTS_CHOOSE, draws->step, draws->ant,
                                          draws->block);
    }
    switch (number % 4) {
    case 0:
        return draws->words.x;
    case 1:
        return draws->words.y;
    case 2:
        return draws->words.z;
    default:
        return draws->words.w;
    }
}

static struct draws draws_of(const struct ants_settings *settings, uint32_t colony, uint32_t ant,
                             uint32_t step)
{
    return (struct draws){
        .seed = ants_seed(*settings, colony), .ant = ant, .step = step, .block = UINT32_MAX};
}

/* State of an ant that is constructing its tour. */
struct walk {
    const struct ants *ants;
    const float *weights; /* weights of the edges, of the colony of the ant */
    struct draws draws;
    uint32_t *visited, *tour;
    uint32_t city, previous;
};

static float weight_of(const struct walk *walk, uint32_t k, uint32_t candidate)
{
    const struct ants_settings *settings = walk->ants->settings;
    const float *row = &walk->weights[(size_t)walk->city * settings->entries];
    return row[walk->ants->is_full ? candidate : k];
}

/* Returns the weight of candidate k of a city; 0 if the ant has visited the candidate, or the list is
 * shorter. */
static float free_weight(const struct walk *walk, const uint32_t *list, uint32_t k)
{
    const uint32_t candidate = list[k];
    return candidate == SHOAL_TSP_NONE || ants_has(walk->visited, candidate) ? 0
                                                                             : weight_of(walk, k, candidate);
}

/* Chooses a lane with a probability proportional to its value: returns the lane that contains the fraction u
 * of the sum of all lanes. Partial sums are added in the order of the parallel scan of a work-group, so that
 * rounding is equal. *rest: the distance from the sum of the lanes before the returned lane to the fraction u
 * of the whole sum. */
static uint32_t choose_lane(const float lanes[ANTS_LANES], float u, float *rest)
{
    enum { LEAD = ANTS_LANES / 2 };
    float sums[2][LEAD + ANTS_LANES] = {{0}};
    float *from = sums[0], *to = sums[1];
    memcpy(from + LEAD, lanes, ANTS_LANES * sizeof *lanes);
    for (uint32_t span = 1; span < ANTS_LANES; span *= 2) {
        for (uint32_t lane = LEAD; lane < LEAD + ANTS_LANES; lane++)
            to[lane] = from[lane] + from[lane - span];
        float *swap = from;
        from = to;
        to = swap;
    }
    const float *before = from + LEAD - 1, total = before[ANTS_LANES], share = u * total;
    uint32_t lane = 0, last = 0;
    while (lane < ANTS_LANES && !(lanes[lane] > 0 && before[lane + 1] > share)) {
        last = lanes[lane] > 0 ? lane : last;
        lane++;
    }
    lane = lane < ANTS_LANES ? lane : last;
    *rest = fma(u, total, -before[lane]);
    return lane;
}

/* Chooses an unvisited candidate, with a probability proportional to its weight. Returns SHOAL_TSP_NONE if
 * all candidates are visited. */
static uint32_t choose_at_random(const struct walk *walk, const uint32_t *list, float u)
{
    const uint32_t count = walk->ants->settings->candidates;
    float lanes[ANTS_LANES] = {0}, rest, sum = 0;
    bool is_free = false;
    for (uint32_t k = 0; k < count; k++) {
        const float weight = free_weight(walk, list, k);
        lanes[k % ANTS_LANES] += weight;
        is_free |= weight > 0;
    }
    if (!is_free)
        return SHOAL_TSP_NONE;
    const uint32_t lane = choose_lane(lanes, u, &rest);
    if (count <= ANTS_LANES)
        return list[lane];
    uint32_t chosen = SHOAL_TSP_NONE;
    for (uint32_t k = lane; k < count; k += ANTS_LANES) {
        const float weight = free_weight(walk, list, k);
        if (weight > 0) {
            chosen = list[k];
            sum += weight;
            if (sum > rest)
                break;
        }
    }
    return chosen;
}

static uint32_t choose_best(const struct walk *walk, const uint32_t *list)
{
    uint32_t chosen = SHOAL_TSP_NONE;
    float most = 0;
    for (uint32_t k = 0; k < walk->ants->settings->candidates; k++) {
        const float weight = free_weight(walk, list, k);
        if (weight > most) {
            most = weight;
            chosen = list[k];
        }
    }
    return chosen;
}

/* Chooses an unvisited city among all cities: with a probability proportional to its weight if all edges have
 * pheromone, otherwise the nearest city. */
static uint32_t choose_of_all(const struct walk *walk)
{
    const struct ants *ants = walk->ants;
    if (!ants->is_full)
        return ants_nearest(ants, walk->visited, walk->city, ants->settings->candidates);
    const float *row = &walk->weights[(size_t)walk->city * ants->settings->entries];
    uint32_t chosen = SHOAL_TSP_NONE;
    float most = 0;
    for (uint32_t i = 0; i < ants->settings->cities; i++)
        if (!ants_has(walk->visited, i) && row[i] > most) {
            most = row[i];
            chosen = i;
        }
    return chosen;
}

static void begin(struct walk *walk)
{
    const uint64_t word = draw(&walk->draws, 0);
    ants_clear(walk->ants, walk->visited);
    walk->city = ants_chain_end(walk->ants, (uint32_t)(word * walk->ants->settings->cities >> 32));
    walk->previous = SHOAL_TSP_NONE;
    walk->tour[0] = walk->city;
    ants_add(walk->visited, walk->city);
}

/* Moves the ant to the next city, and writes this city to index `place` (1 or more) of the tour. */
static void go_on(struct walk *walk, uint32_t place)
{
    const struct ants_settings *settings = walk->ants->settings;
    const uint32_t *list = &walk->ants->lists[(size_t)walk->city * settings->lists];
    uint32_t next = ants_forced(walk->ants, walk->city, walk->previous);
    if (next == SHOAL_TSP_NONE) {
        const bool has_q0 = settings->q0 > 0;
        if (has_q0 && shoal_uniform_float(draw(&walk->draws, 2 * place - 1)) < settings->q0)
            next = choose_best(walk, list);
        else
            next = choose_at_random(walk, list,
                                    shoal_uniform_float(draw(&walk->draws, has_q0 ? 2 * place : place)));
    }
    if (next == SHOAL_TSP_NONE)
        next = choose_of_all(walk);
    walk->previous = walk->city;
    walk->city = next;
    walk->tour[place] = next;
    ants_add(walk->visited, next);
}

static uint32_t *tour_of(const struct ants_host *host, uint32_t colony, uint32_t ant)
{
    const struct ants_settings *settings = host->ants.settings;
    return &host->tours[(size_t)ANTS_TOUR(settings->colonies, colony, settings->ants, ant) *
                        settings->cities];
}

static struct walk walk_of(struct ants_host *host, uint32_t colony, uint32_t ant, uint32_t step)
{
    const struct ants_settings *settings = host->ants.settings;
    return (struct walk){.ants = &host->ants,
                         .weights = &host->weights[(size_t)colony * settings->cities * settings->entries],
                         .draws = draws_of(settings, colony, ant, step),
                         .tour = tour_of(host, colony, ant)};
}

/* Improves a tour by local search, and returns by how much the tour became shorter. If the step is cut, the
 * search ends early and the tour has the improvements made so far. */
static int64_t improve(struct ants_host *host, struct tsp_improver *improver, uint64_t seed, uint32_t step,
                       uint32_t ant, uint32_t *tour)
{
    /* number of rounds between two calls of long_step_look; a round takes some 10 us */
    enum { ROUNDS = 64 };
    tsp_improver_draw(improver, seed, step, ant);
    tsp_improver_begin(improver, tour, NULL, NULL, 0);
    while (!tsp_improver_advance(improver, ROUNDS) && !long_step_look(host->cut))
        atomic_fetch_add_explicit(&host->visits, 1, memory_order_relaxed);
    return tsp_improver_gain(improver);
}

/* Ends an ant's tour: improves it by local search if the settings say so, and stores its length. */
static void end(struct ants_host *host, uint32_t colony, uint32_t ant, uint32_t step,
                struct ants_scratch *scratch)
{
    const struct ants_settings *settings = host->ants.settings;
    uint32_t *tour = tour_of(host, colony, ant);
    int64_t length = tsp_form_length(host->ants.problem, tour);
    if (settings->improves)
        length -= improve(host, scratch->improver, ants_seed(*settings, colony), step, ant, tour);
    host->lengths[ANTS_TOUR(settings->colonies, colony, settings->ants, ant)] = length;
    atomic_fetch_add_explicit(&host->visits, settings->cities, memory_order_relaxed);
}

void ants_host_walk(struct ants_host *host, uint32_t colony, uint32_t ant, uint32_t step,
                    struct ants_scratch *scratch)
{
    struct walk walk = walk_of(host, colony, ant, step);
    struct long_step_looks looks = {0};
    walk.visited = scratch->visited;
    begin(&walk);
    for (uint32_t place = 1; place < host->ants.settings->cities; place++) {
        if (long_step_worked(host->cut, &looks))
            return;
        go_on(&walk, place);
    }
    end(host, colony, ant, step, scratch);
    long_step_look(host->cut);
}

/* acs: lowers the pheromone of the edge between a and b, which each of the two cities stores. A city stores
 * no pheromone for an edge to a city that is not one of its candidates. */
static void wear(struct ants_host *host, uint32_t colony, uint32_t a, uint32_t b)
{
    const struct ants *ants = &host->ants;
    const struct ants_settings *settings = ants->settings;
    const size_t first = (size_t)colony * settings->cities * settings->entries;
    for (unsigned side = 0; side < 2; side++) {
        const uint32_t from = side ? b : a, to = side ? a : b;
        const uint32_t *list = &ants->lists[(size_t)from * settings->lists];
        uint32_t entry = ants->is_full ? to : 0;
        while (!ants->is_full && entry < settings->candidates && list[entry] != to)
            entry++;
        if (entry == settings->entries)
            continue;
        const size_t at = (size_t)from * settings->entries + entry;
        host->trails[first + at] = ants_wear(*settings, host->trails[first + at]);
        host->weights[first + at] =
            ants_weight(host->trails[first + at], settings->alpha, ants->heuristic[at]);
    }
}

/* For each index of a tour: moves all ants to their next cities, then lowers the pheromone of each edge once
 * for each ant that used the edge. */
void ants_host_walk_together(struct ants_host *host, uint32_t colony, uint32_t step,
                             struct ants_scratch *scratch)
{
    const struct ants_settings *settings = host->ants.settings;
    const uint32_t n = settings->cities, ants = settings->ants;
    const size_t words = (n + 31) / 32;
    struct walk *walks = scratch->walks;
    struct long_step_looks looks = {0};
    for (uint32_t ant = 0; ant < ants; ant++) {
        walks[ant] = walk_of(host, colony, ant, step);
        walks[ant].visited = scratch->visited + ant * words;
        begin(&walks[ant]);
    }
    for (uint32_t place = 1; place < n; place++) {
        if (long_step_worked(host->cut, &looks))
            return;
        for (uint32_t ant = 0; ant < ants; ant++)
            go_on(&walks[ant], place);
        for (uint32_t ant = 0; ant < ants; ant++)
            wear(host, colony, walks[ant].previous, walks[ant].city);
    }
    for (uint32_t ant = 0; ant < ants; ant++)
        wear(host, colony, walks[ant].city, walks[ant].tour[0]);
    for (uint32_t ant = 0; ant < ants && (ant == 0 || !long_step_look(host->cut)); ant++)
        end(host, colony, ant, step, scratch);
}

size_t ants_host_walks_bytes(uint32_t ants)
{
    return ants * sizeof(struct walk);
}
