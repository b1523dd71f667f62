/* The net, rows and parameters whose numbers PyTorch gave: 5-7-3 and 16 rows, by formulas. */
#ifndef SHOAL_TESTS_MLP_FIXTURE_H
#define SHOAL_TESTS_MLP_FIXTURE_H

#include "unit.h"

#include "mlp/host/trainer.h"

#include <math.h>
#include <string.h>

enum { FIXTURE_ROWS = 16, FIXTURE_INPUTS = 5, FIXTURE_OUTPUTS = 3, FIXTURE_PARAMETERS = 6 * 7 + 8 * 3 };

struct fixture {
    struct net *net;
    double inputs[FIXTURE_ROWS * FIXTURE_INPUTS], parameters[FIXTURE_PARAMETERS];
    uint32_t classes[FIXTURE_ROWS];
    struct pass_data data;
};

static inline void fixture_fill(struct fixture *fixture)
{
    for (uint32_t l = 0; l < fixture->net->layer_count; l++) {
        const struct net_layer *const layer = &fixture->net->layers[l];
        const uint32_t n = layer->inputs;
        for (uint32_t o = 0; o < layer->outputs; o++)
            for (uint32_t i = 0; i <= n; i++)
                fixture->parameters[i == n ? layer->biases + o : layer->weights + (size_t)o * n + i] =
                    0.5 * sin(12.9898 * (o * (n + 1) + i + 1) + (l + 1));
    }
    for (uint32_t r = 0; r < FIXTURE_ROWS; r++) {
        for (uint32_t i = 0; i < FIXTURE_INPUTS; i++)
            fixture->inputs[r * FIXTURE_INPUTS + i] = cos(78.233 * (5 * r + i + 1));
        fixture->classes[r] = r % 3;
    }
    fixture->data =
        (struct pass_data){.rows = FIXTURE_ROWS, .inputs = fixture->inputs, .classes = fixture->classes};
}

/* Cross-entropy on tanh, or the thesis's net: E, and logistic units. */
static inline void fixture_create(struct fixture *fixture, bool is_thesis)
{
    const int hidden = is_thesis ? MLP_LOGISTIC : MLP_TANH, last = is_thesis ? MLP_LOGISTIC : MLP_SOFTMAX;
    const struct net_layer_choice layers[] = {{7, hidden, 1, 0}, {FIXTURE_OUTPUTS, last, 1, 0}};
    const struct net_choice choice = {
        FIXTURE_INPUTS, 2, layers, is_thesis ? MLP_LOSS_E : MLP_LOSS_CROSS_ENTROPY, 1, 0};
    assert_ok(net_create(&choice, &fixture->net, &test_error));
    assert_int_equal(fixture->net->parameters, FIXTURE_PARAMETERS);
    fixture_fill(fixture);
}

static inline struct training fixture_training(int optimiser, double rate)
{
    return (struct training){.optimiser = optimiser,
                             .rate = rate,
                             .momentum = optimiser == MLP_RMSPROP ? 0.99 : 0.9,
                             .beta2 = 0.999,
                             .epsilon = 1e-8,
                             .up = 1.2,
                             .down = 0.5,
                             .least = 1e-6,
                             .greatest = 50,
                             .elimination_scale = 1,
                             .seed = 1};
}

#endif
