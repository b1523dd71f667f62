#include "objective/code.h"
#include "base/error.h"
#include "compute/program/host/code.h"
#include "compute/program/host/signal_stack.h"
#include "objective/variables/variables.h"

#include "cl/objective/individual.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double (*host_value_fn)(const double *x, unsigned dim, const double *rows, unsigned long row_count,
                                unsigned columns);

typedef void (*host_residuals_fn)(const double *x, unsigned dim, const double *rows, unsigned long row_count,
                                  unsigned columns, double *out);

typedef void (*host_constraints_fn)(const double *x, unsigned dim, double *g);
typedef double (*host_genes_fn)(const struct host_individual *individual);
typedef double (*host_change_fn)(const struct host_individual *individual, unsigned i, unsigned j);
typedef void (*host_repair_fn)(struct host_individual *individual);
typedef struct host_fault (*host_fault_fn)(void);

struct objective_code {
    struct host_code *host;
    host_value_fn value;
    host_residuals_fn residuals;
    host_constraints_fn constraints;
    host_genes_fn value_genes;
    host_change_fn change;
    host_repair_fn repair;
    host_fault_fn fault;
    unsigned columns;
};

enum shoal_status code_create(struct shoal *shoal, const struct code_params *params,
                              struct objective_code **out, struct shoal_error *error)
{
    char dim[40], columns[40], table_rows[40];
    snprintf(dim, sizeof dim, "-DDIM=%zu", params->dim);
    snprintf(columns, sizeof columns, "-DCOLUMNS=%zu", params->columns ? params->columns : 1);
    snprintf(table_rows, sizeof table_rows, "-DTABLE_ROWS=%zu", params->rows ? params->rows : 1);
    const char *const defines[] = {columns, table_rows, params->has_bounds ? "-DCHECKED" : "-DUNCHECKED",
                                   /* of several options for optimisation, the compiler obeys the last one */
                                   params->has_bounds ? "-O1" : "-O3", params->dim ? dim : NULL, NULL};
    const struct host_code_params host = {.text = params->text,
                                          .name = params->name,
                                          .file = "objective/host.h",
                                          .replaced = "objective/snippet.clh",
                                          .defines = defines};
    *out = NULL;
    if (params->is_check)
        return host_code_check(shoal, &host, error);
    struct objective_code *code = calloc(1, sizeof *code);
    if (!code)
        return fail_host_memory(error);
    code->columns = (unsigned)params->columns;
    enum shoal_status status = host_code_create(shoal, &host, &code->host, error);
    if (!status && params->genes)
        status = host_code_find(code->host, "shoal_host_genes", &code->value_genes, error);
    if (!status && params->change)
        status = host_code_find(code->host, "shoal_host_change", &code->change, error);
    if (!status && params->repair)
        status = host_code_find(code->host, "shoal_host_repair", &code->repair, error);
    if (!status && params->residuals)
        status = host_code_find(code->host, "shoal_host_residuals", &code->residuals, error);
    if (!status && params->constraints)
        status = host_code_find(code->host, "shoal_host_constraints", &code->constraints, error);
    if (!status && !params->genes)
        status = host_code_find(code->host, "shoal_host_value", &code->value, error);
    if (!status && params->has_bounds)
        status = host_code_find(code->host, "shoal_host_fault", &code->fault, error);
    if (status)
        code_destroy(&code);
    *out = code;
    return status;
}

/* Returns, for messages, the word for what an index macro such as GENE counts. NULL: `what` is the name of an
 * array in the text. */
static const char *counted(const char *what)
{
    static const char *const names[][2] = {{"GENE", "real"},
                                           {"WHOLE", "integer or choice"},
                                           {"BIT", "bit"},
                                           {"WORD", "word of 32 bits"},
                                           {"PLACE", "place"}};
    const char *macro = strncmp(what, "SET_", 4) == 0 ? what + 4 : what;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(macro, names[i][0]) == 0)
            return names[i][1];
    return NULL;
}

enum shoal_status code_take_fault(const struct objective_code *code, struct shoal_error *error)
{
    const struct host_fault fault = code->fault();
    if (!fault.what)
        return SHOAL_OK;
    const char *element = strstr(fault.what, " of ELEMENT"), *kind = counted(fault.what);
    const int length = element ? (int)(element - fault.what) : 0; /* length of the word "row" or "column" */
    if (element)
        return fail(error, SHOAL_INVALID,
                    "%s:%d: ELEMENT has the %.*s %ld, and the table only %lu %.*s%s, counted from 0",
                    fault.file, fault.line, length, fault.what, fault.index, fault.count, length, fault.what,
                    fault.count == 1 ? "" : "s");
    if (kind && !fault.count)
        return fail(error, SHOAL_INVALID, "%s:%d: there is no %s(%ld): no variable is a %s", fault.file,
                    fault.line, fault.what, fault.index, kind);
    if (kind)
        return fail(error, SHOAL_INVALID, "%s:%d: there is no %s(%ld): the variables have %s(0) to %s(%lu)",
                    fault.file, fault.line, fault.what, fault.index, fault.what, fault.what, fault.count - 1);
    return fail(error, SHOAL_INVALID, "%s:%d: there is no %s[%ld]: the last one is %s[%lu]", fault.file,
                fault.line, fault.what, fault.index, fault.what, fault.count - 1);
}

double code_value(const struct objective_code *code, const double *x, size_t dim, const double *rows,
                  size_t row_count)
{
    signal_stack_provide();
    return code->value(x, (unsigned)dim, rows, row_count, code->columns);
}

void code_residuals(const struct objective_code *code, const double *x, size_t dim, const double *rows,
                    size_t row_count, double *out)
{
    signal_stack_provide();
    code->residuals(x, (unsigned)dim, rows, row_count, code->columns, out);
}

void code_constraints(const struct objective_code *code, const double *x, size_t dim, double *g)
{
    signal_stack_provide();
    code->constraints(x, (unsigned)dim, g);
}

static struct host_individual individual_of(const struct genome *genome, size_t dim, const void *table)
{
    signal_stack_provide();
    return (struct host_individual){.reals = genome->reals,
                                    .wholes = genome->wholes,
                                    .words = genome->words,
                                    .places = genome->places,
                                    .table = table,
                                    .dim = (unsigned)dim,
                                    .real_count = (unsigned)genome->layout->reals,
                                    .whole_count = (unsigned)genome->layout->wholes,
                                    .bit_count = (unsigned)genome->layout->bits,
                                    .place_count = (unsigned)genome->layout->places};
}

double code_value_genes(const struct objective_code *code, const struct genome *genome, size_t dim,
                        uint32_t generation, const void *table)
{
    struct host_individual individual = individual_of(genome, dim, table);
    individual.generation = generation;
    return code->value_genes(&individual);
}

double code_change(const struct objective_code *code, const struct genome *genome, size_t dim,
                   const void *table, size_t i, size_t j)
{
    const struct host_individual individual = individual_of(genome, dim, table);
    return code->change(&individual, (unsigned)i, (unsigned)j);
}

void code_repair(const struct objective_code *code, const struct genome *genome, size_t dim,
                 const void *table)
{
    struct host_individual individual = individual_of(genome, dim, table);
    code->repair(&individual);
}

void code_destroy(struct objective_code **code)
{
    if (!*code)
        return;
    host_code_destroy(&(*code)->host);
    free(*code);
    *code = NULL;
}
