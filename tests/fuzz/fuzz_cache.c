/* Entries of the kernel cache, as they are and with the fields made good that a random input never hits. */
#include "target.h"

#include "compute/program/cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char key[] = "0123456789abcdef0123456789abcdef";

static void parse(const uint8_t *file, size_t size)
{
    size_t bytes = 0;
    const uint8_t *payload = cache_parse(file, size, key, &bytes);
    if (!payload)
        return;
    REQUIRE(payload >= file && bytes <= size && (size_t)(payload - file) <= size - bytes);
    /* Every byte is there to be read. */
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < bytes; i++)
        sum = (uint8_t)(sum + payload[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *file = input_block(data, size, 0);
    parse(file, size);
    if (size >= 64) {
        uint64_t fields[3] = {2, size - 64, XXH3_64bits(file + 64, size - 64)};
        size_t bytes;
        memcpy(file, "shoalbin", 8);
        parse(file, size);
        memcpy(file + 8, fields, sizeof fields);
        memset(file + 32, 'x', 32);
        REQUIRE(!cache_parse(file, size, key, &bytes));
        memcpy(file + 32, key, 32);
        REQUIRE(cache_parse(file, size, key, &bytes));
        parse(file, size);
        /* The length lies. */
        for (int shift = 0; shift < 64; shift += 7) {
            uint64_t length = (size - 64) ^ (UINT64_C(1) << shift);
            memcpy(file + 16, &length, sizeof length);
            parse(file, size);
        }
    }
    free(file);
    return 0;
}
