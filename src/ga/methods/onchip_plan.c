/* Plans how an island is distributed over a work-group by cl/ga/methods/onchip.cl, and the contract of this
 * program. */
#include "base/error.h"
#include "compute/contract.h"
#include "compute/device.h"
#include "ga/methods/plan.h"

enum { MOST_ITEMS = 1024 }; /* largest number of work-items of a group */

static const struct shoal_entry_desc entries[] = {
    ENTRY(ga_onchip, ga_onchip, .local_define = "POOL", .local_bytes_per_unit = 8,
          .help = "many generations of islands, a work-group for each island"),
};

static const struct shoal_define_desc defines[] = {
    GA_GENERATION_DEFINE_DESCS(ga_onchip),
    GA_ONCHIP_DEFINE_DESCS(ga_onchip),
    DEFINE(ga_onchip, LANES, 1, 32, "work-items that share a pair, a power of two; 1 for opaque objectives"),
    DEFINE(ga_onchip, MEMBERS, 2, GA_MAX_MEMBERS, "of an island"),
    DEFINE(ga_onchip, ONE_RUN, 0, 1, "1: all islands of a launch are of one run"),
    DEFINE(ga_onchip, POOL, 1, 1 << 20, "local memory of an island in units of 8 bytes"),
    DEFINE(ga_onchip, WG, 1, MOST_ITEMS, "work-group size, a multiple of LANES"),
};

const struct shoal_program_desc ga_onchip_program = PROGRAM("ga.onchip", ga_onchip, 0, defines, entries);

/* Plans ------------------------------------------------------------------------------------------------ */

static size_t pairs_of(const struct ga_problem *problem)
{
    return (problem->search.members + 1) / 2;
}

/* Returns the number of genes of a child in each work-item: COORDS of cl/ga/methods/onchip.clh. */
static size_t coordinates(const struct ga_problem *problem, size_t lanes)
{
    const size_t dim = problem->search.dim;
    return lanes == 1 ? dim : rounded_up((dim + lanes - 1) / lanes, 4);
}

/* Returns the bytes of local memory: the size of all parts AT_* in cl/ga/methods/onchip.clh, for an objective
 * with the largest number of accumulators. */
static size_t pool_bytes(const struct ga_problem *problem, const struct ga_plan *plan, size_t real)
{
    enum { SUMS = 5, COUNTS = 4, HELD_GENES = 4 };
    const size_t members = problem->search.members, dim = problem->search.dim, pairs = pairs_of(problem);
    const int32_t selection = problem->params->selection;
    const size_t elites = problem->params->elites, positions = rounded_up(members - elites, 2) + elites;
    const size_t rows = plan->lanes > 1 ? 2 * SUMS * pairs * plan->lanes : 0;
    const bool held = plan->lanes == 1 && dim <= HELD_GENES;
    const size_t genes = search_row_length(dim, plan->work_group == 1 && !held),
                 places = held ? 0 : RATE_TABLE(dim);
    return rounded_up((positions * (genes + 1) + members + rows) * real +
                          (COUNTS + members + ORDER_WORDS(selection, elites, members) + 2 * places) *
                              sizeof(uint32_t),
                      sizeof(uint64_t)) +
           WEIGHT_SUMS(selection, members) * sizeof(uint64_t);
}

static enum shoal_status set_pool(const struct ga_problem *problem, const struct shoal_device_info *info,
                                  struct ga_plan *plan, struct shoal_error *error)
{
    const size_t real = problem->params->search.precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    const size_t bytes = pool_bytes(problem, plan, real);
    plan->pool = (bytes + 7) / 8;
    if (plan->pool * 8 <= info->local_mem)
        return SHOAL_OK;
    return fail(error, SHOAL_UNSUPPORTED,
                "--method onchip keeps an island in local memory: %zu individuals of dim %zu need %zu bytes, "
                "%s (%s) has %llu: use another or auto",
                problem->search.members, problem->search.dim, bytes, info->id, info->name,
                (unsigned long long)info->local_mem);
}

