/* Programs of the ants, and choice of work-group sizes that fit the local memory of a device. */
#include "base/error.h"
#include "compute/contract.h"
#include "tsp/ants/device.h"

#include "tsp/ants/rules.h"

/* Bytes of local memory of a team of TEAM work-items, which constructs a tour together
 * (cl/tsp/ants/walk.clh): random numbers, marks and sums of lanes. */
enum { TEAM = 32, TEAM_BYTES = 130 * 4 + 4 * 4 + 3 * ANTS_LANES * 4 };

static const struct shoal_entry_desc walk_entries[] = {
    ENTRY(tsp_walk, tsp_ants_walk, .local_bytes_per_item = (TEAM_BYTES + TEAM - 1) / TEAM + sizeof(long),
          .local_define = "ROOM", .local_bytes_per_unit = sizeof(uint32_t),
          .help = "tours of ants, each by a work-group"),
};

#define WALK_DEFINES(file)                                                                                   \
    TSP_PLACES_DEFINES(file), DEFINE(file, CANDIDATES, 1, 128, "cities among which an ant chooses"),         \
        DEFINE(file, FULL, 0, 1, "1: pheromone on all edges"),                                               \
        DEFINE(file, HAS_Q0, 0, 1, "1: an ant may take the best candidate at once"),                         \
        DEFINE(file, LISTS, 1, 128, "cities of a list, the candidates first"),                               \
        DEFINE(file, ROOM, 1, 1 << 24,                                                                       \
               "words of local memory for the sets of cities, and what else an ant keeps"),                  \
        DEFINE(file, WORDS, 1, 1 << 20, "words of a set of cities, a bit each")

static const struct shoal_define_desc walk_defines[] = {
    WALK_DEFINES(tsp_walk),
    DEFINE(tsp_walk, MIN_GROUPS, 1, 32, "groups that are to fit a multiprocessor of a GPU at a time"),
    TUNED_DEFINE(tsp_walk, WG, 1, 1024, 1, "work-group size, a power of two"),
};

const struct shoal_program_desc tsp_ants_walk_program =
    PROGRAM("tsp.ants-walk", tsp_walk, SHOAL_WITHOUT_CONTRACTION, walk_defines, walk_entries);

static const struct shoal_entry_desc together_entries[] = {
    ENTRY(tsp_together, tsp_ants_together, .local_bytes = TEAM_BYTES,
          .local_bytes_per_item = TEAM_BYTES / TEAM, .local_define = "ROOM",
          .local_bytes_per_unit = sizeof(uint32_t),
          .help = "tours of the ants of acs, a work-group for each colony"),
};

static const struct shoal_define_desc together_defines[] = {
    WALK_DEFINES(tsp_together),
    DEFINE(tsp_together, ANTS, 1, 1 << 24, "ants of a colony"),
    DEFINE(tsp_together, WG, 1, 1024, "work-group size, a power of two"),
};

const struct shoal_program_desc tsp_ants_together_program =
    PROGRAM("tsp.ants-together", tsp_together, SHOAL_WITHOUT_CONTRACTION, together_defines, together_entries);

static const struct shoal_entry_desc update_entries[] = {
    ENTRY(tsp_trails, tsp_ants_settle, .local_bytes = 8, .local_bytes_per_item = 16,
          .help = "the best tours of a step, and the tours that leave pheromone"),
    ENTRY(tsp_trails, tsp_ants_link, .help = "neighbours of the cities in tours"),
    ENTRY(tsp_trails, tsp_ants_renew, .help = "evaporation and deposits of pheromone"),
    ENTRY(tsp_trails, tsp_ants_branch, .help = "branching factor of mmas"),
    ENTRY(tsp_trails, tsp_ants_fill, .help = "initial pheromone, and weights from pheromone"),
    ENTRY(tsp_trails, tsp_ants_finish, .local_bytes = ANTS_LANES * 4,
          .help = "restarts and mutations of "
                  "bwas"),
    ENTRY(tsp_trails, tsp_ants_exchange, .help = "takes the best tours of other colonies (--exchange)"),
};

static const struct shoal_define_desc update_defines[] = {
    DEFINE(tsp_trails, ALGORITHM, 0, 5, "as eas ras mmas bwas acs"),
    DEFINE(tsp_trails, FULL, 0, 1, "1: pheromone on all edges"),
    DEFINE(tsp_trails, WG, 1, 1024, "work-group size, a power of two"),
};

const struct shoal_program_desc tsp_ants_trails_program =
    PROGRAM("tsp.ants-trails", tsp_trails, SHOAL_WITHOUT_CONTRACTION, update_defines, update_entries);

/* acs: returns the work-group size: a team for each ant, but at most 1024 work-items, or fewer if the device
 * limits groups to fewer. On a CPU: 1. */
static uint32_t together_group(const struct shoal_device_info *info, uint32_t ants)
{
    uint32_t group = TEAM;
    while (group / TEAM < ants && group < 1024)
        group *= 2;
    while (group > info->max_work_group)
        group /= 2;
    return info->is_cpu ? 1 : group;
}

/* Returns the number of 32-bit words of local memory that all ants of a group need for sets of visited
 * cities, random numbers and indices. */
static size_t together_words(const struct ants_settings *settings, uint32_t group)
{
    const size_t teams = group < TEAM ? 1 : group / TEAM, ants = (settings->ants + teams - 1) / teams * teams;
    return ants * ((settings->cities + 31) / 32 + 128 + 2);
}

