/* Constrained objectives: an objective with constraints of its own and constraints from formulas. */
#include "objective/constraints/constraints.h"
#include "base/error.h"
#include "base/params.h"
#include "base/text.h"
#include "objective/derived.h"
#include "objective/expression/expression.h"
#include "objective/rows/table.h"
#include "objective/variables/variables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "objective/constraints/model.h"

/* A formula that is a constraint. */
struct relation {
    struct expression_program *program;
    bool is_equality;
};

struct state {
    struct derived derived;
    struct constrained constrained;
    struct shoal_variables *variables;
    bool is_equality[CONSTRAINTS_MOST + CONSTRAINTS_FORMULAS];
    struct relation relations[CONSTRAINTS_FORMULAS];
    size_t relation_count;
};

double constrained_rank_of(double value, double violation)
{
    return constrained_rank(value, violation);
}

double constrained_violation_of(double rank)
{
    return rank >= CONSTRAINED_LIMIT ? rank / CONSTRAINED_SCALE : 0;
}

double constrained_violation(const struct constrained *constrained, const double *excess)
{
    double sum = 0;
    for (size_t i = 0; i < constrained->count; i++)
        sum += constraint_excess(excess[i]);
    return sum;
}

bool constrained_has_equality(const struct constrained *constrained)
{
    for (size_t i = 0; i < constrained->count; i++)
        if (constrained->is_equality[i])
            return true;
    return false;
}

void constrained_find_excess(const struct constrained *constrained, double *sides)
{
    for (size_t i = 0; i < constrained->count; i++)
        if (constrained->is_equality[i])
            sides[i] = fabs(sides[i]) - constrained->tolerance;
}

static void compute_sides(const struct state *state, const double *x, size_t dim, double *sides)
{
    const size_t own = state->derived.inner->info.constraints;
    if (own)
        state->derived.inner->constraints(state->derived.inner, x, dim, sides);
    for (size_t i = 0; i < state->relation_count; i++)
        sides[own + i] = expression_value(state->relations[i].program, x, dim);
}

static double parts(const struct shoal_objective *objective, const double *x, size_t dim, double *sides)
{
    const struct state *state = objective->state;
    compute_sides(state, x, dim, sides);
    return shoal_objective_value(state->derived.inner, x, dim);
}

static double value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct state *state = objective->state;
    const double sign = state->constrained.sign;
    double excess[CONSTRAINTS_MOST + CONSTRAINTS_FORMULAS];
    compute_sides(state, x, dim, excess);
    constrained_find_excess(&state->constrained, excess);
    const double violation = constrained_violation(&state->constrained, excess);
    const double own = violation <= 0 ? shoal_objective_value(state->derived.inner, x, dim) : 0;
    return sign * constrained_rank(sign * own, violation);
}

static void destroy(struct shoal_objective *objective)
{
    struct state *state = objective->state;
    for (size_t i = 0; i < state->relation_count; i++)
        expression_program_free(state->relations[i].program);
    for (size_t i = 0; state->constrained.names && i < state->constrained.count; i++)
        free(state->constrained.names[i]);
    free(state->constrained.names);
    shoal_variables_destroy(&state->variables);
    derived_destroy(objective);
}

/* Formulas --------------------------------------------------------------------------------------------- */

/* Copies the formula at `from`, up to the next semicolon, without blanks at its ends, and on one line; NULL:
 * out of memory. *next: the formula after it; NULL: there is none. */
static char *take_part(const char *from, const char **next)
{
    static const char blanks[] = " \t\r\n";
    const size_t length = strcspn(from, ";"), begin = strspn(from, blanks);
    size_t end = length;
    *next = from[length] ? from + length + 1 : NULL;
    while (end > begin && strchr(blanks, from[end - 1]))
        end--;
    char *part = strndup(from + (begin < end ? begin : end), begin < end ? end - begin : 0);
    for (char *c = part; c && *c; c++)
        *c = *c == '\r' || *c == '\n' ? ' ' : *c;
    return part;
}

