/* Formulas as programs of a stack machine, which processes EXPRESSION_BLOCK dimensions or rows at a time. */
#include "objective/expression/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* STACK: largest number of operands on the stack. Each level of nesting leaves at most three of them: for a
 * sum, a product and a power. */
enum { BLOCK = EXPRESSION_BLOCK, STACK = 3 * EXPRESSION_NESTING + 4 };

struct instruction {
    enum expression_kind kind;
    /* number of a sum, product, column or parameter; or a dimension; or an integer exponent, 0: the exponent
     * is no such integer */
    int index;
    double number;
    const struct expression_function *function;
};

struct part {
    int first, end; /* range of the instructions */
    bool product, coupled;
};

struct expression_program {
    struct part parts[EXPRESSION_REDUCTIONS], formula;
    int part_count, count;
    int height; /* largest number of operands on the stack */
    size_t least_dim;
    struct instruction instructions[];
};

/* Inputs of the stack machine. */
struct machine {
    const double *point;
    const double *x;     /* x from dimension `first` on */
    size_t first, width; /* range of dimensions of the block */
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

static bool takes_two(const struct instruction *instruction)
{
    if (instruction->kind == EXPRESSION_CALL)
        return instruction->function->two != NULL;
    return instruction->kind != EXPRESSION_NEGATE &&
           !(instruction->kind == EXPRESSION_POWER && instruction->index);
}

static int height_of(const struct expression_program *program, const struct part *part)
{
    int height = 0, most = 0;
    for (int i = part->first; i < part->end; i++) {
        const struct instruction *instruction = &program->instructions[i];
        if (instruction->kind < EXPRESSION_NEGATE)
            height++;
        else
            height -= takes_two(instruction);
        most = height > most ? height : most;
    }
    return most;
}

struct expression_program *expression_compile(const struct expression *expression)
{
    /* Each node has at most one instruction. */
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
    program->height = height_of(program, &program->formula);
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

/* Applies an instruction to a block. a: the left or only operand, which is replaced by the result. */
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

/* Runs a part of the program for a block of dimensions, and leaves the results in stack[0]. */
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
        height -= takes_two(instruction);
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

/* Models ----------------------------------------------------------------------------------------------- */

/* A block of rows. Each operand on the stack has a plane of EXPRESSION_BLOCK values, followed by a plane of
 * derivatives for each parameter. */
struct model_block {
    const double *parameters;
    size_t parameter_count; /* 0: derivatives are not wanted */
    const double *numbers;  /* numbers of the first row */
    size_t stride, width;
};

static size_t planes_of(size_t parameter_count)
{
    return (1 + parameter_count) * EXPRESSION_BLOCK;
}

size_t expression_scratch(const struct expression_program *program, size_t parameter_count)
{
    return (size_t)program->height * planes_of(parameter_count);
}

static void push_model(const struct model_block *block, const struct instruction *instruction, double *top)
{
    const double constant = instruction->kind == EXPRESSION_PARAMETER ? block->parameters[instruction->index]
                                                                      : instruction->number;
    if (instruction->kind == EXPRESSION_COLUMN)
        memcpy(top, block->numbers + (size_t)instruction->index * block->stride, block->width * sizeof *top);
    else
        for (size_t k = 0; k < block->width; k++)
            top[k] = constant;
    if (!block->parameter_count)
        return;
    memset(top + EXPRESSION_BLOCK, 0, block->parameter_count * EXPRESSION_BLOCK * sizeof *top);
    if (instruction->kind == EXPRESSION_PARAMETER)
        for (size_t k = 0; k < block->width; k++)
            top[planes_of((size_t)instruction->index) + k] = 1;
}

/* Computes the partial derivatives of the result y with respect to the operands a and b, for the chain
 * rule. */
static void factors(const struct instruction *instruction, double a, double b, double y, double factor[2])
{
    factor[1] = 0;
    switch (instruction->kind) {
    case EXPRESSION_NEGATE:
        factor[0] = -1;
        break;
    case EXPRESSION_ADD:
        factor[0] = factor[1] = 1;
        break;
    case EXPRESSION_SUBTRACT:
        factor[0] = 1;
        factor[1] = -1;
        break;
    case EXPRESSION_MULTIPLY:
        factor[0] = b;
        factor[1] = a;
        break;
    case EXPRESSION_DIVIDE:
        factor[0] = 1 / b;
        factor[1] = -y / b;
        break;
    case EXPRESSION_POWER:
        if (instruction->index) {
            factor[0] = instruction->index * whole_power(a, instruction->index - 1);
        } else {
            factor[0] = b * pow(a, b - 1);
            factor[1] = y == 0 ? 0 : y * log(a);
        }
        break;
    default:
        /* the derivative of min and max is 1 for the operand that they return, and 0 for the other */
        if (instruction->function->two) {
            factor[0] = y == a;
            factor[1] = y != a;
        } else {
            factor[0] = instruction->function->slope ? instruction->function->slope(a, y) : 0;
        }
    }
}

/* Returns the contribution of an operand to a derivative. It is 0 if the operand does not depend on the
 * parameter, even if the factor is infinite or NaN. */
static double part_of(double factor, double slope)
{
    return slope == 0 ? 0 : factor * slope;
}

/* Applies an instruction to a block of rows. a: planes of the left or only operand, which are replaced by the
 * planes of the result. */
static void operate_model(const struct model_block *block, const struct instruction *instruction, double *a,
                          const double *b)
{
    double before[EXPRESSION_BLOCK], factor[EXPRESSION_BLOCK][2];
    memcpy(before, a, block->width * sizeof *a);
    operate(instruction, block->width, a, b);
    if (!block->parameter_count)
        return;
    const bool two = takes_two(instruction);
    for (size_t k = 0; k < block->width; k++)
        factors(instruction, before[k], two ? b[k] : 0, a[k], factor[k]);
    for (size_t at = EXPRESSION_BLOCK; at < planes_of(block->parameter_count); at += EXPRESSION_BLOCK)
        for (size_t k = 0; k < block->width; k++)
            a[at + k] = part_of(factor[k][0], a[at + k]) + (two ? part_of(factor[k][1], b[at + k]) : 0);
}

void expression_model(const struct expression_program *program, const double *parameters,
                      size_t parameter_count, const struct expression_rows *rows, double *scratch,
                      double *values, double *slopes)
{
    struct model_block block = {
        .parameters = parameters, .parameter_count = slopes ? parameter_count : 0, .stride = rows->stride};
    const size_t planes = planes_of(block.parameter_count);
    for (size_t first = 0; first < rows->count; first += EXPRESSION_BLOCK) {
        double *top = scratch; /* where the planes of the next operand begin */
        block.numbers = rows->numbers + first;
        block.width = rows->count - first < EXPRESSION_BLOCK ? rows->count - first : EXPRESSION_BLOCK;
        for (int i = program->formula.first; i < program->formula.end; i++) {
            const struct instruction *instruction = &program->instructions[i];
            if (instruction->kind < EXPRESSION_NEGATE) {
                push_model(&block, instruction, top);
                top += planes;
                continue;
            }
            top -= takes_two(instruction) ? planes : 0;
            operate_model(&block, instruction, top - planes, top);
        }
        memcpy(values + first, scratch, block.width * sizeof *values);
        for (size_t p = 0; p < block.parameter_count; p++)
            memcpy(slopes + p * rows->stride + first, scratch + planes_of(p), block.width * sizeof *slopes);
    }
}