static enum shoal_status check_room(const struct shoal_device_info *info,
                                    const struct ants_settings *settings, size_t bytes,
                                    struct shoal_error *error)
{
    if (bytes <= info->local_mem)
        return SHOAL_OK;
    return fail(
        error, SHOAL_UNSUPPORTED,
        "the ants of %u cities need %zu bytes of local memory, %s (%s) has %llu: lower --ants, or take "
        "--device host",
        settings->cities, bytes, info->id, info->name, (unsigned long long)info->local_mem);
}

static void add_walk_defines(const struct ants_device *device, uint32_t group, size_t room,
                             struct defines *defines)
{
    const struct ants_settings *settings = device->ants.settings;
    tsp_places_defines(device->ants.problem, defines);
    define_add(defines, "CANDIDATES", settings->candidates);
    define_add(defines, "FULL", device->ants.is_full);
    define_add(defines, "HAS_Q0", settings->q0 > 0);
    define_add(defines, "LISTS", settings->lists);
    define_add(defines, "ROOM", (int64_t)room);
    define_add(defines, "WG", group);
    define_add(defines, "WORDS", (settings->cities + 31) / 32);
}

static enum shoal_status build_together(struct shoal_solver *solver, struct ants_device *device,
                                        struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const struct ants_settings *settings = device->ants.settings;
    const uint32_t group = together_group(info, settings->ants);
    const size_t room = together_words(settings, group);
    const struct entry_kernel walk = {"tsp_ants_together", &device->walk};
    struct defines own = {.count = 0};
    enum shoal_status status = check_room(info, settings, 4 * room + TEAM_BYTES * (group / TEAM + 1), error);
    if (status)
        return status;
    add_walk_defines(device, group, room, &own);
    define_add(&own, "ANTS", settings->ants);
    return programs_build(&solver->programs, &tsp_ants_together_program, &own, &walk, 1, NULL, error);
}

/* Returns the number of warps of 32 that are to fit a multiprocessor, which limits their registers. With up
 * to 32 candidates and no q0 (cl/tsp/ants/warp.clh) the loop over the cities of a tour needs fewer than 32
 * registers, so that all warps fit which the hardware allows: on an H200, pr1002 takes 0.90 of the time of 48
 * warps. Otherwise, and with pheromone on all edges, registers would spill in the loop. A number above what
 * the hardware allows would have no effect. */
static uint32_t walk_warps(const struct shoal_device_info *info, const struct ants_device *device)
{
    const struct ants_settings *const settings = device->ants.settings;
    const bool is_short = settings->candidates <= 32 && settings->q0 == 0 && !device->ants.is_full;
    static const uint32_t with_64[] = {80, 90, 100, 103}; /* compute capabilities x 10 */
    for (size_t i = 0; i < COUNT(with_64) && is_short; i++)
        if (info->architecture == with_64[i])
            return 64;
    return 48;
}

static enum shoal_status build_walk(struct shoal_solver *solver, struct ants_device *device,
                                    struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const struct ants_settings *settings = device->ants.settings;
    const size_t words = (settings->cities + 31) / 32,
                 team_bytes = 4 * words + TEAM_BYTES + TEAM * sizeof(long);
    const struct entry_kernel walk = {"tsp_ants_walk", &device->walk};
    struct defines own = {.count = 0};
    /* A group has several teams, since a multiprocessor limits the number of its groups. On an H200, the
     * problem pr1002 takes 0.8 of the time that groups of one team and half as many warps took. */
    enum { GROUP = 128 };
    uint32_t group = info->is_cpu ? 1 : GROUP;
    while (group > TEAM && (group > info->max_work_group || group / TEAM * team_bytes > info->local_mem))
        group /= 2;
    while (group > info->max_work_group)
        group /= 2;
    enum shoal_status status = check_room(info, settings, team_bytes, error);
    if (status)
        return status;
    add_walk_defines(device, group, words * (group < TEAM ? 1 : group / TEAM), &own);
    const uint32_t groups = group < TEAM ? 1 : walk_warps(info, device) / (group / TEAM);
    define_add(&own, "MIN_GROUPS", groups < 32 ? groups : 32);
    return programs_build(&solver->programs, &tsp_ants_walk_program, &own, &walk, 1, NULL, error);
}

enum shoal_status ants_device_build(struct shoal_solver *solver, struct ants_device *device,
                                    struct shoal_error *error)
{
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const struct entry_kernel update[] = {
        {"tsp_ants_settle", &device->settle},    {"tsp_ants_link", &device->link},
        {"tsp_ants_renew", &device->renew},      {"tsp_ants_branch", &device->branch},
        {"tsp_ants_fill", &device->fill},        {"tsp_ants_finish", &device->finish},
        {"tsp_ants_exchange", &device->exchange}};
    struct defines own = {.count = 0};
    define_add(&own, "ALGORITHM", device->ants.algorithm);
    define_add(&own, "FULL", device->ants.is_full);
    define_add(&own, "WG", info->max_work_group < 128 ? (int64_t)info->max_work_group : 128);
    enum shoal_status status = device->ants.algorithm == ANTS_ACS ? build_together(solver, device, error)
                                                                  : build_walk(solver, device, error);
    return status ? status
                  : programs_build(&solver->programs, &tsp_ants_trails_program, &own, update, COUNT(update),
                                   NULL, error);
}
