/* Plans how an island is distributed over a work-group by cl/pso/methods/onchip.cl. */
#include "base/error.h"
#include "compute/device.h"
#include "pso/methods/onchip.h"

/* Local memory ----------------------------------------------------------------------------------------- */

/* Returns the bytes of local memory: the size of all parts AT_* in cl/pso/methods/onchip.clh, for an
 * objective with the largest number of accumulators. */
static size_t pool_bytes(const struct pso_problem *problem, const struct onchip_plan *plan, size_t real)
{
    enum { TERMS = 4, EDGE = 1, COUNTS = 4 };
    const struct shoal_pso_params *params = problem->params;
    const size_t particles = problem->search.members, padded = plan->lanes * plan->coordinates;
    const bool known = params->topology != SHOAL_PSO_GLOBAL || problem->update == PSO_FIPS_UPDATE;
    size_t rows = 0;
    if (plan->lanes > 1)
        rows = TERMS + EDGE + (params->bounds == SHOAL_PSO_INVISIBLE) +
               2 * (problem->update == PSO_SPSO2011_UPDATE);
    const size_t masks = params->topology == SHOAL_PSO_RANDOM ? (particles + 31) / 32 : 0;
    const size_t reals =
        (known ? (padded + 1) * particles : padded) + particles + rows * particles * plan->lanes;
    return reals * real + (COUNTS + particles + masks * particles) * sizeof(uint32_t);
}

/* Plans ------------------------------------------------------------------------------------------------ */

/* Sets the number of lanes, and the number of dimensions of each work-item as COORDS of the kernel file
 * determines it. */
static void set_lanes(const struct pso_problem *problem, size_t lanes, struct onchip_plan *plan)
{
    const struct shoal_pso_params *params = problem->params;
    const bool quads = params->random == SHOAL_PSO_PHILOX16 || problem->update != PSO_LINEAR_UPDATE ||
                       params->bounds == SHOAL_PSO_REENTRY;
    plan->lanes = lanes;
    plan->coordinates = lanes == 1 ? problem->search.dim
                                   : rounded_up((problem->search.dim + lanes - 1) / lanes, quads ? 4 : 2);
}

/* Sets the work-group size: a work-item for each lane of each particle. If this is more than half a warp, it
 * is rounded up to whole warps. */
static void set_work_group(const struct pso_problem *problem, const struct shoal_device_info *info,
                           struct onchip_plan *plan)
{
    const size_t items = problem->search.members * plan->lanes,
                 width = info->simd_width ? info->simd_width : 1;
    size_t work_group = items > width / 2 ? rounded_up(items, width) : items;
    if (work_group > info->max_work_group)
        work_group = info->max_work_group / plan->lanes * plan->lanes;
    plan->work_group = (uint32_t)(work_group ? work_group : 1);
}

static enum shoal_status set_pool(const struct pso_problem *problem, const struct shoal_device_info *info,
                                  size_t real, struct onchip_plan *plan, struct shoal_error *error)
{
    const size_t bytes = pool_bytes(problem, plan, real);
    plan->pool = (bytes + 7) / 8;
    if (plan->pool * 8 <= info->local_mem)
        return SHOAL_OK;
    return fail(error, SHOAL_UNSUPPORTED,
                "--method onchip keeps an island in local memory: %zu particles of dim %zu need %zu bytes, "
                "%s (%s) has %llu: use another or auto",
                problem->search.members, problem->search.dim, bytes, info->id, info->name,
                (unsigned long long)info->local_mem);
}

/* Plan for a CPU: a group is one work-item. Its loops over the particles become vector code, and its private
 * memory fits the cache. */
