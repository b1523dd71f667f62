/* Checkpoint files, as they are and with the hash made good. */
#include "target.h"

#include "workload/checkpoint/saved_options.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static void match_options(const struct checkpoint *checkpoint)
{
    struct shoal_error error = {0};
    const struct shoal_workload *pso = shoal_workload_find("pso");
    void *params = malloc(pso->params_size);
    REQUIRE(params);
    pso->params_init(params);
    struct differences differences = {.omitted = 0};
    enum shoal_status status = saved_options_compare(pso, NULL, params, checkpoint,
                                                     SHOAL_OPTION_FREE_ON_RESUME, &differences, &error);
    if (status)
        text_free(&differences.text);
    else
        status = differences_end(&differences, checkpoint, &error);
    REQUIRE(!status || (status == error.status && error.message[0] && !strpbrk(error.message, "\r\n")));
    char **texts = calloc(pso->option_count, sizeof *texts);
    REQUIRE(texts);
    status = saved_options_restore(pso, NULL, checkpoint, NULL, params, texts, &error);
    REQUIRE(!status || (status == error.status && error.message[0] && !strpbrk(error.message, "\r\n")));
    for (size_t i = 0; i < pso->option_count; i++)
        free(texts[i]);
    free(texts);
    free(params);
}

static void parse(const uint8_t *data, size_t size)
{
    struct checkpoint checkpoint = {0};
    struct shoal_error error = {0};
    enum shoal_status status = checkpoint_parse(&checkpoint, data, size, "fuzz.ckpt", &error);
    if (status) {
        REQUIRE(status == error.status && error.message[0] && !strpbrk(error.message, "\r\n"));
        return;
    }
    REQUIRE(checkpoint.count <= CHECKPOINT_SECTIONS);
    for (size_t i = 0; i < checkpoint.count; i++) {
        const struct checkpoint_section *section = &checkpoint.sections[i];
        REQUIRE(memchr(section->name, '\0', sizeof section->name));
        const uint8_t *bytes = section->data;
        REQUIRE(section->bytes == 0 ||
                (bytes >= data && section->bytes <= size && (size_t)(bytes - data) <= size - section->bytes));
        REQUIRE(checkpoint_find(&checkpoint, section->name));
        uint8_t *copy = malloc(section->bytes + 1);
        REQUIRE(copy);
        REQUIRE(checkpoint_find(&checkpoint, section->name) != section ||
                checkpoint_get(&checkpoint, section->name, copy, section->bytes, &error) == SHOAL_OK);
        REQUIRE(checkpoint_get(&checkpoint, section->name, copy, section->bytes + 1, &error) != SHOAL_OK);
        free(copy);
    }
    match_options(&checkpoint);
    REQUIRE(!checkpoint_find(&checkpoint, "a name that no section has room for"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *file = input_block(data, size, sizeof(uint64_t));
    parse(file, size);
    uint64_t hash = XXH3_64bits(file, size);
    memcpy(file + size, &hash, sizeof hash);
    parse(file, size + sizeof hash);
    /* In place of the last eight bytes, which hold the hash of a good file. */
    if (size >= sizeof hash) {
        hash = XXH3_64bits(file, size - sizeof hash);
        memcpy(file + size - sizeof hash, &hash, sizeof hash);
        parse(file, size);
    }
    free(file);
    return 0;
}
