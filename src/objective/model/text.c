/* The kernel text of a model. */
#include "objective/model/model.h"

static void write_loss(const struct shoal_model *given, struct text *out)
{
    switch ((enum shoal_loss)given->loss) {
    case SHOAL_LOSS_SQUARES:
        text_add(out, "r * r");
        break;
    case SHOAL_LOSS_ABSOLUTE:
        text_add(out, "fabs(r)");
        break;
    case SHOAL_LOSS_HUBER:
        text_add(out, "(fabs(r) <= ");
        expression_write_number(given->delta, out);
        text_add(out, " ? R(0.5) * r * r : ");
        expression_write_number(given->delta, out);
        text_add(out, " * (fabs(r) - ");
        expression_write_number(given->delta / 2, out);
        text_add(out, "))");
    }
}

/* The residual function includes the loss, since the macro RULE does not know the weight of a row. */
void model_write_kernel(const struct model_plan *plan, struct text *out)
{
    expression_write_comment(plan->given->formula, out);
    text_add(out, "#include \"lib/trig.clh\"\n\n#define SHAPE DATA_ROWS\n#define RULE(loss) (loss)\n\n");
    expression_write_model(&plan->expression, out);
    text_printf(out,
                "static inline real objective_residual(const real *x, const real *row)\n{\n"
                "    const real r = row[%zu] - objective_model(x, row);\n    return ",
                plan->target);
    /* For the weight 0 the model may have any value. */
    if (plan->weights != SIZE_MAX)
        text_printf(out, "row[%zu] <= R(0.0) ? R(0.0) : row[%zu] * ", plan->weights, plan->weights);
    write_loss(plan->given, out);
    text_add(out, ";\n}\n");
}
