#include "unit.h"

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

struct shoal_error unit_error;

static char folder[256];
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char log_text[1 << 16];
static size_t log_used, log_counts[SHOAL_LOG_DEBUG + 1];

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

int unit_setup(void **state)
{
    (void)state;
    static const char *const variables[] = {"SHOAL_CACHE_DIR", "SHOAL_KERNEL_DIR", "XDG_CACHE_HOME"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/shoal-unit-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    fake_reset_one_gpu();
    unit_log_clear();
    unit_error = (struct shoal_error){0};
    return 0;
}

int unit_teardown(void **state)
{
    (void)state;
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    if (fake_live())
        fprintf(stderr, "%zu objects of the backend are left\n", fake_live());
    return fake_live() || fake_breaches() ? -1 : 0;
}

void unit_status(enum shoal_status got, enum shoal_status wanted, const struct shoal_error *error,
                 const char *expression, const char *file, int line)
{
    if (got != wanted) {
        print_error("%s\n  gave \"%s\", not \"%s\"\n  %s: %s\n%s", expression, shoal_status_name(got),
                    shoal_status_name(wanted), error->call, error->message, error->log);
        _fail(file, line);
    }
    if (wanted == SHOAL_OK)
        return;
    /* Whatever fails says so in the record, in one line. */
    if (error->status != got || !error->message[0] || strpbrk(error->message, "\r\n")) {
        print_error("%s\n  the record does not describe the failure: status %d, \"%s\"\n", expression,
                    error->status, error->message);
        _fail(file, line);
    }
}

void unit_contains(const char *text, const char *part, bool wanted, const char *file, int line)
{
    if ((strstr(text, part) != NULL) == wanted)
        return;
    print_error("\"%s\"\n  %s \"%s\"\n", text, wanted ? "lacks" : "contains", part);
    _fail(file, line);
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
    assert_ok(shoal_open_with(&shoal, params, backends, 2, &unit_error));
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

const char *unit_folder(void)
{
    return folder;
}

const char *unit_path(const char *format, ...)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];
    int used = snprintf(path, sizeof paths[0], "%s/", folder);
    va_list list;
    va_start(list, format);
    vsnprintf(path + used, sizeof paths[0] - (size_t)used, format, list);
    va_end(list);
    return path;
}

void unit_write_file(const char *path, const void *data, size_t bytes)
{
    /* With its folders. */
    char parent[512];
    snprintf(parent, sizeof parent, "%s", path);
    for (char *slash = strchr(parent + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(parent, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

void unit_write_text(const char *path, const char *text)
{
    unit_write_file(path, text, strlen(text));
}

size_t unit_count_files(const char *path, const char *suffix, char *first, size_t size)
{
    DIR *dir = opendir(path);
    size_t count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name), end = strlen(suffix);
        if (entry->d_name[0] == '.' || length < end || strcmp(entry->d_name + length - end, suffix) != 0)
            continue;
        if (count++ == 0 && first)
            snprintf(first, size, "%s/%s", path, entry->d_name);
    }
    if (dir)
        closedir(dir);
    return count;
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
    assert_ok(shoal_program_create(device, &unit_program, &params, &program, &unit_error));
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
