/* Converts candidate lists of the caller, for cities of the input, to lists for cities of the form. */
#include "base/threads.h"
#include "tsp/model/neighbours.h"

struct lists {
    const struct tsp_problem *problem;
    uint32_t *cities;
    uint32_t count;
};

static uint32_t least(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/* Returns how many entries a list needs in addition to the caller's candidates: for cities joined by fixed
 * edges, and for the additional city of a path. */
static uint32_t first_ones(const struct tsp_form *form)
{
    uint32_t partners = 0;
    for (size_t i = 0; form->has_fixed && i < form->n && partners < 2; i++)
        if (form->fixed[2 * i + partners] != SHOAL_TSP_NONE)
            partners = form->fixed[2 * i + 1] != SHOAL_TSP_NONE ? 2 : 1;
    return partners + form->is_path;
}

uint32_t tsp_list_length(const struct tsp_problem *problem, uint64_t asked, uint32_t standard)
{
    const uint64_t given = problem->params->neighbours,
                   most = least(problem->form.n - 1, TSP_MOST_NEIGHBOURS);
    return least(asked ? asked : given ? given + first_ones(&problem->form) : standard, most);
}

/* Inserts city b into the list of city a, which is sorted by distance and, for equal distances, by number. A
 * full list loses its last city. */
static void insert(const struct lists *lists, uint32_t a, uint32_t b)
{
    uint32_t *list = lists->cities + (size_t)a * lists->count, place = 0, end;
    const int64_t distance = tsp_distance(lists->problem, a, b);
    if (a == b || distance == TSP_FAR)
        return;
    for (end = 0; end < lists->count && list[end] != SHOAL_TSP_NONE; end++) {
        if (list[end] == b)
            return;
    }
    for (place = end; place > 0; place--) {
        const int64_t before = tsp_distance(lists->problem, a, list[place - 1]);
        if (before < distance || (before == distance && list[place - 1] < b))
            break;
    }
    if (place == lists->count)
        return;
    for (uint32_t i = end < lists->count ? end : end - 1; i > place; i--)
        list[i] = list[i - 1];
    list[place] = b;
}

/* Fills the list of city a of the form. In an asymmetric problem, entries that follow from the lists of other
 * cities are missing; the caller inserts these later. */
static void begin_list(const struct lists *lists, uint32_t a)
{
    const struct tsp_problem *problem = lists->problem;
    const struct tsp_form *form = &problem->form;
    const uint32_t half = form->is_asymmetric ? form->n / 2 : 0;
    const bool is_left = half && a >= half;
    const uint32_t city = is_left ? a - half : a, to = is_left ? 0 : half;
    const size_t width = problem->given_width;
    for (uint32_t k = 0; k < lists->count; k++)
        lists->cities[(size_t)a * lists->count + k] = SHOAL_TSP_NONE;
    for (size_t k = 0; form->has_fixed && k < 2; k++)
        if (form->fixed[2 * (size_t)a + k] != SHOAL_TSP_NONE)
            insert(lists, a, form->fixed[2 * (size_t)a + k]);
    if (city == problem->n) { /* the additional city of a path is at distance 0 from all cities */
        for (uint32_t other = 0; other < problem->n && other < lists->count; other++)
            insert(lists, a, other + to);
        return;
    }
    if (form->is_path)
        insert(lists, a, problem->n + to);
    const uint32_t *given = problem->given + city * width;
    for (size_t k = 0; k < width && given[k] != SHOAL_TSP_NONE && (!half || is_left); k++)
        insert(lists, a, given[k]);
}

void tsp_given_neighbours(const struct tsp_problem *problem, uint32_t count, int threads, uint32_t *lists)
{
    const struct lists all = {problem, lists, count};
    const uint32_t n = problem->form.n, half = n / 2;
    const size_t width = problem->given_width;
    if (threads <= 0)
        threads = threads_once(tsp_neighbours_seconds(problem, &(struct tsp_listing){.count = count}));
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (uint32_t a = 0; a < n; a++)
        begin_list(&all, a);
    if (!problem->form.is_asymmetric)
        return;
    /* Candidates of an entry are the exits of the cities from which a tour may come: of the cities whose
     * lists contain the entry's city. */
    for (uint32_t from = 0; from < problem->n; from++) {
        const uint32_t *given = problem->given + from * width;
        for (size_t k = 0; k < width && given[k] != SHOAL_TSP_NONE; k++)
            insert(&all, given[k], from + half);
    }
}
