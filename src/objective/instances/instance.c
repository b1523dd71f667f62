/* Instances of built-in objectives, which are objectives of their own, and the rules by which some of them
 * are made. */
#include "objective/instances/instance.h"
#include "base/error.h"
#include "base/file.h"
#include "base/params.h"
#include "objective/bbob/bbob.h"
#include "objective/rows/table.h"
#include "objective/variables/variables.h"

#include <inttypes.h>
#include <math.h>
#include <shoal/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum shoal_status instance_allocate(struct instance_data *data, size_t rows, size_t columns,
                                    struct shoal_error *error)
{
    if (rows > OBJECTIVE_MAX_NUMBERS / columns)
        return fail(error, SHOAL_INVALID, "%zu times %zu numbers are more than the %d of an instance", rows,
                    columns, OBJECTIVE_MAX_NUMBERS);
    data->numbers = calloc(rows * columns, sizeof *data->numbers);
    data->rows = rows;
    data->columns = columns;
    return data->numbers ? SHOAL_OK : fail_host_memory(error);
}

/* Made ------------------------------------------------------------------------------------------------- */

/* Returns a random word of an instance. The instance is a part of the function, so its seed is 1, whatever
 * the seed of a search. */
static uint32_t draw(uint32_t index, uint32_t number)
{
    const struct shoal_words words = shoal_random_words(1, SHOAL_STREAM_DATA, number / 4, index, 0);
    const uint32_t all[] = {words.x, words.y, words.z, words.w};
    return all[number % 4];
}

enum { NK_NEIGHBOURS = 4, NK_STATES = 2 << NK_NEIGHBOURS, NK_WORTH = 1000 };

/* Returns the greatest value. Uses dynamic programming over the last NK_NEIGHBOURS bits, for each state of
 * the first NK_NEIGHBOURS bits, since the bits form a circle. */
static double nk_best(const double *numbers, size_t dim)
{
    enum { ENDS = 1 << NK_NEIGHBOURS };
    double best = -INFINITY;
    for (size_t first = 0; first < ENDS; first++) {
        double worth[ENDS], next[ENDS];
        for (size_t s = 0; s < ENDS; s++)
            worth[s] = s == first ? 0 : -INFINITY;
        for (size_t i = 0; i < dim; i++) {
            for (size_t s = 0; s < ENDS; s++)
                next[s] = -INFINITY;
            for (size_t state = 0; state < NK_STATES; state++) {
                /* Index of the newest bit. Indices beyond the last bit are those of the first bits. */
                const size_t place = i + NK_NEIGHBOURS;
                if (place >= dim && (state & 1) != (first >> (dim + NK_NEIGHBOURS - 1 - place) & 1))
                    continue;
                const double sum = worth[state / 2] + numbers[i * NK_STATES + state];
                next[state % ENDS] = fmax(next[state % ENDS], sum);
            }
            memcpy(worth, next, sizeof worth);
        }
        best = fmax(best, worth[first]);
    }
    return best;
}

static enum shoal_status make_nk(size_t dim, struct instance_data *data, struct shoal_error *error)
{
    enum shoal_status status = instance_allocate(data, dim, NK_STATES, error);
    if (status)
        return status;
    for (size_t i = 0; i < dim; i++)
        for (size_t state = 0; state < NK_STATES; state++)
            data->numbers[i * NK_STATES + state] =
                (double)((uint64_t)draw((uint32_t)i, (uint32_t)state) * NK_WORTH >> 32);
    data->best = nk_best(data->numbers, dim);
    return SHOAL_OK;
}
const struct instance_source instance_nk = {.make = make_nk};

/* Draws a clause: three different variables and their signs. The signs are drawn again until the planted
 * point makes the clause true. The bits of this point come from separate random words. */
static void draw_clause(uint32_t clause, size_t dim, double *literals)
{
    uint32_t number = 0;
    bool is_true = false;
    for (size_t l = 0; l < 3; l++) {
        bool is_new;
        do {
            const size_t variable = (size_t)((uint64_t)draw(clause, number++) * dim >> 32) + 1;
            literals[l] = (double)variable;
            is_new = true;
            for (size_t before = 0; before < l; before++)
                is_new &= literals[before] != literals[l];
        } while (!is_new);
    }
    while (!is_true) {
        const uint32_t signs = draw(clause, number++);
        for (size_t l = 0; l < 3; l++) {
            const uint32_t planted = draw(UINT32_MAX - (uint32_t)fabs(literals[l]), 0) & 1;
            const uint32_t positive = signs >> l & 1;
            literals[l] = positive ? fabs(literals[l]) : -fabs(literals[l]);
            is_true |= planted == positive;
        }
    }
}

