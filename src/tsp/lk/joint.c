/* Lin-Kernighan search of many small problems on a device at once.
 *
 * Runs whose problems need the same program are a group. The tours of a group are the cells of a search. A
 * city of a tour has the number of the city in its problem, from the first number of the tour on, so that
 * the kernels need no tables by problem. Tours of one run, its replicas, are apart like those of others. A
 * search of many tours takes several launches, between which runs may end. */
#include "tsp/lk/joint.h"

#include "base/error.h"
#include "compute/clock.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "tsp/lk/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The method of a run ----------------------------------------------------------------------------------- */

/* State of the method. */
struct search {
    struct lk_run run;
    struct lk_search_rules rules; /* of the group */
    struct group *group;          /* NULL: the host has no memory for it */
    uint32_t tour;                /* number of the run's first tour in the group */
    int64_t *changes;             /* [replicas]: of the lengths of the tours by the step that was searched */
    uint64_t kicks;
    bool is_found; /* a step was searched, and waits to be taken */
};

static struct search *search_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

bool lk_joins(const struct tsp_problem *problem, const struct shoal_tsp_params *params)
{
    const struct tsp_form *form = &problem->form;
    return form->dim && !form->is_path && !form->is_asymmetric && form->n <= TSP_SMALL_CELL &&
           (!params->cell || form->n <= params->cell) && params->candidates <= LK_MOST_NEAR;
}

/* Where a cell keeps coordinates: in 16 bits if they suffice, else in 32 bits if the cell is small. */
static unsigned offsets_of(const struct lk *lk)
{
    enum { MOST = 256 }; /* cities up to which local memory has room for as many groups as fit registers */
    const struct tsp_form *form = &lk->problem->form;
    if (lk_offsets_suffice(lk))
        return 1;
    return lk_is_by_index(form) && form->is_whole && form->dim == 2 && lk->n <= MOST ? 2 : 0;
}

/* The program is for cells of up to 128, 256 or 512 cities, and lists for a multiple of four candidates, so
 * that problems of other sizes share it. */
static struct lk_search_rules rules_of(const struct lk *lk)
{
    enum { SMALL = 128, MIDDLE = 256 };
    return (struct lk_search_rules){.problem = lk->problem,
                                    .cell = lk->n <= SMALL    ? SMALL
                                            : lk->n <= MIDDLE ? MIDDLE
                                                              : TSP_SMALL_CELL,
                                    .k = (lk->k + 3) / 4 * 4,
                                    .offsets = offsets_of(lk),
                                    .is_joint = true};
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search *search = calloc(1, sizeof *search);
    solver->method.state = search;
    if (!search)
        return fail_host_memory(error);
    struct lk_run *run = &search->run;
    enum shoal_status status = lk_create(solver, run, error);
    if (status)
        return status;
    run->threads = 1;
    search->rules = rules_of(&run->lk);
    search->changes = calloc(run->lk.replicas, sizeof *search->changes);
    status = search->changes ? lk_list_arrays(run, error) : fail_host_memory(error);
    if (!status)
        status = arrays_check(&run->arrays, lk_more_bytes(run, 0), "cities", lk_remedy(&run->lk), error);
    return status ? status : lk_create_arrays(run, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct search *search = search_of(solver);
    if (!search)
        return;
    lk_destroy_run(&search->run);
    free(search->changes);
    free(search);
}

/* Takes the step that was searched. */
static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct search *search = search_of(solver);
    struct tsp_run *run = tsp_run_of(solver);
    run->dropped = steps - search->is_found;
    if (!search->is_found)
        return SHOAL_OK;
    search->is_found = false;
    const enum shoal_status status =
        lk_take(&search->run, run->steps + 1, search->changes, search->kicks, error);
    if (long_step_is_cut(&run->cut))
        run->dropped = steps;
    return status;
}

const struct tsp_method lk_joint_method = {.base = {.name = "joint",
                                                    .create = create,
                                                    .destroy = destroy,
                                                    .begin = lk_begin,
                                                    .advance = advance,
                                                    .save = lk_save,
                                                    .load = lk_load},
                                           LK_METHOD};

/* Groups ------------------------------------------------------------------------------------------------ */

/* Tours of the first launch of a group for each multiprocessor of a GPU, which need hardly longer than one.
 */
enum { GPU_TOURS = 16 };

