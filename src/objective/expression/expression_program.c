/* Formulas as programs of a stack machine, BLOCK dimensions at a time. */
#include "objective/expression/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A level of nesting leaves at most three operands waiting: of a sum, a product and a power. */
enum { BLOCK = 32, STACK = 3 * EXPRESSION_NESTING + 4 };

struct instruction {
    enum expression_kind kind;
    int index; /* of a sum or product; dimension; whole exponent of a power, 0: none */
    double number;
    const struct expression_function *function;
};

struct part {
    int first, end; /* instructions */
    bool product, coupled;
};

struct expression_program {
    struct part parts[EXPRESSION_REDUCTIONS], formula;
    int part_count, count;
    size_t least_dim;
    struct instruction instructions[];
};

/* Where the operands of an instruction lie: the stack above what waits. */
struct machine {
    const double *point;
    const double *x;     /* of dimension `first` */
    size_t first, width; /* dimensions of the block */
    double dim;
    const double *reductions;
};

static int operands(const struct expression_node *node)
{
    if (node->kind < EXPRESSION_NEGATE)
        return 0;
    return node->kind == EXPRESSION_NEGATE || (node->kind == EXPRESSION_CALL && !node->function->two) ? 1 : 2;
}

static void compile(const struct expression *expression, int index, struct expression_program *program)
{
    const struct expression_node *node = &expression->nodes[index];
    const int count = operands(node), whole = expression_whole_power(expression, node);
    if (count > 0)
        compile(expression, node->left, program);
    if (count > 1 && !whole)
        compile(expression, node->right, program);
    program->instructions[program->count++] = (struct instruction){
        .kind = node->kind,
        .index = node->kind == EXPRESSION_POWER    ? whole
                 : node->kind == EXPRESSION_SINGLE ? (int)expression->singles[node->index]
                                                   : node->index,
        .number = node->number,
        .function = node->function};
}

struct expression_program *expression_compile(const struct expression *expression)
{
    /* A node has one place in the tree, so there are no more instructions than nodes. */
    struct expression_program *program =
        calloc(1, sizeof *program + (size_t)expression->count * sizeof *program->instructions);
    if (!program)
        return NULL;
    for (int r = 0; r < expression->reduction_count; r++) {
        struct part *part = &program->parts[program->part_count++];
        part->first = program->count;
        compile(expression, expression->reductions[r].term, program);
        part->end = program->count;
        part->product = expression->reductions[r].product;
        part->coupled = expression->reductions[r].coupled;
    }
    program->formula.first = program->count;
    compile(expression, expression->root, program);
    program->formula.end = program->count;
    program->least_dim = expression_least_dim(expression);
    return program;
}

void expression_program_free(struct expression_program *program)
{
    free(program);
}

static double whole_power(double x, int exponent)
{
    double result = 1;
    for (int left = abs(exponent); left; left >>= 1, x *= x)
        if (left & 1)
            result *= x;
    return exponent < 0 ? 1 / result : result;
}

static void push(const struct machine *m, const struct instruction *instruction, double *top)
{
    for (size_t k = 0; k < m->width; k++) {
        switch (instruction->kind) {
        case EXPRESSION_X:
            top[k] = m->x[k];
            break;
        case EXPRESSION_NEXT:
            top[k] = m->x[k + 1];
            break;
        case EXPRESSION_SINGLE:
            top[k] = m->point[instruction->index];
            break;
        case EXPRESSION_INDEX:
            top[k] = (double)(m->first + k + 1);
            break;
        case EXPRESSION_DIM:
            top[k] = m->dim;
            break;
        case EXPRESSION_REDUCTION:
            top[k] = m->reductions[instruction->index];
            break;
        default:
            top[k] = instruction->number;
        }
    }
}

/* a: the operand, or the left one of two; the result takes its place. */
#define EACH(value)                                                                                          \
    for (size_t k = 0; k < width; k++)                                                                       \
        a[k] = (value);                                                                                      \
    break
static void operate(const struct instruction *instruction, size_t width, double *a, const double *b)
{
    switch (instruction->kind) {
    case EXPRESSION_NEGATE:
        EACH(-a[k]);
    case EXPRESSION_ADD:
        EACH(a[k] + b[k]);
    case EXPRESSION_SUBTRACT:
        EACH(a[k] - b[k]);
    case EXPRESSION_MULTIPLY:
        EACH(a[k] * b[k]);
    case EXPRESSION_DIVIDE:
        EACH(a[k] / b[k]);
    case EXPRESSION_POWER:
        if (instruction->index == 2) {
            EACH(a[k] * a[k]);
        }
        if (instruction->index) {
            EACH(whole_power(a[k], instruction->index));
        }
        EACH(pow(a[k], b[k]));
    default:
        if (instruction->function->two) {
            EACH(instruction->function->two(a[k], b[k]));
        }
        EACH(instruction->function->one(a[k]));
    }
}

/* Leaves the values in stack[0]. */
static void run(const struct expression_program *program, const struct part *part, const struct machine *m,
                double stack[STACK][BLOCK])
{
    int height = 0;
    for (int i = part->first; i < part->end; i++) {
        const struct instruction *instruction = &program->instructions[i];
        if (instruction->kind < EXPRESSION_NEGATE) {
            push(m, instruction, stack[height++]);
            continue;
        }
        const bool two = instruction->kind == EXPRESSION_CALL
                             ? instruction->function->two != NULL
                             : instruction->kind != EXPRESSION_NEGATE &&
                                   !(instruction->kind == EXPRESSION_POWER && instruction->index);
        height -= two;
        operate(instruction, m->width, stack[height - 1], stack[height]);
    }
}

double expression_value(const struct expression_program *program, const double *x, size_t dim)
{
    double stack[STACK][BLOCK], reductions[EXPRESSION_REDUCTIONS];
    struct machine m = {.point = x, .dim = (double)dim, .reductions = reductions};
    if (dim < program->least_dim)
        return NAN;
    for (int r = 0; r < program->part_count; r++) {
        const struct part *part = &program->parts[r];
        const size_t end = dim - (part->coupled);
        double result = part->product;
        for (m.first = 0; m.first < end; m.first += BLOCK) {
            m.x = x + m.first;
            m.width = end - m.first < BLOCK ? end - m.first : BLOCK;
            run(program, part, &m, stack);
            for (size_t k = 0; k < m.width; k++)
                result = part->product ? result * stack[0][k] : result + stack[0][k];
        }
        reductions[r] = result;
    }
    m.x = NULL;
    m.first = 0;
    m.width = 1;
    run(program, &program->formula, &m, stack);
    return stack[0][0];
}
