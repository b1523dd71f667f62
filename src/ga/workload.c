/* The workload "ga": descriptor for `shoal ga`. */
#include "base/error.h"
#include "ga/device/device.h"
#include "ga/ga.h"
#include "ga/host/host.h"
#include "ga/model/tours.h"
#include "search/optimiser/optimise.h"
#include "workload/checkpoint/saved_options.h"

#include <string.h>

extern const struct workload ga_workload;

static void params_init(void *params)
{
    shoal_ga_params_init(params);
    workload_params_extend(&ga_workload, params);
}

static enum shoal_status create_problem(struct shoal *shoal, const struct shoal_search_params *params,
                                        struct search_problem *problem, struct shoal_error *error)
{
    return ga_problem_create(shoal, (const struct shoal_ga_params *)params, (struct ga_problem *)problem,
                             error);
}

static void destroy_problem(struct search_problem *problem)
{
    ga_tours_destroy(&((struct ga_problem *)problem)->improve.tours);
}

static void resolve(struct search_problem *problem)
{
    struct shoal_ga_params *params = (struct shoal_ga_params *)problem->params;
    ga_resolve_replacement(params, !problem->has_genome, problem->info->dynamic);
}

static uint64_t points(const struct shoal_search_params *params)
{
    return ga_children((const struct shoal_ga_params *)params);
}

static uint64_t migrants(const struct shoal_search_params *params)
{
    return ((const struct shoal_ga_params *)params)->migrants;
}

static size_t extra_words(const struct search_problem *problem)
{
    const uint64_t messy = ((const struct shoal_ga_params *)problem->params)->messy;
    return messy ? MESSY_WORDS(problem->genome.bits, (size_t)messy) : 0;
}

/* Sets the words after the genes of a member that is a start point with messy genes: the template has the
 * bits of the point, and the list has no pairs. */
static void set_extra(const struct search_problem *problem, double *member)
{
    double *extra = member + problem->dim - problem->genome.extra;
    memset(extra, 0, problem->genome.extra * sizeof *extra);
    for (size_t b = 0; b < problem->genome.bits; b++)
        extra[b / 32] += member[b] * (double)(UINT32_C(1) << b % 32);
}

static const char *warning(const struct search_problem *problem, const struct search_spread *spread)
{
    const struct shoal_ga_params *params = (const struct shoal_ga_params *)problem->params;
    if (!ga_selects_by_weight(params) || (spread->count && spread->least < spread->most))
        return NULL;
    return "the values of the last population are all equal or infinite, so --selection roulette, sus and "
           "boltzmann select any member: mutate more, or use tournament";
}

static bool has_moves(const struct shoal_search_params *params)
{
    return ((const struct shoal_ga_params *)params)->local_search;
}

const struct search_algorithm ga_algorithm = {
    .name = "ga",
    .members = "population",
    .member_name = "individuals",
    .takes_points = true,
    .dividing_method = "pipeline",
    .islands = "islands",
    .members_offset = offsetof(struct shoal_ga_params, population),
    .points = points,
    .migrants = migrants,
    .resolve = resolve,
    .stagnation = GA_STAGNATION,
    .has_moves = has_moves,
    .takes_genes = true,
    .extra_words = extra_words,
    .set_extra = set_extra,
    .has_population = true,
    .warning = warning,
    .problem_size = sizeof(struct ga_problem),
    .problem_create = create_problem,
    .problem_destroy = destroy_problem,
    .host = &ga_host_functions,
    .device = &ga_device_functions,
};

SEARCH_WORKLOAD_FUNCTIONS(ga)

extern const struct shoal_program_desc ga_fused_program, ga_genes_fused_program, ga_genes_onchip_program,
    ga_genes_program, ga_improve_program, ga_onchip_program, ga_replace_program, ga_select_program,
    ga_tours_program, ga_vary_program;

static const struct shoal_program_desc *const programs[] = {
    &ga_fused_program,   &ga_genes_fused_program, &ga_genes_onchip_program, &ga_genes_program,
    &ga_improve_program, &ga_onchip_program,      &ga_replace_program,      &ga_select_program,
    &ga_tours_program,   &ga_vary_program,        GA_THESIS_PROGRAMS NULL,
};

