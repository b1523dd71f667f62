/* Genes in single precision: those that bounded SBX crosses by fewer operations, since their box is beyond
 * the reach of their parents, are those that it would make by all operations, and these and genes that mutate
 * are those of the host in double precision but for rounding. A reach of 24 bits or fewer fails; 25 and 26
 * bits pass as 27 do: these are a margin for devices whose powers have larger errors. */
#include "harness.h"

#include <string.h>

#include "ga/host/model.h"

enum { GENES = 4, GROUP = 64, RESULTS = 6 };

static const char text[] =
    "#ifndef WG\n"
    "#define WG 64\n"
    "#endif\n"
    "#define DIM 4\n"
    "#define MEMBERS 4\n"
    "#include \"ga/methods/onchip_vary.clh\"\n"
    "/* shapes: of an item lower and upper bound, power and root. out: of each gene the children as islands "
    "and\n"
    " * populations make them, the children by all operations, the first parent after a mutation, and how "
    "far\n"
    " * the box is beyond the reach of the parents. */\n"
    "__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))\n"
    "void vary(__global const float *parents, __global const uint *words, __global const float *shapes,\n"
    "          __global float *out, uint n)\n"
    "{\n"
    "    const uint i = (uint)get_global_id(0);\n"
    "    struct shoal_words drawn;\n"
    "    gene_pair genes[4], plain;\n"
    "    context here;\n"
    "    mating m;\n"
    "    uint d;\n"
    "    if (i >= n)\n"
    "        return;\n"
    "    drawn.x = words[4u * i];\n"
    "    drawn.y = words[4u * i + 1u];\n"
    "    drawn.z = words[4u * i + 2u];\n"
    "    drawn.w = words[4u * i + 3u];\n"
    "    here.lower = shapes[4u * i];\n"
    "    here.upper = shapes[4u * i + 1u];\n"
    "    here.cross.power = here.mutate.power = shapes[4u * i + 2u];\n"
    "    here.cross.root = here.mutate.root = shapes[4u * i + 3u];\n"
    "    here.cross.alpha = here.mutate.sigma = 0.0f;\n"
    "    here.reach = sbx_reach(here.cross);\n"
    "    m.a = m.b = 0u;\n"
    "    m.a_is_better = 0;\n"
    "    m.crossing.from = m.crossing.to = 0u;\n"
    "    m.crossing.weight = 0.0f;\n"
    "    m.crossing.crosses = 1;\n"
    "    for (d = 0u; d < 4u; d++) {\n"
    "        genes[d].a = parents[8u * i + 2u * d];\n"
    "        genes[d].b = parents[8u * i + 2u * d + 1u];\n"
    "        plain = gene_children(here, genes[d], m, d, word_at(drawn, d), shapes);\n"
    "        out[24u * i + 6u * d + 2u] = plain.a;\n"
    "        out[24u * i + 6u * d + 3u] = plain.b;\n"
    "        out[24u * i + 6u * d + 4u] = mutated_gene(here, genes[d].a, d, uniform30(word_at(drawn, d)), "
    "shapes);\n"
    "        out[24u * i + 6u * d + 5u] = room_of_sbx(genes[d], here.lower, here.upper, here.reach);\n"
    "    }\n"
    "    cross_four(here, genes, m, 0u, drawn, shapes);\n"
    "    for (d = 0u; d < 4u; d++) {\n"
    "        out[24u * i + 6u * d] = genes[d].a;\n"
    "        out[24u * i + 6u * d + 1u] = genes[d].b;\n"
    "    }\n"
    "}\n";

#define COUNT(list) (sizeof(list) / sizeof *(list))
static const struct shoal_arg_desc vary_args[] = {{"parents", SHOAL_READ, "float", 0},
                                                  {"words", SHOAL_READ, "uint", 0},
                                                  {"shapes", SHOAL_READ, "float", 0},
                                                  {"out", SHOAL_READ_WRITE, "float", 0},
                                                  {"n", SHOAL_VALUE, "uint", 0}};
static const struct shoal_entry_desc entries[] = {{.name = "vary",
                                                   .args = vary_args,
                                                   .arg_count = COUNT(vary_args),
                                                   .work_group = "WG",
                                                   .help = "test of onchip_vary.clh"}};