/* Runs whose problems need the same program. */
struct group {
    struct group *next;
    struct lk_search_rules rules;
    struct tsp_form form; /* of any of the problems: the kind of the distances is the same for all */
    struct shoal_kernel *index, *search;
    struct shoal_solver **solvers; /* [count] */
    size_t count, tours, cities;
    size_t tour_room, city_room; /* for which there is memory */
    struct arrays arrays, host;  /* on the device, and of the host */
    struct shoal_buffer *numbers, *fixed, *lists, *begins, *tour, *indices, *placed, *near, *found, *outcomes,
        *own;
    uint32_t *host_begins; /* [tours + 1]: number of the first city of each tour */
    uint32_t *host_tour;   /* [cities]: tours before the search, then those that were found */
    struct lk_own *host_own;
    struct lk_outcome *host_outcomes;
    size_t at_once; /* most tours of the next launch */
    bool is_built;
    enum shoal_status status; /* its runs fail with this status and message */
    struct shoal_error fault;
};

struct lk_joint {
    struct shoal_queue *queue;
    int threads;
    struct programs programs;
    struct group *groups;
};

enum shoal_status lk_joint_create(struct shoal_queue *queue, int threads, struct lk_joint **out,
                                  struct shoal_error *error)
{
    struct lk_joint *joint = *out = calloc(1, sizeof *joint);
    if (!joint)
        return fail_host_memory(error);
    joint->queue = queue;
    joint->threads = threads;
    joint->programs = (struct programs){.device = shoal_queue_device(queue), .variant = SHOAL_VARIANT_AUTO};
    return SHOAL_OK;
}

void lk_joint_destroy(struct lk_joint **pointer)
{
    struct lk_joint *joint = *pointer;
    if (!joint)
        return;
    for (struct group *group = joint->groups; group;) {
        struct group *next = group->next;
        arrays_destroy(&group->arrays);
        arrays_destroy(&group->host);
        free(group->solvers);
        free(group);
        group = next;
    }
    programs_destroy(&joint->programs);
    free(joint);
    *pointer = NULL;
}

static bool is_of(const struct group *group, const struct lk_search_rules *rules)
{
    const struct tsp_form *a = &group->form, *b = &rules->problem->form;
    return group->rules.cell == rules->cell && group->rules.k == rules->k &&
           group->rules.offsets == rules->offsets && a->rule == b->rule && a->dim == b->dim &&
           a->is_whole == b->is_whole && a->is_large == b->is_large && a->has_fixed == b->has_fixed &&
           a->is_wide == b->is_wide;
}

/* Finds the group of a run, or adds it. */
static struct group *find_group(struct lk_joint *joint, const struct lk_search_rules *rules)
{
    const struct shoal_device_info *info = shoal_device_get_info(joint->programs.device);
    struct group *group = joint->groups;
    while (group && !is_of(group, rules))
        group = group->next;
    if (group)
        return group;
    group = calloc(1, sizeof *group);
    if (!group)
        return NULL;
    group->rules = *rules;
    group->form = rules->problem->form;
    group->at_once = (size_t)info->units * (info->is_cpu ? 1 : GPU_TOURS);
    group->status = lk_build_search(&joint->programs, rules, &group->index, &group->search, &group->fault);
    group->is_built = !group->status;
    group->next = joint->groups;
    joint->groups = group;
    return group;
}

void lk_joint_build(struct lk_joint *joint, struct shoal_solver *const *solvers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (solvers[i]->method.method && /* else the run makes no steps */
            !solver_is_stopped(solvers[i]))
            search_of(solvers[i])->group = find_group(joint, &search_of(solvers[i])->rules);
}

enum shoal_status lk_joint_status(const struct shoal_solver *solver, struct shoal_error *error)
{
    if (!solver->method.method)
        return SHOAL_OK;
    const struct group *group = search_of(solver)->group;
    if (!group)
        return fail_host_memory(error);
    if (group->status)
        *error = group->fault;
    return group->status;
}

static enum shoal_status add_run(struct group *group, struct shoal_solver *solver, struct shoal_error *error)
{
    struct search *search = search_of(solver);
    const struct lk *lk = &search->run.lk;
    if ((group->count & (group->count - 1)) == 0) { /* a power of two: all places are taken */
        struct shoal_solver **more = realloc(group->solvers, (2 * group->count + 1) * sizeof *group->solvers);
        if (!more)
            return fail_host_memory(error);
        group->solvers = more;
    }
    search->tour = (uint32_t)group->tours;
    group->solvers[group->count++] = solver;
    group->tours += lk->replicas;
    group->cities += (size_t)lk->replicas * lk->n;
    return SHOAL_OK;
}

