/* Points from genomes on devices, against those of the host. */
#include "base/integer.h"
#include "harness.h"
#include "objective/variables/variables.h"

#include "cl/search/layout.clh"
#include <math.h>

static const char list[] =
    "x1-x3 real -2 2, k1-k2 integer -7 9, b1-b5 bit, y1-y3 real -5 5 gray 16, "
    "z integer -3 12 gray 7, w real 0 1 binary 32, c choice 5, o1-o5 order, v integer 0 9 binary 4";

enum { DIM = 22, MOST = 70 };

/* Genes of each kind in turn: the words of the table, the range. */
static void describe(const struct shoal_variables *variables, uint32_t *words, double *ranges)
{
    uint32_t reals = 0, wholes = 0, bits = 0, places = 0;
    for (size_t g = 0; g < variables->group_count; g++) {
        const struct shoal_variable_group *group = &variables->groups[g];
        for (size_t v = group->first; v < group->first + group->count; v++) {
            const bool is_real = group->kind == SHOAL_REAL;
            const uint32_t kind = group->bits                  ? (is_real ? REAL_CODE : WHOLE_CODE)
                                  : is_real                    ? REAL_GENE
                                  : group->kind == SHOAL_BIT   ? BIT_GENE
                                  : group->kind == SHOAL_ORDER ? PLACE_GENE
                                                               : WHOLE_GENE;
            uint32_t *gene = kind == REAL_GENE    ? &reals
                             : kind == WHOLE_GENE ? &wholes
                             : kind == PLACE_GENE ? &places
                                                  : &bits;
            const uint32_t row[VARIABLE_WORDS] = {kind,
                                                  *gene,
                                                  group->bits,
                                                  group->gray,
                                                  kind == WHOLE_CODE ? (uint32_t)(int32_t)group->lower : 0,
                                                  kind == WHOLE_CODE ? (uint32_t)(group->upper - group->lower)
                                                                     : 0};
            for (size_t i = 0; i < VARIABLE_WORDS; i++)
                words[v * VARIABLE_WORDS + i] = row[i];
            *gene += group->bits ? group->bits : 1;
            ranges[2 * v] = group->lower;
            ranges[2 * v + 1] = group->upper - group->lower;
        }
    }
}

static void fill_genes(const struct genome_layout *layout, size_t member, double *genes)
{
    uint32_t drawn[128];
    harness_words(drawn, COUNT(drawn), (uint32_t)member);
    double *at = genes;
    for (size_t i = 0; i < layout->reals; i++)
        *at++ = (double)(float)(drawn[i] * 0x1p-30 - 2);
    for (size_t i = 0; i < layout->wholes; i++)
        *at++ = drawn[i] % 5;
    for (size_t i = 0; i < layout->bits; i++)
        *at++ = drawn[i] >> 7 & 1;
    for (size_t i = 0; i < layout->places; i++)
        *at++ = (double)((i * 2 + member) % layout->places);
}

static void check(enum shoal_precision precision, uint32_t tile, uint32_t members)
{
    if (!harness_takes_case())
        return;
    struct shoal_variables *variables;
    assert_ok(shoal_variables_parse(list, 0, &variables, &test_error));
    const struct genome_layout layout = genome_layout(variables);
    const size_t row = genome_words(&layout, precision), places = (members + tile - 1) / tile * tile;
    const size_t real = precision == SHOAL_FP64 ? 8 : 4;
    double genes[256], *points = harness_memory(members * DIM * sizeof *points), ranges[2 * DIM];
    float narrow[2 * DIM];
    uint32_t words[DIM * VARIABLE_WORDS], *tiles = harness_memory(places * row * sizeof *tiles);
    char *got = harness_memory((places * DIM + 1) * real);
    assert_int_equal(shoal_variables_count(variables), DIM);
    assert_true(genes_count(&layout) <= COUNT(genes));
    describe(variables, words, ranges);
    for (size_t i = 0; i < 2 * DIM; i++)
        narrow[i] = (float)ranges[i];
    for (size_t i = 0; i < members; i++) {
        fill_genes(&layout, i, genes);
        genes_to_words(&layout, precision, genes, tile, tiles + i / tile * row * tile + i % tile);
        genes_to_point(variables, genes, points + i * DIM);
    }
    const struct shoal_define defines[] = {{"REAL", precision == SHOAL_FP64 ? 64 : 32}};
    struct shoal_program_params params;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    shoal_program_params_init(&params);
    params.defines = defines;
    params.define_count = 1;
    assert_ok(shoal_program_create(harness.device, harness_program("search.decode"), &params, &program,
                                   &test_error));
    assert_ok(shoal_kernel_create(program, "search_decode", &kernel, &test_error));
    const uint32_t wholes = (uint32_t)(layout.reals * real / 4), bits = wholes + (uint32_t)layout.wholes;
    const struct search_decode launch = {
        members, tile, DIM, (uint32_t)row, wholes, bits, bits + (uint32_t)layout.words};
    struct shoal_buffer *out = harness_buffer((places * DIM + 1) * real);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(harness_upload(tiles, places * row * sizeof *tiles)), shoal_arg_buffer(out),
        shoal_arg_buffer(harness_upload(words, sizeof words)),
        shoal_arg_buffer(harness_upload(real == 8 ? (const void *)ranges : narrow, 2 * DIM * real)),
        shoal_arg_struct(&launch, sizeof launch)};
    assert_ok(shoal_launch(harness.queue, kernel, shoal_kernel_groups(kernel, places * DIM), args,
                           COUNT(args), NULL, &test_error));
    harness_read(out, got, (places * DIM + 1) * real);
    for (size_t i = 0; i < members; i++)
        for (size_t d = 0; d < DIM; d++) {
            const size_t at = (i / tile * DIM + d) * tile + i % tile;
            const double value = real == 8 ? ((double *)(void *)got)[at] : (double)((float *)(void *)got)[at];
            assert_near(value, points[i * DIM + d], real == 8 ? 1e-14 : 2e-6);
        }
    for (size_t i = places * DIM * real; i < (places * DIM + 1) * real; i++)
        assert_int_equal((unsigned char)got[i], 0xA5);
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
    shoal_variables_destroy(&variables);
    harness_release();
}

static void points_are_those_of_the_host(void **state)
{
    (void)state;
    check(SHOAL_FP32, 1, 37);
    check(SHOAL_FP32, 32, MOST);
    if (harness_has_fp64())
        check(SHOAL_FP64, 32, MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_those_of_the_host)};
    return harness_main("search-decode", tests, COUNT(tests));
}
