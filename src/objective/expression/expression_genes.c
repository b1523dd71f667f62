/* Formulas over variables of any kind as texts in the kernel dialect. One function computes a coordinate from
 * the genes. Another function computes the value, by the terms and the formula of expression_kernel.c. */
#include "objective/expression/expression.h"
#include "objective/variables/variables.h"

#include <ctype.h>
#include <math.h>

/* Neighbouring variables with contiguous genes. The gene of coordinate d has the index d + `offset` among the
 * genes of its kind. */
struct run {
    const struct shoal_variable_group *group; /* first group of the run */
    size_t end;                               /* index after the last coordinate */
    const size_t *kind;                       /* counter of the genes of the run's kind */
    ptrdiff_t offset;
};

static const char *macro_of(const struct shoal_variable_group *group)
{
    return group->kind == SHOAL_REAL    ? "GENE"
           : group->kind == SHOAL_BIT   ? "BIT"
           : group->kind == SHOAL_ORDER ? "PLACE"
                                        : "WHOLE";
}

/* Writes the computation of a coded variable, as genes_to_point does it. */
static void write_coded(const struct run *run, struct text *out)
{
    const struct shoal_variable_group *group = run->group;
    const double width = group->upper - group->lower;
    text_printf(
        out, "    {\n        const uint code = %sexpression_code(genome, %zuu + (d - %zuu) * %uu, %uu)%s;\n",
        group->gray ? "coded_gray(" : "", (size_t)run->offset, group->first, group->bits, group->bits,
        group->gray ? ")" : "");
    text_add(out, group->kind == SHOAL_REAL ? "        return fmin(" : "        return ");
    expression_write_number(group->lower, out);
    text_add(out, " + ");
    if (group->kind == SHOAL_REAL) {
        expression_write_number(width, out);
        text_add(out, " * ((real)code / ");
        expression_write_number(ldexp(1, (int)group->bits) - 1, out);
        text_add(out, "), ");
        expression_write_number(group->upper, out);
        text_add(out, ");\n    }\n");
    } else {
        text_printf(out, "(real)(((ulong)code * %.0ful) >> %u);\n    }\n", width + 1, group->bits);
    }
}

static void write_run(const struct run *run, bool is_last, struct text *out)
{
    if (!is_last)
        text_printf(out, "    if (d < %zuu)%s", run->end, run->group->bits ? "\n" : "\n    ");
    if (run->group->bits) {
        write_coded(run, out);
        return;
    }
    text_printf(out, "    return %s%s(d", run->group->kind == SHOAL_REAL ? "" : "(real)",
                macro_of(run->group));
    if (run->offset)
        text_printf(out, " %c %tdu", run->offset < 0 ? '-' : '+',
                    run->offset < 0 ? -run->offset : run->offset);
    text_add(out, ");\n");
}

/* Writes the function that computes a coordinate. Neighbouring groups whose genes form a run share a branch,
 * even if their ranges differ. */
static void write_coordinate(const struct shoal_variables *variables, struct text *out)
{
    size_t reals = 0, wholes = 0, bits = 0, places = 0;
    struct run run = {0};
    text_add(out, "static inline real expression_x(GENOME, uint d)\n{\n");
    for (const struct shoal_variable_group *group = variables->groups;
         group < variables->groups + variables->group_count; group++) {
        size_t *at = group->bits || group->kind == SHOAL_BIT ? &bits
                     : group->kind == SHOAL_REAL             ? &reals
                     : group->kind == SHOAL_ORDER            ? &places
                                                             : &wholes;
        const ptrdiff_t offset = (ptrdiff_t)*at - (group->bits ? 0 : (ptrdiff_t)group->first);
        const bool goes_on = run.kind == at && offset == run.offset && !group->bits && !run.group->bits;
        if (run.group && !goes_on)
            write_run(&run, false, out);
        if (!goes_on)
            run = (struct run){.group = group, .kind = at, .offset = offset};
        run.end = group->first + group->count;
        *at += group->count * (group->bits ? group->bits : 1);
    }
    write_run(&run, true, out);
    text_add(out, "}\n\n");
}

static void write_sums(const struct expression *expression, struct text *out)
{
    const bool coupled = expression->coupled;
    text_add(out, coupled ? "    real x = expression_x(genome, 0u), next;\n" : "");
    text_add(out, "    uint d;\n");
    for (int r = 0; r < expression->reduction_count; r++)
        text_printf(out, "    sum[%d] = %s;\n", r, expression->reductions[r].product ? "R(1.0)" : "R(0.0)");
    text_add(out, coupled ? "    for (d = 0u; d + 1u < dim; d++) {\n"
                            "        next = expression_x(genome, d + 1u);\n"
                            "        objective_terms(term, x, next, d, dim);\n"
                            "        x = next;\n"
                          : "    for (d = 0u; d < dim; d++) {\n"
                            "        objective_terms(term, expression_x(genome, d), R(0.0), d, dim);\n");
    for (int r = 0; r < expression->reduction_count; r++)
        text_printf(out, "        sum[%d] %c= term[%d];\n", r, expression->reductions[r].product ? '*' : '+',
                    r);
    text_add(out, "    }\n");
}

static void write_value(const struct expression *expression, struct text *out)
{
    const int singles = expression->single_count;
    text_printf(out,
                "\nstatic inline real objective_value(GENOME, uint dim)\n{\n"
                "    real term[TERMS + %d], sum[TERMS + %d];\n",
                singles, singles);
    for (int j = 0; j < singles; j++)
        text_printf(out, "    term[TERMS + %d] = sum[TERMS + %d] = expression_x(genome, %zuu);\n", j, j,
                    expression->singles[j]);
    if (expression->reduction_count)
        write_sums(expression, out);
    text_add(out, "    return objective_finish(sum, dim);\n}\n");
}

/* Writes the list of variables in quotation marks. Line feeds of the list become blanks. */
static void write_list(const char *list, struct text *out)
{
    text_add(out, "#define VARIABLES \"");
    for (; *list; list++)
        text_append(out, isspace((unsigned char)*list) ? " " : list, 1);
    text_add(out, "\"\n\n");
}

void expression_write_genes(const struct expression *expression, const char *formula,
                            const struct shoal_variables *variables, const char *list, struct text *out)
{
    expression_write_head(expression, formula, "OPAQUE", out);
    write_list(list, out);
    if (variables_are_coded(variables))
        text_add(out,
                 "#include \"lib/coded.clh\"\n\n"
                 "static inline uint expression_code(GENOME, uint first, uint count)\n{\n"
                 "    const uint last = first + count - 1u;\n"
                 "    return coded_bits(WORD(first / 32u), WORD(last / 32u), first % 32u, count);\n}\n\n");
    write_coordinate(variables, out);
    expression_write_functions(expression, out);
    write_value(expression, out);
}
