/* The operators of cl/ga/model over bits, whole numbers and orders, as the host has them: examples of the
 * papers, oracles that know neither words nor scratch memory, distributions over 1e6 draws. */
#include "statistics.h"

#include <string.h>

#include "ga/host/model.h"
#include "ga/model/places.clh"
#include "ga/model/rates.h"

enum { MOST = 70, SCRATCH_NUMBERS = 3 * MOST };

static uint32_t next_word(void)
{
    static uint32_t used;
    static struct shoal_words words;
    if (used % 4 == 0)
        words = shoal_random_words(11, SHOAL_STREAM_TEST, 0, used / 4, 0);
    return word_at(words, used++ % 4);
}

static struct shoal_words next_words(void)
{
    return (struct shoal_words){next_word(), next_word(), next_word(), next_word()};
}

/* Places of mutated genes ------------------------------------------------------------------------------- */

/* As the tables have it, for keys beside each threshold and others; numbers of single precision may be off by
 * the last places of another device. */
static void check_places(const uint32_t *words, const uint32_t *table, uint32_t whole, uint line, double off)
{
    float decay;
    memcpy(&decay, &words[RATE_DECAY], sizeof decay);
    const place_table places = {.table = table,
                                .count = line,
                                .whole = whole,
                                .scale = (float)((1 + off) / fmax(1, whole)),
                                .decay = (float)((1 - off) * decay)};
    for (uint k = 0; k < line; k++) {
        const uint32_t keys[] = {table[k] - 1, table[k], table[k] + 1, next_word() >> 1};
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (keys[i] < THRESHOLD_ONE)
                assert_int_equal(first_place(places, keys[i]), first_threshold(table, line, keys[i]));
    }
    assert_int_equal(first_place(places, THRESHOLD_ONE - 1), first_threshold(table, line, THRESHOLD_ONE - 1));
}

static void check_guide(const uint32_t *table, uint line)
{
    const uint32_t *guide = table + RATE_GUIDE_AT(line);
    assert_true(table[line] == UINT32_MAX && table[line + 1] == UINT32_MAX);
    for (uint part = 0; part < RATE_GUIDE; part++)
        assert_int_equal(guide[part], first_threshold(table, line, part << (31 - RATE_GUIDE_BITS)));
}

static void test_mutated_places(void **state)
{
    (void)state;
    enum { LINES = 2000 };
    static const double genes[] = {0, 1e-42, 1e-9, 1e-6, 1e-4, 1 / 1024., 0.01, 0.1, 0.5, 0.9, 1},
                        individuals[] = {0, 1e-9, 1e-4, 0.3, 1};
    static uint32_t words[RATE_WORDS(LINES)];
    for (size_t gene = 0; gene < sizeof genes / sizeof *genes; gene++)
        for (size_t n = 0; n < sizeof individuals / sizeof *individuals; n++)
            for (uint line = 1; line <= LINES; line *= 11) {
                const struct ga_rates rates = {.mutation = individuals[n], .gene = genes[gene]};
                ga_fill_rates(&rates, line, words);
                check_guide(words + RATE_TABLES, line);
                check_guide(words + RATE_NEXT(line), line);
                for (int off = -1; off <= 1; off++) {
                    check_places(words, words + RATE_TABLES, words[RATE_MUTATE], line, off * 2.4e-7);
                    check_places(words, words + RATE_NEXT(line), THRESHOLD_ONE, line, off * 2.4e-7);
                }
            }
}

/* Bits -------------------------------------------------------------------------------------------------- */

