/* Texts of species and, behind a line feed, of their pairs: whatever the bytes, either one line that says
 * what is wrong or values in range, the same for both orders of a pair. */
#include "target.h"

#include "gas/species/species.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = input_string(data, size), *pairs = strchr(text, '\n');
    struct shoal_gas_params params;
    struct shoal_error error = {0};
    struct gas_kinds kinds;
    shoal_gas_params_init(&params);
    if (pairs)
        *pairs++ = '\0';
    params.species = text;
    params.species_pairs = pairs;
    enum shoal_status status = gas_kinds_read(&params, &kinds, &error);
    if (status) {
        REQUIRE(status == SHOAL_INVALID && error.message[0] && !strpbrk(error.message, "\r\n"));
    } else {
        REQUIRE(kinds.count >= 2 && kinds.count <= SHOAL_GAS_MOST_SPECIES);
        for (size_t a = 0; a < kinds.count; a++) {
            const struct gas_kind *kind = &kinds.kind[a];
            REQUIRE(strlen(kind->name) > 0 && strlen(kind->name) < sizeof kind->name);
            REQUIRE(kinds.has_amounts ? kind->amount >= 0 : isnan(kind->amount));
            REQUIRE(isnan(kind->mass) || kind->mass > 0);
            for (size_t b = 0; b < kinds.count; b++) {
                const struct gas_strength one = gas_strength_between(&params, &kinds, a, b);
                const struct gas_strength other = gas_strength_between(&params, &kinds, b, a);
                REQUIRE(one.epsilon == other.epsilon && one.sigma == other.sigma && one.sigma > 0);
                REQUIRE(one.cutoff == other.cutoff && one.cutoff > 0 && one.epsilon >= 0);
            }
        }
    }
    status = gas_species_check(&params, &error);
    free(text);
    return 0;
}
