/* The Nose-Hoover chain by itself: its order, and an oscillator that it keeps at a temperature. */
#include "fixture.h"

#include "gas/model/thermostat.h"
#include "unit.h"

#include <math.h>
#include <string.h>

/* One move equals many short ones, with an error that falls with the fourth power of the time. So does the
 * error of the energy, which gas and chain together keep. */
static void moves_are_of_fourth_order(void **state)
{
    (void)state;
    double off[2], lost[2];
    for (int is_short = 0; is_short < 2; is_short++) {
        struct gas_chain_move move = {
            .span = is_short ? 0.1 : 0.2, .relaxation = 0.5, .temperature = 2, .degrees = 6};
        double chain[GAS_CHAIN] = {0.3, -0.7, 0.4}, fine[GAS_CHAIN], kinetic = 9, product = 1, gained;
        memcpy(fine, chain, sizeof fine);
        const double factor = gas_chain_factor(&move, kinetic, chain, &gained);
        lost[is_short] = fabs(gained - (1 - factor * factor) * kinetic);
        move.span /= 256;
        for (int i = 0; i < 256; i++) {
            const double part = gas_chain_factor(&move, kinetic, fine, &gained);
            product *= part;
            kinetic *= part * part;
        }
        off[is_short] = fabs(factor / product - 1) + fabs(chain[0] - fine[0]) + fabs(chain[2] - fine[2]);
    }
    assert_at_most(off[0], 1e-2);
    assert_true(off[0] > 16 * off[1]); /* the error of one move has the order 5: a factor of about 32 */
    assert_true(lost[1] > 0 && lost[0] < 0.02 * 9 && lost[0] > 16 * lost[1]);
    double rest[GAS_CHAIN] = {0.3, -0.7, 0.4}, none;
    const struct gas_chain_move move = {.span = 0.1, .relaxation = 0.5, .temperature = 2, .degrees = 6};
    assert_true(gas_chain_factor(&move, 0, rest, &none) == 1 && rest[0] == 0.3 && none == 0);
}

/* Position and velocity of an oscillator of one degree of freedom have normal distributions of the variances
 * T / k and T / m, which a single thermostat fails to give. 200000 steps of 0.1 are more than 400 independent
 * samples (the chain forgets in about 50): 3 sqrt(2 / 400) and, for the fourth moment, 3 sqrt(96 / 400). */
static void an_oscillator_is_gaussian(void **state)
{
    (void)state;
    enum { STEPS = 200000 };
    const double dt = 0.1, temperature = 2, stiffness = 2, mass = 2;
    const struct gas_chain_move move = {
        .span = dt, .relaxation = 1, .temperature = temperature, .degrees = 1};
    double chain[GAS_CHAIN] = {0}, x = 0, v = 1, sums[4] = {0}, off = 0;
    const double begin = 0.5 * mass * v * v;
    double energy = 0; /* of the chain */
    for (int step = 0; step < STEPS; step++) {
        double gained;
        v *= gas_chain_factor(&move, 0.5 * mass * v * v, chain, &gained);
        energy += gained;
        v -= 0.5 * dt * stiffness / mass * x;
        x += dt * v;
        v -= 0.5 * dt * stiffness / mass * x;
        off = fmax(off, fabs(0.5 * (mass * v * v + stiffness * x * x) + energy - begin));
        const double x2 = x * x * stiffness / temperature, v2 = v * v * mass / temperature;
        sums[0] += x2;
        sums[1] += v2;
        sums[2] += x2 * x2;
        sums[3] += v2 * v2;
    }
    assert_near(sums[0] / STEPS, 1, 0.21);
    assert_near(sums[1] / STEPS, 1, 0.21);
    assert_near(sums[2] / STEPS, 3, 1.5);
    assert_near(sums[3] / STEPS, 3, 1.5);
    /* Oscillator and chain keep their energy, while that of the oscillator alone varies by more than 10.
     * Measured over 100000 steps: 1.1, and 0.04 with steps of half the time. */
    assert_at_most(off, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(moves_are_of_fourth_order),
                                       cmocka_unit_test(an_oscillator_is_gaussian)};
    return cmocka_run_group_tests_name("gas-chain", tests, NULL, NULL);
}
