/* The suite thesis-ga on devices: the whole algorithm (table 6.6 of the thesis, and its surfaces over the
 * number of islands and their size), the cost of migration (figure 6.5) and of crossover and mutation
 * (figure 6.6), and the quality of the solutions (figure 6.9); what a joule yields (chapter 7). The figures
 * behind the thesis's pictures are lost, except for those that its text states.
 *
 * A case named after a point of the thesis runs the method that shoal chooses, with Philox, and on the host
 * the vector twin. A case whose name ends in `-thesis` runs the thesis's kernel with the thesis's generator,
 * and on the host the scalar twin. All have two genes, crossover of 0.7 and mutation of 0.05 where the case
 * does not say otherwise.
 *
 * Published figures are gene iterations a second, here halved to individuals. Those measured on the 8800 GTX
 * are above the roof of that card: it issues 173 G instructions a second, and a generation takes an
 * individual three random numbers of 28 instructions each beside all else, which allows 2.1 G.
 */
#include "bench/ga/thesis/search.h"

#include <shoal/theses.h>

enum kind {
    OURS,
    THESIS,
    NATIVE,  /* shoal's method, with the fast functions of the device */
    DEFAULTS /* shoal's defaults, with no operator of the thesis */
};

struct run_case {
    struct thesis_ga_case of; /* the first member: host rows read only it */
    enum kind kind;
    uint64_t exchange, migrants;
    bool epochs; /* migration moves all islands at once; false: it uses mailboxes */
    /* number of instructions for an individual, for the roof: see bench/ga/cases_ga.c; 0: no roof */
    double instructions;
};

#define HYBRIDTAUS(crossing, how)                                                                            \
    {                                                                                                        \
        .size = sizeof(struct shoal_ga_thesis), .random = SHOAL_GA_HYBRIDTAUS, .select_crossing = crossing,  \
        .migration = how                                                                                     \
    }
/* Indexed by select_crossing and by whether mailboxes are used. */
static struct shoal_ga_thesis thesis[2][2] = {
    {HYBRIDTAUS(false, SHOAL_GA_EPOCHS), HYBRIDTAUS(false, SHOAL_GA_MAILBOX)},
    {HYBRIDTAUS(true, SHOAL_GA_EPOCHS), HYBRIDTAUS(true, SHOAL_GA_MAILBOX)}};

static enum shoal_status begin(struct bench *bench, struct bench_searches **out, struct shoal_error *error)
{
    const struct run_case *run = bench->data;
    enum shoal_status status = bench_searches_begin(bench, "ga", out, error);
    if (status != SHOAL_OK)
        return status;
    struct shoal_ga_params *params = &(*out)->params.ga;
    struct shoal_ga_params defaults = *params;
    thesis_ga_set_case(params, &run->of);
    if (run->kind == DEFAULTS) {
        defaults.search = params->search;
        defaults.population = params->population;
        *params = defaults;
    } else if (run->kind == THESIS) {
        params->thesis = &thesis[run->of.conditional][run->exchange && !run->epochs];
        params->method = SHOAL_GA_THESIS;
    }
    params->search.exchange = run->exchange;
    if (run->exchange)
        params->migrants = run->migrants;
    if (run->kind != NATIVE)
        return SHOAL_OK;
    status = thesis_ga_native(bench, run->of.function, &(*out)->objective, error);
    params->search.objective = (*out)->objective;
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct run_case *run = bench->data;
    /* A run is at most as long as the thesis's samples, and not longer than the time given for samples
     * allows. */
    const struct bench_length length = {1, 1000001, 0, bench->seconds < 0.5 ? bench->seconds / 10 : 0.05};
    struct bench_searches *searches;
    enum shoal_status status = begin(bench, &searches, error);
    if (status == SHOAL_OK)
        status = bench_searches_create(bench, &length, error);
    bench->roof_work = 2 * run->instructions * bench->work;
    return status;
}

static const struct bench_ops run_ops = {create,
                                         bench_searches_prepare,
                                         bench_searches_run,
                                         bench_searches_check,
                                         bench_searches_destroy,
                                         thesis_ga_figures};

/* Quality: 100 runs from the start --------------------------------------------------------------------- */

static enum shoal_status create_quality(struct bench *bench, struct shoal_error *error)
{
    const struct bench_length length = {0, THESIS_GA_GENERATIONS, THESIS_GA_GENERATIONS, 0};
    struct bench_searches *searches;
    enum shoal_status status = begin(bench, &searches, error);
    if (status != SHOAL_OK)
        return status;
    searches->params.search.islands = 1;
    searches->params.search.runs = THESIS_GA_RUNS;
    status = bench_searches_create(bench, &length, error);
    bench->parts = 1;
    return status;
}

static void quality_figures(struct bench *bench, double seconds)
{
    const struct bench_searches *searches = bench->state;
    struct shoal_result result = {0};
    struct shoal_error error;
    (void)seconds;
    if (shoal_solver_result(searches->solvers[0], &result, &error) == SHOAL_OK)
        thesis_ga_quality(bench, shoal_result_number(&result, "mean"),
                          shoal_result_number(&result, "mean_error"), shoal_result_number(&result, "median"));
}

