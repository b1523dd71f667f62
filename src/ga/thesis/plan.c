/* Plans how an island is distributed over a work-group by cl/ga/thesis/thesis.cl, and the contract of this
 * program. */
#include "base/error.h"
#include "compute/contract.h"
#include "ga/thesis/thesis.h"
#include "search/device/launches.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(ga_thesis, ga_thesis, .local_define = "POOL", .local_bytes_per_unit = 8,
          .help = "many generations of islands of the thesis, a work-item for each individual"),
};

static const struct shoal_define_desc defines[] = {
    GA_VARY_DEFINE_DESCS(ga_thesis),
    DEFINE(ga_thesis, ARRIVALS, 0, GA_MAX_MEMBERS, "most migrants that arrive at an island at once"),
    DEFINE(ga_thesis, COLUMNS, 1, SEARCH_SETTINGS_NUMBERS,
           "columns of the table that an opaque objective reads"),
    DEFINE(ga_thesis, DIM, 1, GA_MAX_DIM, "genes"),
    DEFINE(ga_thesis, EPOCHS, 0, 1, "1: mailboxes are written by a launch and read by the next"),
    DEFINE(ga_thesis, HELPERS, 0, 32, "work-items for the exchange alone"),
    DEFINE(ga_thesis, MEMBERS, 2, GA_MAX_MEMBERS, "of an island"),
    DEFINE(ga_thesis, MIGRANTS, 0, GA_MAX_MEMBERS, "that an island leaves in its mailbox; 0: there is none"),
    DEFINE(ga_thesis, MIN_GROUPS, 1, 32, "CUDA: groups that fit a multiprocessor at a time"),
    DEFINE(ga_thesis, ONE_SOURCE, 0, 1, "1: each island receives from one"),
    DEFINE(ga_thesis, POOL, 1, 1 << 20, "local memory of an island in units of 8 bytes"),
    DEFINE(ga_thesis, REAL, 32, 64, "floating-point format: 32 or 64"),
    DEFINE(ga_thesis, SELECT_CROSSING, 0, 1, "1: parents are selected for pairs that cross alone"),
    DEFINE(ga_thesis, TABLE_ROWS, 1, SEARCH_SETTINGS_NUMBERS, "rows of that table"),
    DEFINE(ga_thesis, WG, 1, 1024, "work-group size"),
};

const struct shoal_program_desc ga_thesis_program = PROGRAM("ga.thesis", ga_thesis, 0, defines, entries);

static const struct shoal_entry_desc number_entries[] = {
    ENTRY(ga_numbers, ga_numbers, .help = "only the random numbers of the thesis: thesis-ga.numbers"),
};

static const struct shoal_define_desc number_defines[] = {
    DEFINE(ga_numbers, NATIVE, 0, 1, "1: by the fast functions of the device"),
    DEFINE(ga_numbers, NORMAL, 0, 1, "1: normal numbers, else uniform ones"),
    DEFINE(ga_numbers, WG, 1, 1024, "work-group size"),
};

const struct shoal_program_desc ga_numbers_program =
    PROGRAM("ga.numbers", ga_numbers, 0, number_defines, number_entries);

/* Returns the number of members among which one work-item finds the best in the first pass: PART of the
 * kernel file. */
static size_t part_of(size_t members)
{
    return members <= 64 ? 8 : members <= 256 ? 12 : 32;
}

/* Returns the bytes of local memory: POOL_REALS and POOL_WORDS of the kernel file. */
static size_t pool_bytes(const struct ga_problem *problem, const struct ga_thesis_plan *plan)
{
    enum { MARKS = 3 };
    const size_t real = problem->params->search.precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    const size_t members = problem->search.members, dim = problem->search.dim, part = part_of(members);
    const size_t parts = 2 * ((members + part - 1) / part),
                 sorted = plan->migrants > 1 || plan->arrivals > 1 ? power_of_two_at_least(members) : 0;
    return (2 * (dim + 1) * members + parts) * real +
           (2 * members + sorted + parts + dim + MARKS) * sizeof(uint32_t);
}

