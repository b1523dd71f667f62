/* How units move between parts, by times that a test makes: rates of devices, noise, costs of a move. */
#include "split/balance.h"
#include "test.h"

enum { MOST = 8 };

/* Devices and a run on them. */
struct setting {
    size_t count;
    uint64_t units;
    double unit_s[MOST]; /* seconds of a step for each unit */
    double fixed_s;      /* seconds of a step beside these */
    double noise;        /* greatest deviation of a time, as a part of it */
    double move_s;
    double steps; /* steps of the run */
};

struct outcome {
    uint64_t units[MOST];
    unsigned moves, last; /* moves, and the look of the last one */
};

static uint32_t random_state;

static double deviation(double most)
{
    random_state = random_state * 1664525 + 1013904223;
    return 1 + most * ((double)(random_state >> 8) / (1 << 23) - 1);
}

/* Makes `looks` looks after ten steps each. */
static struct outcome play(const struct setting *s, unsigned looks)
{
    struct balance balance = {.looks = 0};
    struct balance_part parts[MOST] = {{.units = 0}};
    struct outcome out = {.moves = 0};
    for (size_t k = 0; k < s->count; k++)
        parts[k].units = s->units / s->count + (k < s->units % s->count);
    for (unsigned look = 1; look <= looks; look++) {
        for (size_t k = 0; k < s->count; k++)
            parts[k].busy_s = parts[k].units ? 10 * deviation(s->noise) *
                                                   (s->fixed_s + (double)parts[k].units * s->unit_s[k])
                                             : 0;
        if (balance_look(&balance, parts, s->count, 10, s->steps - 10 * look, s->move_s)) {
            out.moves++;
            out.last = look;
        }
    }
    uint64_t sum = 0;
    for (size_t k = 0; k < s->count; k++)
        sum += out.units[k] = parts[k].units;
    assert_int_equal(sum, s->units);
    return out;
}

static void equal_devices(void **state)
{
    (void)state;
    for (uint64_t units = 2; units < 300; units += 7)
        for (size_t count = 2; count <= 7 && count <= units; count++) {
            struct setting s = {.count = count, .units = units, .steps = 1e6};
            for (size_t k = 0; k < count; k++)
                s.unit_s[k] = 1e-3;
            assert_int_equal(play(&s, 50).moves, 0);
        }
}

/* With noise of 5 % devices of equal rates keep their shares, and a run settles on those of unlike rates
 * within 20 looks. */
static void noise(void **state)
{
    (void)state;
    random_state = 1;
    unsigned moves = 0;
    for (unsigned n = 0; n < 200; n++) {
        const struct setting equal = {
            .count = 2, .units = 64, .unit_s = {1e-3, 1e-3}, .noise = 0.05, .steps = 1e6};
        const struct setting unlike = {
            .count = 2, .units = 96, .unit_s = {1e-3, 2e-3}, .noise = 0.05, .steps = 1e6};
        const struct setting far = {
            .count = 3, .units = 90, .unit_s = {1e-4, 1e-2, 1e-4}, .noise = 0.05, .steps = 1e6};
        moves += play(&equal, 100).moves;
        const struct outcome two = play(&unlike, 100), three = play(&far, 100);
        assert_true(two.units[0] >= 62 && two.units[0] <= 66);
        assert_true(two.moves <= 2 && two.last <= 20);
        assert_true(three.units[1] <= 1 && three.units[0] >= 42 && three.units[0] <= 48);
        assert_true(three.moves <= 2 && three.last <= 20);
    }
    assert_true(moves <= 2);
}

static void a_slow_device_gets_nothing(void **state)
{
    (void)state;
    const struct setting s = {.count = 2, .units = 8, .unit_s = {1e-3, 1e-1}, .steps = 1e6};
    const struct outcome out = play(&s, 20);
    assert_int_equal(out.units[0], 8);
    assert_int_equal(out.units[1], 0);
    assert_int_equal(out.moves, 1);
}

/* A move must gain more in the steps that are left than it costs. */
static void costs(void **state)
{
    (void)state;
    struct setting s = {.count = 2, .units = 30, .unit_s = {1e-3, 2e-3}, .steps = 1000, .move_s = 20};
    assert_int_equal(play(&s, 50).moves, 0);
    s.move_s = 5;
    const struct outcome out = play(&s, 50);
    assert_int_equal(out.units[0], 20);
    assert_int_equal(out.moves, 1);
}

/* Where steps take the same time whatever the share is, a move gains nothing: it is taken back, and no other
 * follows. */
static void a_move_without_gain(void **state)
{
    (void)state;
    struct setting s = {.count = 2, .units = 8, .unit_s = {0, 0}, .fixed_s = 1e-3, .steps = 1e6};
    assert_int_equal(play(&s, 50).moves, 0);
    /* The second device has a longer step by nature. */
    struct balance balance = {.looks = 0};
    struct balance_part parts[2] = {{.units = 4}, {.units = 4}};
    unsigned moves = 0;
    for (unsigned look = 0; look < 60; look++) {
        parts[0].busy_s = parts[0].units > 4 ? 3 : 1;
        parts[1].busy_s = parts[1].units ? 2 : 0;
        moves += balance_look(&balance, parts, 2, 1, 1e6, 0);
    }
    assert_int_equal(moves, 2);
    assert_int_equal(parts[0].units, 4);
}

/* Where units move, no further move of a unit would make the slowest part faster. */
static void the_best_division(void **state)
{
    (void)state;
    unsigned moves = 0;
    random_state = 5;
    for (unsigned n = 0; n < 2000; n++) {
        struct setting s = {.count = 2 + n % (MOST - 1), .units = 8 + n % 50, .steps = 1e6};
        double slowest = 0;
        for (size_t k = 0; k < s.count; k++)
            s.unit_s[k] = deviation(0.99);
        const struct outcome out = play(&s, 6);
        for (size_t k = 0; k < s.count; k++)
            slowest = fmax(slowest, (double)out.units[k] * s.unit_s[k]);
        for (size_t k = 0; k < s.count && out.moves; k++)
            assert_true((double)(out.units[k] + 1) * s.unit_s[k] >= slowest * (1 - 1e-9));
        moves += out.moves;
    }
    assert_true(moves > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_devices),
                                       cmocka_unit_test(noise),
                                       cmocka_unit_test(costs),
                                       cmocka_unit_test(a_slow_device_gets_nothing),
                                       cmocka_unit_test(the_best_division),
                                       cmocka_unit_test(a_move_without_gain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