/* Creates arrays with room for the tours of a group, unless there is room. */
static enum shoal_status make_room(struct lk_joint *joint, struct group *group, struct shoal_error *error)
{
    const double tours = (double)group->tours, cities = (double)group->cities;
    const size_t word = sizeof(uint32_t), place = tsp_places_bytes(&group->form);
    const bool is_by_index = lk_is_by_index(&group->form), has_fixed = group->form.has_fixed;
    if (group->tours <= group->tour_room && group->cities <= group->city_room)
        return SHOAL_OK;
    arrays_destroy(&group->arrays);
    arrays_destroy(&group->host);
    group->tour_room = group->city_room = 0;
    group->arrays.queue = joint->queue;
    const struct array list[] = {
        {&group->numbers, cities, place},
        {&group->fixed, has_fixed ? cities : 1, 2 * word},
        {&group->lists, cities * group->rules.k, word},
        {&group->begins, tours + 1, word},
        {&group->tour, cities, word},
        {&group->indices, cities, word},
        {&group->placed, is_by_index ? cities : 1, place},
        {&group->near, cities * group->rules.k, word},
        {&group->found, cities, word},
        {&group->outcomes, tours, sizeof *group->host_outcomes},
        {&group->own, tours, sizeof *group->host_own},
    };
    const struct array host[] = {
        {&group->host_begins, tours + 1, word},
        {&group->host_tour, cities, word},
        {&group->host_own, tours, sizeof *group->host_own},
        {&group->host_outcomes, tours, sizeof *group->host_outcomes},
    };
    ARRAYS_SET(&group->arrays, list);
    ARRAYS_SET(&group->host, host);
    enum shoal_status status =
        arrays_check(&group->arrays, 0, "cities of many problems", "give fewer problems", error);
    if (!status)
        status = arrays_create(&group->arrays, error);
    if (!status)
        status = arrays_create(&group->host, error);
    if (status)
        return status;
    group->tour_room = group->tours;
    group->city_room = group->cities;
    return SHOAL_OK;
}

/* Writes the places, fixed edges and lists of a tour's cities to the arrays of the group. first: number of
 * its first city. */
static void pack(const struct group *group, const struct lk *lk, uint32_t first, char *numbers,
                 uint32_t *fixed, uint32_t *lists)
{
    const struct tsp_form *form = &lk->problem->form;
    const uint32_t k = group->rules.k;
    tsp_places_fill(lk->problem, numbers + first * tsp_places_bytes(form));
    for (uint32_t i = 0; form->has_fixed && i < 2 * lk->n; i++)
        fixed[2 * (size_t)first + i] =
            form->fixed[i] == SHOAL_TSP_NONE ? SHOAL_TSP_NONE : first + form->fixed[i];
    for (uint32_t city = 0; city < lk->n; city++) {
        const uint32_t *from = lk->lists + (size_t)city * lk->k;
        uint32_t *to = lists + (size_t)(first + city) * k;
        for (uint32_t i = 0; i < k; i++)
            to[i] = i < lk->k && from[i] != SHOAL_TSP_NONE ? first + from[i] : SHOAL_TSP_NONE;
    }
}