static const struct bench_ops quality_ops = {create_quality,       bench_searches_prepare, bench_searches_run,
                                             bench_searches_check, bench_searches_destroy, quality_figures};

#define RUN(n_case, text, mega, big, bound, case_kind, on_host, pc, pm, ...)                                 \
    {                                                                                                        \
        .name = "thesis-ga." n_case, .help = text, .unit = "evaluations/s", .precision = "fp32",             \
        .roof = bound, .clock = BENCH_WALL_TIME, .published = (mega)*1e6 / THESIS_GA_DIM,                    \
        .published_on = (mega) > 0 ? "8800 GTX, above its roof" : "", .large = big, .device = &run_ops,      \
        .host = on_host, .data = &(const struct run_case)                                                    \
        {                                                                                                    \
            .kind = case_kind, .of.scalar = (case_kind) == THESIS, .of.crossover_rate = pc,                  \
            .of.mutation_rate = pm, __VA_ARGS__                                                              \
        }                                                                                                    \
    }

/* Table 6.6: shoal's method and the thesis's kernel; `mega` is the thesis's best rate of all sizes. */
#define WHOLE_OF(f, id, O, J, suffix, text, mega, big, case_kind, on_host, work)                             \
    RUN("whole." f "-" #O "x" #J suffix, text, mega, big,                                                    \
        (work) > 0 ? SHOAL_ROOF_FP32_FLOPS : SHOAL_ROOF_NONE, case_kind, on_host, 0.7, 0.05,                 \
        .of.function = THESIS_##id, .of.islands = O, .of.population = J, .instructions = work)
#define WHOLE(f, id, O, J, mega, big, work)                                                                  \
    WHOLE_OF(f, id, O, J, "", #O " islands of " #J, mega, big, OURS, &thesis_ga_host_ops, work),             \
        WHOLE_OF(f, id, O, J, "-thesis", "the same by the thesis's kernel", mega, big, THESIS,               \
                 &thesis_ga_host_ops, 0)
#define NATIVES(f, id, mega)                                                                                 \
    WHOLE_OF(f, id, 8192, 32, "-native", "with fast functions of the device", mega, true, NATIVE, NULL, 0),  \
        WHOLE_OF(f, id, 8192, 128, "-native", "with fast functions of the device", mega, true, NATIVE, NULL, \
                 0)
#define SIZE(O, J, big) WHOLE("rosenbrock", ROSENBROCK, O, J, 11914, big, THESIS_GA_INSTRUCTIONS)
#define SIZES(O, big)   SIZE(O, 8, big), SIZE(O, 32, big), SIZE(O, 128, big), SIZE(O, 512, big)
#define FUNCTION(f, id, mega)                                                                                \
    WHOLE(f, id, 16, 128, mega, false, 0), WHOLE(f, id, 8192, 32, mega, true, 0),                            \
        WHOLE(f, id, 8192, 128, mega, true, 0)

/* Figure 6.5: Rosenbrock's function, 16 islands of 128 individuals, by the thesis's kernel. */
#define MIGRATION(n_case, text, on_host, ...)                                                                \
    RUN("migration." n_case, text, 0, false, SHOAL_ROOF_NONE, THESIS, on_host, 0.7, 0.05,                    \
        .of.function = THESIS_ROSENBROCK, .of.islands = 16, .of.population = 128, __VA_ARGS__)
#define INTERVAL(T)                                                                                          \
    MIGRATION("interval-" #T, "a migrant after every " #T " generations", NULL, .exchange = T, .migrants = 1)
#define MIGRANTS(M)                                                                                          \
    MIGRATION("migrants-" #M, #M " migrants after each generation", NULL, .exchange = 1, .migrants = M)

/* Section 5.1.7, with the function and the rates of figure 6.5; the host rows of both ways of selection are
 * in cases_cpu.c. */
#define SELECTION(O, big)                                                                                    \
    RUN("selection.all-pairs-" #O "x128", "selection for all pairs", 0, big, SHOAL_ROOF_NONE, THESIS, NULL,  \
        0.7, 0.05, .of.function = THESIS_ROSENBROCK, .of.islands = O, .of.population = 128),                 \
        RUN("selection.crossing-pairs-" #O "x128", "selection for pairs that cross", 0, big,                 \
            SHOAL_ROOF_NONE, THESIS, NULL, 0.7, 0.05, .of.function = THESIS_ROSENBROCK, .of.islands = O,     \
            .of.population = 128, .of.conditional = true)

/* Figure 6.6: Griewank's function, islands of 8 individuals. */
#define RATES_OF(n_case, text, case_kind, pc, pm)                                                            \
    RUN("rates." n_case, text, 0, false, SHOAL_ROOF_NONE, case_kind, &thesis_ga_host_ops, pc, pm,            \
        .of.function = THESIS_GRIEWANK, .of.islands = 1024, .of.population = 8)
#define RATES(n_case, text, pc, pm)                                                                          \
    RATES_OF(n_case, text, OURS, pc, pm),                                                                    \
        RATES_OF(n_case "-thesis", text ", the thesis's kernel", THESIS, pc, pm)
#define CROSSOVER(pc) RATES("crossover-" #pc, "crossover of " #pc ", no mutation", pc, 0)
#define MUTATION(pm)  RATES("mutation-" #pm, "mutation of " #pm, 0.7, pm)

/* The estimate of chapter 7 of the thesis: the best rates of both cards over 130 W and 185 W; its rate for
 * the processor is six times that of one thread. */
#define ENERGY(n_case, text, O, mega, on, big, on_device)                                                    \
    {                                                                                                        \
        .name = "thesis-ga.energy." n_case,                                                                  \
        .help = "islands of 128, energy by the counter of the device, " text, .unit = "evaluations/s",       \
        .precision = "fp32", .clock = BENCH_WALL_TIME, .published = (mega)*1e6 / THESIS_GA_DIM,              \
        .published_on = on, .large = big, .energy = true, .all_threads = true, .device = on_device,          \
        .host = &thesis_ga_host_ops, .data = &(const struct run_case)                                        \
        {                                                                                                    \
            .of.function = THESIS_ROSENBROCK, .of.islands = O, .of.population = 128,                         \
            .of.crossover_rate = 0.7, .of.mutation_rate = 0.05                                               \
        }                                                                                                    \
    }

/* Figure 6.9: one population over 50 generations, the mean of 100 runs. */
#define QUALITY(n_case, text, J, case_kind, on_host, ...)                                                    \
    {                                                                                                        \
        .name = "thesis-ga.quality." n_case "-" #J,                                                          \
        .help = "100 runs of 50 generations of " #J " individuals on Griewank's function, " text,            \
        .unit = "s", .precision = "fp32", .clock = BENCH_WALL_TIME, .device = &quality_ops, .host = on_host, \
        .data = &(const struct run_case)                                                                     \
        {                                                                                                    \
            .kind = case_kind, .of.function = THESIS_GRIEWANK, .of.population = J,                           \
            .of.islands = THESIS_GA_RUNS, .of.crossover_rate = 0.7, .of.mutation_rate = 0.05, __VA_ARGS__    \
        }                                                                                                    \
    }
#define QUALITIES(J)                                                                                         \
    QUALITY("plain", "no elitism", J, THESIS, &thesis_ga_host_quality_ops, .of.scalar = true),               \
        QUALITY("elitism", "elitism, on devices by migration from itself", J, THESIS,                        \
                &thesis_ga_host_quality_ops, .of.scalar = true, .of.elitism = true, .exchange = 1,           \
                .migrants = 1),                                                                              \
        QUALITY("ours", "what shoal ga does by default", J, DEFAULTS, NULL, .exchange = 0)

static const struct bench_case cases[] = {
    SIZES(1, false),
    SIZES(16, false),
    SIZES(128, false),
    SIZES(1024, true),
    SIZES(8192, true),
    FUNCTION("michalewicz", MICHALEWICZ, 5893),
    FUNCTION("griewank", GRIEWANK, 7108),
    FUNCTION("griewank-100", GRIEWANK_100, 7108),
    NATIVES("michalewicz", MICHALEWICZ, 9894),
    NATIVES("griewank", GRIEWANK, 10507),
    MIGRATION("none", "no migration", &thesis_ga_host_ops, .exchange = 0),
    MIGRATION("never", "mailboxes that are never used", NULL, .exchange = 1000000, .migrants = 1),
    INTERVAL(1),
    INTERVAL(2),
    INTERVAL(5),
    INTERVAL(10),
    INTERVAL(20),
    INTERVAL(50),
    MIGRANTS(2),
    MIGRANTS(8),
    MIGRANTS(32),
    MIGRANTS(64),
    MIGRATION("epochs-10", "a migrant after every 10 generations, all islands at once", NULL, .exchange = 10,
              .migrants = 1, .epochs = true),
    SELECTION(16, false),
    SELECTION(8192, true),
    CROSSOVER(0.0),
    CROSSOVER(0.1),
    CROSSOVER(0.5),
    CROSSOVER(0.9),
    CROSSOVER(1.0),
    MUTATION(0.0),
    MUTATION(0.01),
    MUTATION(0.05),
    MUTATION(0.1),
    MUTATION(0.25),
    MUTATION(0.5),
    MUTATION(1.0),
    ENERGY("rosenbrock-64x128", "published: 0.14 M evaluations a joule", 64, 6 * 5.9,
           "Core i7 920, 4 cores estimated", false, NULL),
    ENERGY("rosenbrock-8192x128", "published: 32 M evaluations a joule", 8192, 11914,
           "8800 GTX, above its roof", true, &run_ops),
    QUALITIES(8),
    QUALITIES(32),
    QUALITIES(128),
    QUALITIES(512),
};

const struct bench_case_list bench_thesis_ga_run_cases = {cases, sizeof cases / sizeof *cases};
