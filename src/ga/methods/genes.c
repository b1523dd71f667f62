/* Contracts and plans of cl/ga/methods/genes/genes_onchip.cl and genes_fused.cl. */
#include "base/error.h"
#include "compute/contract.h"
#include "ga/methods/plan.h"

#define GENES_DEFINE_DESCS(file)                                                                             \
    DEFINE(file, BIT_MUTATION, SHOAL_GA_FLIP, SHOAL_GA_NO_MUTATION, "5 flip, 6 tail inversion, 7 none"),     \
        DEFINE(file, COLUMNS, 1, OBJECTIVE_MAX_NUMBERS, "columns of the table that the objective reads"),    \
        DEFINE(file, DIM, 1, OBJECTIVE_MAX_NUMBERS, "variables"),                                            \
        DEFINE(file, FURTHER, 0, 1, "0: one gene in line of a child mutates at most"),                       \
        DEFINE(file, GENOME_BITS, 0, OBJECTIVE_MAX_NUMBERS, "bits"),                                         \
        DEFINE(file, GENOME_PLACES, 0, GA_MAX_DIM - 1, "places of an order"),                                \
        DEFINE(file, GENOME_REALS, 0, GA_MAX_DIM, "reals"),                                                  \
        DEFINE(file, GENOME_WHOLES, 0, OBJECTIVE_MAX_NUMBERS, "integers and choices"),                       \
        DEFINE(file, MIN_GROUPS, 1, 32, "CUDA: groups that are to fit a multiprocessor at a time"),          \
        DEFINE(file, ORDER_CROSSOVER, SHOAL_GA_NO_CROSSOVER, SHOAL_GA_ERX,                                   \
               "10 none, 11 OX, 12 PMX, 13 CX, 14 edge recombination"),                                      \
        DEFINE(file, ORDER_MUTATION, SHOAL_GA_NO_MUTATION, SHOAL_GA_SCRAMBLE,                                \
               "7 none, 8 swap, 9 insertion, 10 reversal, 11 scramble"),                                     \
        DEFINE(file, POOL, 1, 1 << 20, "local memory of a group in units of 8 bytes"),                       \
        DEFINE(file, REAL, 32, 64, "floating-point format of values: 32 or 64"),                             \
        DEFINE(file, REPAIRS, SHOAL_REPAIR_NONE, SHOAL_REPAIR_VALUE_ONLY,                                    \
               "individuals that the objective repairs: 0 none, 1 written back, 2 for their values"),        \
        DEFINE(file, TABLE_ROWS, 1, OBJECTIVE_MAX_NUMBERS, "rows of that table"),                            \
        DEFINE(file, TOURNAMENT, 1, GA_MAX_MEMBERS, "contestants"),                                          \
        DEFINE(file, WG, 1, 1024, "work-group size, a power of two"),                                        \
        DEFINE(file, WHOLE_CROSSOVER, SHOAL_GA_ONE_POINT, SHOAL_GA_NO_CROSSOVER,                             \
               "of whole numbers and bits: 7 one point, 8 two points, 9 uniform, 10 none")

static const struct shoal_entry_desc onchip_entries[] = {
    ENTRY(ga_genes_onchip, ga_genes_onchip, .local_define = "POOL", .local_bytes_per_unit = 8,
          .help = "many generations of islands of genomes, a work-group for each island"),
};

static const struct shoal_define_desc onchip_defines[] = {
    GA_VARY_DEFINE_DESCS(ga_genes_onchip),
    GENES_DEFINE_DESCS(ga_genes_onchip),
    GA_ONCHIP_DEFINE_DESCS(ga_genes_onchip),
    DEFINE(ga_genes_onchip, ENDS, 0, 1, "1: a run is one island, which ends by its target or by stagnation"),
    DEFINE(ga_genes_onchip, MEMBERS, 2, GA_MAX_MEMBERS, "of an island"),
};

const struct shoal_program_desc ga_genes_onchip_program =
    PROGRAM("ga.genes_onchip", ga_genes_onchip, 0, onchip_defines, onchip_entries);

static const struct shoal_entry_desc fused_entries[] = {
    ENTRY(ga_genes_fused, ga_genes_fused, .local_define = "POOL", .local_bytes_per_unit = 8,
          .help = "children of all islands of genomes and their values, a work-item for each child"),
};

static const struct shoal_define_desc fused_defines[] = {
    GA_VARY_DEFINE_DESCS(ga_genes_fused),
    GENES_DEFINE_DESCS(ga_genes_fused),
    GA_FUSED_DEFINE_DESCS(ga_genes_fused),
};

const struct shoal_program_desc ga_genes_fused_program =
    PROGRAM("ga.genes_fused", ga_genes_fused, 0, fused_defines, fused_entries);

/* Plans ------------------------------------------------------------------------------------------------ */

/* Whether islands on the chip need one barrier for each generation: ONE_BARRIER in
 * cl/ga/methods/genes/genes_layout.clh. */
static bool has_one_barrier(const struct ga_problem *problem, const struct shoal_device_info *info,
                            size_t work_group)
{
    const struct shoal_ga_params *params = problem->params;
    const struct genome_layout *genes = &problem->genes;
    const bool has_warps = info->architecture > 0;
    return has_warps && !genes->reals && !genes->places && (genes->wholes + genes->words) % 32 == 0 &&
           work_group % 32 == 0 && problem->operators.cross_wholes != SHOAL_GA_UNIFORM &&
           params->selection == SHOAL_GA_TOURNAMENT && params->tournament == 2 && params->elites <= 1;
}