static enum shoal_status plan_cpu(const struct pso_problem *problem, size_t real, struct onchip_plan *plan,
                                  struct shoal_error *error)
{
    enum { CACHE_BYTES = 1 << 19 };
    const double bytes = 4.0 * (double)problem->search.members * (double)problem->search.dim * (double)real;
    set_lanes(problem, 1, plan);
    plan->work_group = 1;
    if (bytes <= CACHE_BYTES)
        return SHOAL_OK;
    return fail(error, SHOAL_UNSUPPORTED,
                "--method onchip keeps an island in the cache: %zu particles of dim %zu need %.0f bytes of "
                "%d: use another or auto",
                problem->search.members, problem->search.dim, bytes, CACHE_BYTES);
}

/* Numbers of registers of a work-item (of 255) that the coordinates of its particle may take; random numbers
 * and terms need the others. REGISTERS: with more, lanes are added. MOST_REGISTERS: limit if no lane can be
 * added. MOST_WHOLE: limit for opaque objectives and objectives of single coordinates; a work-item then has
 * the whole point of a particle, and the compiler may keep a part of it in memory. */
enum { REGISTERS = 128, MOST_REGISTERS = 192, MOST_WHOLE = 1024 };

static size_t registers(const struct pso_problem *problem, const struct onchip_plan *plan, size_t real)
{
    const bool known = problem->params->topology != SHOAL_PSO_GLOBAL || problem->update == PSO_FIPS_UPDATE;
    const size_t arrays = (known ? 2 : 3) + (problem->update == PSO_SPSO2011_UPDATE);
    return arrays * plan->coordinates * real / sizeof(uint32_t);
}

/* Plan for a GPU. Lanes are added until the coordinates fit the registers, and then until the work-items are
 * enough for the whole device. */
static enum shoal_status plan_gpu(const struct pso_problem *problem, const struct shoal_device_info *info,
                                  size_t real, struct onchip_plan *plan, struct shoal_error *error)
{
    enum { ITEMS_OF_UNIT = 512, FEW_COORDINATES = 4, MOST_LANES = 32 };
    const bool whole = problem->search.info->shape == SHOAL_OPAQUE || problem->search.objective->singles > 0;
    const double enough = (double)units_for_sums(info) * ITEMS_OF_UNIT;
    const double particles = (double)search_of_whole(&problem->search, problem->search.total);
    size_t lanes = 1;
    for (set_lanes(problem, 1, plan); !whole && lanes < MOST_LANES; set_lanes(problem, lanes, plan)) {
        const bool idle = particles * (double)lanes < enough && plan->coordinates > FEW_COORDINATES;
        if (!idle && registers(problem, plan, real) <= REGISTERS)
            break;
        if (2 * lanes * problem->search.members > info->max_work_group)
            break;
        lanes *= 2;
    }
    set_work_group(problem, info, plan);
    if (problem->search.members > info->max_work_group)
        return fail(error, SHOAL_UNSUPPORTED,
                    "--method onchip has a work-item for each particle: a group of %s (%s) has %u, not %zu: "
                    "use another or auto",
                    info->id, info->name, info->max_work_group, problem->search.members);
    if (registers(problem, plan, real) <= (whole ? MOST_WHOLE : MOST_REGISTERS))
        return SHOAL_OK;
    return fail(
        error, SHOAL_UNSUPPORTED,
        "--method onchip keeps positions in registers: with %zu particles of dim %zu a work-item of %s "
        "(%s) has %zu dimensions, too many: use another or auto",
        problem->search.members, problem->search.dim, info->id, info->name, plan->coordinates);
}

enum shoal_status onchip_plan_make(const struct pso_problem *problem, const struct shoal_device_info *info,
                                   size_t lanes, struct onchip_plan *plan, struct shoal_error *error)
{
    const size_t real = problem->params->search.precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    enum shoal_status status = SHOAL_OK;
    *plan = (struct onchip_plan){0};
    if (lanes) {
        set_lanes(problem, lanes, plan);
        set_work_group(problem, info, plan);
    } else {
        status =
            info->is_cpu ? plan_cpu(problem, real, plan, error) : plan_gpu(problem, info, real, plan, error);
    }
    return status ? status : set_pool(problem, info, real, plan, error);
}