/* Uploads what does not change from step to step. */
static enum shoal_status upload(struct lk_joint *joint, struct group *group, struct shoal_error *error)
{
    const size_t word = sizeof(uint32_t), place = tsp_places_bytes(&group->form),
                 fixed_count = group->form.has_fixed ? 2 * group->cities : 0;
    uint32_t begin = 0;
    for (size_t i = 0, t = 0; i < group->count; i++) {
        const struct lk *lk = &search_of(group->solvers[i])->run.lk;
        for (uint32_t r = 0; r < lk->replicas; r++, begin += lk->n)
            group->host_begins[t++] = begin;
    }
    group->host_begins[group->tours] = begin;
    char *numbers = malloc(group->cities * place);
    uint32_t *fixed = malloc((fixed_count + 1) * word),
             *lists = malloc(group->cities * group->rules.k * word);
    enum shoal_status status = numbers && fixed && lists ? SHOAL_OK : fail_host_memory(error);
#pragma omp parallel for num_threads(joint->threads) schedule(static) if (!status)
    for (size_t i = 0; i < group->count; i++) {
        const struct search *search = search_of(group->solvers[i]);
        for (uint32_t r = 0; !status && r < search->run.lk.replicas; r++)
            pack(group, &search->run.lk, group->host_begins[search->tour + r], numbers, fixed, lists);
    }
    if (!status)
        status = shoal_buffer_write(joint->queue, group->numbers, 0, numbers, group->cities * place, error);
    if (!status)
        status = shoal_buffer_write(joint->queue, group->fixed, 0, fixed, fixed_count * word, error);
    if (!status)
        status = shoal_buffer_write(joint->queue, group->lists, 0, lists,
                                    group->cities * group->rules.k * word, error);
    if (!status)
        status = shoal_buffer_write(joint->queue, group->begins, 0, group->host_begins,
                                    (group->tours + 1) * word, error);
    free(numbers);
    free(fixed);
    free(lists);
    return status;
}

/* Divides the runs into groups. */
static void set_groups(struct lk_joint *joint, struct shoal_solver *const *solvers, size_t count)
{
    for (struct group *group = joint->groups; group; group = group->next) {
        group->count = group->tours = group->cities = 0;
        if (group->is_built)
            group->status = SHOAL_OK;
    }
    for (size_t i = 0; i < count; i++) {
        struct group *group = search_of(solvers[i])->group;
        if (!group->status)
            group->status = add_run(group, solvers[i], &group->fault);
    }
    for (struct group *group = joint->groups; group; group = group->next) {
        if (group->count && !group->status)
            group->status = make_room(joint, group, &group->fault);
        if (group->count && !group->status)
            group->status = upload(joint, group, &group->fault);
    }
}

/* Steps ------------------------------------------------------------------------------------------------- */

/* Divides the tours of a run for its next step, which for one cell turns them, and writes them to the arrays
 * of the group. */
static void gather(const struct group *group, struct shoal_solver *solver)
{
    struct search *search = search_of(solver);
    struct lk_run *run = &search->run;
    const struct lk *lk = &run->lk;
    search->is_found = false;
    const uint64_t step = tsp_run_of(solver)->steps + 1, division = lk_division(lk, step);
    lk_estimate_cooling(solver, step);
    long_step_begin(run->cut);
    lk_divide_all(run, division);
    lk_gather_all(run, division);
    for (uint32_t r = 0; r < lk->replicas; r++) {
        const uint32_t t = search->tour + r, first = group->host_begins[t];
        for (uint32_t i = 0; i < lk->n; i++)
            group->host_tour[first + i] = first + run->wholes[r].tours[i];
        group->host_own[t] = (struct lk_own){
            .seed = lk->seed, .number = r, .step = (uint32_t)step, .threshold = lk_threshold(run, step)};
    }
}

/* Enqueues what comes before the search of the tours of a group. */
static enum shoal_status prepare(struct lk_joint *joint, struct group *group, struct shoal_error *error)
{
    struct shoal_queue *queue = joint->queue;
    const uint32_t cities = (uint32_t)group->cities;
#pragma omp parallel for num_threads(joint->threads) schedule(static)
    for (size_t i = 0; i < group->count; i++)
        gather(group, group->solvers[i]);
    enum shoal_status status =
        shoal_buffer_write(queue, group->tour, 0, group->host_tour, cities * sizeof(uint32_t), error);
    if (!status)
        status = shoal_buffer_write(queue, group->own, 0, group->host_own,
                                    group->tours * sizeof *group->host_own, error);
    return status ? status
                  : LAUNCH(lk_index, queue, group->index, shoal_kernel_groups(group->index, cities), error,
                           .numbers = group->numbers, .tours = group->tour, .index = group->indices,
                           .placed = group->placed, .n = cities, .first = 0, .count = cities);
}