/* Adds the constraint of a formula, and writes its kernel function to `text`. */
static enum shoal_status add_relation(struct state *state, const char *part, bool is_sized, bool is_genes,
                                      size_t dim, struct text *text, struct shoal_error *error)
{
    struct expression *expression = malloc(sizeof *expression);
    struct relation *relation = &state->relations[state->relation_count];
    const size_t i = state->derived.inner->info.constraints + state->relation_count;
    if (!expression)
        return fail_host_memory(error);
    enum shoal_status status =
        expression_parse_relation(part, (int)state->relation_count + 1, state->variables, is_sized,
                                  expression, &relation->is_equality, error);
    if (!status && expression_least_dim(expression) > dim)
        status = fail(error, SHOAL_INVALID, "constraint %zu, %s, needs %zu dimensions, not %zu",
                      state->relation_count + 1, part, expression_least_dim(expression), dim);
    if (!status) {
        expression_write_constraint(expression, is_genes, text);
        relation->program = expression_compile(expression);
        state->is_equality[i] = relation->is_equality;
        state->constrained.names[i] = strdup(part);
        state->relation_count++;
        if (!relation->program || !state->constrained.names[i])
            status = fail_host_memory(error);
    }
    free(expression);
    return status;
}

static size_t count_parts(const char *formulas)
{
    size_t count = formulas ? 1 : 0;
    for (; formulas && *formulas; formulas++)
        count += *formulas == ';';
    return count;
}

static enum shoal_status read_formulas(struct state *state, const struct constraint_params *params,
                                       size_t dim, struct text *text, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    if (count_parts(params->formulas) > CONSTRAINTS_FORMULAS)
        return fail(error, SHOAL_INVALID, "%zu formulas are constraints: %d are the most",
                    count_parts(params->formulas), CONSTRAINTS_FORMULAS);
    if (params->formulas && params->variables)
        status = shoal_variables_parse(params->variables, dim, &state->variables, error);
    for (const char *from = params->formulas, *next; from && !status; from = next) {
        char *part = take_part(from, &next);
        if (!part)
            status = fail_host_memory(error);
        else if (!*part)
            status = fail(error, SHOAL_INVALID, "constraint %zu is empty", state->relation_count + 1);
        else
            status = add_relation(state, part, true, params->is_genes, dim, text, error);
        free(part);
    }
    return status;
}

/* Names the constraints of the objective itself. */
static enum shoal_status name_own(struct state *state, struct shoal_error *error)
{
    const struct shoal_objective_info *info = &state->derived.inner->info;
    for (size_t i = 0; i < info->constraints; i++) {
        char name[32];
        const size_t inequalities = info->constraints - info->equalities;
        const bool is_equality = state->is_equality[i] = i >= inequalities;
        snprintf(name, sizeof name, "%c%zu", is_equality ? 'h' : 'g',
                 is_equality ? i - inequalities + 1 : i + 1);
        state->constrained.names[i] = strdup(name);
        if (!state->constrained.names[i])
            return fail_host_memory(error);
    }
    return SHOAL_OK;
}

/* Kernel text ------------------------------------------------------------------------------------------ */

static void write_tolerance(const struct state *state, const char *of, struct text *text)
{
    text_printf(text, "constraint_excess(fabs(%s) - ", of);
    expression_write_number(state->constrained.tolerance, text);
    text_add(text, ");\n");
}

static void write_violation(const struct state *state, bool is_genes, struct text *text)
{
    const struct shoal_objective_info *info = &state->derived.inner->info;
    const char *passed = is_genes ? "genome" : "x";
    text_printf(text, "static inline real objective_violation(%s, uint dim)\n{\n    real sum = R(0.0);\n",
                is_genes ? "GENOME" : "const real *x");
    if (info->constraints) {
        text_printf(text, "    real g[%zu];\n    int i;\n    objective_constraints(g, x, dim);\n",
                    info->constraints);
        text_printf(text, "    for (i = 0; i < %zu; i++)\n        sum += constraint_excess(g[i]);\n",
                    info->constraints - info->equalities);
        if (info->equalities) {
            text_printf(text, "    for (i = %zu; i < %zu; i++)\n        sum += ",
                        info->constraints - info->equalities, info->constraints);
            write_tolerance(state, "g[i]", text);
        }
    }
    for (size_t i = 0; i < state->relation_count; i++) {
        char call[64];
        snprintf(call, sizeof call, "constraint_%zu(%s, dim)", i + 1, passed);
        text_add(text, "    sum += ");
        if (state->relations[i].is_equality)
            write_tolerance(state, call, text);
        else
            text_printf(text, "constraint_excess(%s);\n", call);
    }
    text_add(text, "    return sum;\n}\n");
}

