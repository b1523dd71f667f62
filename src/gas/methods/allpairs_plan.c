/* Chooses the defines and launch sizes of cl/gas/methods/allpairs.cl for a gas and a device. */
#include "gas/methods/allpairs.h"

#include "compute/device.h"

#include <math.h>

static double longest(const struct gas_problem *problem)
{
    double length = 0;
    for (size_t k = 0; k < problem->dim; k++)
        length = fmax(length, problem->length[k]);
    return length;
}

static double spacing(const struct gas_problem *problem)
{
    return pow(problem->volume / (double)problem->n, 1 / (double)problem->dim);
}

/* Largest rounding error of a coordinate difference: half a unit in the last place of half the box, in the
 * format of pair forces. */
static double offset_error(const struct gas_problem *problem, enum shoal_gas_precision precision)
{
    return longest(problem) * (precision == SHOAL_GAS_DOUBLE ? 0x1p-54 : 0x1p-25);
}

/* Whether softened forces are accurate although coordinate differences are rounded. In two dimensions the
 * derivative of a softened force is at most |A| / s + B / s^2. Summed over all sources at random positions,
 * this gives an rms error of offset_error sqrt(pi density) (|A| / e + B / e^3), where e is the softening. The
 * error is compared with a mean field of about |A| pi density length / 4. For gravity in three dimensions the
 * error and the field are computed in the same way. */
static bool is_soft(const struct gas_problem *problem, enum shoal_gas_precision precision)
{
    const struct gas_pair *pair = &problem->pair;
    const double pi = acos(-1), error = offset_error(problem, precision), e = sqrt(pair->softening2),
                 density = (double)problem->n / problem->volume, length = longest(problem);
    const double attraction = fabs(pair->attraction);
    double wrong, field;
    if (!(e > 0))
        return false;
    if (problem->kind == GAS_PAIR_GRAVITY) {
        wrong = error * attraction * sqrt(4 * pi * density / (e * e * e));
        field = attraction * density * length;
    } else if (problem->dim == 2 &&
               (problem->kind == GAS_PAIR_LOG || problem->kind == GAS_PAIR_LOG_REPULSION)) {
        const double repulsion = problem->kind == GAS_PAIR_LOG ? 0 : fabs(pair->repulsion);
        wrong = error * sqrt(pi * density) * (attraction / e + repulsion / (e * e * e));
        field = attraction * pi * density * length / 4;
    } else {
        return false;
    }
    return wrong < 2e-6 * field;
}

/* Squared distance, plus softening^2 for softened laws, below which a pair is near. far: the law has a
 * long-range part. */
static double reach_of(const struct gas_problem *problem, enum shoal_gas_precision precision, bool far)
{
    const struct gas_pair *pair = &problem->pair;
    const double slack = 16 * offset_error(problem, precision);
    const bool softened = problem->kind != GAS_PAIR_LJ && problem->kind != GAS_PAIR_USER;
    const double base = softened ? pair->softening2 : 0;
    if (problem->kind == GAS_PAIR_REAL) /* this law compares its cutoff with d + softening^2 */
        return pow(sqrt(pair->cutoff2) + slack, 2);
    if (!far)
        return pow(sqrt(pair->cutoff2) + slack, 2) + base;
    const double radius =
        problem->kind == GAS_PAIR_LJ ? 3 * pow(pair->lj12 / pair->lj6, 1.0 / 6) : 2 * spacing(problem);
    return radius * radius + base;
}

/* Whether the denominators of two sources can be multiplied in fp32 without overflow and underflow, so that
 * one reciprocal serves both. */
static bool may_share(const struct gas_problem *problem)
{
    const double most = problem->pair.softening2 + (double)problem->dim * 4 * pow(longest(problem), 2);
    return (problem->kind == GAS_PAIR_LOG || problem->kind == GAS_PAIR_REAL) && most < 1e18 &&
           problem->pair.softening2 > 1e-17;
}

static uint32_t divided_up(uint64_t a, uint64_t b)
{
    return (uint32_t)((a + b - 1) / b);
}

/* Increases the number of ranges into which the sources are split, for gases that devices may share: each
 * device launches only its part of the work-groups, and the last work-groups of a launch should leave few
 * units idle. With a quarter of 256 groups of targets, each in 25 ranges of sources, four H100 took 1.27
 * times a quarter of the time of one H100. All ranges have the same number of tiles, at least LEAST_TILES, so
 * that adding up their sums costs little. */
static uint32_t splits_for_shares(uint32_t splits, uint32_t tiles)
{
    enum { SHARES = 4, LEAST_TILES = 8 };
    const uint32_t most = tiles / LEAST_TILES, wanted = SHARES * splits < most ? SHARES * splits : most;
    return splits > 1 && wanted > splits ? divided_up(tiles, tiles / wanted) : splits;
}

