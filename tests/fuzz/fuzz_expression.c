/* Formulas of objectives: parser, interpreter and kernel text. */
#include "target.h"

#include "objective/code.h"
#include "objective/constraints/constraints.h"

#include <shoal/fit.h>

#include <ctype.h>

/* Brackets match, and nothing of the formula leaves the comment on the first line. */
static void check_text(const char *text)
{
    int depth = 0;
    REQUIRE(strncmp(text, "/* ", 3) == 0);
    const char *end = strstr(text, "*/");
    REQUIRE(end && end[2] == '\n' && strchr(text, '\n') == end + 2);
    for (const char *c = end; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        REQUIRE(depth >= 0 && depth < 250);
    }
    REQUIRE(depth == 0);
    /* Every number is one. */
    for (const char *c = end; (c = strstr(c, "R(")) != NULL; c += 2)
        REQUIRE(isdigit((unsigned char)c[2 + (c[2] == '-')]));
}

/* What a formula makes, over variables or not. */
static void check(struct shoal_objective *objective, enum shoal_status status, struct shoal_error *error)
{
    static const double x[] = {1, 0, 1, 0};
    REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
    REQUIRE((objective != NULL) == (status == SHOAL_OK));
    if (objective) {
        const struct shoal_objective_info *info = shoal_objective_get_info(objective);
        char *checked = NULL;
        struct text_facts facts;
        check_text(objective->text);
        /* It keeps the rules for texts of users. */
        REQUIRE(text_read(NULL, objective->text, "formula", &checked, &facts, error) == SHOAL_OK);
        REQUIRE(!info->variables || strcmp(info->variables, facts.variables) == 0);
        free(checked);
        for (size_t dim = info->variables ? info->min_dim : 1; dim <= sizeof x / sizeof *x; dim++) {
            const double value = shoal_objective_value(objective, x, dim);
            const double again = shoal_objective_value(objective, x, dim);
            REQUIRE(memcmp(&value, &again, sizeof value) == 0);
            if (dim == info->max_dim)
                break;
        }
    } else {
        REQUIRE(error->message[0] && !strpbrk(error->message, "\r\n"));
    }
}

/* As a model of two columns and two parameters, in each loss. */
static void check_model(const char *formula)
{
    static const char *const names[] = {"t", "u v", "y", "w"};
    static const double t[] = {0, 1, -2, 0.5, 1e300}, u[] = {1, 1, 0, -1, 3}, y[] = {3, 0, 1, 2, 2};
    static const double *const values[] = {t, u, y, u};
    static const struct shoal_model_parameter parameters[] = {{"a", -1, 1}, {"b", 0, 1e9}};
    static const double x[] = {0.5, 3};
    struct shoal_model model;
    shoal_model_init(&model);
    model.formula = formula;
    model.parameters = parameters;
    model.parameter_count = 2;
    model.columns = names;
    model.values = values;
    model.column_count = 4;
    model.rows = 5;
    model.target = "y";
    for (int loss = SHOAL_LOSS_SQUARES; loss <= SHOAL_LOSS_HUBER; loss++) {
        struct shoal_error error = {0};
        struct shoal_objective *objective = NULL;
        struct shoal_fit fit = {.size = sizeof fit};
        model.loss = loss;
        const enum shoal_status status = shoal_objective_from_model(&model, &objective, &error);
        REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
        REQUIRE((objective != NULL) == (status == SHOAL_OK));
        REQUIRE(objective || (error.message[0] && !strpbrk(error.message, "\r\n")));
        if (!objective)
            return;
        char *checked = NULL;
        struct text_facts facts;
        check_text(objective->text);
        REQUIRE(text_read(NULL, objective->text, "model", &checked, &facts, &error) == SHOAL_OK);
        free(checked);
        REQUIRE(shoal_fit_compute(objective, x, &fit, &error) == SHOAL_OK);
        REQUIRE(fit.rank <= 2 && (fit.no_errors || fit.rank == 2));
        shoal_fit_free(&fit);
        shoal_objective_destroy(&objective);
    }
}

/* As constraints of a function of four coordinates. */
static void check_constraints(const char *formulas)
{
    static const double x[] = {1, 0, -2, 0.5};
    const struct constraint_params params = {.formulas = formulas, .tolerance = 1e-4, .sign = 1};
    struct shoal_error error = {0};
    struct shoal_objective *objective = NULL, *owned = NULL;
    const enum shoal_status status =
        objective_constrain(shoal_objective_find("sphere"), &owned, &params, 4, &objective, &error);
    REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
    REQUIRE(objective || (error.message[0] && !strpbrk(error.message, "\r\n")));
    if (!objective)
        return;
    double excess[CONSTRAINTS_FORMULAS];
    int depth = 0;
    REQUIRE(objective->constrained->count <= CONSTRAINTS_FORMULAS);
    REQUIRE(constrained_parts(objective, x, 4, excess) == 5.25);
    const double violation = constrained_violation(objective->constrained, excess);
    REQUIRE(!(violation < 0));
    REQUIRE(!(violation <= 0) || shoal_objective_value(objective, x, 4) == 5.25);
    for (const char *c = objective->text; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        REQUIRE(depth >= 0 && depth < 250);
    }
    REQUIRE(depth == 0);
    shoal_objective_destroy(&objective);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const lists[] = {"x1-xD bit", "x1-xD real 0 3 gray 2",
                                        "b bit, i integer -1 3, y1-y2 real -1 1 binary 32, o1-o3 order"};
    char *formula = input_string(data, size);
    struct shoal_error error = {0};
    struct shoal_objective *objective = NULL;
    enum shoal_status status = shoal_objective_from_expression(formula, &objective, &error);
    check(objective, status, &error);
    shoal_objective_destroy(&objective);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        status = shoal_objective_from_expression_variables(formula, lists[i], &objective, &error);
        check(objective, status, &error);
        shoal_objective_destroy(&objective);
    }
    check_model(formula);
    check_constraints(formula);
    free(formula);
    return 0;
}
