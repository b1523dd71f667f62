/* Parameters of a genetic algorithm as options: defaults, ranges, help. */
#include "ga/ga.h"

#include <math.h>

void shoal_ga_params_init(struct shoal_ga_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_ga_params){.population = 100,
                                       .pressure = 2,
                                       .rank_base = 0.97,
                                       .truncation = 0.5,
                                       .temperature = 1,
                                       .cooling = 0.99,
                                       .crossover_rate = 0.9,
                                       .crossover_eta = 15,
                                       .alpha = NAN,
                                       .mutation_rate = 1,
                                       .gene_rate = NAN,
                                       .mutation_eta = 20,
                                       .sigma = 0.1,
                                       .penalty = 1e6,
                                       .replacement = SHOAL_GA_REPLACEMENT_AUTO,
                                       .elites = 1,
                                       .migrants = 1};
    search_params_init(&params->search, sizeof *params);
    params->search.refine = SHOAL_REFINE_ALL;
}

static const char *const structure_names[] = {"panmictic", "cellular-4", "cellular-8", NULL};
static const char *const selection_names[] = {
    "tournament",       "own",        "roulette",  "sus",  "linear-rank",
    "exponential-rank", "truncation", "boltzmann", "best", NULL};
const char *const ga_crossover_names[] = {
    "auto",      "sbx-bounded", "sbx",  "blx", "arithmetic", "average", "heuristic", "one-point",
    "two-point", "uniform",     "none", "ox",  "pmx",        "cx",      "erx",       NULL};
const char *const ga_mutation_names[] = {"auto",     "polynomial",     "gaussian", "uniform", "step",
                                         "flip",     "tail-inversion", "none",     "swap",    "insertion",
                                         "reversal", "scramble",       NULL};
static const char *const whole_crossover_names[] = {"auto",    "one-point", "two-point",
                                                    "uniform", "none",      NULL};
static const char *const order_crossover_names[] = {"auto", "ox", "pmx", "cx", "erx", "none", NULL};
static const char *const whole_mutation_names[] = {"auto",           "uniform", "step", "flip",
                                                   "tail-inversion", "none",    NULL};
static const char *const order_mutation_names[] = {"auto",     "swap", "insertion", "reversal",
                                                   "scramble", "none", NULL};
static const char *const local_search_names[] = {"none", "first", "best", "tabu", NULL};
static const char *const moves_names[] = {"auto",    "flip",   "swap",         "insertion", "2-opt",
                                          "2.5-opt", "or-opt", "2-opt-or-opt", "3-opt",     NULL};
static const char *const improve_names[] = {"all", "elites", NULL};
static const char *const sigma_unit_names[] = {"box", "gene", NULL};
static const char *const bounds_names[] = {"clamp", "reflect", "penalty", "unbounded", NULL};
static const char *const replacement_names[] = {"generational", "steady", "plus", "comma", "auto", NULL};
static const char *const victim_names[] = {"worst", "random", "oldest", "parent", NULL};
static const char *const emigrant_names[] = {"best", "random", NULL};
static const char *const immigrant_names[] = {"worst", "random", NULL};
const char *const ga_method_names[] = {"auto", "fused", "onchip", "pipeline", GA_THESIS_METHOD_NAME NULL};

#define OPTIONS_OF struct shoal_ga_params

/* Some functions read a file. For the other functions search_check_params refuses --data, but it cannot see
 * whether the user gave the default value. */
#define SEARCH_FUNCTIONS      objective_names
#define SEARCH_FUNCTION_NEEDS "rastrigin: !data"
#define SEARCH_ISLANDS        "islands"
#define SEARCH_ISLANDS_HELP   "number of islands (populations) in a run"
#define SEARCH_STAGNATION     SEARCH_TEXT(GA_STAGNATION)
#define SEARCH_EXCHANGE_NEEDS "islands>1" GA_THESIS_EXCHANGE_NEEDS

