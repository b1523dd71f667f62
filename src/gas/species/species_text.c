/* Reads and writes the texts of species and of pairs of species. */
#include "base/error.h"
#include "base/text.h"
#include "gas/species/species.h"
#include "io/decimal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Part of a text: from begin to before end. */
struct part {
    const char *begin, *end;
};

static int width_of(struct part part)
{
    const ptrdiff_t width = part.end - part.begin;
    return width > 40 ? 40 : (int)width;
}

/* Takes the part of *rest up to the next `separator`. False: nothing is left. */
static bool take(struct part *rest, char separator, struct part *part)
{
    if (!rest->begin)
        return false;
    const char *at = memchr(rest->begin, separator, (size_t)(rest->end - rest->begin));
    *part = (struct part){rest->begin, at ? at : rest->end};
    *rest = (struct part){at ? at + 1 : NULL, rest->end};
    return true;
}

static bool is(struct part part, const char *word)
{
    return strlen(word) == (size_t)(part.end - part.begin) && !strncmp(part.begin, word, strlen(word));
}

/* Reads a number that fills the part. False: it is none. */
static bool read_number(struct part part, double *value)
{
    char text[48];
    const size_t length = (size_t)(part.end - part.begin);
    if (length == 0 || length >= sizeof text)
        return false;
    memcpy(text, part.begin, length);
    text[length] = '\0';
    return decimal_read(text, value) == text + length && isfinite(*value);
}

/* A value of a species or a pair, and its range. */
struct key {
    const char *name;
    double *value;
    double least, most;
};

/* Reads the values :KEY=VALUE of a species or a pair. what: the species or pair, for messages. */
static enum shoal_status read_values(const char *option, struct part what, struct part rest,
                                     const struct key *keys, size_t count, struct shoal_error *error)
{
    struct part part;
    while (take(&rest, ':', &part)) {
        struct part name, all = part;
        size_t k = 0;
        take(&part, '=', &name);
        while (k < count && !is(name, keys[k].name))
            k++;
        if (k == count)
            return fail(error, SHOAL_INVALID, "%s: %.*s has no value '%.*s': there are %s", option,
                        width_of(what), what.begin, width_of(name), name.begin,
                        count == 3 ? "epsilon, sigma and cutoff" : "mass, charge, epsilon and sigma");
        if (!isnan(*keys[k].value))
            return fail(error, SHOAL_INVALID, "%s: %.*s has two values of %s: leave one out", option,
                        width_of(what), what.begin, keys[k].name);
        if (!part.begin || !read_number(part, keys[k].value) || !(*keys[k].value >= keys[k].least) ||
            !(*keys[k].value <= keys[k].most))
            return fail(error, SHOAL_INVALID, "%s: %.*s has '%.*s': %s must be a number from %g to %g",
                        option, width_of(what), what.begin, width_of(all), all.begin, keys[k].name,
                        keys[k].least, keys[k].most);
    }
    return SHOAL_OK;
}

static bool is_name(struct part name)
{
    const ptrdiff_t length = name.end - name.begin;
    bool good = length > 0 && length < GAS_SPECIES_NAME && isalpha((unsigned char)*name.begin);
    for (const char *c = name.begin; c < name.end && good; c++)
        good = isalnum((unsigned char)*c) || *c == '_';
    return good;
}

/* Number of the species with this name; the number of species: there is none. */
static size_t find(const struct gas_kinds *kinds, struct part name)
{
    size_t s = 0;
    while (s < kinds->count && !is(name, kinds->kind[s].name))
        s++;
    return s;
}

