/* Reads instances over bits: MAX-SAT, multidimensional knapsacks, graphs. */
#include "base/error.h"
#include "base/input.h"
#include "objective/instances/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BITS = 1 << 20 };
#define MOST_TOP 0x1p64

/* MAX-SAT: DIMACS "p cnf VARIABLES CLAUSES", "p wcnf VARIABLES CLAUSES [TOP]" -------------------------- */

struct clauses {
    struct instance_reader reader;
    bool weighted;
    double top; /* least weight of a hard clause; infinity: there is none */
    double variables, count;
    double *numbers; /* literals of all clauses */
    size_t used, capacity;
};

/* Skips comments up to the next line with a clause. Returns false at the end of the text, and at the line "%"
 * that ends a benchmark of SATLIB. */
static bool next_clause(struct instance_reader *reader)
{
    while (instance_next(reader) && (*reader->at == 'c' || *reader->at == '%')) {
        if (*reader->at == '%')
            return false;
        reader->at += strcspn(reader->at, "\n");
    }
    return *reader->at != '\0';
}

static enum shoal_status read_header(struct clauses *c)
{
    struct instance_reader *reader = &c->reader;
    c->top = INFINITY;
    if (!next_clause(reader) || *reader->at != 'p')
        return instance_fail(reader, "a line \"p cnf VARIABLES CLAUSES\" or \"p wcnf ...\" is expected");
    reader->at++;
    if (!instance_next(reader))
        return instance_fail(reader, "the file ends in its line p");
    c->weighted = *reader->at == 'w';
    reader->at += c->weighted;
    if (strncmp(reader->at, "cnf", 3) != 0 || !isspace((unsigned char)reader->at[3]))
        return instance_fail(reader, "the format is cnf or wcnf");
    reader->at += 3;
    enum shoal_status status = instance_whole(reader, "the number of variables", 1, MOST_BITS, &c->variables);
    if (!status)
        status = instance_whole(reader, "the number of clauses", 1, OBJECTIVE_MAX_NUMBERS / 4, &c->count);
    if (!status && c->weighted && *(reader->at + strspn(reader->at, " \t\r")) != '\n')
        status = instance_whole(reader, "the weight of hard clauses", 1, MOST_TOP, &c->top);
    return status;
}

static enum shoal_status add_literal(struct clauses *c, double literal)
{
    if (c->used == c->capacity) {
        const size_t capacity = 2 * c->capacity + 1024;
        double *more = capacity > OBJECTIVE_MAX_NUMBERS ? NULL : realloc(c->numbers, capacity * sizeof *more);
        if (!more)
            return fail_host_memory(c->reader.error);
        c->numbers = more;
        c->capacity = capacity;
    }
    c->numbers[c->used++] = literal;
    return SHOAL_OK;
}

/* Reads a clause: its weight and its literals, up to a 0. */
static enum shoal_status read_clause(struct clauses *c, size_t number, double *weight)
{
    double literal;
    enum shoal_status status = SHOAL_OK;
    *weight = 1;
    if (!next_clause(&c->reader))
        return instance_fail(&c->reader, "the file ends behind %zu of %.0f clauses", number, c->count);
    if (c->weighted)
        status = instance_whole(&c->reader, "the weight of a clause", 0, MOST_TOP, weight);
    if (!status && *weight > INT32_MAX && c->top > *weight)
        status = instance_fail(&c->reader, "the weight of a soft clause is %.0f, at most %d is possible",
                               *weight, INT32_MAX);
    while (!status) {
        status = instance_whole(&c->reader, "a literal", -c->variables, c->variables, &literal);
        if (status || literal == 0)
            break;
        status = add_literal(c, literal);
    }
    return status;
}

/* Sets the weight of each hard clause to the sum of the weights of all soft clauses plus one. */
static enum shoal_status weigh_hard_clauses(const struct clauses *c, double *weights)
{
    const size_t count = (size_t)c->count;
    double soft = 0, sum = 0;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        any |= weights[i] >= c->top;
        soft += weights[i] < c->top ? weights[i] : 0;
    }
    if (any && soft >= INT32_MAX)
        return fail(
            c->reader.error, SHOAL_IO,
            "%s: the weights of soft clauses have the sum %.0f, beside hard ones at most %d is possible",
            c->reader.name, soft, INT32_MAX - 1);
    for (size_t i = 0; i < count; i++) {
        weights[i] = weights[i] < c->top ? weights[i] : soft + 1;
        sum += weights[i];
    }
    return instance_exact(&c->reader, sum);
}

static enum shoal_status read_max_sat(const char *path, struct instance_data *data, struct shoal_error *error)
{
    struct clauses c = {.numbers = NULL};
    char *text = NULL;
    double *ends = NULL, *weights = NULL;
    enum shoal_status status = instance_open(path, &text, &c.reader, error);
    if (!status)
        status = read_header(&c);
    const size_t count = status ? 0 : (size_t)c.count;
    if (!status)
        status = instance_holds(&c.reader, c.count, "clauses");
    if (!status) {
        ends = calloc(count + 1, sizeof *ends);
        weights = calloc(count + 1, sizeof *weights);
        if (!ends || !weights)
            status = fail_host_memory(error);
    }
    for (size_t i = 0; i < count && !status; i++) {
        status = read_clause(&c, i, &weights[i]);
        ends[i] = (double)c.used;
    }
    if (!status && next_clause(&c.reader))
        status = instance_fail(&c.reader, "there are more than the %zu clauses of the line p", count);
    if (!status)
        status = weigh_hard_clauses(&c, weights);
    if (!status)
        status = instance_allocate(data, 2 + 2 * count + c.used, 1, error);
    if (!status) {
        const size_t first = 2 + 2 * count;
        double *numbers = data->numbers;
        data->dim = (size_t)c.variables;
        numbers[0] = (double)count;
        numbers[1] = (double)first;
        for (size_t i = 0; i < count; i++) {
            numbers[2 + i] = (double)first + ends[i];
            numbers[2 + count + i] = weights[i];
        }
        if (c.used)
            memcpy(numbers + first, c.numbers, c.used * sizeof *numbers);
    }
    free(c.numbers);
    free(ends);
    free(weights);
    free(text);
    return status;
}
const struct instance_source instance_max_sat = {.read = read_max_sat};