/* Returns the size of local memory in units of 8 bytes: the size of all parts AT_* in
 * cl/ga/methods/genes/genes_pairs.clh. members: 0: local memory has only the children of a group. real: bytes
 * of a real; one_barrier: has_one_barrier, for islands. */
static size_t pool_of(const struct ga_problem *problem, size_t members, size_t positions, size_t real,
                      size_t work_group, bool one_barrier)
{
    enum { COUNTS = 4 };
    const struct shoal_ga_params *params = problem->params;
    const struct genome_layout *genes = &problem->genes;
    const size_t real_words = search_precision(&problem->search) == SHOAL_FP64 ? 2 : 1,
                 line = genes->reals * real_words + genes->wholes + genes->words,
                 bits = PACKED_PLACE_BITS(genes->places),
                 row = genes->places  ? line + (genes->places * bits + 31) / 32
                       : genes->reals ? (line | 1)
                       : LINE_TURNS(line) && members > 0 && work_group > 1 ? line
                                                                           : LINE_STRIDE(line),
                 scratch = order_scratch(problem->operators.cross_order, problem->operators.mutate_order,
                                         (unsigned)genes->places, (unsigned)bits);
    const size_t sets = one_barrier ? 2 : 1, lists = one_barrier ? 3 : 1; /* VALUE_SETS, OFFER_LISTS */
    size_t words = positions * row;
    if (members > 0)
        words = rounded_up(rounded_up(2 * words, real / 4) + sets * members * (real / 4) + COUNTS +
                               lists * members + ORDER_WORDS(params->selection, params->elites, members),
                           2) +
                2 * WEIGHT_SUMS(params->selection, members);
    words =
        rounded_up(words, 4) + ((line && !one_barrier ? 8 : 4) + (genes->places > 0)) * ((positions + 1) / 2);
    words += genes->places ? (scratch * bits + 31) / 32 * work_group : 0;
    return rounded_up(words, 4) / 2;
}

/* CUDA: number of work-items whose registers must fit a multiprocessor at the same time, the fastest of
 * several on an H200. RESIDENT: for reals and orders, whose operators need more registers. RESIDENT_OF_BITS:
 * for other genes. RESIDENT_IN_MEMORY: for populations in memory, where more work-items hide the latency of
 * loading parents. */
enum { RESIDENT = 640, RESIDENT_OF_BITS = 768, RESIDENT_IN_MEMORY = 1024 };

static struct ga_plan plan_of(size_t pool, size_t work_group, size_t resident)
{
    const size_t groups = work_group < resident ? resident / work_group : 1;
    return (struct ga_plan){.lanes = 1,
                            .pool = pool,
                            .work_group = (uint32_t)work_group,
                            .min_groups = groups < 32 ? (uint32_t)groups : 32};
}

static enum shoal_status check_pool(const struct ga_plan *plan, const struct ga_problem *problem,
                                    const struct shoal_device_info *info, const char *what, size_t count,
                                    struct shoal_error *error)
{
    if (plan->pool * 8 <= info->local_mem)
        return SHOAL_OK;
    return fail(error, SHOAL_UNSUPPORTED,
                "%s in local memory: %zu of %zu genes need %zu bytes, %s (%s) has %llu: use another or auto",
                what, count, problem->search.dim, plan->pool * 8, info->id, info->name,
                (unsigned long long)info->local_mem);
}

enum shoal_status ga_genes_onchip_plan(const struct ga_problem *problem, const struct shoal_device_info *info,
                                       size_t items, struct ga_plan *plan, struct shoal_error *error)
{
    enum { MOST_ITEMS = 256 };
    const size_t members = problem->search.members, most = info->max_work_group,
                 real = search_precision(&problem->search) == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    size_t group = items ? items : info->is_cpu ? 1 : power_of_two_at_least(members);
    while (group > MOST_ITEMS || group > most)
        group /= 2;
    *plan = plan_of(pool_of(problem, members, members, real, group, has_one_barrier(problem, info, group)),
                    group, problem->genes.reals || problem->genes.places ? RESIDENT : RESIDENT_OF_BITS);
    return check_pool(plan, problem, info, "--method onchip keeps an island", members, error);
}

enum shoal_status ga_genes_fused_plan(const struct ga_problem *problem, const struct shoal_device_info *info,
                                      size_t items, struct ga_plan *plan, struct shoal_error *error)
{
    enum { GROUP = 128 };
    const size_t most = info->max_work_group < GROUP ? info->max_work_group : GROUP,
                 group = items          ? items
                         : info->is_cpu ? 1
                                        : most,
                 positions = (group + 1) / 2 * 2;
    *plan = plan_of(pool_of(problem, 0, positions, 0, group, false), group,
                    problem->genes.places ? RESIDENT : RESIDENT_IN_MEMORY);
    return check_pool(plan, problem, info, "--method fused keeps children", positions, error);
}

enum shoal_status ga_genes_create_table(struct shoal_solver *solver, struct shoal_buffer **table,
                                        struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct shoal_objective *objective = device->problem->objective;
    if (!device->problem->has_genome || !objective->table)
        return SHOAL_OK;
    return evaluator_create_table(solver->device, solver->queue, objective, device->precision, table, error);
}
