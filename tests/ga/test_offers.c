/* The lists of offers of cl/ga/offers.clh, which are for devices that have warps: here a
 * work-item is a thread of the host, and the work-items of a warp exchange values through memory. */
#include "test.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "lib/host.h"

enum { WORDS = 3, STEP = 6, MEMBERS = 1000, ROOM = 70 };
#define WG       128
#define IN_WORDS 1
#define ELITES   1

static _Thread_local uint item;
#define get_local_id(dimension) ((size_t)item)

static pthread_barrier_t of_group, of_warp[WG / 32];
#define CLK_LOCAL_MEM_FENCE  0
#define barrier(fence)       ((void)(fence), (void)pthread_barrier_wait(&of_group))
#define atomic_add(place, n) __atomic_fetch_add(place, n, __ATOMIC_RELAXED)
#define atomic_or(place, n)  __atomic_fetch_or(place, n, __ATOMIC_RELAXED)
#define atomic_inc(place)    atomic_add(place, 1u)

static double exchanged[WG];
static double exchange_real(double value, uint mask)
{
    exchanged[item] = value;
    (void)pthread_barrier_wait(&of_warp[item / 32]);
    value = exchanged[item ^ mask];
    (void)pthread_barrier_wait(&of_warp[item / 32]);
    return value;
}
static uint exchange_uint(uint value, uint mask)
{
    return (uint)exchange_real(value, mask);
}
#define SHOAL_WARPS 1
#define SHOAL_WARP_SHUFFLE(value, mask)                                                                      \
    _Generic((value), uint : exchange_uint, default : exchange_real)(value, mask)

#include "ga/offers.clh"

/* An island after a step: members, their values, and the record of the step before. */
static struct {
    uint genes[MEMBERS * WORDS], champion[WORDS], goal_index, words[ISLAND_WORDS];
    real values[MEMBERS], goal_value, reals[ISLAND_REALS], settings[SET_BOX];
    /* lists for even and odd steps */
    uint counts[2], indices[2 * ROOM];
    real offered[2 * ROOM];
    uint found[WG]; /* by each work-item */
} of;

static offer_list own_list(void)
{
    return list_of((offer_lists){of.counts, of.indices, of.offered, ROOM}, 0, STEP);
}

static void *settle(void *data)
{
    static uint scratch[SETTLE_WORDS] __attribute__((aligned(8)));
    const all_islands all = {of.genes, of.values, &of.goal_value, &of.goal_index,
                             of.words, of.reals,  of.champion};
    const struct search_shape shape = {
        .members = MEMBERS, .run_islands = 1, .islands = 1, .dim = WORDS, .tile = 1, .stride = WORDS};
    item = (uint)((uint *)data - of.found);
    of.found[item] = settle_before(0, STEP, own_list(), all, of.settings, shape, scratch);
    return NULL;
}

static void settle_by_all(void)
{
    pthread_t threads[WG];
    for (size_t i = 0; i < WG; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, settle, &of.found[i]), 0);
    for (size_t i = 0; i < WG; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* An island of the elite and other members, the last `better` of which are better than the elite. Of these,
 * the last `equal` have the same value, the least one. */
static void set_island(real elite, uint better, uint equal)
{
    memset(&of, 0, sizeof of);
    of.values[0] = of.goal_value = of.reals[ISLAND_GOAL] = of.reals[ISLAND_CHAMPION] = elite;
    of.words[ISLAND_STEPS] = STEP - 1;
    for (uint n = 0; n < MEMBERS * WORDS; n++)
        of.genes[n] = 7 * n;
    for (uint n = 1; n < MEMBERS; n++) {
        const bool is_better = n >= MEMBERS - better, is_last = n >= MEMBERS - equal;
        of.values[n] = !is_better ? elite + n : is_last ? -1 : n * 37 % MEMBERS / (real)MEMBERS;
        if (is_better)
            offer(own_list(), of.values[n], n);
    }
}

/* With fewer offers than the list has room for, as many and more, and with an elite whose value is not
 * finite. Members beyond the room are among the best. */
static void test_room(void **state)
{
    (void)state;
    static const uint better[] = {0, 1, 31, 33, ROOM - 1, ROOM, ROOM + 1, ROOM + 33, MEMBERS - 1};
    static const real elites[] = {2, INFINITY};
    for (size_t k = 0; k < sizeof better / sizeof *better; k++)
        for (uint e = 0; e < 2; e++) {
            test_label("elite %g, %u offers", elites[e], better[k]);
            set_island(elites[e], better[k], e + 1);
            assert_int_equal(of.counts[STEP % 2], better[k]);
            struct minimum wanted = minimum_none();
            for (uint n = 0; n < MEMBERS; n++)
                wanted = minimum_of(wanted, (struct minimum){of.values[n], n});
            settle_by_all();
            for (size_t i = 0; i < WG; i++)
                assert_int_equal(of.found[i], wanted.index);
            assert_int_equal(of.goal_index, wanted.index);
            assert_true(of.goal_value == wanted.value && of.reals[ISLAND_GOAL] == wanted.value);
            assert_true(of.reals[ISLAND_CHAMPION] == wanted.value);
            assert_int_equal(of.words[ISLAND_STEPS], STEP);
            for (uint d = 0; d < WORDS; d++)
                assert_int_equal(of.champion[d], better[k] ? of.genes[wanted.index * WORDS + d] : 0);
            assert_int_equal(of.counts[STEP % 2], 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_room)};
    (void)pthread_barrier_init(&of_group, NULL, WG);
    for (size_t w = 0; w < WG / 32; w++)
        (void)pthread_barrier_init(&of_warp[w], NULL, 32);
    return cmocka_run_group_tests_name("ga-offers", tests, NULL, NULL);
}
