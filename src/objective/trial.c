/* Evaluates a few points with checks of indices, before a search evaluates many points without such checks.
 * Without a trial, an index out of bounds would read other memory, and the value would look like any
 * other. */
#include "base/clock.h"
#include "base/error.h"
#include "objective/objective.h"
#include "objective/variables/variables.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <shoal/rng.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POINTS = 16, MOVES = 16, LIMIT_MS = 1000 };

/* Time in seconds after which a trial begins no further point. Errors that do not depend on the point are
 * found before. */
static const double long_seconds = 0.2;

struct trial {
    const struct shoal_objective *objective; /* the objective with checked indices: `bounded` */
    const struct shoal_variables *variables; /* NULL: the variables are reals */
    const double *lower, *upper;
    double *constraints; /* [info.constraints]: memory for constraints */
    size_t dim;
};

static uint32_t draw(uint32_t point, size_t number)
{
    return shoal_random_words(2, SHOAL_STREAM_DATA, point, (uint32_t)number, 0).x;
}

static size_t below(uint32_t word, size_t count)
{
    return (size_t)((uint64_t)word * count >> 32);
}

/* Draws a random point; point 1 is the lower corner of the box, point 2 the upper corner. */
static void draw_point(const struct trial *trial, uint32_t point, double *x)
{
    const struct shoal_variable_group *group = trial->variables ? trial->variables->groups : NULL;
    for (size_t d = 0; d < trial->dim; d++) {
        const uint32_t word = draw(point, d);
        const double width = trial->upper[d] - trial->lower[d];
        while (group && d >= group->first + group->count)
            group++;
        if (group && group->kind == SHOAL_ORDER) {
            const size_t place = d - group->first, other = group->first + below(word, place + 1);
            x[d] = x[other];
            x[other] = (double)place;
        } else if (point == 1 || point == 2) {
            x[d] = point == 1 ? trial->lower[d] : trial->upper[d];
        } else if (group && group->kind != SHOAL_REAL) {
            x[d] = trial->lower[d] + (double)below(word, (size_t)width + 1);
        } else {
            x[d] = trial->lower[d] + width * shoal_uniform_double(word, 0);
        }
    }
}

/* Evaluates at a point all functions that a search may call. */
static enum shoal_status try_point(const struct trial *trial, uint32_t point, double *x,
                                   struct shoal_error *error)
{
    const struct shoal_objective *objective = trial->objective;
    enum shoal_status status = SHOAL_OK;
    draw_point(trial, point, x);
    if (objective->repair)
        status = objective->repair(objective, x, trial->dim, error);
    const enum shoal_status fault = objective->take_fault(objective, error);
    if (status || fault)
        return fault ? fault : status;
    shoal_objective_value_in_generation(objective, x, trial->dim, point);
    if (objective->constraints)
        objective->constraints(objective, x, trial->dim, trial->constraints);
    status = objective->take_fault(objective, error);
    if (status || !objective->change)
        return status;
    const struct genome_layout layout = genome_layout(trial->variables);
    const size_t genes = objective->info.move == SHOAL_MOVE_FLIP ? layout.bits : layout.places;
    for (uint32_t m = 0; m < MOVES && !status; m++) {
        objective->change(objective, x, trial->dim, below(draw(POINTS + point, 2 * m), genes),
                          below(draw(POINTS + point, 2 * m + 1), genes));
        status = objective->take_fault(objective, error);
    }
    return status;
}

static enum shoal_status try_points(const struct trial *trial, struct shoal_error *error)
{
    const double start = clock_seconds();
    double *x = calloc(trial->dim, sizeof *x);
    enum shoal_status status = x ? SHOAL_OK : fail_host_memory(error);
    for (uint32_t point = 0; point < POINTS && !status; point++) {
        status = try_point(trial, point, x, error);
        if (clock_seconds() - start > long_seconds)
            break;
    }
    free(x);
    return status;
}

/* Runs in the other process: evaluates points, writes the message of the first fault, if there is one, by a
 * single write, and ends the process. */
static void report(const struct trial *trial, int file)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct shoal_error error;
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
    const ssize_t ignored =
        try_points(trial, &error) == SHOAL_INVALID ? write(file, error.message, strlen(error.message)) : 0;
    (void)ignored;
    _exit(0);
}

/* Reads the message of the other process; an empty one: the process found no fault. Returns false if the
 * process did not end in time. */
static bool read_report(int file, char *message, size_t bytes)
{
    struct pollfd ready = {.fd = file, .events = POLLIN};
    const double end = clock_seconds() + LIMIT_MS / 1e3;
    int left = LIMIT_MS, found;
    while ((found = poll(&ready, 1, left)) < 0 && errno == EINTR && left > 0)
        left = (int)fmax(0, 1e3 * (end - clock_seconds()));
    const ssize_t count = found > 0 ? read(file, message, bytes - 1) : 0;
    message[count > 0 ? count : 0] = '\0';
    return found != 0;
}

/* Evaluates points in another process, since the text may crash. If no process can be started, returns
 * without a fault. */
static enum shoal_status try_apart(const struct trial *trial, bool *is_late, struct shoal_error *error)
{
    char message[sizeof error->message];
    const struct rlimit none = {0, 0};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return SHOAL_OK;
    const pid_t process = fork();
    if (process == 0) {
        setrlimit(RLIMIT_CORE, &none);
        report(trial, ends[1]);
    }
    close(ends[1]);
    *is_late = process > 0 && !read_report(ends[0], message, sizeof message);
    close(ends[0]);
    if (process < 0)
        return SHOAL_OK;
    if (*is_late)
        kill(process, SIGKILL);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        continue;
    return *message ? fail(error, SHOAL_INVALID, "%s", message) : SHOAL_OK;
}

/* Finds the default box of the objective. Returns false if there is none. */
static bool usual_box(const struct trial *trial, double *lower, double *upper)
{
    const struct shoal_objective *objective = trial->objective;
    const struct shoal_variable_group *group = trial->variables ? trial->variables->groups : NULL;
    for (size_t d = 0; d < trial->dim; d++) {
        while (group && d >= group->first + group->count)
            group++;
        const bool has_range = group && !isnan(group->lower);
        lower[d] = has_range ? group->lower : objective_lower(objective, d);
        upper[d] = has_range ? group->upper : objective_upper(objective, d);
        if (isnan(lower[d]) || isnan(upper[d]))
            return false;
    }
    return true;
}

enum shoal_status objective_try(const struct shoal_objective *objective, const double *lower,
                                const double *upper, size_t dim, struct shoal_error *error)
{
    struct shoal_variables *variables = NULL;
    enum shoal_status status = SHOAL_OK;
    if (!objective->bounded || atomic_load(objective->is_slow))
        return SHOAL_OK;
    if (objective->bounded->info.variables)
        status = shoal_variables_parse(objective->bounded->info.variables, dim, &variables, error);
    struct trial trial = {.objective = objective->bounded, .variables = variables, .dim = dim};
    double *box = status ? NULL : malloc((2 * dim + objective->info.constraints) * sizeof *box);
    if (!status && !box)
        status = fail_host_memory(error);
    if (!status) {
        const bool is_known = lower || usual_box(&trial, box, box + dim);
        trial.lower = lower ? lower : box;
        trial.upper = upper ? upper : box + dim;
        trial.constraints = box + 2 * dim;
        bool is_late = false;
        if (is_known)
            status = try_apart(&trial, &is_late, error);
        if (is_late)
            atomic_store(objective->is_slow, true);
    }
    free(box);
    shoal_variables_destroy(&variables);
    return status;
}
