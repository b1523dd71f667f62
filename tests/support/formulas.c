#include "formulas.h"
#include "harness.h"

#include <stdio.h>

enum { MOST_REDUCTIONS = 4 };

struct writer {
    char text[2048];
    size_t length;
    uint32_t formula, words; /* the number of the formula that was made, and the random words that it took */
};

static uint32_t choose(struct writer *writer, uint32_t count)
{
    uint32_t words[4];
    harness_words(words, 4, 4096 * writer->formula + writer->words++);
    return words[0] % count;
}

static void add(struct writer *writer, const char *part)
{
    writer->length +=
        (size_t)snprintf(writer->text + writer->length, sizeof writer->text - writer->length, "%s", part);
    assert_true(writer->length < sizeof writer->text);
}

/* Writes a term of the coordinates whose size is about 1, and never far from 1, so that sums do not
 * cancel. */
static void add_term(struct writer *writer, unsigned depth)
{
    static const char *const leaves[] = {"x[i]", "x[i]",         "x[i+1]", "i/dim", "0.5",
                                         "1.25", "(x[i]-1)^2/4", "pi/3",   "x[2]",  "x[5]"};
    static const char *const calls[] = {"sin(", "cos(", "abs(", "tanh(", "atan(", "exp(-abs(", "sqrt(1+abs("};
    static const char *const operators[] = {"+", "-", "*"};
    if (depth == 0 || choose(writer, 4) == 0) {
        add(writer, leaves[choose(writer, sizeof leaves / sizeof *leaves)]);
        return;
    }
    const uint32_t kind = choose(writer, 3);
    if (kind == 0) {
        const uint32_t call = choose(writer, sizeof calls / sizeof *calls);
        add(writer, calls[call]);
        add_term(writer, depth - 1);
        add(writer, call < 5 ? ")" : "))");
    } else {
        add(writer, "(");
        add_term(writer, depth - 1);
        add(writer, kind == 1 ? operators[choose(writer, 3)] : "/(2+abs(");
        add_term(writer, depth - 1);
        add(writer, kind == 1 ? ")" : ")))");
    }
}

const char *formula_random(uint32_t number)
{
    static struct writer made, *writer = &made;
    static const char *const reductions[] = {"sum(", "sum(", "prod(0.9+0.05*"};
    static const char *const operators[] = {"+", "*", "-"};
    *writer = (struct writer){.formula = number};
    const uint32_t count = 1 + choose(writer, MOST_REDUCTIONS);
    add(writer, "2+");
    for (uint32_t r = 0; r < count; r++) {
        if (r)
            add(writer, operators[choose(writer, 3)]);
        add(writer, reductions[choose(writer, 3)]);
        add_term(writer, 3);
        add(writer, choose(writer, 4) ? ")" : ")+x[4]^2");
    }
    return writer->text;
}
