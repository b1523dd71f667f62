/* Options for the parameters of a swarm: defaults, ranges and help. */
#include "pso/pso.h"

#include <math.h>

void shoal_pso_params_init(struct shoal_pso_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_pso_params){.particles = 60,
                                        .update = SHOAL_PSO_FIPS,
                                        .topology = SHOAL_PSO_VON_NEUMANN,
                                        .bounds = SHOAL_PSO_REFLECT,
                                        .initial_velocity = SHOAL_PSO_VELOCITY_BY_UPDATE,
                                        .inertia = NAN,
                                        .inertia_end = NAN,
                                        .cognitive = NAN,
                                        .social = NAN,
                                        .velocity_limit = NAN};
    search_params_init(&params->search, sizeof *params);
    params->search.refine = SHOAL_REFINE_ALL;
}

static const char *const update_names[] = {"inertia", "linear", "constriction", "spso2011", "fips", NULL};
static const char *const topology_names[] = {"global",   "ring",    "von-neumann", "random",
                                             "clusters", "pyramid", NULL};
static const char *const bounds_names[] = {"reflect", "clamp",     "absorb",    "bounce", "periodic",
                                           "reentry", "invisible", "unbounded", NULL};
static const char *const velocity_names[] = {"half-difference", "difference", "range", "zero",
                                             "by-update",       NULL};
/* a second name of the option for the number of swarms, which is its name for other algorithms */
static const char *const islands_names[] = {"islands", NULL};
static const char *const random_names[] = {"philox", "philox16", PSO_THESIS_RANDOM_NAMES NULL};
const char *const pso_method_names[] = {"auto",   "fused",       "onchip", "thread", "thread-naive",
                                        "block",  "block-major", "mod",    "lanes",  "warp2",
                                        "block2", "rows",        NULL};

#define OPTIONS_OF struct shoal_pso_params

#define SEARCH_FUNCTIONS      objective_real_names
#define SEARCH_FUNCTION_NEEDS "!data"
#define SEARCH_ISLANDS        "swarms"
#define SEARCH_ISLANDS_HELP   "number of swarms (islands) in a run"
#define SEARCH_ISLANDS_ALSO   islands_names
#define SEARCH_STAGNATION     SEARCH_TEXT(PSO_STAGNATION) " (" SEARCH_TEXT(PSO_FIPS_STAGNATION) " with fips)"

const struct shoal_option pso_options[PSO_OPTIONS] = {
#include "search/options/problem.inc"
    {.name = "particles",
     .group = "Swarm",
     OPTION_UINT(particles, "N", 1, SEARCH_MAX_MEMBERS),
     .help = "particles in a swarm",
     .flags = SHOAL_OPTION_SHOWN | SHOAL_OPTION_MAIN},
    {.name = "update",
     OPTION_CHOICE(update, "NAME", update_names),
     .help = "velocity update rule",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "topology",
     OPTION_CHOICE(topology, "NAME", topology_names),
     .help = "neighbourhood topology: the particles whose best position a particle learns"},
    {.name = "neighbours",
     OPTION_UINT(neighbours, "K", 0, 1024),
     .help = "neighbours of a particle in a ring, an even number, or informants of a particle with random; "
             "0: 2 with ring, 3 with random",
     .needs = "topology=ring|random"},
    {.name = "bounds",
     OPTION_CHOICE(bounds, "NAME", bounds_names),
     .help = "treatment of a particle that leaves the search box"},
    {.name = "initial-velocity",
     OPTION_CHOICE(initial_velocity, "NAME", velocity_names),
     .help = "distribution of the initial velocities"},
    {.name = "inertia",
     OPTION_REAL(inertia, "W", -10, 10),
     .help = "inertia weight; default 0.7298, or the value of the update rule",
     .needs = "update=inertia|linear|spso2011"},
    {.name = "inertia-end",
     OPTION_REAL(inertia_end, "W", -10, 10),
     .help = "inertia weight of the last iteration; default 0.4",
     .needs = "update=linear"},
    {.name = "cognitive",
     OPTION_REAL(cognitive, "C", -10, 10),
     .help = "cognitive coefficient, the attraction to the particle's own best position; default 1.49618, "
             "or the value of the update rule"},
    {.name = "social",
     OPTION_REAL(social, "C", -10, 10),
     .help = "social coefficient, the attraction to the best position of its neighbours; default 1.49618, "
             "or the value of the update rule"},
    {.name = "velocity-limit",
     OPTION_REAL(velocity_limit, "L", 0, 1000),
     .help = "largest velocity, in widths of the search box; default none"},
    {.name = "scalar-random",
     OPTION_FLAG(scalar_random),
     .help = "draw a pair of random numbers for each particle instead of each dimension",
     .needs = "update=inertia|linear|constriction"},
    {.name = "random",
     OPTION_CHOICE(random, "NAME", random_names),
     .help = "random number generator of the velocity update",
     .needs = "update=inertia|linear|constriction"},
    {.name = "batch",
     OPTION_UINT(batch, "N", 0, SEARCH_MAX_MEMBERS),
     .help = "update bests asynchronously, after every N particles; 0: once in an iteration"},
#include "search/options/run.inc"
    {.name = "method",
     OPTION_CHOICE(method, "NAME", pso_method_names),
     .help = "distribution of the work of a step over the device",
     .flags = SHOAL_OPTION_METHOD},
    PSO_THESIS_OPTION_ROWS
#include "search/options/table.inc"
};