/* Largest number of registers of a work-item (of 255) that the genes of its children may take. */
enum { MOST_REGISTERS = 128 };

static size_t registers(const struct ga_problem *problem, size_t lanes, size_t places)
{
    const size_t real = problem->params->search.precision == SHOAL_FP64 ? 2 : 1;
    return 2 * real * coordinates(problem, lanes) * ((pairs_of(problem) + places - 1) / places);
}

/* Limits for the number of lanes. Lanes are added until the genes fit the registers. Further lanes are added,
 * as long as these limits allow it, until there are work-items for the whole device. */
enum {
    ITEMS_OF_UNIT = 384,
    FEW_COORDINATES = 4,
    FEW_REGISTERS = 16,
    MOST_LANES = 8,
    MOST_IDLE_LANES = 4,
    MOST_WHOLE = 512
};

static size_t lanes_of(const struct ga_problem *problem, const struct shoal_device_info *info)
{
    const size_t pairs = pairs_of(problem);
    size_t lanes = 1;
    while (lanes < MOST_LANES && 2 * lanes * pairs <= info->max_work_group) {
        const double items = (double)problem->search.whole_islands * (double)(pairs * lanes);
        const bool idle = lanes < MOST_IDLE_LANES && items < (double)units_for_sums(info) * ITEMS_OF_UNIT &&
                          coordinates(problem, lanes) > FEW_COORDINATES;
        if (!idle && registers(problem, lanes, pairs) <= MOST_REGISTERS)
            break;
        lanes *= 2;
    }
    return lanes;
}

/* Sets the work-group size: a work-item for each lane of each pair. */
static enum shoal_status set_work_group(const struct ga_problem *problem,
                                        const struct shoal_device_info *info, struct ga_plan *plan,
                                        struct shoal_error *error)
{
    const bool whole = problem->search.info->shape == SHOAL_OPAQUE;
    const size_t pairs = pairs_of(problem), width = info->simd_width ? info->simd_width : 1,
                 most = info->max_work_group < MOST_ITEMS ? info->max_work_group : MOST_ITEMS;
    const double enough = (double)units_for_sums(info) * ITEMS_OF_UNIT;
    size_t items = pairs * plan->lanes;
    if (items > width / 2)
        items = rounded_up(items, width);
    /* If pairs have few genes, a work-item makes several pairs, which then share the fixed cost of a
     * generation. */
    if (plan->lanes == 1 && items > width && items % width == 0 &&
        registers(problem, 1, width) <= FEW_REGISTERS &&
        (double)problem->search.whole_islands * (double)width >= enough)
        items = width;
    if (items > most)
        items = most / plan->lanes * plan->lanes;
    plan->work_group = (uint32_t)items;
    const size_t elites = problem->params->elites,
                 kept = elites > 1 ? (elites * problem->search.dim + items - 1) / items : 0,
                 used = registers(problem, plan->lanes, items / plan->lanes) + kept;
    if (used <= (whole ? MOST_WHOLE : MOST_REGISTERS))
        return SHOAL_OK;
    return fail(error, SHOAL_UNSUPPORTED,
                "--method onchip keeps children in registers: with %zu individuals of dim %zu a work-item of "
                "%s (%s) has %zu genes, too many: use another or auto",
                problem->search.members, problem->search.dim, info->id, info->name, used);
}

enum shoal_status ga_onchip_plan(const struct ga_problem *problem, const struct shoal_device_info *info,
                                 size_t lanes, struct ga_plan *plan, struct shoal_error *error)
{
    const bool whole = problem->search.info->shape == SHOAL_OPAQUE;
    enum shoal_status status = SHOAL_OK;
    *plan = (struct ga_plan){.lanes = 1, .work_group = 1};
    if (lanes || !info->is_cpu) {
        plan->lanes = whole ? 1 : lanes ? lanes : lanes_of(problem, info);
        status = set_work_group(problem, info, plan, error);
    }
    return status ? status : set_pool(problem, info, plan, error);
}
