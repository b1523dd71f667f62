/* Products of weights and a block of rows: the sums of a plain loop, bit for bit, with the vectors of every
 * processor; numbers of outputs and inputs that no tile divides; rows that are not asked for stay. */
#include "unit.h"

#include "base/vectors/processor.h"
#include "mlp/host/products.h"

#include <shoal/rng.h>
#include <string.h>

enum { OUTPUTS = 13, INPUTS = 130 };

struct data {
    double factors[OUTPUTS * INPUTS], in[INPUTS * PASS_BLOCK], biases[OUTPUTS];
};

static void set(double *numbers, size_t count, uint32_t kind)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = shoal_random_words(5, SHOAL_STREAM_TEST, kind, 0, (uint32_t)i).x / 4294967296.0 - 0.5;
}

/* Compares the sums of one call; without biases the factors are turned, as in a backward pass. */
static void compare(void (*multiply)(const struct pass_product *), const struct data *data, uint32_t outputs,
                    uint32_t inputs, size_t lanes, bool has_biases)
{
    double out[OUTPUTS * PASS_BLOCK];
    const struct pass_product product = {.out = out,
                                         .biases = has_biases ? data->biases : NULL,
                                         .factors = data->factors,
                                         .to_output = has_biases ? inputs : 1,
                                         .to_input = has_biases ? 1 : outputs,
                                         .in = data->in,
                                         .inputs = inputs,
                                         .outputs = outputs,
                                         .lanes = lanes};
    for (size_t i = 0; i < OUTPUTS * PASS_BLOCK; i++)
        out[i] = 7;
    multiply(&product);
    for (uint32_t o = 0; o < OUTPUTS; o++)
        for (size_t r = 0; r < PASS_BLOCK; r++) {
            double sum = o < outputs && r < lanes ? (has_biases ? data->biases[o] : 0) : 7;
            for (uint32_t i = 0; o < outputs && r < lanes && i < inputs; i++)
                sum += data->factors[o * product.to_output + i * product.to_input] *
                       data->in[i * (size_t)PASS_BLOCK + r];
            assert_memory_equal(&sum, &out[o * (size_t)PASS_BLOCK + r], sizeof sum);
        }
}

static void test_products(void **state)
{
    (void)state;
    static const uint32_t outputs[] = {1, 3, 4, 5, 13}, inputs[] = {1, 63, 64, 65, 130};
    static const size_t lanes[] = {8, 24, 64};
    static struct data data;
    set(data.factors, OUTPUTS * INPUTS, 1);
    set(data.in, INPUTS * PASS_BLOCK, 2);
    set(data.biases, OUTPUTS, 3);
    for (size_t i = 0; i < 5 * 5 * 3 * 2; i++) {
        const uint32_t o = outputs[i % 5], n = inputs[i / 5 % 5];
        const size_t rows = lanes[i / 25 % 3];
        compare(pass_multiply, &data, o, n, rows, i / 75);
        if (processor_has_avx2())
            compare(pass_multiply_avx2, &data, o, n, rows, i / 75);
        if (processor_has_avx512())
            compare(pass_multiply_avx512, &data, o, n, rows, i / 75);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(test_products)};
    return cmocka_run_group_tests_name("products", tests, NULL, NULL);
}