/* Makes a formula with 4.2 clauses for each variable. Near this ratio instances are hardest. */
static enum shoal_status make_planted_sat(size_t dim, struct instance_data *data, struct shoal_error *error)
{
    const size_t clauses = (dim * 42 + 5) / 10;
    enum shoal_status status = instance_allocate(data, 2 + 5 * clauses, 1, error);
    if (status)
        return status;
    double *places = data->numbers + 1, *weights = places + clauses + 1, *literals = weights + clauses;
    data->numbers[0] = (double)clauses;
    for (size_t c = 0; c < clauses; c++) {
        weights[c] = 1;
        draw_clause((uint32_t)c, dim, literals + 3 * c);
    }
    for (size_t c = 0; c <= clauses; c++)
        places[c] = (double)(2 + 2 * clauses + 3 * c);
    data->best = 0;
    return SHOAL_OK;
}
const struct instance_source instance_planted_sat = {.make = make_planted_sat};

/* Objectives ------------------------------------------------------------------------------------------- */

static void destroy(struct shoal_objective *objective)
{
    struct instance *instance = objective->state;
    table_destroy(&instance->table);
    free(instance->name);
    free(instance->numbers);
    free(instance);
}

/* Returns the name of the objective, allocated: "qap nug30.dat", "nk of 20", "bbob-f15 instance 7". */
static char *name_of(const struct shoal_objective *like, const char *path, const struct instance_data *data)
{
    char *name;
    const int length = path           ? asprintf(&name, "%s %s", like->info.name, file_base_name(path))
                       : data->number ? asprintf(&name, "%s instance %" PRIu32, like->info.name, data->number)
                                      : asprintf(&name, "%s of %zu", like->info.name, data->dim);
    return length < 0 ? NULL : name;
}

/* Creates the objective of an instance, and takes ownership of data->numbers. */
static enum shoal_status create(const struct shoal_objective *like, const char *path,
                                const struct instance_data *data, struct shoal_objective **out,
                                struct shoal_error *error)
{
    struct instance *instance = calloc(1, sizeof *instance);
    if (!instance) {
        free(data->numbers);
        return fail_host_memory(error);
    }
    *instance = (struct instance){.objective = *like,
                                  .name = name_of(like, path, data),
                                  .numbers = data->numbers,
                                  .rows = data->rows,
                                  .columns = data->columns};
    struct shoal_objective *objective = &instance->objective;
    objective->state = instance;
    objective->destroy = destroy;
    objective->minimum = NULL;
    objective->info.name = instance->name;
    objective->info.min_dim = objective->info.max_dim = data->dim;
    objective->info.minimum = data->best;
    if (data->has_no_repair) {
        objective->repair = NULL;
        objective->info.repairs = false;
    }
    enum shoal_status status = instance->name ? table_from_values(data->numbers, data->rows, data->columns, 0,
                                                                  instance->name, &instance->table, error)
                                              : fail_host_memory(error);
    objective->table = instance->table;
    if (status)
        destroy(objective);
    else
        *out = objective;
    return status;
}

enum shoal_status shoal_objective_from_points(const double *points, size_t count, size_t dim,
                                              struct shoal_objective **out, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, out))
        return SHOAL_INVALID;
    struct instance_data data = {.dim = count, .best = NAN};
    *out = NULL;
    if (!points || count < 2 || count > VARIABLES_PLACES || !dim)
        return fail(error, SHOAL_INVALID,
                    "shoal_objective_from_points: a tour has 2 to %d points of 1 or more numbers, not %zu of "
                    "%zu",
                    VARIABLES_PLACES, points ? count : 0, dim);
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < dim; c++)
            if (!isfinite(points[i * dim + c]))
                return fail(error, SHOAL_INVALID,
                            "shoal_objective_from_points: number %zu of point %zu is not finite", c, i);
    enum shoal_status status = instance_allocate(&data, count, dim, error);
    if (status)
        return status;
    memcpy(data.numbers, points, count * dim * sizeof *points);
    return create(shoal_objective_find("tour"), NULL, &data, out, error);
}

static enum shoal_status check_dim(const struct shoal_objective *like, size_t dim, struct shoal_error *error)
{
    if (dim < like->info.min_dim || dim > like->info.max_dim)
        return fail(error, SHOAL_INVALID, "%s has %zu to %zu dimensions, %zu are asked for", like->info.name,
                    like->info.min_dim, like->info.max_dim, dim);
    return SHOAL_OK;
}

/* Creates an instance that is made by a rule for `dim` dimensions. number: number of the instance, for
 * functions with numbered instances. */