/* Whether the kernel itself can make exchanges between launches (epochs). The best members must leave and the
 * worst must be replaced, the topology must have a fixed table of links, and no run may end early. */
static bool has_epochs(const struct ga_problem *problem)
{
    const struct shoal_ga_params *params = problem->params;
    return search_exchange_interval(&problem->search) > 0 && !search_ends_together(&problem->search) &&
           search_exchange_kind(&problem->search) == EXCHANGE_LINKS &&
           params->emigrants == SHOAL_GA_BEST_LEAVE && params->immigrants == SHOAL_GA_REPLACE_WORST;
}

static void plan_exchange(const struct ga_problem *problem, const struct shoal_device_info *info,
                          struct ga_thesis_plan *plan)
{
    *plan = (struct ga_thesis_plan){.has_epochs = has_epochs(problem)};
    if (problem->search.has_mailbox || plan->has_epochs)
        plan->migrants = plan->arrivals = problem->search.migrants;
    if (plan->has_epochs) {
        const struct search_links *links = &problem->search.links;
        plan->arrivals *= links->most;
        plan->one_source =
            links->most == 1 && links->first[problem->search.run_islands] == problem->search.run_islands;
        /* without epochs, other kernels make the exchange, so less local memory is needed */
        if (pool_bytes(problem, plan) > info->local_mem)
            *plan = (struct ga_thesis_plan){0};
    }
}

/* Plans for a GPU. If the islands leave the device partly idle, each group gets further work-items (helpers),
 * which make the exchange. */
static void plan_gpu(const struct ga_problem *problem, const struct shoal_device_info *info,
                     struct ga_thesis_plan *plan)
{
    /* ITEMS_OF_UNIT: with fewer work-items for each multiprocessor, groups get helpers. RESIDENT: number of
     * work-items with 64 registers each that fit a multiprocessor (H200). */
    enum { ITEMS_OF_UNIT = 512, HELPERS = 32, RESIDENT = 1024 };
    const size_t members = problem->search.members;
    const size_t helped = (members + HELPERS - 1) / HELPERS * HELPERS + HELPERS;
    const double items = (double)problem->search.islands * (double)helped;
    plan->work_group = (uint32_t)(members < info->max_work_group ? members : info->max_work_group);
    if (plan->migrants == 1 && !plan->has_epochs && helped <= info->max_work_group &&
        items <= (double)info->units * ITEMS_OF_UNIT) {
        plan->helpers = HELPERS;
        plan->work_group = (uint32_t)helped;
        return;
    }
    plan->min_groups = plan->work_group < RESIDENT / 32 ? 32 : (uint32_t)RESIDENT / plan->work_group;
}

enum shoal_status ga_thesis_plan(const struct ga_problem *problem, const struct shoal_device_info *info,
                                 struct ga_thesis_plan *plan, struct shoal_error *error)
{
    plan_exchange(problem, info, plan);
    const size_t bytes = pool_bytes(problem, plan);
    plan->pool = (bytes + 7) / 8;
    plan->work_group = plan->min_groups = 1;
    if (!info->is_cpu)
        plan_gpu(problem, info, plan);
    if (plan->pool * 8 > info->local_mem)
        return fail(
            error, SHOAL_UNSUPPORTED,
            "--random hybridtaus keeps an island in local memory: %zu individuals of dim %zu need %zu bytes, "
            "%s (%s) has %llu: lower --population or --dim, or use philox",
            problem->search.members, problem->search.dim, bytes, info->id, info->name,
            (unsigned long long)info->local_mem);
    if (plan->work_group > 1 && !plan->has_epochs && plan->migrants > plan->work_group)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%zu migrants are more than a work-group of %s (%s) has work-items, %u: lower --migrants",
                    plan->migrants, info->id, info->name, (unsigned)plan->work_group);
    return SHOAL_OK;
}
