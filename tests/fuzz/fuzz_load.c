/* Whole loads: a checkpoint of each kind of solver with a number of it changed and the hash made good again
 * is refused with one line, or loaded, and then steps end. On devices kernels index by what was loaded.
 *
 * A line of the input is a load: "SCENARIO SECTION NUMBER VALUE", the number of 32 bits counted in the
 * section, in whose name _ stands for a blank, from 0; with a fifth word "refused" the load must fail where
 * $SHOAL_FUZZ_SEEDS is set, since libFuzzer changes the rest of the line too. Any other line is a load too,
 * of random changes that follow from its text. Scenarios on a device run where $SHOAL_FUZZ_DEVICE names one.
 */
#include "target.h"

#include "workload/workload.h"

#include <shoal/shoal.h>

#define XXH_INLINE_ALL
#include <shoal/theses.h>
#include <xxhash.h>

enum { STEPS_BEFORE = 5, STEPS_AFTER = 4, LINES = 64 };

struct scenario {
    const char *name, *workload;
    bool on_device;
    int32_t method; /* of the device; of tsp the algorithm */
    struct shoal_solver *solver;
    struct shoal_optimiser *optimiser; /* in place of a solver */
    void *bytes;                       /* of the checkpoint */
    size_t size;
};

static struct scenario scenarios[] = {
    {"pso-host", "pso", false},
    {"pso-ask", "pso", false},
    {"pso-polish", "pso", false},
    {"gas-host", "gas", false},
    {"ga-host", "ga", false},
    {"ga-order", "ga", false},
    {"tsp-host", "tsp", false, SHOAL_TSP_FACO},
    {"tsp-ants", "tsp", false, SHOAL_TSP_MMAS},
#if SHOAL_THESES
    {"tsp-levels", "tsp", false, SHOAL_TSP_THESIS},
#endif
    {"mlp-host", "mlp", false},
    {"pso-fused", "pso", true, SHOAL_PSO_FUSED},
    {"pso-onchip", "pso", true, SHOAL_PSO_ONCHIP},
    {"pso-thread", "pso", true, SHOAL_PSO_THREAD},
    {"gas-list", "gas", true, SHOAL_GAS_LIST},
    {"gas-allpairs", "gas", true, SHOAL_GAS_ALLPAIRS},
#if SHOAL_THESES
    {"gas-cells", "gas", true, SHOAL_GAS_CELLS},
#endif
    {"ga-fused", "ga", true, SHOAL_GA_FUSED},
    {"ga-pipeline", "ga", true, SHOAL_GA_PIPELINE},
    {"ga-onchip", "ga", true, SHOAL_GA_ONCHIP},
    {"tsp-device", "tsp", true, SHOAL_TSP_FACO},
    {"mlp-device", "mlp", true, SHOAL_MLP_GEMM},
    {"toy-host", "toy", false},
    {"toy-device", "toy", true},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static struct shoal *shoal;
static struct shoal_device *host, *device; /* device NULL: none is asked for */
static struct shoal_queue *queue;
static struct shoal_error error;

static void require_ok(enum shoal_status status)
{
    if (status)
        fprintf(stderr, "%s\n", error.message);
    REQUIRE(!status);
}

/* Scenarios -------------------------------------------------------------------------------------------- */

static struct shoal_pso_params pso_params(const struct scenario *scenario)
{
    struct shoal_pso_params params;
    shoal_pso_params_init(&params);
    params.search.dim = 3;
    params.particles = 12;
    params.update = SHOAL_PSO_INERTIA;
    params.topology = SHOAL_PSO_GLOBAL;
    params.bounds = SHOAL_PSO_REFLECT;
    params.search.iterations = 40;
    params.search.trace = 2;
    params.search.target = -1;
    params.method = scenario->method;
    params.search.polish = 30;
    if (params.method == SHOAL_PSO_FUSED) {
        params.search.stagnation = 30;
        return params;
    }
    params.search.islands = 3;
    params.search.exchange = 3;
    params.search.restart = 4;
    if (params.method != SHOAL_PSO_ONCHIP)
        params.topology = SHOAL_PSO_RANDOM;
#if SHOAL_THESES
    if (!scenario->on_device)
        params.random = SHOAL_PSO_GLOB;
#endif
    params.search.runs = 2;
    return params;
}

static struct shoal_gas_params gas_params(const struct scenario *scenario)
{
    struct shoal_gas_params params;
    shoal_gas_params_init(&params);
    params.particles = 60;
    params.density = 0.4;
    params.equilibration = 3;
    params.steps = 40;
    params.thermo = 2;
    params.rdf_bins = params.speed_bins = 8;
    params.boundary_x = SHOAL_GAS_OPEN;
    params.boundary_y = SHOAL_GAS_WALLS;
    params.start = SHOAL_GAS_RANDOM;
    params.method = scenario->method;
    if (params.method == SHOAL_GAS_LIST)
        params.boundary_x = SHOAL_GAS_PERIODIC;
#if SHOAL_THESES
    static struct shoal_gas_thesis thesis;
    if (params.method == SHOAL_GAS_CELLS) {
        shoal_gas_thesis_init(&thesis);
        thesis.cells = 6;
        params.thesis = &thesis;
        params.potential = SHOAL_GAS_LOG;
        return params;
    }
#endif
    params.cutoff = 1.5;
    return params;
}

/* Genes of every kind but orders, which stand alone. */
static struct shoal_ga_params ga_params(const struct scenario *scenario)
{
    struct shoal_ga_params params;
    shoal_ga_params_init(&params);
    const bool orders = strcmp(scenario->name, "ga-order") == 0;
    params.search.expression = orders ? "sum(i*x[i])" : "sum(x[i]^2)";
    params.search.variables = orders ? "e1-e7 order" : "a1-a2 real -2 2, c integer 0 9, d1-d5 bit";
    params.search.iterations = 40;
    params.search.trace = 2;
    params.search.islands = 2;
    params.search.exchange = 3;
    params.search.stagnation = 30;
    params.population = 12;
    params.elites = scenario->method == SHOAL_GA_FUSED ? 1 : 2;
    params.method = scenario->method;
    if (!scenario->on_device)
        params.search.runs = 2;
    if (orders)
        params.local_search = SHOAL_GA_FIRST_IMPROVEMENT;
    return params;
}

static struct shoal_tsp_params tsp_params(const struct scenario *scenario)
{
    struct shoal_tsp_params params;
    shoal_tsp_params_init(&params);
    params.generate = "uniform:24:1";
    params.algorithm = scenario->method;
    params.trace = 2;
#if SHOAL_THESES
    if (scenario->method == SHOAL_TSP_THESIS) {
        static struct shoal_tsp_thesis thesis;
        thesis = SHOAL_TSP_THESIS_PARAMS(.macro_cycles = 6, .overlaps = 6, .piece = 8);
        params.thesis = &thesis;
        return params;
    }
#endif
    params.iterations = 40;
    params.colonies = 2;
    params.ants = 6;
    params.candidates = 5;
    return params;
}

static struct shoal_mlp_params mlp_params(const struct scenario *scenario)
{
    struct shoal_mlp_params params;
    shoal_mlp_params_init(&params);
    params.generate = "parity:32:1";
    params.hidden = "3";
    params.epochs = 40;
    params.batch = 8;
    params.nets = 2;
    params.trace = 2;
    params.patience = 20;
    params.method = scenario->method;
    return params;
}

/* Those of a workload that has none here are its own. */
static void *params_of(const struct scenario *scenario, const struct shoal_workload *workload)
{
    void *params = malloc(workload->params_size);
    REQUIRE(params);
    if (strcmp(workload->name, "pso") == 0)
        *(struct shoal_pso_params *)params = pso_params(scenario);
    else if (strcmp(workload->name, "gas") == 0)
        *(struct shoal_gas_params *)params = gas_params(scenario);
    else if (strcmp(workload->name, "ga") == 0)
        *(struct shoal_ga_params *)params = ga_params(scenario);
    else if (strcmp(workload->name, "tsp") == 0)
        *(struct shoal_tsp_params *)params = tsp_params(scenario);
    else if (strcmp(workload->name, "mlp") == 0)
        *(struct shoal_mlp_params *)params = mlp_params(scenario);
    else
        workload->params_init(params);
    return params;
}

/* What is asked for is in the box of -2 to 2. */
static void tell_some(struct shoal_optimiser *optimiser, size_t times)
{
    double points[64 * 3], values[64];
    size_t count = 0;
    for (size_t turn = 0; turn < times; turn++) {
        const enum shoal_status status = shoal_optimiser_ask(optimiser, points, 64, &count, &error);
        if (status || !count)
            return;
        for (size_t i = 0; i < 3 * count; i++)
            REQUIRE(!(points[i] < -2 || points[i] > 2));
        for (size_t i = 0; i < count; i++)
            values[i] = points[3 * i] * points[3 * i] + points[3 * i + 1] - points[3 * i + 2];
        if (shoal_optimiser_tell(optimiser, values, count, &error))
            return;
    }
}

/* In the middle of a step, or of the pattern search behind two of them. */
static void begin_asking(struct scenario *scenario)
{
    const bool polishes = strcmp(scenario->name, "pso-polish") == 0;
    require_ok(shoal_optimiser_create(3, &scenario->optimiser, &error));
    struct shoal_pso_params *params = shoal_optimiser_pso(scenario->optimiser);
    params->particles = 12;
    params->search.iterations = polishes ? 1 : 40;
    params->search.polish = polishes ? 200 : 0;
    params->batch = 5;
    params->topology = SHOAL_PSO_RING;
    require_ok(shoal_optimiser_set_box(scenario->optimiser, -2, 2, &error));
    tell_some(scenario->optimiser, polishes ? 3 * STEPS_BEFORE : STEPS_BEFORE);
    require_ok(shoal_optimiser_save_memory(scenario->optimiser, &scenario->bytes, &scenario->size, &error));
}

static void begin(struct scenario *scenario)
{
    struct checkpoint checkpoint = {0};
    uint64_t done;
    if (strcmp(scenario->name, "pso-ask") == 0 || strcmp(scenario->name, "pso-polish") == 0) {
        begin_asking(scenario);
        return;
    }
    const struct shoal_workload *workload = shoal_workload_find(scenario->workload);
    void *params = params_of(scenario, workload);
    require_ok(shoal_solver_create(workload, scenario->on_device ? device : host,
                                   scenario->on_device ? queue : NULL, params, SHOAL_VARIANT_AUTO,
                                   &scenario->solver, &error));
    free(params);
    require_ok(shoal_solver_step(scenario->solver, STEPS_BEFORE, &done, &error));
    require_ok(solver_get_checkpoint(scenario->solver, &checkpoint, &error));
    require_ok(checkpoint_to_memory(&checkpoint, &scenario->bytes, &scenario->size, &error));
    checkpoint_clear(&checkpoint);
}

static void begin_all(void)
{
    if (shoal)
        return;
    struct shoal_params params;
    shoal_params_init(&params);
    params.no_cache = true;
    const char *wanted = getenv("SHOAL_FUZZ_DEVICE");
    size_t found;
    require_ok(shoal_open(&shoal, &params, &error));
    require_ok(shoal_device_select(shoal, "host", 0, &host, 1, &found, &error));
    if (wanted) {
        require_ok(shoal_device_select(shoal, wanted, 0, &device, 1, &found, &error));
        require_ok(shoal_queue_create(device, 0, &queue, &error));
    }
    for (size_t i = 0; i < SCENARIOS; i++)
        if (!scenarios[i].on_device || device)
            begin(&scenarios[i]);
}

/* Loads ------------------------------------------------------------------------------------------------ */

static void step(struct scenario *scenario)
{
    struct shoal_result result = {0};
    uint64_t done;
    if (scenario->optimiser) {
        tell_some(scenario->optimiser, 3 * STEPS_AFTER);
        return;
    }
    /* A gas may explode. */
    enum shoal_status status = shoal_solver_step(scenario->solver, STEPS_AFTER, &done, &error);
    if (!status)
        status = shoal_solver_result(scenario->solver, &result, &error);
    REQUIRE(status != SHOAL_DEVICE_LOST);
}

static enum shoal_status load_bytes(struct scenario *scenario, const void *bytes, size_t size)
{
    struct checkpoint checkpoint;
    if (scenario->optimiser)
        return shoal_optimiser_load_memory(scenario->optimiser, bytes, size, &error);
    const enum shoal_status status = checkpoint_parse(&checkpoint, bytes, size, "fuzz.ckpt", &error);
    return status ? status : solver_set_checkpoint(scenario->solver, &checkpoint, &error);
}

/* `bytes` with its hash made good. */
static enum shoal_status load(struct scenario *scenario, char *bytes, size_t size)
{
    const uint64_t hash = XXH3_64bits(bytes, size - sizeof hash);
    memcpy(bytes + size - sizeof hash, &hash, sizeof hash);
    const enum shoal_status status = load_bytes(scenario, bytes, size);
    if (!status)
        step(scenario);
    else
        REQUIRE(status == error.status && error.message[0] && !strpbrk(error.message, "\r\n"));
    return status;
}

/* The sections of `bytes`, a good file. */
static struct checkpoint sections_of(const char *bytes, size_t size)
{
    struct checkpoint checkpoint;
    require_ok(checkpoint_parse(&checkpoint, bytes, size, "fuzz.ckpt", &error));
    return checkpoint;
}

/* Place of a number of 32 bits in `bytes`; NULL: there is none. */
static char *place_of(char *bytes, const struct checkpoint_section *section, size_t number)
{
    if (!section || number >= section->bytes / sizeof(uint32_t))
        return NULL;
    return bytes + ((const char *)section->data - bytes) + number * sizeof(uint32_t);
}

static bool load_line(const char *line)
{
    char name[32], section[CHECKPOINT_NAME], expected[16] = "";
    unsigned long number;
    long value;
    if (sscanf(line, "%31s %23s %lu %li %15s", name, section, &number, &value, expected) < 4)
        return false;
    for (char *c = section; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    for (size_t i = 0; i < SCENARIOS; i++) {
        struct scenario *scenario = &scenarios[i];
        if (strcmp(scenario->name, name) != 0)
            continue;
        if (!scenario->bytes)
            return true;
        char *bytes = (char *)input_block(scenario->bytes, scenario->size, 0);
        const struct checkpoint checkpoint = sections_of(bytes, scenario->size);
        char *place = place_of(bytes, checkpoint_find(&checkpoint, section), number);
        const uint32_t word = (uint32_t)value;
        if (place)
            memcpy(place, &word, sizeof word);
        const bool refused = load(scenario, bytes, scenario->size) != SHOAL_OK;
        if (getenv("SHOAL_FUZZ_SEEDS") && strcmp(expected, "refused") == 0 && (!place || !refused)) {
            fprintf(stderr, "not refused: %s\n", line);
            abort();
        }
        free(bytes);
        return true;
    }
    return false;
}

static uint64_t next_random(uint64_t *state)
{
    *state = XXH3_64bits_withSeed(state, sizeof *state, 1);
    return *state;
}

static uint32_t changed(uint32_t word, uint64_t random)
{
    static const uint32_t values[] = {0,          1,          2,          7,          0x7fffffff, 0x80000000,
                                      0xffffffff, 0x7f800000, 0x7fc00000, 0xff800000, 0x7ff00000, 0x7ff80000,
                                      0xfff00000, 0x3ff00000, 0x00010000, 0xfffffffe};
    const uint32_t low = (uint32_t)(random >> 32);
    switch (random % 5) {
    case 0:
        return word ^ (UINT32_C(1) << low % 32);
    case 1:
        return word + (low % 2 ? 1 : UINT32_MAX);
    case 2:
        return low;
    default:
        return values[low % (sizeof values / sizeof *values)];
    }
}

/* Of such a section kernels are built again, which takes a second on PoCL. */
static bool is_built_from(const struct checkpoint_section *section)
{
    return strcmp(section->name, "chosen") == 0 || strcmp(section->name, "polish-chosen") == 0;
}

/* One to three numbers of one scenario. The first of a section are more likely than others: counts are there.
 */
static void load_random(const char *line)
{
    uint64_t state = XXH3_64bits(line, strlen(line));
    struct scenario *scenario;
    do
        scenario = &scenarios[next_random(&state) % SCENARIOS];
    while (!scenario->bytes);
    char *bytes = (char *)input_block(scenario->bytes, scenario->size, 0);
    const struct checkpoint checkpoint = sections_of(bytes, scenario->size);
    for (uint64_t left = 1 + next_random(&state) % 3; left; left--) {
        const struct checkpoint_section *section =
            &checkpoint.sections[next_random(&state) % checkpoint.count];
        const size_t numbers = is_built_from(section) ? 0 : section->bytes / sizeof(uint32_t),
                     first = next_random(&state) % 2 ? 24 : SIZE_MAX;
        uint32_t word;
        if (!numbers)
            continue;
        char *place = place_of(bytes, section, next_random(&state) % (numbers < first ? numbers : first));
        memcpy(&word, place, sizeof word);
        word = changed(word, next_random(&state));
        memcpy(place, &word, sizeof word);
    }
    (void)load(scenario, bytes, scenario->size);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* The driver's parts of files would repeat their lines. */
    if (!size || data[size - 1] != '\n')
        return 0;
    begin_all();
    char *text = input_string(data, size), *rest = text;
    size_t lines = 0;
    for (char *line; lines < LINES && (line = strsep(&rest, "\n")); lines++)
        if (*line && !load_line(line))
            load_random(line);
    free(text);
    return 0;
}
