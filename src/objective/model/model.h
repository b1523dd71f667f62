/* Private: models with named parameters over named columns. A model is an objective that is a sum over
 * rows. */
#ifndef SHOAL_OBJECTIVE_MODEL_H
#define SHOAL_OBJECTIVE_MODEL_H

#include "objective/expression/expression.h"
#include "objective/rows/table.h"

#include <shoal/fit.h>

/* The state of an objective that is a model. */
struct model {
    struct shoal_model_info info; /* its pointers point to the other members */
    char *formula;
    struct shoal_model_parameter *parameters; /* the struct owns their names */
    char **columns;                           /* names of the columns that the model uses */
    double *box;                              /* [2][parameter_count]: lower bounds, then upper bounds */
    struct expression_program *program;
    struct objective_table *table; /* table of the columns that the model uses */
};

/* A model of the caller, checked except for its numbers, and the columns that it uses. */
struct model_plan {
    const struct shoal_model *given; /* its members `values` and `rows` may be 0 */
    struct expression expression;    /* indices of columns in it are indices of `used` */
    /* [used_count]: columns of the inputs, of the target and of the weights, with room for column_count + 2;
     * freed by plan_free */
    size_t *used;
    size_t used_count, input_count;
    size_t target, weights; /* indices in `used`; weights SIZE_MAX: the model has no weights */
};

/* Checks a model. `plan` should be allocated, since it is too large for the stack. After a failure its arrays
 * are freed. */
SHOAL_MUST_CHECK enum shoal_status model_plan_make(const struct shoal_model *given, struct model_plan *plan,
                                                   struct shoal_error *error);

/* Creates the objective, and takes ownership of the table, also after a failure. The table must have the
 * columns `used` in this order. `given` is not needed after the call. */
SHOAL_MUST_CHECK enum shoal_status model_objective(const struct model_plan *plan,
                                                   struct objective_table *table,
                                                   struct shoal_objective **out, struct shoal_error *error);

/* Ranges of parameters, read from a text such as "a=0:10,p=-pi:pi"; the ends of a range are formulas without
 * coordinates. model_list_free frees the names. SHOAL_INVALID: the text is wrong. */
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
    bool drops_missing;                         /* leaves out rows in which a used column has no value */
    const char *formula, *ranges, *target;
    const char *weights; /* NULL: there are no weights */
    int32_t loss;        /* enum shoal_loss */
    double delta;
};
SHOAL_MUST_CHECK enum shoal_status model_objective_from_file(const struct model_file *file,
                                                             struct shoal_objective **out,
                                                             struct shoal_error *error);

/* Returns the state of an objective that is a model; NULL: the objective is no model. */
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
    double *values;              /* values of the model in the piece */
    /* derivative of row j with respect to parameter p at slopes[p * rows.stride + j]; NULL: not wanted */
    double *slopes;
    double *memory;
};
/* Begins a pass. most: number of rows that the pass reads; a piece has no more rows than this. x: parameters;
 * NULL: values of the model are not computed. slopes: whether derivatives are computed. */
SHOAL_MUST_CHECK enum shoal_status model_pass_begin(struct model_pass *pass, const struct model *model,
                                                    size_t most, const double *x, bool slopes,
                                                    struct shoal_error *error);
/* Reads the piece that begins at row `first`, which must exist, and computes the model there. */
SHOAL_MUST_CHECK enum shoal_status model_pass_read(struct model_pass *pass, size_t first,
                                                   struct shoal_error *error);
void model_pass_end(struct model_pass *pass);

/* Returns a column of the current piece. */
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

/* Returns the term of row j in the value. For the weight 0 the term is 0, whatever the value of the model. */
double model_term(const struct model_pass *pass, size_t j);

#endif