static void test_masks(void **state)
{
    (void)state;
    static const uint kinds[] = {CROSS_ONE_POINT, CROSS_TWO_POINT, CROSS_UNIFORM, CROSS_NONE};
    for (uint32_t n = 0; n < 20000; n++) {
        /* Bits behind `lead` other genes. */
        const uint count = 1 + index_of(next_word(), 100), lead = index_of(next_word(), 70);
        const uint kind = kinds[n % 4], place = index_of(next_word(), count);
        const crossing c = crossing_of(kind, 0, next_word(), next_word(), THRESHOLD_ONE, lead + count, 0, 1);
        for (uint w = 0; 32 * w < count; w++) {
            const uint word = next_word(), mask = cross_mask(kind, c, lead + 32 * w, word);
            const uint flip = mutation_mask(MUTATE_FLIP, place, w, count);
            const uint tail = mutation_mask(MUTATE_TAIL_INVERSION, place, w, count);
            assert_int_equal(mutation_mask(MUTATE_NONE, place, w, count), 0);
            for (uint i = 0; i < 32; i++) {
                const uint bit = 32 * w + i, d = lead + bit;
                const bool is_between = d >= c.from && d < c.to;
                const bool moves = kind == CROSS_UNIFORM ? word >> i & 1 : kind != CROSS_NONE && is_between;
                assert_int_equal(mask >> i & 1, moves || (bit >= count && (mask >> i & 1)));
                assert_int_equal(flip >> i & 1, bit == place);
                assert_int_equal(tail >> i & 1, bit >= place && bit < count);
            }
        }
    }
    const word_pair children = crossed_words((word_pair){0xff00ff00, 0x12345678}, 0x0000ffff);
    assert_int_equal(children.a, 0xff005678);
    assert_int_equal(children.b, 0x1234ff00);
}

/* Whole numbers ------------------------------------------------------------------------------------------ */

static void test_steps(void **state)
{
    (void)state;
    static uint64_t counts[2048];
    static double expected[2048];
    for (uint width = 1; width < 1024; width = width * 3 + 1) {
        memset(counts, 0, sizeof counts);
        memset(expected, 0, sizeof expected);
        uint scales = 0;
        while (2u << scales <= 2 * width)
            scales++;
        for (uint c = 0; c < scales; c++)
            for (uint step = 1; step <= 1u << c; step++)
                expected[step] += DRAWS / (double)scales / (1u << c);
        for (size_t n = 0; n < DRAWS; n++)
            counts[whole_step(next_word(), width)]++;
        if (width == 1)
            assert_int_equal(counts[1], DRAWS);
        else
            assert_counts(counts, expected, 2048);
    }
    /* The widest range of all: half of its steps are below 2^16. */
    size_t small = 0;
    for (size_t n = 0; n < DRAWS; n++) {
        const uint step = whole_step(next_word(), UINT32_MAX);
        assert_true(step >= 1 && step <= 1u << 31);
        small += step <= 1u << 16;
    }
    assert_true(small > 0.5 * DRAWS && small < 0.6 * DRAWS);
}

/* Steps are reflected at both ends; other values than the own are as likely. */
static void test_whole_mutations(void **state)
{
    (void)state;
    static const struct {
        int lower;
        uint width;
    } ranges[] = {{0, 1}, {-3, 9}, {5, 100}, {INT32_MIN, UINT32_MAX}, {INT32_MAX - 4, 4}};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (uint32_t n = 0; n < 100000; n++) {
            const int lower = ranges[r].lower;
            const uint width = ranges[r].width, word = next_word();
            const int64_t upper = (int64_t)lower + width;
            const int x = drawn_whole(next_word(), lower, width);
            assert_true(x >= lower && x <= upper);
            const int to = mutated_whole(MUTATE_STEP, x, word, lower, width);
            const int64_t step = whole_step(word, width);
            const int64_t open = word >> 31 ? x - step : x + step;
            assert_true(to == (open < lower   ? 2 * (int64_t)lower - open
                               : open > upper ? 2 * upper - open
                                              : open));
            assert_true(to >= lower && to <= upper);
            const int other = mutated_whole(MUTATE_UNIFORM, x, word, lower, width);
            assert_true(other != x && other >= lower && other <= upper);
            assert_int_equal(mutated_whole(MUTATE_NONE, x, word, lower, width), x);
        }
    uint64_t counts[7] = {0};
    const double expected[7] = {DRAWS / 6., DRAWS / 6., 0, DRAWS / 6., DRAWS / 6., DRAWS / 6., DRAWS / 6.};
    uint64_t drawn[7] = {0};
    const double all[7] = {DRAWS / 7., DRAWS / 7., DRAWS / 7., DRAWS / 7.,
                           DRAWS / 7., DRAWS / 7., DRAWS / 7.};
    for (size_t n = 0; n < DRAWS; n++) {
        counts[mutated_whole(MUTATE_UNIFORM, 2, next_word(), 0, 6)]++;
        drawn[drawn_whole(next_word(), 0, 6)]++;
    }
    assert_int_equal(counts[2], 0);
    assert_counts(counts, expected, 7);
    assert_counts(drawn, all, 7);
}

