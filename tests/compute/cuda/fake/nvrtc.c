/* The fake NVRTC: see fake.h. */
#include "fake.h"

#include "compute/cuda/api.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECLARE(symbol, parameters) nvrtc_result symbol parameters;
NVRTC_FUNCTIONS(DECLARE)
#undef DECLARE
const char *nvrtcGetErrorString(nvrtc_result code);

struct _nvrtcProgram {
    char *text, *name, *options;
    bool failed;
};

static const int architectures[] = {80, 75, 90};

const char *nvrtcGetErrorString(nvrtc_result code)
{
    return code == NVRTC_COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR";
}

nvrtc_result nvrtcVersion(int *major, int *minor)
{
    const char *version = getenv("FAKE_NVRTC_VERSION");
    return sscanf(version ? version : "13.0", "%d.%d", major, minor) == 2 ? NVRTC_OK : 1;
}

nvrtc_result nvrtcGetNumSupportedArchs(int *count)
{
    *count = (int)(sizeof architectures / sizeof *architectures);
    return NVRTC_OK;
}

nvrtc_result nvrtcGetSupportedArchs(int *list)
{
    memcpy(list, architectures, sizeof architectures);
    return NVRTC_OK;
}

nvrtc_result nvrtcCreateProgram(nvrtc_program *program, const char *text, const char *name, int header_count,
                                const char *const *headers, const char *const *header_names)
{
    (void)headers;
    (void)header_names;
    if (header_count)
        return 1;
    *program = calloc(1, sizeof **program);
    (*program)->text = strdup(text);
    (*program)->name = strdup(name);
    return NVRTC_OK;
}

nvrtc_result nvrtcDestroyProgram(nvrtc_program *program)
{
    free((*program)->text);
    free((*program)->name);
    free((*program)->options);
    free(*program);
    *program = NULL;
    return NVRTC_OK;
}

nvrtc_result nvrtcCompileProgram(nvrtc_program program, int option_count, const char *const *options)
{
    size_t bytes = 1;
    for (int i = 0; i < option_count; i++)
        bytes += strlen(options[i]) + 1;
    program->options = calloc(1, bytes);
    for (int i = 0; i < option_count; i++) {
        strcat(program->options, options[i]);
        strcat(program->options, " ");
    }
    program->failed = strstr(program->text, "#error") != NULL;
    return program->failed ? NVRTC_COMPILATION : NVRTC_OK;
}

static size_t log_text(nvrtc_program program, char *log, size_t size)
{
    const char *warning = strstr(program->text, "#warning");
    if (program->failed)
        return (size_t)snprintf(log, size, "%s(7): error: told to fail\n", program->name);
    return warning ? (size_t)snprintf(log, size, "%s(3): warning: told to warn\n", program->name) : 0;
}

nvrtc_result nvrtcGetProgramLogSize(nvrtc_program program, size_t *bytes)
{
    *bytes = log_text(program, NULL, 0) + 1;
    return NVRTC_OK;
}

nvrtc_result nvrtcGetProgramLog(nvrtc_program program, char *log)
{
    *log = '\0';
    log_text(program, log, log_text(program, NULL, 0) + 1);
    return NVRTC_OK;
}

/* "options\ntext" with its NUL, as PTX; behind an ELF header as a cubin. */
nvrtc_result nvrtcGetPTXSize(nvrtc_program program, size_t *bytes)
{
    *bytes = strlen(program->options) + 1 + strlen(program->text) + 1;
    return NVRTC_OK;
}

nvrtc_result nvrtcGetPTX(nvrtc_program program, char *ptx)
{
    sprintf(ptx, "%s\n%s", program->options, program->text);
    return NVRTC_OK;
}

nvrtc_result nvrtcGetCUBINSize(nvrtc_program program, size_t *bytes)
{
    nvrtcGetPTXSize(program, bytes);
    *bytes += FAKE_CUBIN_HEADER;
    return NVRTC_OK;
}

nvrtc_result nvrtcGetCUBIN(nvrtc_program program, char *cubin)
{
    static const char magic[6] = {0x7f, 'E', 'L', 'F', 2, 1};
    memset(cubin, 0, FAKE_CUBIN_HEADER);
    memcpy(cubin, magic, sizeof magic);
    return nvrtcGetPTX(program, cubin + FAKE_CUBIN_HEADER);
}
