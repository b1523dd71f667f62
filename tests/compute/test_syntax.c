/* Every kernel file, flattened, through a compiler other than a driver's: clang as a plain OpenCL C 1.2 front
 * end. In quick those of test_is_of_quick. Skipped (77) where there is no clang. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

static bool has_define(const struct shoal_program_desc *desc, const char *name)
{
    for (uint32_t i = 0; i < desc->define_count; i++)
        if (strcmp(desc->defines[i].name, name) == 0)
            return true;
    return false;
}

/* Unused functions come with headers. The built-in functions are declared by clang's own header. */
static bool compiles(const char *file, const char *text, const char *defines)
{
    char command[512];
    snprintf(command, sizeof command,
             "clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Xclang -cl-ext=+all -Wall -Wextra "
             "-Wno-unused-function -Wno-unused-parameter -Werror -fsyntax-only %s -",
             defines);
    FILE *compiler = popen(command, "w");
    if (!compiler) {
        perror("clang");
        return false;
    }
    fputs(text, compiler);
    if (pclose(compiler) == 0)
        return true;
    fprintf(stderr, "%s (%s) is not OpenCL C 1.2 to clang\n", file, defines);
    return false;
}

int main(void)
{
    static struct shoal_error error;
    struct shoal *shoal = NULL;
    struct shoal_params params;
    int failed = 0;
    if (system("clang --version > /dev/null 2>&1") != 0) {
        fprintf(stderr, "there is no clang: skipped\n");
        return SKIPPED;
    }
    shoal_params_init(&params);
    params.no_cache = true;
    if (shoal_open(&shoal, &params, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (size_t i = 0; i < shoal_program_desc_count(); i++) {
        const struct shoal_program_desc *desc = shoal_program_desc_at(i);
        char *text = NULL;
        if (!test_is_of_quick((unsigned)i))
            continue;
        if (shoal_kernel_source(shoal, desc->file, &text, &error)) {
            fprintf(stderr, "%s\n", error.message);
            failed++;
            continue;
        }
        failed += !compiles(desc->file, text, "");
        if (has_define(desc, "REAL"))
            failed += !compiles(desc->file, text, "-DREAL=64");
        free(text);
    }
    shoal_close(&shoal);
    return failed ? 1 : 0;
}