static const struct shoal_example examples[] = {
    {"shoal ga --function rastrigin --dim 30 --population 128 --iterations 2000 --seed 1 --device all",
     "the same population on every device"},
    {"shoal ga --function ackley --dim 30 --islands 1024 --exchange 100 --migrants 2",
     "islands that exchange their best individuals"},
    {"shoal ga --function griewank --dim 2 --selection own --crossover arithmetic --crossover-rate 0.7 "
     "--mutation gaussian --mutation-rate 0.05 --one-gene --sigma 1 --sigma-unit gene --elites 0",
     "the operators of the thesis"},
    {"shoal ga --expr 'sum(x[i]^2)' --lower -5 --upper 5 --replacement steady --iterations 100000",
     "a formula, two children at a time"},
    {"shoal ga --function schwefel --islands 8 --gene-rates 0.01,0.02,0.03,0.05,0.1,0.2,0.3,0.5",
     "eight mutation rates at once"},
    {"shoal ga --function labs --dim 48 --population 200 --iterations 2000",
     "bits: a sequence of low autocorrelation"},
    {"shoal ga --expr 'sum((x[i]-2.5)^2)' --variables 'x1-x4 real -5 5, x5-x8 integer 0 9, x9-x12 bit'",
     "reals, integers and bits together"},
    {"shoal ga --function labs --dim 50 --population 2000 --local-search tabu --target 153",
     "a tabu search of each child"},
    {"shoal ga --function tour --data points.csv --population 50 --local-search first --moves 2-opt-or-opt",
     "a local search of tours for each child"},
    {"shoal tune ga --dim 30 --population 4096", "the fastest method for a population of that size"},
    {"shoal verify ga --device gpu --steps 50", "the genetic algorithm on the GPUs"},
};

/* Cases to tune. Tuned choices are stored by powers of two of the sizes. Sizes without a tuned choice get the
 * method by rule. */
enum {
    TUNE = SHOAL_CASE_TUNE,
    SLOW = SHOAL_CASE_TUNE | SHOAL_CASE_SLOW_ON_CPU,
    VERIFY = SHOAL_CASE_VERIFY,
    COMPARE = SHOAL_CASE_COMPARE
};
/* parameters that every method supports */
#define ALL   "replacement=generational "
#define STEPS "iterations=2000 " ALL
static const struct shoal_case cases[] = {
    {"small", ALL "population=1024 iterations=500", COMPARE},
    {"medium", ALL "population=65536 iterations=200", COMPARE},
    {"large", ALL "population=1048576 iterations=200", COMPARE},
    /* In double precision, rounding seldom changes the order of two values. After such a change, two runs
     * differ. */
    {"few", STEPS "population=96 precision=fp64 method=pipeline", VERIFY},
    {"thesis",
     STEPS "population=96 selection=own crossover=arithmetic mutation=gaussian one-gene=true elites=0",
     VERIFY},
    {"islands", STEPS "population=96 islands=4 exchange=5 migrants=2", VERIFY},
    {"edges", STEPS "population=96 islands=4 exchange=5 exchange-topology=edges exchange-edges=0-1,1-2,2-0",
     VERIFY},
    /* Genes of every kind, with and without local search. Items of lists are separated by tabs, since blanks
     * separate the parameters of a case. */
    {"bits", STEPS "population=48 function=onemax dim=70", VERIFY},
    {"mixed",
     STEPS
     "population=48 precision=fp64 expr=sum((x[i]-1)^2) variables=x1-x3\treal\t-5\t5,x4-x5\tinteger\t0\t9,"
     "x6\tchoice\t3,x7-x15\tbit,y1-y7\torder",
     VERIFY},
    {"rows", STEPS "population=96 precision=fp64 function=f6", VERIFY},
    {"labs", STEPS "population=24 function=labs dim=20 local-search=best", VERIFY},
    {"shop", STEPS "population=24 function=flow-shop data=ta001 local-search=first local-steps=3", VERIFY},
    /* cases for kernels that the cases above do not launch; all other options have their default values */
    {"messy", STEPS "population=48 function=trap-4 dim=40 messy=20", SHOAL_CASE_VERIFY_ALONE},
    {"fused genes", STEPS "population=48 function=onemax dim=70 method=fused", SHOAL_CASE_VERIFY_ALONE},
    {"unique", "iterations=2000 population=48 function=onemax dim=20 replacement=steady unique=yes",
     SHOAL_CASE_VERIFY_ALONE},
    {"constrained", STEPS "population=96 precision=fp64 subject-to=x[1]+x[2]<=-1;x[3]=0.5*x[4]",
     SHOAL_CASE_VERIFY_ALONE},
    {"victims", "iterations=2000 population=96 precision=fp64", SHOAL_CASE_VERIFY_ALONE},
    /* functions whose instances are read from files, and functions with a repair */
    {"max-sat", "function=max-sat", SHOAL_CASE_NO_VERIFY},
    SEARCH_SAME_TEXTS,
    {"knapsack", "function=knapsack", SHOAL_CASE_NO_VERIFY},
    {"max-cut", "function=max-cut", SHOAL_CASE_NO_VERIFY},
    {"qubo", "function=qubo", SHOAL_CASE_NO_VERIFY},
    {"qap", "function=qap", SHOAL_CASE_NO_VERIFY},
    {"tour", "function=tour", SHOAL_CASE_NO_VERIFY},
    {"linear-ordering", "function=linear-ordering", SHOAL_CASE_NO_VERIFY},
    {"2-opt", "moves=2-opt", SHOAL_CASE_NO_VERIFY},
    {"2.5-opt", "moves=2.5-opt", SHOAL_CASE_NO_VERIFY},
    {"or-opt", "moves=or-opt", SHOAL_CASE_NO_VERIFY},
    {"2-opt-or-opt", "moves=2-opt-or-opt", SHOAL_CASE_NO_VERIFY},
    {"3-opt", "moves=3-opt", SHOAL_CASE_NO_VERIFY},
    {"value-only", "repair=value-only", SHOAL_CASE_NO_VERIFY},
    /* f7 to f10 have the kernel text of f6 and more rows, so they are not verified */
    {"f7", "function=f7", SHOAL_CASE_NO_VERIFY},
    {"f8", "function=f8", SHOAL_CASE_NO_VERIFY},
    {"f9", "function=f9", SHOAL_CASE_NO_VERIFY},
    {"f10", "function=f10", SHOAL_CASE_NO_VERIFY},
    {"128x2", ALL "population=128 dim=2", TUNE},
    {"128x30", ALL "population=128 dim=30", TUNE},
    {"1024x30", ALL "population=1024 dim=30", TUNE},
    {"16384x30", ALL "population=16384 dim=30", TUNE},
    {"1048576x30", ALL "population=1048576 dim=30", SLOW},
    {"1024-islands", ALL "population=128 dim=30 islands=1024", SLOW},
};