/* Messy genes -------------------------------------------------------------------------------------------- */

static void test_pairs(void **state)
{
    (void)state;
    enum { PLACES = 9 };
    uint64_t drawn[2 * PLACES] = {0}, moved[PLACES] = {0}, flipped = 0, cuts[PLACES + 1] = {0};
    double each_pair[2 * PLACES], each_place[PLACES], each_cut[PLACES + 1];
    for (size_t n = 0; n < DRAWS; n++) {
        const uint32_t word = next_word();
        const uint pair = drawn_pair(next_word(), PLACES), to = mutated_pair(pair, word, PLACES);
        drawn[pair]++;
        cuts[cut_of(next_word(), PLACES)]++;
        if (word >> 31) {
            assert_int_equal(to % 2, pair % 2);
            moved[to / 2]++;
        } else {
            assert_int_equal(to, pair ^ 1);
            flipped++;
        }
    }
    for (size_t i = 0; i < 2 * PLACES; i++)
        each_pair[i] = DRAWS / 2. / PLACES;
    for (size_t i = 0; i < PLACES; i++)
        each_place[i] = (double)(DRAWS - flipped) / PLACES;
    for (size_t i = 0; i <= PLACES; i++)
        each_cut[i] = DRAWS / (PLACES + 1.);
    assert_counts(drawn, each_pair, 2 * PLACES);
    assert_counts(moved, each_place, PLACES);
    assert_counts(cuts, each_cut, PLACES + 1);
    assert_true(fabs((double)flipped - DRAWS / 2.) < 5 * sqrt(DRAWS / 4.));
    assert_int_equal(cut_of(UINT32_MAX, 0), 0);
    assert_int_equal(spliced_length(3, 4, 9, 20), 8);
    assert_int_equal(spliced_length(3, 4, 9, 7), 7);
    assert_int_equal(spliced_length(0, 9, 9, 7), 0);
}

/* Orders ------------------------------------------------------------------------------------------------- */

static double parents[2][MOST], child[MOST];
static uint16_t scratch[SCRATCH_NUMBERS];

/* Child A of the parents, or B. */
static const double *cross(uint kind, uint count, order_segment segment, int which)
{
    const struct host_orders orders = {parents[which], parents[1 - which], child, scratch};
    for (uint i = 0; i < count; i++)
        child[i] = -1;
    memset(scratch, 0xff, sizeof scratch); /* as memory of others */
    order_cross(&orders, kind, count, segment, 3, 4, next_word());
    return child;
}

static bool is_order(const double *x, uint count)
{
    unsigned char seen[MOST] = {0};
    for (uint i = 0; i < count; i++) {
        if (!(x[i] >= 0 && x[i] < count) || seen[(uint)x[i]])
            return false;
        seen[(uint)x[i]] = 1;
    }
    return true;
}

static void draw(double *x, uint count)
{
    const struct host_orders orders = {.child = x};
    order_draw(&orders, count, next_words());
    assert_true(is_order(x, count));
}

static void set_parents(const int *a, const int *b, uint count)
{
    for (uint i = 0; i < count; i++) {
        parents[0][i] = a[i] - 1;
        parents[1][i] = b[i] - 1;
    }
}

static void assert_child(const double *x, const int *wanted, uint count)
{
    for (uint i = 0; i < count; i++)
        assert_int_equal((int)x[i] + 1, wanted[i]);
}