/* Searches some tours of a group, from the tour `first` on. */
static enum shoal_status launch(struct lk_joint *joint, const struct group *group, size_t first, size_t count,
                                struct shoal_error *error)
{
    const struct lk_settings settings = {.first = (uint32_t)first, .is_first = 1, .kicks = 1, .visits = 1};
    const enum shoal_status status =
        LAUNCH(lk_search, joint->queue, group->search, count, error,
               .numbers = lk_is_by_index(&group->form) ? group->placed : group->numbers,
               .fixed = group->fixed, .cities = (uint32_t)group->cities, .lists = group->lists,
               .begins = group->begins, .tours = group->tour, .index = group->indices, .near = group->near,
               .found = group->found, .outcomes = group->outcomes, .own = group->own, .settings = &settings);
    return status ? status : shoal_queue_finish(joint->queue, error);
}

/* Chooses the size of the next launches by the time of one. A launch that was smaller than it might have been
 * does not use the whole device, so it makes the next ones smaller only if it took too long. */
static void choose_size(struct group *group, size_t count, double seconds)
{
    const double wanted_s = 0.1, most_growth = 8;
    const double best = fmax((double)count * fmin(wanted_s / seconds, most_growth), 1);
    if (count == group->at_once || seconds > wanted_s || best > (double)group->at_once)
        group->at_once = (size_t)best;
}

/* Notes the runs before the tour `first`, which are searched, and passes over those after them that must end.
 * run: the first run that is not noted yet. Returns the next tour to search. */
static size_t next_tour(struct group *group, size_t *run, size_t first)
{
    for (; *run < group->count; ++*run) {
        struct search *search = search_of(group->solvers[*run]);
        const size_t end = search->tour + (size_t)search->run.lk.replicas;
        search->is_found = end <= first;
        if (search->is_found)
            continue;
        if (!solver_must_end(group->solvers[*run]))
            break;
        first = end;
    }
    return first;
}

/* Searches the tours of a group. end: the tours from this one on were not searched. */
static enum shoal_status search_tours(struct lk_joint *joint, struct group *group, size_t *end,
                                      struct shoal_error *error)
{
    size_t run = 0;
    *end = 0;
    for (size_t first; (first = next_tour(group, &run, *end)) < group->tours;) {
        const size_t left = group->tours - first, launches = (left - 1) / group->at_once + 1,
                     count = (left - 1) / launches + 1;
        const double start = queue_clock(joint->queue);
        const enum shoal_status status = launch(joint, group, first, count, error);
        if (status)
            return status;
        choose_size(group, count, queue_clock(joint->queue) - start);
        *end = first + count;
    }
    return SHOAL_OK;
}

/* Keeps what was found for a run, until its step takes it. Without a search, it makes no step. */
static void scatter(const struct group *group, struct shoal_solver *solver)
{
    struct search *search = search_of(solver);
    struct lk_run *run = &search->run;
    if (!search->is_found)
        return;
    search->kicks = 0;
    for (uint32_t r = 0; r < run->lk.replicas; r++) {
        const uint32_t t = search->tour + r, first = group->host_begins[t];
        for (uint32_t i = 0; i < run->lk.n; i++)
            run->wholes[r].tours[i] = group->host_tour[first + i] - first;
        search->changes[r] = group->host_outcomes[t].change;
        search->kicks += group->host_outcomes[t].kicks;
    }
    atomic_fetch_add_explicit(&run->done, search->kicks, memory_order_relaxed);
}

/* Makes the search of all runs of a group that need not end before their turn. */
static enum shoal_status search(struct lk_joint *joint, struct group *group, struct shoal_error *error)
{
    size_t end = 0;
    enum shoal_status status = prepare(joint, group, error);
    if (!status)
        status = search_tours(joint, group, &end, error);
    if (status || !end)
        return status;
    status = shoal_buffer_read(joint->queue, group->outcomes, 0, group->host_outcomes,
                               end * sizeof *group->host_outcomes, error);
    if (!status)
        status = shoal_buffer_read(joint->queue, group->found, 0, group->host_tour,
                                   group->host_begins[end] * sizeof(uint32_t), error);
    if (status)
        return status;
#pragma omp parallel for num_threads(joint->threads) schedule(static)
    for (size_t i = 0; i < group->count; i++)
        scatter(group, group->solvers[i]);
    return SHOAL_OK;
}

void lk_joint_search(struct lk_joint *joint, struct shoal_solver *const *solvers, size_t count, bool is_other)
{
    if (is_other)
        set_groups(joint, solvers, count);
    for (struct group *group = joint->groups; group; group = group->next)
        if (group->count && !group->status)
            group->status = search(joint, group, &group->fault);
}
