/* Options for the parameters of a genetic algorithm: defaults, ranges and help. */
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

/* Some functions read a file, so --data needs --function. For a function without a file, search_check_params
 * refuses --data; but it cannot know whether the user gave the default function, so the condition names
 * it. */
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
     .help = "use of an objective's repair before evaluations: replace individuals by repaired ones, or only "
             "take the value of the repaired ones (docs/objectives.md)"},
    {.name = "selection",
     .group = "Parents",
     OPTION_CHOICE(selection, "NAME", selection_names),
     .help = "rule by which parents are selected",
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
     .help = "expected copies of the best individual with linear ranks",
     .needs = "selection=linear-rank"},
    {.name = "rank-base",
     OPTION_REAL(rank_base, "B", 1e-6, 1),
     .help = "expected copies of an individual with exponential ranks, relative to the next better "
             "individual",
     .needs = "selection=exponential-rank"},
    {.name = "truncation",
     OPTION_REAL(truncation, "F", 0, 1),
     .help = "fraction of the population from which truncation selects",
     .needs = "selection=truncation"},
    {.name = "temperature",
     OPTION_REAL(temperature, "T", 0.01, 1e6),
     .help = "temperature of the first generation, in units of the difference of the worst and the best "
             "value",
     .needs = "selection=boltzmann"},
    {.name = "cooling",
     OPTION_REAL(cooling, "C", 0, 1),
     .help = "factor of the temperature from one generation to the next; the temperature stays at least 0.01",
     .needs = "selection=boltzmann"},
    {.name = "crossover",
     .group = "Children",
     OPTION_CHOICE(crossover, "NAME", ga_crossover_names),
     .help = "operator by which two parents make two children",
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
     .help = "distribution index of SBX: a larger index makes children nearer to their parents"},
    {.name = "alpha",
     OPTION_REAL(alpha, "A", 0, 10),
     .help = "range of blx and average beyond the parents, in units of the parents' distance; default 0.5 "
             "for blx and 0.25 for average",
     .needs = "crossover=blx|average"},
    {.name = "whole-crossover",
     OPTION_CHOICE(whole_crossover, "NAME", whole_crossover_names),
     .help = "crossover of integers, choices and bits of a mixed genome"},
    {.name = "order-crossover",
     OPTION_CHOICE(order_crossover, "NAME", order_crossover_names),
     .help = "crossover of the order of a mixed genome"},
    {.name = "mutation",
     OPTION_CHOICE(mutation, "NAME", ga_mutation_names),
     .help = "mutation operator of a gene",
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
     .help = "probability that a gene of a mutating child mutates, except the genes of an order; default 1 "
             "/ genes",
     .needs = "!gene-rates, !one-gene",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "gene-rates",
     OPTION_TEXT(gene_rates, "P,P..."),
     .help = "a gene rate for each island",
     .needs = "islands>1, !one-gene"},
    {.name = "one-gene",
     OPTION_FLAG(one_gene),
     .help = "mutate one random gene of a child instead of each gene with the gene rate"},
    {.name = "messy",
     OPTION_UINT(messy, "L", 0, 65536),
     .help = "messy genes: bits given by a template and a list of up to L pairs of a place and a bit",
     .needs = "!local-search",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "mutation-eta",
     OPTION_REAL(mutation_eta, "ETA", 0, 1000),
     .help = "distribution index of the polynomial mutation: a larger index makes smaller steps"},
    {.name = "sigma",
     OPTION_REAL(sigma, "S", 0, SEARCH_MAX_COORDINATE),
     .help = "standard deviation of the Gaussian mutation of reals",
     .needs = "mutation=gaussian"},
    {.name = "sigma-unit",
     OPTION_CHOICE(sigma_unit, "NAME", sigma_unit_names),
     .help = "unit of sigma: the width of the box, or the unit of the gene",
     .needs = "mutation=gaussian"},
    {.name = "whole-mutation",
     OPTION_CHOICE(whole_mutation, "NAME", whole_mutation_names),
     .help = "mutation operator of integers, choices and bits of a mixed genome"},
    {.name = "order-mutation",
     OPTION_CHOICE(order_mutation, "NAME", order_mutation_names),
     .help = "mutation operator of the order of a mixed genome"},
    {.name = "bounds",
     OPTION_CHOICE(bounds, "NAME", bounds_names),
     .help = "treatment of a gene that leaves the search box"},
    {.name = "penalty",
     OPTION_REAL(penalty, "X", 0, SEARCH_MAX_COORDINATE),
     .help = "penalty of the value for each gene outside the box, added once, and once more for each width "
             "of the box of its distance",
     .needs = "bounds=penalty"},
    {.name = "local-search",
     .group = "Local search",
     OPTION_CHOICE(local_search, "NAME", local_search_names),
     .help = "local search of children: none, the first or the best move that lowers the value, or the best "
             "move that is not tabu",
     .needs = "method=auto|pipeline",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "moves",
     OPTION_CHOICE(moves, "NAME", moves_names),
     .help = "moves of the local search: flips of bits, swaps or insertions of the things of an order; the "
             "other moves are for closed tours (--function tour) only",
     .needs = "local-search=first|best|tabu, "
              "2-opt|2.5-opt|or-opt|2-opt-or-opt|3-opt: local-search=first|best"},
    {.name = "local-steps",
     OPTION_UINT(local_steps, "N", 0, GA_MAX_LOCAL_STEPS),
     .help = "most moves in the local search of a child; default the number of its bits or places",
     .needs = "local-search=first|best|tabu, moves=auto|flip|swap|insertion",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "tenure",
     OPTION_UINT(tenure, "N", 0, GA_MAX_LOCAL_STEPS),
     .help =
         "steps for which a move is tabu, plus a random number of up to half as many; default by the number "
         "of bits or places",
     .needs = "local-search=tabu",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "improve",
     OPTION_CHOICE(improve, "NAME", improve_names),
     .help = "children that the local search improves: all, or as many of the best as there are elites",
     .needs = "local-search=first|best|tabu"},
    {.name = "replacement",
     .group = "Next generation",
     OPTION_CHOICE(replacement, "NAME", replacement_names),
     .help = "children replace all members (generational) or a few (steady), or the best of members and "
             "children stay (plus), or the best children (comma); auto: each child of reals competes with a "
             "parent, other genes are generational",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "elites",
     OPTION_UINT(elites, "K", 0, SEARCH_MAX_MEMBERS),
     .help = "best individuals that no child replaces",
     .needs = "replacement=generational|steady|auto",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "children",
     OPTION_UINT(children, "N", 0, SEARCH_MAX_MEMBERS),
     .help = "children of a generation; default 2 with steady, the population with plus, 7 populations with "
             "comma",
     .needs = "replacement=steady|plus|comma, structure=panmictic",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "victim",
     OPTION_CHOICE(victim, "NAME", victim_names),
     .help =
         "member that a child replaces: the worst or a parent, if the child is not worse, a random member, "
         "or the oldest",
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
     .help = "individuals that an island sends: the best or random ones",
     .needs = "exchange"},
    {.name = "immigrants",
     OPTION_CHOICE(immigrants, "NAME", immigrant_names),
     .help = "individuals that immigrants replace: the worst or random ones",
     .needs = "exchange"},
    GA_THESIS_MIGRATION_ROW{.name = "population",
                            .group = "Population",
                            OPTION_UINT(population, "N", 2, SEARCH_MAX_MEMBERS),
                            .help = "individuals of an island",
                            .flags = SHOAL_OPTION_SHOWN | SHOAL_OPTION_MAIN},
    {.name = "structure",
     OPTION_CHOICE(structure, "NAME", structure_names),
     .help = "individuals that may mate: all of an island, or 4 or 8 neighbours on a torus",
     .needs = "cellular-4|cellular-8: replacement=generational|steady|auto"},
#include "search/options/run.inc"
    GA_THESIS_RANDOM_ROWS{.name = "method",
                          OPTION_CHOICE(method, "NAME", ga_method_names),
                          .help = "distribution of the work of a generation over the device",
                          .flags = SHOAL_OPTION_METHOD},
#include "search/options/table.inc"
};