/* Those of the papers as Goldberg's book of 1989 has them; its OX takes the segment of the other parent. */
static void test_examples(void **state)
{
    (void)state;
    static const int a[] = {9, 8, 4, 5, 6, 7, 1, 3, 2, 10}, b[] = {8, 7, 1, 2, 3, 10, 9, 5, 4, 6};
    static const int pmx_a[] = {9, 8, 4, 2, 3, 10, 1, 6, 5, 7}, pmx_b[] = {8, 10, 1, 5, 6, 7, 9, 2, 4, 3};
    static const int ox_b[] = {5, 6, 7, 2, 3, 10, 1, 9, 8, 4}, ox_a[] = {2, 3, 10, 5, 6, 7, 9, 4, 8, 1};
    const order_segment segment = {3, 6};
    set_parents(a, b, 10);
    assert_child(cross(CROSS_PMX, 10, segment, 0), pmx_a, 10);
    assert_child(cross(CROSS_PMX, 10, segment, 1), pmx_b, 10);
    assert_child(cross(CROSS_OX, 10, segment, 0), ox_a, 10);
    assert_child(cross(CROSS_OX, 10, segment, 1), ox_b, 10);
    static const int c[] = {9, 8, 2, 1, 7, 4, 5, 10, 6, 3}, d[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const int cx_c[] = {9, 2, 3, 1, 5, 4, 7, 8, 6, 10}, cx_d[] = {1, 8, 2, 4, 7, 6, 5, 10, 9, 3};
    set_parents(c, d, 10);
    assert_child(cross(CROSS_CX, 10, segment, 0), cx_c, 10);
    assert_child(cross(CROSS_CX, 10, segment, 1), cx_d, 10);
    /* Whitley, Starkweather and Fuquay 1989: of (B D C A E F) and (A B C D E F) the tour (B C D E A F). */
    static const int e[] = {2, 4, 3, 1, 5, 6}, f[] = {1, 2, 3, 4, 5, 6}, erx[] = {2, 3, 4, 5, 1, 6};
    size_t found = 0;
    set_parents(e, f, 6);
    for (int n = 0; n < 1000; n++) {
        const double *x = cross(CROSS_ERX, 6, segment, 0);
        bool is_same = true;
        for (uint i = 0; i < 6; i++)
            is_same = is_same && (int)x[i] + 1 == erx[i];
        found += is_same;
    }
    /* C of the ties C, D, F (1/3), and A of A and F (1/2). */
    assert_true(found > 120 && found < 215);
}

static bool edges[MOST][MOST];

static uint open_edges(uint thing, const bool *is_used, uint count)
{
    uint open = 0;
    for (uint i = 0; i < count; i++)
        open += edges[thing][i] && !is_used[i];
    return open;
}

/* Each step of edge recombination goes to a neighbour with the fewest left; returns edges of no parent. */
static uint check_edges(const double *x, uint count)
{
    bool is_used[MOST] = {false};
    uint foreign = 0;
    memset(edges, 0, sizeof edges);
    for (int p = 0; p < 2; p++)
        for (uint i = 0; i < count; i++) {
            const uint from = (uint)parents[p][i], to = (uint)parents[p][(i + 1) % count];
            edges[from][to] = edges[to][from] = from != to;
        }
    assert_true(x[0] == parents[0][0]);
    for (uint i = 1; i < count; i++) {
        const uint thing = (uint)x[i - 1], next = (uint)x[i];
        uint least = UINT32_MAX;
        is_used[thing] = true;
        for (uint k = 0; k < count; k++)
            if (edges[thing][k] && !is_used[k])
                least = min(least, open_edges(k, is_used, count));
        if (least == UINT32_MAX)
            foreign++;
        else
            assert_true(edges[thing][next] && open_edges(next, is_used, count) == least);
    }
    return foreign + !edges[(uint)x[count - 1]][(uint)x[0]];
}

static void test_edge_recombination(void **state)
{
    (void)state;
    size_t foreign = 0, all = 0;
    for (uint count = 1; count <= MOST; count++)
        for (int n = 0; n < 40; n++) {
            draw(parents[0], count);
            draw(parents[1], count);
            const double *x = cross(CROSS_ERX, count, (order_segment){0, 0}, 0);
            assert_true(is_order(x, count));
            if (count < 4)
                continue;
            foreign += check_edges(x, count);
            all += count;
        }
    assert_true(foreign > 0 && (double)foreign < 0.05 * (double)all);
}

/* What OX and PMX keep, by their definitions. */
static void check_segment(uint kind, const double *x, uint count, order_segment segment)
{
    const double *kept = parents[kind == CROSS_PMX];
    for (uint i = segment.from; i < segment.to; i++)
        assert_true(x[i] == kept[i]);
    if (kind == CROSS_PMX)
        for (uint i = 0; i < count; i++) {
            bool is_in = false;
            for (uint k = segment.from; k < segment.to; k++)
                is_in = is_in || parents[1][k] == parents[0][i];
            if ((i < segment.from || i >= segment.to) && !is_in)
                assert_true(x[i] == parents[0][i]);
        }
    /* The rest of OX in the order of B from behind the segment. */
    uint b = segment.to, left = kind == CROSS_OX ? count - (segment.to - segment.from) : 0;
    for (uint i = segment.to; left > 0; i++, left--) {
        while (true) {
            bool is_in = false;
            for (uint k = segment.from; k < segment.to; k++)
                is_in = is_in || parents[0][k] == parents[1][b % count];
            if (!is_in)
                break;
            b++;
        }
        assert_true(x[i % count] == parents[1][b++ % count]);
    }
}

static void check_children(uint count, order_segment segment)
{
    for (uint kind = CROSS_OX; kind <= CROSS_ERX; kind++) {
        const double *x = cross(kind, count, segment, 0);
        assert_true(is_order(x, count));
        if (kind == CROSS_OX || kind == CROSS_PMX)
            check_segment(kind, x, count, segment);
        for (uint i = 0; i < count && kind == CROSS_CX; i++)
            assert_true(x[i] == parents[0][i] || x[i] == parents[1][i]);
    }
}

/* Next permutation in the order of words; false: it was the last. */
static bool next_order(double *x, uint count)
{
    uint i = count - 1, j = count - 1;
    while (i > 0 && x[i - 1] > x[i])
        i--;
    if (i == 0)
        return false;
    while (x[j] < x[i - 1])
        j--;
    for (double t = x[i - 1]; t >= 0; t = -1) {
        x[i - 1] = x[j];
        x[j] = t;
    }
    for (j = count - 1; i < j; i++, j--) {
        const double t = x[i];
        x[i] = x[j];
        x[j] = t;
    }
    return true;
}

/* All pairs of orders of up to 5 things with all segments, then random ones. */
static void test_children(void **state)
{
    (void)state;
    for (uint count = 1; count <= 5; count++) {
        for (uint i = 0; i < count; i++)
            parents[0][i] = i;
        do {
            for (uint i = 0; i < count; i++)
                parents[1][i] = i;
            do
                for (uint from = 0; from < count; from++)
                    for (uint to = from + 1; to <= count; to++)
                        check_children(count, (order_segment){from, to});
            while (next_order(parents[1], count));
        } while (next_order(parents[0], count));
    }
    for (uint count = 6; count <= MOST; count++)
        for (int n = 0; n < 20; n++) {
            draw(parents[0], count);
            draw(parents[1], count);
            check_children(count, segment_of(next_word(), next_word(), count));
        }
}

/* Each segment is as likely. */
static void test_segments(void **state)
{
    (void)state;
    enum { COUNT = 7, CELLS = (COUNT + 1) * (COUNT + 1) };
    uint64_t counts[CELLS] = {0};
    double expected[CELLS] = {0};
    for (size_t n = 0; n < DRAWS; n++) {
        const order_segment segment = segment_of(next_word(), next_word(), COUNT);
        assert_true(segment.from < segment.to && segment.to <= COUNT);
        counts[segment.from * (COUNT + 1) + segment.to]++;
    }
    for (size_t from = 0; from < COUNT; from++)
        for (size_t to = from + 1; to <= COUNT; to++)
            expected[from * (COUNT + 1) + to] = DRAWS / (COUNT * (COUNT + 1) / 2.);
    assert_counts(counts, expected, CELLS);
}

static void mutate(uint kind, uint count)
{
    const struct host_orders orders = {.child = child, .scratch = scratch};
    memset(scratch, 0xff, sizeof scratch);
    order_mutate(&orders, kind, count, next_word(), next_word(), next_words());
    assert_true(is_order(child, count));
}

/* Places that differ from those of the order 0, 1, 2, ... are first .. last; returns how many. */
static uint moved(uint count, uint *first, uint *last)
{
    uint found = 0;
    for (uint i = count; i-- > 0;)
        if (child[i] != i) {
            *first = i;
            *last = found++ ? *last : i;
        }
    return found;
}

static void test_order_mutations(void **state)
{
    (void)state;
    for (uint count = 1; count <= MOST; count++)
        for (uint kind = MUTATE_NONE; kind <= MUTATE_SCRAMBLE; kind++)
            for (int n = 0; n < 30; n++) {
                uint first = 0, last = 0;
                for (uint i = 0; i < count; i++)
                    child[i] = i;
                mutate(kind, count);
                const uint places = moved(count, &first, &last);
                if (kind == MUTATE_NONE || count == 1)
                    assert_int_equal(places, 0);
                else if (kind == MUTATE_SWAP)
                    assert_true(places == 2 && child[first] == last && child[last] == first);
                for (uint i = first; places && i <= last && kind == MUTATE_REVERSAL; i++)
                    assert_true(child[i] == first + last - i);
                if (places && kind == MUTATE_INSERTION) {
                    const bool is_up = child[last] == first;
                    for (uint i = first; i < last; i++)
                        assert_true(child[is_up ? i : i + 1] == (is_up ? i + 1 : i));
                    assert_true(is_up || child[first] == last);
                }
            }
}

/* Each pair of places as often, of an insertion each move from one to another; orders of a scrambled range as
 * often. */
static void test_places(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    uint64_t swaps[COUNT * COUNT] = {0}, moves[COUNT * COUNT] = {0}, orders[6] = {0};
    double each_swap[COUNT * COUNT] = {0}, each_move[COUNT * COUNT] = {0}, each_order[6];
    for (size_t n = 0; n < DRAWS; n++) {
        uint first = 0, last = 0;
        for (uint kind = MUTATE_SWAP; kind <= MUTATE_INSERTION; kind++) {
            for (uint i = 0; i < COUNT; i++)
                child[i] = i;
            mutate(kind, COUNT);
            moved(COUNT, &first, &last);
            if (kind == MUTATE_SWAP)
                swaps[first * COUNT + last]++;
            else if (last == first + 1) /* up and down are the same */
                moves[first * COUNT + last]++;
            else
                moves[child[last] == first ? first * COUNT + last : last * COUNT + first]++;
        }
        for (uint i = 0; i < 3; i++)
            child[i] = i;
        const struct host_orders order = {.child = child, .scratch = scratch};
        order_scramble(&order, 0, 2, next_words());
        orders[(uint)child[0] * 2 + (child[1] > child[2])]++;
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++) {
            each_swap[i * COUNT + j] = j > i ? DRAWS / (COUNT * (COUNT - 1) / 2.) : 0;
            each_move[i * COUNT + j] = j == i || i == j + 1 ? 0 : DRAWS / (COUNT * (COUNT - 1.));
            if (j == i + 1)
                each_move[i * COUNT + j] *= 2;
        }
    for (size_t i = 0; i < 6; i++)
        each_order[i] = DRAWS / 6.;
    assert_counts(swaps, each_swap, COUNT * COUNT);
    assert_counts(moves, each_move, COUNT * COUNT);
    assert_counts(orders, each_order, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mutated_places),  cmocka_unit_test(test_masks),
        cmocka_unit_test(test_steps),           cmocka_unit_test(test_whole_mutations),
        cmocka_unit_test(test_examples),        cmocka_unit_test(test_edge_recombination),
        cmocka_unit_test(test_children),        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_order_mutations), cmocka_unit_test(test_places),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests_name("genes", tests, NULL, NULL);
}