static enum shoal_status read_amount(struct gas_kinds *kinds, struct gas_kind *kind, struct part amount,
                                     struct shoal_error *error)
{
    const bool is_first = kinds->count == 0, is_given = amount.begin != NULL;
    const bool is_fraction = is_given && memchr(amount.begin, '.', (size_t)(amount.end - amount.begin));
    if (is_given && (!read_number(amount, &kind->amount) || !(kind->amount >= 0) ||
                     (is_fraction ? kind->amount > 1 : kind->amount != rint(kind->amount))))
        return fail(error, SHOAL_INVALID,
                    "--species: %s=%.*s is neither a number of particles nor a fraction of 0.0 to 1.0",
                    kind->name, width_of(amount), amount.begin);
    if (is_first) {
        kinds->has_amounts = is_given;
        kinds->are_fractions = is_fraction;
    }
    if (kinds->has_amounts != is_given || kinds->are_fractions != is_fraction)
        return fail(error, SHOAL_INVALID,
                    "--species: %s differs from the species before it: give numbers of particles or, with a "
                    "decimal point, fractions for all",
                    kind->name);
    return SHOAL_OK;
}

static enum shoal_status read_kind(struct part part, struct gas_kinds *kinds, struct shoal_error *error)
{
    struct part rest = part, head, name, amount;
    take(&rest, ':', &head);
    amount = head;
    take(&amount, '=', &name);
    if (kinds->count == SHOAL_GAS_MOST_SPECIES)
        return fail(error, SHOAL_INVALID, "--species names more than %d species", SHOAL_GAS_MOST_SPECIES);
    struct gas_kind *kind = &kinds->kind[kinds->count];
    *kind = (struct gas_kind){.amount = NAN, .mass = NAN, .charge = NAN, .epsilon = NAN, .sigma = NAN};
    if (!is_name(name))
        return fail(error, SHOAL_INVALID,
                    "--species: '%.*s' is no name of a species, which has up to %d letters, digits and _, a "
                    "letter first",
                    width_of(name), name.begin, GAS_SPECIES_NAME - 1);
    if (find(kinds, name) < kinds->count)
        return fail(error, SHOAL_INVALID, "--species names %.*s twice", width_of(name), name.begin);
    memcpy(kind->name, name.begin, (size_t)(name.end - name.begin));
    enum shoal_status status = read_amount(kinds, kind, amount, error);
    if (status)
        return status;
    const struct key keys[] = {{"mass", &kind->mass, 1e-12, 1e12},
                               {"charge", &kind->charge, -1e6, 1e6},
                               {"epsilon", &kind->epsilon, 0, 1e12},
                               {"sigma", &kind->sigma, 1e-6, 1e6}};
    kinds->count++;
    return read_values("--species", name, rest, keys, 4, error);
}

static enum shoal_status read_pair(struct part part, struct gas_kinds *kinds,
                                   bool seen[SHOAL_GAS_MOST_SPECIES][SHOAL_GAS_MOST_SPECIES],
                                   struct shoal_error *error)
{
    struct part rest = part, head, first, second;
    take(&rest, ':', &head);
    second = head;
    take(&second, '-', &first);
    if (!second.begin)
        return fail(error, SHOAL_INVALID, "--species-pairs: '%.*s' is no pair NAME-NAME", width_of(head),
                    head.begin);
    const struct part names[] = {first, second};
    size_t number[2];
    for (size_t i = 0; i < 2; i++) {
        number[i] = find(kinds, names[i]);
        if (number[i] == kinds->count)
            return fail(error, SHOAL_INVALID,
                        "--species-pairs: %.*s has '%.*s', which --species does not name", width_of(head),
                        head.begin, width_of(names[i]), names[i].begin);
    }
    const size_t a = number[0], b = number[1];
    struct gas_kind_pair *pair = &kinds->pair[a][b];
    if (seen[a][b])
        return fail(error, SHOAL_INVALID, "--species-pairs has the pair %s-%s twice", kinds->kind[a].name,
                    kinds->kind[b].name);
    if (!rest.begin)
        return fail(error, SHOAL_INVALID,
                    "--species-pairs: %.*s has no values: give :epsilon, :sigma or "
                    ":cutoff",
                    width_of(head), head.begin);
    const struct key keys[] = {{"epsilon", &pair->epsilon, 0, 1e12},
                               {"sigma", &pair->sigma, 1e-6, 1e6},
                               {"cutoff", &pair->cutoff, 1e-6, 1e15}};
    enum shoal_status status = read_values("--species-pairs", head, rest, keys, 3, error);
    kinds->pair[b][a] = *pair;
    seen[a][b] = seen[b][a] = true;
    return status;
}