static enum shoal_status make_instance(const struct shoal_objective *like, uint32_t number, size_t dim,
                                       struct shoal_objective **out, struct shoal_error *error)
{
    struct instance_data data = {.dim = dim, .best = NAN};
    enum shoal_status status = check_dim(like, dim, error);
    if (status)
        return status;
    status = like->source->bbob ? bbob_make(like->source->bbob, number, dim, &data, error)
                                : like->source->make(dim, &data, error);
    if (!status)
        return create(like, NULL, &data, out, error);
    free(data.numbers);
    return status;
}

enum shoal_status shoal_objective_from_instance(const char *function, const char *path, size_t dim,
                                                struct shoal_objective **out, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, out))
        return SHOAL_INVALID;
    const struct shoal_objective *like = shoal_objective_find(function);
    struct instance_data data = {.best = NAN};
    *out = NULL;
    if (!like)
        return fail(error, SHOAL_INVALID, "there is no built-in function %s: see shoal_objective_at",
                    function ? function : "NULL");
    const struct instance_source *source = like->source;
    if (!source || !(path ? source->read != NULL : source->make || source->bbob))
        return fail(error, SHOAL_INVALID,
                    source && source->read ? "%s needs an instance: give the path of its file, with --data"
                                           : "%s is not read from a file: leave out --data",
                    function);
    if (!path)
        return make_instance(like, 1, dim, out, error);
    enum shoal_status status = source->read(path, &data, error);
    if (!status)
        return create(like, path, &data, out, error);
    free(data.numbers);
    return status;
}

/* Finds the BBOB function `function`, and checks the number of an instance. */
static enum shoal_status find_bbob(const char *function, uint64_t instance,
                                   const struct shoal_objective **like, struct shoal_error *error)
{
    *like = shoal_objective_find(function);
    if (!*like || !(*like)->source || !(*like)->source->bbob)
        return fail(error, SHOAL_INVALID, "%s has no numbered instances: bbob-f1 to bbob-f%d have them",
                    function, BBOB_FUNCTIONS);
    if (instance < 1 || instance > BBOB_INSTANCES)
        return fail(error, SHOAL_INVALID, "%s has instances 1 to %d, instance %" PRIu64 " is asked for",
                    function, BBOB_INSTANCES, instance);
    return SHOAL_OK;
}

enum shoal_status shoal_objective_from_bbob(const char *function, uint64_t instance, size_t dim,
                                            struct shoal_objective **out, struct shoal_error *error)
{
    const struct shoal_objective *like;
    error_reset(error);
    if (!NEED(error, function, out))
        return SHOAL_INVALID;
    *out = NULL;
    const enum shoal_status status = find_bbob(function, instance, &like, error);
    return status ? status : make_instance(like, (uint32_t)instance, dim, out, error);
}

enum { MOST_INSTANCES = 1024 };

/* Makes the tables of several instances. *like: the first function. *differ: whether the functions are
 * different. */
static enum shoal_status make_several(const char *const *functions, const uint64_t *instances, size_t count,
                                      struct instance_data *data, const struct shoal_objective **like,
                                      bool *differ, struct shoal_error *error)
{
    int numbers[MOST_INSTANCES];
    for (size_t i = count; i--;) {
        enum shoal_status status = find_bbob(functions[i], instances[i], like, error);
        if (!status)
            status = check_dim(*like, data->dim, error);
        if (status)
            return status;
        numbers[i] = (*like)->source->bbob;
        *differ = *differ || numbers[i] != numbers[count - 1];
    }
    return bbob_make_several(numbers, instances, count, data->dim, data, error);
}

enum shoal_status shoal_objective_from_bbob_instances(const char *const *functions, const uint64_t *instances,
                                                      size_t count, size_t dim, struct shoal_objective **out,
                                                      struct shoal_error *error)
{
    struct instance_data data = {.dim = dim};
    const struct shoal_objective *like = NULL;
    bool differ = false;
    error_reset(error);
    if (!NEED(error, functions, instances, out))
        return SHOAL_INVALID;
    *out = NULL;
    if (!count || count > MOST_INSTANCES)
        return fail(error, SHOAL_INVALID, "%s: 1 to %d instances, not %zu", __func__, MOST_INSTANCES, count);
    enum shoal_status status = make_several(functions, instances, count, &data, &like, &differ, error);
    if (status) {
        free(data.numbers);
        return status;
    }
    status = create(like, NULL, &data, out, error);
    if (!status) {
        if (differ)
            (*out)->file = "#define BBOB 0\n" BBOB_FILE;
        (*out)->value_of_run = bbob_value_of_run;
        (*out)->instances = count;
    }
    return status;
}