static const struct shoal_define_desc defines[] = {{"WG", GROUP, 1, 1024, "work-items in a group"}};
static const struct shoal_program_desc vary_program = {.name = "test.vary",
                                                       .file = "vary.cl",
                                                       .defines = defines,
                                                       .define_count = COUNT(defines),
                                                       .entries = entries,
                                                       .entry_count = COUNT(entries)};

/* The genes of one work-item. */
struct item {
    float parents[2 * GENES], shape[4];
    uint32_t words[GENES];
};

static const float *vary(const struct item *items, size_t n)
{
    struct shoal_program_params params;
    struct shoal_program *program = NULL;
    struct shoal_kernel *kernel = NULL;
    float *parents = harness_memory(n * sizeof items->parents),
          *shapes = harness_memory(n * sizeof items->shape),
          *out = harness_memory(n * RESULTS * GENES * sizeof *out);
    uint32_t *words = harness_memory(n * sizeof items->words);
    for (size_t i = 0; i < n; i++) {
        memcpy(&parents[2 * GENES * i], items[i].parents, sizeof items->parents);
        memcpy(&shapes[4 * i], items[i].shape, sizeof items->shape);
        memcpy(&words[GENES * i], items[i].words, sizeof items->words);
    }
    shoal_program_params_init(&params);
    params.text = text;
    assert_ok(shoal_program_create(harness.device, &vary_program, &params, &program, &test_error));
    assert_ok(shoal_kernel_create(program, "vary", &kernel, &test_error));
    struct shoal_buffer *results = harness_buffer(n * RESULTS * GENES * sizeof *out);
    const struct shoal_arg args[] = {shoal_arg_buffer(harness_upload(parents, n * sizeof items->parents)),
                                     shoal_arg_buffer(harness_upload(words, n * sizeof items->words)),
                                     shoal_arg_buffer(harness_upload(shapes, n * sizeof items->shape)),
                                     shoal_arg_buffer(results), shoal_arg_uint((uint32_t)n)};
    assert_ok(shoal_launch(harness.queue, kernel, shoal_kernel_groups(kernel, n), args, COUNT(args), NULL,
                           &test_error));
    harness_read(results, out, n * RESULTS * GENES * sizeof *out);
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
    return out;
}

/* Where the parents are: SCATTERED: at any distance from each other and from the bounds. ON_BOUNDS: one is on
 * a bound. AT_REACH: a bound is as far from them as a reach of some bits. Those of a group are all in the
 * same place, since work-items that run together take the branch for genes far from their box together. */
enum { SCATTERED, ON_BOUNDS, AT_REACH };
static const struct place {
    int kind;
    double bits;
} places[] = {{SCATTERED, 0},   {AT_REACH, 27.5}, {AT_REACH, 26.5}, {ON_BOUNDS, 0},   {AT_REACH, 25.5},
              {AT_REACH, 24.5}, {AT_REACH, 22.5}, {AT_REACH, 20.5}, {AT_REACH, 17.5}, {AT_REACH, 35}};
static const float boxes[][2] = {{-5.12F, 5.12F},   {0, 1},          {1000, 1001}, {-3e9F, 7},
                                 {-1e-20F, 1e-20F}, {-1e30F, 1e30F}, {2, 2.0001F}, {0, 1e25F}};
static const double etas[] = {0, 2, 15, 20, 1000};
enum { GROUPS = COUNT(places) * COUNT(boxes) * COUNT(etas) };

static uint32_t next_word(void)
{
    static uint32_t used;
    static struct shoal_words words;
    if (used % 4 == 0)
        words = shoal_random_words(11, SHOAL_STREAM_TEST, 0, used / 4, 0);
    return word_at(words, used++ % 4);
}

static void set_parents(const struct item *item, const struct place *place, float *parents)
{
    const double lower = (double)item->shape[0], upper = (double)item->shape[1], width = upper - lower,
                 reach = exp2(place->bits * (double)item->shape[3]),
                 small = exp2(-(double)(next_word() >> 27));
    const bool is_up = next_word() & 1;
    double distance = small * (next_word() & 1 ? uniform(next_word()) : 1) * width,
           room = place->kind == SCATTERED ? uniform(next_word()) * width / 2 : 0; /* of the first parent */
    if (place->kind == AT_REACH) {
        /* A quarter of them is in the middle, where children are near 0 in some boxes, so that few bits of
         * their distance are lost. */
        room = (next_word() % 4 ? 1 + 7 * uniform(next_word()) : 8) / 16 * width;
        distance = -2 * room / (reach + 1);
    }
    const double first = is_up ? upper - room : lower + room,
                 second = is_up ? first - distance : first + distance;
    const bool is_second = next_word() & 1;
    parents[is_second] = (float)clamp(first, lower, upper);
    parents[!is_second] = (float)clamp(second, lower, upper);
}

