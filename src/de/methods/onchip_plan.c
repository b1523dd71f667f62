/* The plan by which cl/de/methods/onchip.cl divides an island among the work-items of a group, and the
 * contract of the program. */
#include "base/error.h"
#include "compute/contract.h"
#include "compute/device.h"
#include "de/methods/onchip.h"

enum { MOST_ITEMS = 1024, MOST_MEMBERS = 1 << 16, MOST_DIM = 1 << 16 };

static const struct shoal_entry_desc entries[] = {
    ENTRY(de_onchip, de_onchip, .local_define = "POOL", .local_bytes_per_unit = 8,
          .help = "many steps of islands, a work-group for each island"),
};

static const struct shoal_define_desc defines[] = {
    DE_RULE_DEFINE_DESCS(de_onchip),
    DEFINE(de_onchip, CELLS, 0, 1024, "cells of the memory"),
    DEFINE(de_onchip, COLUMNS, 1, SEARCH_SETTINGS_NUMBERS,
           "columns of the table that an opaque objective reads"),
    DEFINE(de_onchip, DIM, 1, MOST_DIM, "dimensions"),
    DEFINE(de_onchip, FREE_CELLS, 0, 1024, "cells of the memory that change"),
    DEFINE(de_onchip, MEMBERS, 4, MOST_MEMBERS, "of an island"),
    DEFINE(de_onchip, MIN_GROUPS, 1, 32, "CUDA: groups that are to fit a multiprocessor at a time"),
    DEFINE(de_onchip, POOL, 1, 1 << 20, "local memory of an island in units of 8 bytes"),
    DEFINE(de_onchip, SHRINKS, 0, 1, "1: the number of members falls"),
    DEFINE(de_onchip, SLOTS, 0, 10 * MOST_MEMBERS, "of the archive of an island"),
    DEFINE(de_onchip, TABLE_ROWS, 1, SEARCH_SETTINGS_NUMBERS, "rows of that table"),
    DEFINE(de_onchip, WG, 1, MOST_ITEMS, "work-group size, a power of two"),
};

const struct shoal_program_desc de_onchip_program = PROGRAM("de.onchip", de_onchip, 0, defines, entries);

/* Plans ------------------------------------------------------------------------------------------------ */

/* Bytes of local memory: the sum of the parts AT_* in cl/de/methods/onchip.clh. */
static size_t pool_bytes(const struct de_problem *problem, size_t work_group, size_t real)
{
    const size_t members = problem->search.members, slots = problem->slots,
                 dim = search_row_length(problem->search.dim, work_group == 1);
    const size_t trials = members > work_group ? dim * members : 0, own = problem->has_own ? 2 * members : 0,
                 sums = problem->cells ? 5 * work_group : 0;
    const size_t reals = dim * (members + slots) + trials + members + own + 3 * problem->cells + sums;
    return reals * real + (2 * members + 2 * ((members + 31) / 32) + slots + DE_COUNTS) * sizeof(uint32_t);
}

/* Limits of the registers, of 255, that the trial of a work-item may take. MOST_WHOLE: the limit for an
 * opaque objective, which needs the whole point: the compiler may then keep the trial in memory. */
enum { MOST_REGISTERS = 128, MOST_WHOLE = 512 };

static enum shoal_status check_registers(const struct de_problem *problem,
                                         const struct shoal_device_info *info, size_t real,
                                         struct shoal_error *error)
{
    const size_t registers = problem->search.dim * real / sizeof(uint32_t);
    const bool whole = problem->search.info->shape == SHOAL_OPAQUE;
    if (info->is_cpu || registers <= (whole ? MOST_WHOLE : MOST_REGISTERS))
        return SHOAL_OK;
    return fail(error, SHOAL_UNSUPPORTED,
                "--method onchip keeps trials in registers: dim %zu is too many for a work-item of %s (%s): "
                "use another or auto",
                problem->search.dim, info->id, info->name);
}

/* Number of groups that fit a multiprocessor with 64 Ki registers and 227 KiB of local memory, of which each
 * group takes 1 KiB in addition. A work-item needs OTHER_REGISTERS in addition to its trial. */
static uint32_t min_groups(const struct de_problem *problem, const struct de_onchip_plan *plan, size_t real)
{
    enum { REGISTERS = 1 << 16, LOCAL = 227 << 10, KEPT = 1 << 10, OTHER_REGISTERS = 50, MOST_GROUPS = 16 };
    const size_t each = OTHER_REGISTERS + problem->search.dim * real / sizeof(uint32_t);
    const size_t by_registers = REGISTERS / (plan->work_group * each),
                 by_memory = LOCAL / (plan->pool * sizeof(uint64_t) + KEPT);
    const size_t groups = by_registers < by_memory ? by_registers : by_memory;
    return (uint32_t)(groups < 1 ? 1 : groups > MOST_GROUPS ? MOST_GROUPS : groups);
}

enum shoal_status de_onchip_plan_make(const struct de_problem *problem, const struct shoal_device_info *info,
                                      size_t work_group, struct de_onchip_plan *plan,
                                      struct shoal_error *error)
{
    const size_t real = search_precision(&problem->search) == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    const size_t most = info->max_work_group < MOST_ITEMS ? info->max_work_group : MOST_ITEMS;
    size_t items = work_group     ? work_group
                   : info->is_cpu ? 1
                                  : power_of_two_at_least(problem->search.members);
    while (items > most)
        items /= 2;
    const size_t bytes = pool_bytes(problem, items, real);
    *plan = (struct de_onchip_plan){.pool = (bytes + 7) / 8, .work_group = (uint32_t)items};
    if (plan->pool * 8 > info->local_mem || problem->search.members > MOST_MEMBERS)
        return fail(error, SHOAL_UNSUPPORTED,
                    "--method onchip keeps an island in local memory: %zu members of dim %zu with an archive "
                    "of %zu need %zu bytes, %s (%s) has %llu: use another or auto",
                    problem->search.members, problem->search.dim, problem->slots, bytes, info->id, info->name,
                    (unsigned long long)info->local_mem);
    plan->min_groups = min_groups(problem, plan, real);
    return check_registers(problem, info, real, error);
}