/* Distributes targets over work-groups. On a CPU a work-group is one work-item, whose targets are the lanes
 * of its vectors. On a GPU a work-item has at most 4 targets. It has fewer if there would be fewer than four
 * work-groups for each unit, when each tile of sources counts as a work-group of its own. */
static void lay_out(struct allpairs_plan *plan, uint64_t n, uint64_t units, bool is_cpu)
{
    uint64_t groups_wanted;
    plan->min_groups = 1;
    if (is_cpu) {
        plan->work_group = 1;
        plan->targets = 16;
        plan->tile = 128;
        plan->unroll = 1;
        groups_wanted = 4 * units;
    } else {
        plan->work_group = 128;
        plan->targets = 4;
        plan->tile = 256;
        plan->unroll = 4;
        while (plan->targets > 1 &&
               n * divided_up(n, plan->tile) < units * 4 * plan->work_group * plan->targets)
            plan->targets /= 2;
        while (plan->tile > 64 && divided_up(n, (uint64_t)plan->work_group * plan->targets) *
                                          (uint64_t)divided_up(n, plan->tile) <
                                      4 * units)
            plan->tile /= 2;
        groups_wanted = 96 * units; /* many groups, so that the last groups leave few units idle */
    }
    const uint32_t target_groups = divided_up(n, (uint64_t)plan->work_group * plan->targets),
                   tiles = divided_up(n, plan->tile);
    const uint32_t splits = divided_up(groups_wanted, target_groups);
    plan->splits = splits < tiles ? splits : tiles;
    if (!is_cpu)
        plan->splits = splits_for_shares(plan->splits, tiles);
    plan->fills_device = !is_cpu && target_groups >= units;
}

/* Up to this number of particles so many pairs are near that a separate branch for far pairs costs more than
 * it saves. */
enum { EXACT_PARTICLES = 16384, EXACT_PARTICLES_CPU = 2048 };

/* Whether the law has a long-range part, and a scale of forces that can be the unit of the kernel's sums. */
static bool has_long_part(const struct gas_problem *problem)
{
    const struct gas_pair *pair = &problem->pair;
    return problem->kind == GAS_PAIR_LJ ? pair->lj12 > 0 && pair->lj6 > 0 : pair->attraction != 0;
}

/* Lets the targets of a work-item share reciprocals in pairs: all targets if a reciprocal takes many
 * operations (`all`), otherwise some of the targets, since the special-function units limit the speed.
 *
 * Through CUDA, if the gas fills the device, 1 of 8 targets shares, else half of them: a pair that does not
 * share takes 6 operations and 8 cycles of those units, one that shares 7.5 and 4, so that both limits are
 * near each other. Groups of 256 with at most 128 registers keep four warps on each scheduler. An H200
 * computes 262144 particles at 3.71, 3.83, 3.78 and 3.79 T pairs/s if 0, 1, 2 and 3 of 8 targets share, and
 * at 3.49 with half of them in groups of 128. Through OpenCL half of 8 targets share, in groups of 128: 2.61
 * (before the loop counted pairs of sources), and 2.60 with 1 of 8 in groups of 256. */
static void share_reciprocals(struct allpairs_plan *plan, bool all, bool cuda)
{
    if (!all && plan->fills_device && plan->targets == 4) {
        plan->targets = 8;
        plan->work_group = cuda ? 256 : 128;
        plan->unroll = cuda ? 8 : 4;
        plan->min_groups = 2;
    }
    plan->shared = all ? plan->targets : cuda && plan->targets == 8 ? 1 : plan->targets / 2;
}

struct allpairs_plan allpairs_plan_make(const struct gas_problem *problem, enum shoal_gas_precision precision,
                                        const struct shoal_device_info *info)
{
    struct allpairs_plan plan = {0};
    const bool cut = isfinite(problem->pair.cutoff2), user = problem->kind == GAS_PAIR_USER;
    lay_out(&plan, problem->n, units_for_sums(info), info->is_cpu);
    plan.far = (!cut || problem->kind == GAS_PAIR_REAL) && !user && has_long_part(problem);
    plan.near = !plan.far || !is_soft(problem, precision) || problem->species;
    /* Without a cutoff all pairs of a user's law are exact, since its force may be any function, even 0. So
     * are those of several species, whose constants differ from pair to pair. */
    plan.exact = (!cut && !plan.far) || problem->species ||
                 (plan.near && problem->n <= (size_t)(info->is_cpu ? EXACT_PARTICLES_CPU : EXACT_PARTICLES));
    plan.reach = plan.near ? reach_of(problem, precision, plan.far) : problem->pair.softening2;
    if (plan.far && !plan.near && may_share(problem))
        share_reciprocals(&plan, precision == SHOAL_GAS_DOUBLE || info->is_cpu, info->architecture > 0);
    return plan;
}
