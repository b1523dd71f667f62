#include "gas/model/pair_code.h"
#include "base/error.h"
#include "compute/program/host/code.h"
#include "compute/program/user_text.h"

#include <stdlib.h>
#include <string.h>

struct gas_code {
    struct host_code *host;
    void (*pair)(double d, double *force, double *energy);
    double cutoff;
};

enum shoal_status pair_code_check(const struct shoal *shoal, const char *text, const char *name,
                                  char **checked, struct shoal_error *error)
{
    static const char *const macros[] = {"CUTOFF", NULL};
    static const char *const functions[] = {"user_force", "user_energy", NULL};
    static const char *const none[] = {NULL};
    static const char *const folders[] = {"lib/", NULL};
    static const struct user_text_rules rules = {macros, functions, none, folders, NULL};
    enum shoal_status status = user_text_check(shoal, text, name, &rules, checked, error);
    for (size_t i = 0; !status && functions[i]; i++)
        if (!strstr(*checked, functions[i]))
            status = fail(error, SHOAL_INVALID,
                          "%s defines no %s(real d): a pair force has user_force, force over distance, and "
                          "user_energy, both of the squared distance d",
                          name, functions[i]);
    if (status) {
        free(*checked);
        *checked = NULL;
    }
    return status;
}

static struct host_code_params host_params(const char *text, const char *name)
{
    return (struct host_code_params){
        .text = text, .name = name, .file = "gas/host.h", .replaced = "gas/model/snippet.clh"};
}

enum shoal_status pair_code_try(struct shoal *shoal, const char *text, const char *name,
                                struct shoal_error *error)
{
    const struct host_code_params params = host_params(text, name);
    return host_code_check(shoal, &params, error);
}

enum shoal_status pair_code_create(struct shoal *shoal, const char *text, const char *name,
                                   struct gas_code **out, struct shoal_error *error)
{
    const struct host_code_params params = host_params(text, name);
    double (*cutoff)(void);
    *out = NULL;
    struct gas_code *code = calloc(1, sizeof *code);
    if (!code)
        return fail_host_memory(error);
    enum shoal_status status = host_code_create(shoal, &params, &code->host, error);
    if (!status)
        status = host_code_find(code->host, "shoal_host_pair", &code->pair, error);
    if (!status)
        status = host_code_find(code->host, "shoal_host_cutoff", &cutoff, error);
    if (status)
        pair_code_destroy(&code);
    else
        code->cutoff = cutoff();
    *out = code;
    return status;
}

void pair_code_evaluate(const struct gas_code *code, double d, double *force, double *energy)
{
    code->pair(d, force, energy);
}

double pair_code_cutoff(const struct gas_code *code)
{
    return code->cutoff;
}

void pair_code_destroy(struct gas_code **code)
{
    if (!*code)
        return;
    host_code_destroy(&(*code)->host);
    free(*code);
    *code = NULL;
}