/* Knapsacks of the OR-library: their number; for each n m best, profits, m rows of weights, capacities
 * ------------ */

/* Reads a knapsack. skipped: only skips its numbers. */
static enum shoal_status read_knapsack_at(struct instance_reader *reader, bool skipped,
                                          struct instance_data *data)
{
    double n, m, best, ignored;
    enum shoal_status status = instance_whole(reader, "the number of things", 1, MOST_BITS, &n);
    if (!status)
        status = instance_whole(reader, "the number of capacities", 1, 65536, &m);
    if (!status)
        status = instance_number(reader, "the best known value", &best);
    if (status)
        return status;
    const size_t dim = (size_t)n, columns = dim + 1, rows = (size_t)m + 1; /* sizes as in the file */
    if (skipped) {
        for (size_t i = 0; i < dim * rows + rows - 1 && !status; i++)
            status = instance_number(reader, "a number of an earlier instance", &ignored);
        return status;
    }
    status = instance_holds(reader, (double)rows * n, "profits and weights");
    if (!status)
        status = instance_allocate(data, rows + 1, columns, reader->error);
    data->dim = dim;
    data->has_no_repair = m > KNAPSACK_CAPACITIES;
    data->best = best != 0 ? best : NAN;
    for (size_t row = 0; row < rows && !status; row++)
        status = instance_row(reader, row ? "a weight" : "a profit", dim, data->numbers + row * columns);
    for (size_t row = 1; row < rows && !status; row++)
        status = instance_row(reader, "a capacity", 1, data->numbers + row * columns + dim);
    for (size_t i = columns; i < rows * columns && !status; i++)
        data->has_no_repair |= i % columns != dim && data->numbers[i] < 0;
    return status ? status : knapsack_order(data, reader->error);
}

static enum shoal_status read_knapsack(const char *path, struct instance_data *data,
                                       struct shoal_error *error)
{
    struct instance_reader reader;
    char *text = NULL;
    long number;
    double count;
    char *file = input_split_part(path, &number);
    enum shoal_status status = !file         ? fail_host_memory(error)
                               : number == 0 ? fail(error, SHOAL_INVALID, "%s: instances count from 1", path)
                                             : instance_open(file, &text, &reader, error);
    if (!status)
        status = instance_whole(&reader, "the number of instances", 1, 1000000, &count);
    if (!status && number < 0 && count > 1)
        status = fail(error, SHOAL_INVALID, "%s has %.0f instances: say which, as %s:1", path, count, path);
    else if (!status && (double)number > count)
        status =
            fail(error, SHOAL_INVALID, "%s has %.0f instances, there is no number %ld", file, count, number);
    for (long i = 1; i < number && !status; i++)
        status = read_knapsack_at(&reader, true, data);
    if (!status)
        status = read_knapsack_at(&reader, false, data);
    free(text);
    free(file);
    return status;
}
const struct instance_source instance_knapsack = {.read = read_knapsack};

/* Graphs: "n m", then "i j w" m times, i and j from 1 -------------------------------------------------- */

static enum shoal_status read_edges(const char *path, bool loops, struct instance_data *data,
                                    struct shoal_error *error)
{
    struct instance_reader reader;
    char *text = NULL;
    double n, m, sum = 0; /* sum of the absolute weights */
    enum shoal_status status = instance_open(path, &text, &reader, error);
    if (!status)
        status = instance_whole(&reader, "the number of bits", 1, MOST_BITS, &n);
    if (!status)
        status = instance_whole(&reader, "the number of lines i j w", 1, OBJECTIVE_MAX_NUMBERS / 3, &m);
    if (!status)
        status = instance_holds(&reader, m, "lines i j w");
    if (!status)
        status = instance_allocate(data, (size_t)m, 3, error);
    for (double *edge = data->numbers; !status && edge < data->numbers + 3 * (size_t)m; edge += 3) {
        status = instance_whole(&reader, "i", 1, n, &edge[0]);
        if (!status)
            status = instance_whole(&reader, "j", 1, n, &edge[1]);
        if (!status)
            status = instance_whole(&reader, "a weight", INT32_MIN, INT32_MAX, &edge[2]);
        if (!status && !loops && edge[0] == edge[1])
            status = instance_fail(&reader, "an edge from %.0f to itself is never cut", edge[0]);
        edge[0]--;
        edge[1]--;
        sum += fabs(edge[2]);
    }
    if (!status)
        status = instance_end(&reader);
    if (!status)
        status = instance_exact(&reader, sum);
    data->dim = status ? 0 : (size_t)n;
    free(text);
    return status;
}

static enum shoal_status read_max_cut(const char *path, struct instance_data *data, struct shoal_error *error)
{
    return read_edges(path, false, data, error);
}
const struct instance_source instance_max_cut = {.read = read_max_cut};

static enum shoal_status read_qubo(const char *path, struct instance_data *data, struct shoal_error *error)
{
    return read_edges(path, true, data, error);
}
const struct instance_source instance_qubo = {.read = read_qubo};
