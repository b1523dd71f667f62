#include "unit.h"

#include <pthread.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char log_text[1 << 16];
static size_t log_used, log_counts[SHOAL_LOG_DEBUG + 1];

int unit_setup(void **state)
{
    static const char *const variables[] = {"SHOAL_CACHE_DIR", "SHOAL_KERNEL_DIR", "XDG_CACHE_HOME"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    fake_reset_one_gpu();
    unit_log_clear();
    return test_begin(state);
}

int unit_teardown(void **state)
{
    test_end(state);
    if (fake_live())
        fprintf(stderr, "%zu objects of the backend are left\n", fake_live());
    return fake_live() || fake_breaches() ? -1 : 0;
}

struct shoal_params unit_params(void)
{
    struct shoal_params params;
    shoal_params_init(&params);
    params.log = unit_log_callback;
    params.log_level = SHOAL_LOG_DEBUG;
    params.no_cache = true;
    return params;
}

struct shoal *unit_open_with(const struct shoal_params *params)
{
    const struct backend *backends[] = {&fake_other_backend, &fake_backend};
    struct shoal *shoal;
    assert_ok(shoal_open_with(&shoal, params, backends, 2, &test_error));
    return shoal;
}

struct shoal *unit_open_peers(void)
{
    static const struct backend *const backends[] = {&fake_peer_backend};
    const struct shoal_params params = unit_params();
    struct shoal *shoal;
    assert_ok(shoal_open_with(&shoal, &params, backends, 1, &test_error));
    return shoal;
}

struct shoal *unit_open(void)
{
    struct shoal_params params = unit_params();
    return unit_open_with(&params);
}

void unit_log_callback(void *data, enum shoal_log_level level, const char *message)
{
    (void)data;
    pthread_mutex_lock(&log_lock);
    log_counts[level]++;
    if (log_used < sizeof log_text)
        log_used +=
            (size_t)snprintf(log_text + log_used, sizeof log_text - log_used, "%d %s\n", (int)level, message);
    pthread_mutex_unlock(&log_lock);
}

void unit_log_clear(void)
{
    memset(log_counts, 0, sizeof log_counts);
    log_text[0] = '\0';
    log_used = 0;
}

const char *unit_log(void)
{
    return log_text;
}

size_t unit_log_count(enum shoal_log_level level)
{
    return log_counts[level];
}

/* The contract. ------------------------------------------------------------------------------------------ */

static const struct shoal_define_desc defines[] = {
    {"WG", 64, 1, 1024, "work-items in a group"},
    {"REAL", 32, 32, 64, "precision"},
    {"COUNT", 4, -8, 8, "a number"},
    {"A", 1, 0, 1, "sorts first"},
};

static const struct shoal_arg_desc add_args[] = {
    {"n", SHOAL_VALUE, "uint", 0},
    {"x", SHOAL_READ, "uint", 0},
    {"y", SHOAL_READ_WRITE, "uint", 0},
};

static const struct shoal_arg_desc everything_args[UNIT_EVERYTHING_ARGS] = {
    {"i", SHOAL_VALUE, "int", 0},
    {"u", SHOAL_VALUE, "uint", 0},
    {"l", SHOAL_VALUE, "long", 0},
    {"ul", SHOAL_VALUE, "ulong", 0},
    {"f", SHOAL_VALUE, "float", 0},
    {"d", SHOAL_VALUE, "double", 0},
    {"r", SHOAL_VALUE, "real", 0},
    {"s", SHOAL_VALUE, "struct unit_pair", sizeof(struct unit_pair)},
    {"in", SHOAL_READ, "float", 0},
    {"out", SHOAL_READ_WRITE, "float", 0},
    {"state", SHOAL_READ_WRITE, "ulong", 0},
};

static const struct shoal_entry_desc entries[] = {
    {"add", add_args, 3, "WG", 0, 0, SHOAL_ROOF_COPY_BYTES, 12, 1, "y += x"},
    {"everything", everything_args, UNIT_EVERYTHING_ARGS, "WG", 0, 8, SHOAL_ROOF_NONE, 0, 0,
     "each kind of argument"},
    {"noop", NULL, 0, "WG", 0, 0, SHOAL_ROOF_LAUNCH, 0, 0, "nothing"},
};

const struct shoal_program_desc unit_program = {
    .name = "unit.program",
    .file = "unit/program.cl",
    .defines = defines,
    .define_count = 4,
    .entries = entries,
    .entry_count = 3,
};

const char unit_text[] = "__kernel void add() {}\n__kernel void everything() {}\n__kernel void noop() {}\n";

struct shoal_program *unit_build(struct shoal_device *device)
{
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.text = unit_text;
    struct shoal_program *program;
    assert_ok(shoal_program_create(device, &unit_program, &params, &program, &test_error));
    return program;
}

void unit_everything_args(struct shoal_arg args[UNIT_EVERYTHING_ARGS], struct shoal_buffer *in,
                          struct shoal_buffer *out, const struct unit_pair *pair)
{
    args[0] = shoal_arg_int(-1);
    args[1] = shoal_arg_uint(2);
    args[2] = shoal_arg_long(INT64_MIN);
    args[3] = shoal_arg_ulong(UINT64_MAX);
    args[4] = shoal_arg_float(0.5f);
    args[5] = shoal_arg_double(0.1);
    args[6] = shoal_arg_real(0.1);
    args[7] = shoal_arg_struct(pair, sizeof *pair);
    args[8] = shoal_arg_buffer(in);
    args[9] = shoal_arg_buffer(out);
    args[10] = shoal_arg_buffer(NULL);
}