static const struct old_option old_options[] = {
    SEARCH_OLD_OPTIONS, {"tournament", "tournament", .was_default = 2}, {NULL, NULL, NULL, false, 0}};

static const struct workload_split islands = SEARCH_ISLAND_SPLIT("island", "islands");
static const struct workload_split rows = SEARCH_ROW_SPLIT(search_count_shards);

/* Returns the number of individuals whose evaluations can be divided; 0: they cannot be divided. Only the
 * method "pipeline" can evaluate a part of the individuals. */
static uint64_t count_individuals(const void *params)
{
    const struct shoal_ga_params *own = params;
    const bool is_pipeline = own->method == SHOAL_GA_AUTO || own->method == SHOAL_GA_PIPELINE;
    return is_pipeline && search_shape(&own->search) != SHOAL_CALLBACK ? own->population : 0;
}

static const struct workload_split individuals =
    SEARCH_POINT_SPLIT("individual", "individuals", "--population", count_individuals);
static const struct workload_split *const splits[] = {&search_split, &islands, &rows, &individuals, NULL};

const struct workload ga_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "ga",
             .summary = "minimise a function with a genetic algorithm",
             .params_size = sizeof(struct shoal_ga_params) + GA_THESIS_SIZE,
             .params_init = params_init,
             .options = ga_options,
             .option_count = GA_OPTIONS,
             .examples = examples,
             .example_count = sizeof examples / sizeof *examples,
             .sampling = &search_population_sampling,
             .progress_name = "best",
             .absent = GA_THESIS_ABSENT},
    .check = ga_check_params,
    .check_input = ga_check_input,
    .total_steps = ga_total_steps,
    SEARCH_WORKLOAD,
    .splits = splits,
    .old_options = old_options,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .programs = programs,
    .host = &ga_host_solver,
    .device = &ga_device_solver,
    .thesis_member = offsetof(struct shoal_ga_params, thesis),
    .thesis = GA_THESIS_PARAMS,
    .remaining = GA_THESIS_REMAINING,
};
