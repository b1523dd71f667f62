/* Private: models with named parameters over named columns, as objectives that are sums over rows. */
#ifndef SHOAL_OBJECTIVE_MODEL_H
#define SHOAL_OBJECTIVE_MODEL_H

#include "objective/expression/expression.h"
#include "objective/rows/table.h"

#include <shoal/fit.h>

/* The state of a model's objective. */
struct model {
    struct shoal_model_info info; /* its pointers point to the other members */
    char *formula;
    struct shoal_model_parameter *parameters; /* the struct owns their names */
    char **columns;                           /* names of the columns in use */
    double *box;                              /* [2][parameter_count]: lower bounds, then upper bounds */
    struct expression_program *program;
    struct objective_table *table; /* table of the columns in use */
};

/* The caller's model, checked except for its numbers, and the list of the columns that it uses. */
struct model_plan {
    const struct shoal_model *given; /* `values` and `rows` may be missing */
    struct expression expression;    /* its columns have the indices of `used` */
    /* [at most column_count + 2]: columns of inputs, target, weights; freed by plan_free */
    size_t *used;
    size_t used_count, input_count;
    size_t target, weights; /* indices in `used`; weights SIZE_MAX: there are none */
};

/* Checks a model. `plan` is too large for the stack. After a failure it is freed. */
SHOAL_MUST_CHECK enum shoal_status model_plan_make(const struct shoal_model *given, struct model_plan *plan,
                                                   struct shoal_error *error);

/* Creates the objective, and takes ownership of the table, which must have the columns in use in the order of
 * `used`; after a failure the table is destroyed. `given` is not needed afterwards. */
SHOAL_MUST_CHECK enum shoal_status model_objective(const struct model_plan *plan,
                                                   struct objective_table *table,
                                                   struct shoal_objective **out, struct shoal_error *error);

/* Ranges of parameters from a text such as "a=0:10,p=-pi:pi", whose ends are constant formulas. The names are
 * malloc'ed. SHOAL_INVALID: the message has the error. */
struct model_list {
    struct shoal_model_parameter *parameters;
    size_t count;
};
SHOAL_MUST_CHECK enum shoal_status model_list_read(const char *text, struct model_list *list,
                                                   struct shoal_error *error);
void model_list_free(struct model_list *list); /* accepts zeros */

/* A model over the columns of a file. */
struct model_file {
    const char *path, *layout, *missing_values; /* see struct shoal_table_params */
    int32_t header;                             /* how the first line is read: enum shoal_header */
    bool drops_missing;                         /* rows in which a used column has no value are left out */
    const char *formula, *ranges, *target;
    const char *weights; /* NULL: there are no weights */
    int32_t loss;        /* enum shoal_loss */
    double delta;
};
SHOAL_MUST_CHECK enum shoal_status model_objective_from_file(const struct model_file *file,
                                                             struct shoal_objective **out,
                                                             struct shoal_error *error);

/* The state of an objective that is a model; NULL: it is not a model. */
const struct model *model_of(const struct shoal_objective *objective);

/* Writes the kernel text of the model. */
void model_write_kernel(const struct model_plan *plan, struct text *out);

/* A pass over the rows of a table, MODEL_PIECE rows at a time. */
enum { MODEL_PIECE = 512 };
struct model_pass {
    const struct model *model;
    const double *x;
    size_t first, count;         /* rows of the current piece */
    struct expression_rows rows; /* the numbers of the piece, column after column */
    double *values;              /* the model's values in the piece */
    double *slopes;              /* derivative by parameter p at slopes[p * rows.stride + j]; NULL: not
                                  * wanted */
    double *memory;
};
/* Begins a pass. most: number of rows that the pass reads, and upper limit of the rows of a piece. x NULL:
 * values of the model are not computed. */
SHOAL_MUST_CHECK enum shoal_status model_pass_begin(struct model_pass *pass, const struct model *model,
                                                    size_t most, const double *x, bool slopes,
                                                    struct shoal_error *error);
/* Reads the piece that begins at row `first`, which must exist. */
SHOAL_MUST_CHECK enum shoal_status model_pass_read(struct model_pass *pass, size_t first,
                                                   struct shoal_error *error);
void model_pass_end(struct model_pass *pass);

/* A column of the current piece of rows. */
static inline const double *model_column(const struct model_pass *pass, size_t column)
{
    return pass->rows.numbers + column * pass->rows.stride;
}

static inline double model_residual(const struct model_pass *pass, size_t j)
{
    return model_column(pass, pass->model->info.target)[j] - pass->values[j];
}

static inline double model_weight(const struct model_pass *pass, size_t j)
{
    const size_t column = pass->model->info.weights;
    return column == SIZE_MAX ? 1 : model_column(pass, column)[j];
}

/* Term of a row in the value. It is 0 for a weight of 0: the model may have any value in such a row. */
double model_term(const struct model_pass *pass, size_t j);

#endif