enum shoal_status gas_kinds_read(const struct shoal_gas_params *params, struct gas_kinds *kinds,
                                 struct shoal_error *error)
{
    const char *species = params->species, *pairs = params->species_pairs;
    struct part rest = {species, species + strlen(species)}, part;
    bool seen[SHOAL_GAS_MOST_SPECIES][SHOAL_GAS_MOST_SPECIES] = {{false}};
    enum shoal_status status = SHOAL_OK;
    *kinds = (struct gas_kinds){.count = 0};
    for (size_t at = 0; at < SHOAL_GAS_MOST_SPECIES * SHOAL_GAS_MOST_SPECIES; at++)
        kinds->pair[at / SHOAL_GAS_MOST_SPECIES][at % SHOAL_GAS_MOST_SPECIES] =
            (struct gas_kind_pair){NAN, NAN, NAN};
    while (!status && take(&rest, ',', &part))
        status = read_kind(part, kinds, error);
    if (!status && kinds->count < 2)
        status = fail(error, SHOAL_INVALID,
                      "--species names one species: name at least two, or set --mass, --epsilon and --sigma");
    if (pairs)
        rest = (struct part){pairs, pairs + strlen(pairs)};
    while (!status && pairs && take(&rest, ',', &part))
        status = read_pair(part, kinds, seen, error);
    return status;
}

size_t gas_kinds_particles(const struct shoal_gas_params *params)
{
    struct gas_kinds kinds;
    struct shoal_error ignored;
    double sum = 0;
    if (!params->species || gas_kinds_read(params, &kinds, &ignored) || !kinds.has_amounts ||
        kinds.are_fractions)
        return 0;
    for (size_t s = 0; s < kinds.count; s++)
        sum += kinds.kind[s].amount;
    return sum <= 1e9 ? (size_t)sum : 0;
}

/* Texts ------------------------------------------------------------------------------------------------ */

static void add_value(struct text *text, const char *key, double value)
{
    if (!isnan(value))
        text_printf(text, ":%s=%s", key, decimal_text(value, false).s);
}

enum shoal_status gas_kinds_text(const struct gas_kinds *kinds, char **out, struct shoal_error *error)
{
    struct text text = {0};
    for (size_t s = 0; s < kinds->count; s++) {
        const struct gas_kind *kind = &kinds->kind[s];
        text_printf(&text, "%s%s", s ? "," : "", kind->name);
        if (kinds->has_amounts) /* a decimal point makes the amount a fraction */
            text_printf(&text, "=%.*f", kinds->are_fractions ? 17 : 0, kind->amount);
        add_value(&text, "mass", kind->mass);
        add_value(&text, "charge", kind->charge);
        add_value(&text, "epsilon", kind->epsilon);
        add_value(&text, "sigma", kind->sigma);
    }
    *out = text.data;
    return text.failed ? fail_host_memory(error) : SHOAL_OK;
}

enum shoal_status gas_kinds_share(const struct shoal_gas_params *params, double fraction, char **out,
                                  struct shoal_error *error)
{
    struct gas_kinds kinds;
    double others = 0;
    *out = NULL;
    if (!params->species)
        return fail(error, SHOAL_INVALID, "a fraction of the first species needs --species");
    const enum shoal_status status = gas_kinds_read(params, &kinds, error);
    if (status)
        return status;
    if (!(fraction >= 0 && fraction <= 1))
        return fail(error, SHOAL_INVALID, "%g is no fraction of the first species: give 0 to 1", fraction);
    for (size_t s = 1; s < kinds.count; s++)
        others += kinds.kind[s].amount;
    if (!kinds.has_amounts || !kinds.are_fractions || !(others > 0))
        return fail(error, SHOAL_INVALID,
                    "a fraction of the first species needs fractions in --species, above 0 for another one: "
                    "%s=0.5",
                    kinds.kind[1].name);
    kinds.kind[0].amount = fraction;
    for (size_t s = 1; s < kinds.count; s++)
        kinds.kind[s].amount *= (1 - fraction) / others;
    return gas_kinds_text(&kinds, out, error);
}