static void set_item(size_t group, struct item *item)
{
    const size_t kind = group / COUNT(places);
    const double power = etas[kind / COUNT(boxes)] + 1;
    memcpy(item->shape, boxes[kind % COUNT(boxes)], sizeof boxes[0]);
    item->shape[2] = (float)power;
    item->shape[3] = (float)(1 / power);
    for (size_t d = 0; d < GENES; d++) {
        set_parents(item, &places[group % COUNT(places)], &item->parents[2 * d]);
        /* Single precision has the upper 23 of 30 bits; an eighth of the words has the least or greatest
         * ones. */
        item->words[d] = (next_word() & ~0x7fU) | 0x40U;
        if (next_word() >> 29 == 0)
            item->words[d] = (item->words[d] & 0xc0001fffU) | (d & 2 ? 0x3fffe000U : 0);
    }
}

/* Results of gene d of an item beside the host's. */
static void check_gene(const struct item *item, size_t d, const float *results)
{
    const gene_pair parents = {(double)item->parents[2 * d], (double)item->parents[2 * d + 1]};
    const double lower = (double)item->shape[0], upper = (double)item->shape[1], width = upper - lower,
                 root = (double)item->shape[3], size = fabs(parents.a) + fabs(parents.b),
                 place = (double)((item->words[d] & 0x3fffffffU) >> 7) + 0.5;
    const gene_pair wanted = sbx(CROSS_SBX_BOUNDED, parents, item->words[d], lower, upper,
                                 (cross_shape){(double)item->shape[2], root, 0});
    /* An area is a difference from 2, which has the last place 2^-23; at the ends of the distribution it is
     * small. */
    const double parts = 1e-5 + root / fmin(place, 0x1p23 - place),
                 error = 3e-7 * size + parts * (fabs(wanted.a - wanted.b) + fabs(parents.a - parents.b));
    bool passes = results[0] == results[2] && results[1] == results[3];
    for (size_t i = 0; i < 5; i++)
        passes = passes && (double)results[i] >= lower && (double)results[i] <= upper;
    const double mutant = mutated(MUTATE_POLYNOMIAL, parents.a, place * 0x1p-23, lower, upper,
                                  (mutate_shape){(double)item->shape[2], root, 0}, 0);
    if (!passes || !(fabs((double)results[0] - wanted.a) <= error) ||
        !(fabs((double)results[1] - wanted.b) <= error) ||
        !(fabs((double)results[4] - mutant) <= 1e-5 * width + 3e-7 * fabs(parents.a)))
        fail_msg("box %g .. %g, eta %g, parents %a and %a, word %x, room %g: children %a and %a, by all "
                 "operations %a and %a, on the host %a and %a; mutant %a, on the host %a",
                 lower, upper, (double)item->shape[2] - 1, parents.a, parents.b, (unsigned)item->words[d],
                 (double)results[5], (double)results[0], (double)results[1], (double)results[2],
                 (double)results[3], wanted.a, wanted.b, (double)results[4], mutant);
}

static void test_genes(void **state)
{
    (void)state;
    const size_t each = harness.tiny ? 7 : 1, n = GROUPS / each * GROUP;
    struct item *items = harness_memory(n * sizeof *items);
    size_t far = 0;
    for (size_t i = 0; i < n; i++)
        set_item(i / GROUP * each, &items[i]);
    const float *results = vary(items, n);
    for (size_t i = 0; i < n; i++)
        for (size_t d = 0; d < GENES; d++) {
            const float *own = &results[RESULTS * (GENES * i + d)];
            check_gene(&items[i], d, own);
            far += own[5] >= 0;
        }
    assert_in_range(far, n * GENES / 8, n * GENES / 2);
    harness_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_genes)};
    return harness_main("ga-device-reach", tests, COUNT(tests));
}