const struct shoal_option ga_options[GA_OPTIONS] = {
#include "search/options/problem.inc"
    {.name = "repair",
     OPTION_CHOICE(search.repair, "HOW", search_repair_names),
     .help =
         "what an objective that repairs individuals does before they are evaluated: it replaces them, or "
         "gives their value alone (docs/objectives.md)"},
    {.name = "selection",
     .group = "Parents",
     OPTION_CHOICE(selection, "NAME", selection_names),
     .help = "how parents are selected",
     .needs = "best: structure=cellular-4|cellular-8",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "tournament",
     OPTION_UINT(tournament, "K", 0, 1024),
     .help = "individuals that meet in a tournament; default 1 where children compete with parents by "
             "replacement auto, else 2",
     .needs = "selection=tournament",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "pressure",
     OPTION_REAL(pressure, "S", 1, 2),
     .help = "copies of the best individual by linear ranks",
     .needs = "selection=linear-rank"},
    {.name = "rank-base",
     OPTION_REAL(rank_base, "B", 1e-6, 1),
     .help = "copies of an individual by exponential ranks, relative to the next better one",
     .needs = "selection=exponential-rank"},
    {.name = "truncation",
     OPTION_REAL(truncation, "F", 0, 1),
     .help = "fraction of the population that truncation selects from",
     .needs = "selection=truncation"},
    {.name = "temperature",
     OPTION_REAL(temperature, "T", 0.01, 1e6),
     .help = "temperature of the first generation, in differences of the worst and the best value",
     .needs = "selection=boltzmann"},
    {.name = "cooling",
     OPTION_REAL(cooling, "C", 0, 1),
     .help = "factor of the temperature from one generation to the next, down to 0.01",
     .needs = "selection=boltzmann"},
    {.name = "crossover",
     .group = "Children",
     OPTION_CHOICE(crossover, "NAME", ga_crossover_names),
     .help = "how two parents make two children",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "crossover-rate",
     OPTION_REAL(crossover_rate, "P", 0, 1),
     .help = "probability that a pair crosses",
     .needs = "!crossover-rates",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "crossover-rates",
     OPTION_TEXT(crossover_rates, "P,P..."),
     .help = "a crossover rate for each island",
     .needs = "islands>1"},
    {.name = "crossover-eta",
     OPTION_REAL(crossover_eta, "ETA", 0, 1000),
     .help = "distribution index of SBX: children are nearer to their parents with larger ones"},
    {.name = "alpha",
     OPTION_REAL(alpha, "A", 0, 10),
     .help = "how far blx and average go beyond the parents, in distances of these; default 0.5 and 0.25",
     .needs = "crossover=blx|average"},
    {.name = "whole-crossover",
     OPTION_CHOICE(whole_crossover, "NAME", whole_crossover_names),
     .help = "the same of integers, choices and bits of a mixed genome"},
    {.name = "order-crossover",
     OPTION_CHOICE(order_crossover, "NAME", order_crossover_names),
     .help = "the same of the order of a mixed genome"},
    {.name = "mutation",
     OPTION_CHOICE(mutation, "NAME", ga_mutation_names),
     .help = "what happens to a gene that mutates",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "mutation-rate",
     OPTION_REAL(mutation_rate, "P", 0, 1),
     .help = "probability that a child mutates",
     .needs = "!mutation-rates",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "mutation-rates",
     OPTION_TEXT(mutation_rates, "P,P..."),
     .help = "a mutation rate for each island",
     .needs = "islands>1"},
    {.name = "gene-rate",
     OPTION_REAL(gene_rate, "P", 0, 1),
     .help = "probability that a gene of such a child mutates, an order excepted; default 1 / genes",
     .needs = "!gene-rates, !one-gene",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "gene-rates",
     OPTION_TEXT(gene_rates, "P,P..."),
     .help = "a gene rate for each island",
     .needs = "islands>1, !one-gene"},
    {.name = "one-gene",
     OPTION_FLAG(one_gene),
     .help = "one random gene of a child mutates, rather than each by the gene rate"},
    {.name = "messy",
     OPTION_UINT(messy, "L", 0, 65536),
     .help = "messy genes: bits by a list of up to L pairs of a place and a bit, before a template",
     .needs = "!local-search",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "mutation-eta",
     OPTION_REAL(mutation_eta, "ETA", 0, 1000),
     .help = "distribution index of the polynomial mutation: smaller steps with larger ones"},
    {.name = "sigma",
     OPTION_REAL(sigma, "S", 0, SEARCH_MAX_COORDINATE),
     .help = "standard deviation of the Gaussian mutation of reals",
     .needs = "mutation=gaussian"},
    {.name = "sigma-unit",
     OPTION_CHOICE(sigma_unit, "NAME", sigma_unit_names),
     .help = "unit of sigma: the width of the box, or that of the gene",
     .needs = "mutation=gaussian"},
    {.name = "whole-mutation",
     OPTION_CHOICE(whole_mutation, "NAME", whole_mutation_names),
     .help = "what happens to integers, choices and bits of a mixed genome that mutate"},
    {.name = "order-mutation",
     OPTION_CHOICE(order_mutation, "NAME", order_mutation_names),
     .help = "what happens to the order of a mixed genome that mutates"},
    {.name = "bounds",
     OPTION_CHOICE(bounds, "NAME", bounds_names),
     .help = "what happens to a gene that leaves the search box"},
    {.name = "penalty",
     OPTION_REAL(penalty, "X", 0, SEARCH_MAX_COORDINATE),
     .help = "what each gene outside the box adds to the value, and as much again for each width of the box",
     .needs = "bounds=penalty"},
    {.name = "local-search",
     .group = "Local search",
     OPTION_CHOICE(local_search, "NAME", local_search_names),
     .help = "how children are improved move by move: none, by the first or the best move that lowers the "
             "value, or by the best that is not tabu",
     .needs = "method=auto|pipeline",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "moves",
     OPTION_CHOICE(moves, "NAME", moves_names),
     .help = "flips of bits, or swaps or insertions of the things of an order; the others are of closed "
             "tours (--function tour) alone",
     .needs = "local-search=first|best|tabu, "
              "2-opt|2.5-opt|or-opt|2-opt-or-opt|3-opt: local-search=first|best"},
    {.name = "local-steps",
     OPTION_UINT(local_steps, "N", 0, GA_MAX_LOCAL_STEPS),
     .help = "moves that a child makes at most; default the number of its bits or places",
     .needs = "local-search=first|best|tabu, moves=auto|flip|swap|insertion",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "tenure",
     OPTION_UINT(tenure, "N", 0, GA_MAX_LOCAL_STEPS),
     .help =
         "steps that a move is tabu, and up to half as many more by chance; default by the number of bits "
         "or places",
     .needs = "local-search=tabu",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "improve",
     OPTION_CHOICE(improve, "NAME", improve_names),
     .help = "which children: all, or as many of the best as there are elites",
     .needs = "local-search=first|best|tabu"},
    {.name = "replacement",
     .group = "Next generation",
     OPTION_CHOICE(replacement, "NAME", replacement_names),
     .help = "children in place of all parents, of a few, or the best of both or of the children; auto: each "
             "child of reals competes with a parent, others are generational",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "elites",
     OPTION_UINT(elites, "K", 0, SEARCH_MAX_MEMBERS),
     .help = "best individuals that no child replaces",
     .needs = "replacement=generational|steady|auto",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "children",
     OPTION_UINT(children, "N", 0, SEARCH_MAX_MEMBERS),
     .help =
         "children of a generation; default 2 with steady, the population with plus, 7 times that with comma",
     .needs = "replacement=steady|plus|comma, structure=panmictic",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "victim",
     OPTION_CHOICE(victim, "NAME", victim_names),
     .help =
         "whom a child replaces: the worst or its parent if it is not worse, or a random or the oldest one",
     .needs = "replacement=steady"},
    {.name = "unique",
     OPTION_FLAG(unique),
     .help = "discard a child that equals an individual",
     .needs = "replacement=steady, structure=panmictic"},
    {.name = "migrants",
     .group = "Migration",
     OPTION_UINT(migrants, "M", 1, SEARCH_MAX_MEMBERS),
     .help = "individuals that an island sends in an exchange",
     .needs = "exchange"},
    {.name = "emigrants",
     OPTION_CHOICE(emigrants, "NAME", emigrant_names),
     .help = "which individuals it sends",
     .needs = "exchange"},
    {.name = "immigrants",
     OPTION_CHOICE(immigrants, "NAME", immigrant_names),
     .help = "which individuals those that arrive replace",
     .needs = "exchange"},
    GA_THESIS_MIGRATION_ROW{.name = "population",
                            .group = "Population",
                            OPTION_UINT(population, "N", 2, SEARCH_MAX_MEMBERS),
                            .help = "individuals of an island",
                            .flags = SHOAL_OPTION_SHOWN | SHOAL_OPTION_MAIN},
    {.name = "structure",
     OPTION_CHOICE(structure, "NAME", structure_names),
     .help = "who may mate: all of an island, or 4 or 8 neighbours on a torus",
     .needs = "cellular-4|cellular-8: replacement=generational|steady|auto"},
#include "search/options/run.inc"
    GA_THESIS_RANDOM_ROWS{.name = "method",
                          OPTION_CHOICE(method, "NAME", ga_method_names),
                          .help = "how a generation is laid over the device",
                          .flags = SHOAL_OPTION_METHOD},
#include "search/options/table.inc"
};