/* Writes the kernel text: the text of the objective, the functions of the formulas, and the function that
 * sums the violations. */
static enum shoal_status write_text(const struct state *state, bool is_genes, const struct text *functions,
                                    struct shoal_objective *objective, struct shoal_error *error)
{
    struct shoal_kernel_text own;
    struct text text = {0};
    if (objective_kernel_text(state->derived.inner, &own, NULL)) /* a callback: only for the host */
        return SHOAL_OK;
    text_printf(&text,
                "#define CONSTRAINED %d\n#define objective_value plain_value\n%s\n#undef objective_value\n"
                "#include \"lib/trig.clh\"\n#include \"objective/constrained.clh\"\n%s",
                state->constrained.sign < 0 ? -1 : 1, own.text, functions->data ? functions->data : "");
    write_violation(state, is_genes, &text);
    return derived_take_text(objective, &text, own.shown, error);
}

/* Objective -------------------------------------------------------------------------------------------- */

static enum shoal_status check(const struct shoal_objective *inner, const struct constraint_params *params,
                               struct shoal_error *error)
{
    const struct shoal_objective_info *info = &inner->info;
    const bool is_over_genes = info->variables && !params->is_genes;
    if (is_over_genes || info->shape == SHOAL_DATA_ROWS)
        return fail(error, SHOAL_INVALID,
                    "constraints are for functions of reals and for formulas over --variables; %s is %s",
                    info->name, is_over_genes ? "a function over genes" : "a sum over rows");
    return SHOAL_OK;
}

static enum shoal_status fill(struct shoal_objective *objective, const struct constraint_params *params,
                              size_t dim, struct shoal_error *error)
{
    struct state *state = objective->state;
    struct text functions = {0};
    const size_t count = state->derived.inner->info.constraints + count_parts(params->formulas);
    state->constrained = (struct constrained){.count = count,
                                              .is_told = state->derived.inner->is_told,
                                              .names = calloc(count ? count : 1, sizeof(char *)),
                                              .is_equality = state->is_equality,
                                              .tolerance = params->tolerance,
                                              .sign = params->sign};
    if (!state->constrained.names)
        return fail_host_memory(error);
    enum shoal_status status = name_own(state, error);
    if (!status)
        status = read_formulas(state, params, dim, &functions, error);
    if (!status && functions.failed)
        status = fail_host_memory(error);
    if (!status)
        status = write_text(state, params->is_genes, &functions, objective, error);
    text_free(&functions);
    return status;
}

enum shoal_status objective_constrain(const struct shoal_objective *inner, struct shoal_objective **owned,
                                      const struct constraint_params *params, size_t dim,
                                      struct shoal_objective **out, struct shoal_error *error)
{
    enum shoal_status status = check(inner, params, error);
    if (status)
        return status;
    struct shoal_objective *objective;
    status = derived_create(inner, sizeof(struct state), &objective, error);
    if (status)
        return status;
    objective->value = value;
    objective->parts = parts;
    objective->constrained = &((struct state *)objective->state)->constrained;
    objective->destroy = destroy;
    if (inner->info.shape != SHOAL_CALLBACK)
        objective->info.shape = SHOAL_OPAQUE;
    /* The value now includes the constraints. */
    objective->info.constraints = objective->info.equalities = 0;
    objective->minimum = params->formulas ? NULL : inner->minimum;
    if (params->formulas) /* the minimiser over all points may violate a constraint */
        objective->info.minimum = objective->info.minimiser = NAN;
    return derived_finish(objective, fill(objective, params, dim, error), owned, out);
}

enum shoal_status constrained_relax(const struct shoal_objective *objective, struct shoal_objective *relaxed,
                                    struct shoal_error *error)
{
    struct shoal_kernel_text own;
    struct text text = {0};
    const enum shoal_status status = objective_kernel_text(objective, &own, error);
    if (status)
        return status;
    text_printf(&text, "#define RELAXED\n%s", own.text);
    if (text.failed) {
        text_free(&text);
        return fail_host_memory(error);
    }
    *relaxed = *objective;
    relaxed->text = text.data;
    return SHOAL_OK;
}
