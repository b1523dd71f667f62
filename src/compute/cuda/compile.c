#include "compute/cuda/compile.h"

#include "compute/program/build_log.h"
#include "compute/program/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cuda_target_choose(const struct nvrtc *nvrtc, int device_architecture, struct cuda_target *target)
{
    bool found = false;
    for (int i = 0; i < nvrtc->architecture_count; i++) {
        int architecture = nvrtc->architectures[i];
        if (architecture > device_architecture)
            break;
        *target =
            (struct cuda_target){.architecture = architecture, .ptx = architecture != device_architecture};
        found = true;
    }
    return found;
}

/* The text that NVRTC compiles. Defines are part of it, after the headers of the compiler: as an option -D, a
 * define such as N=4 would change these headers. */
static char *full_text(const struct build_input *input)
{
    struct text text = {0};
    if (!input->native) {
        text_add(&text, "#line 1 \"cuda/prelude.cuh\"\n");
        text_add(&text, source_embedded("cuda/prelude.cuh"));
    }
    for (size_t i = 0; i < input->define_count; i++) {
        const char *define = input->defines[i];
        int name = (int)strcspn(define, "=");
        /* the prelude has defaults for some defines */
        text_printf(&text, "#undef %.*s\n#define %.*s %s\n", name, define, name, define,
                    define[name] ? define + name + 1 : "1");
    }
    text_printf(&text, "#line 1 \"%s\"\n", input->name);
    text_add(&text, input->text);
    if (text.failed)
        text_free(&text);
    return text.data;
}

static enum shoal_status fail_nvrtc(const struct nvrtc *nvrtc, const char *call, nvrtc_result code,
                                    const char *name, struct shoal_error *error)
{
    return fail_call(error, code == NVRTC_OUT_OF_MEMORY ? SHOAL_OUT_OF_HOST_MEMORY : SHOAL_BUILD_FAILED, call,
                     (int)code, "%s: NVRTC %d.%d failed with %s", name, nvrtc->major, nvrtc->minor,
                     nvrtc->nvrtcGetErrorString(code));
}

static nvrtc_result run_compiler(const struct nvrtc *nvrtc, nvrtc_program program, struct cuda_target target,
                                 const struct build_input *input)
{
    char architecture[48];
    snprintf(architecture, sizeof architecture, "--gpu-architecture=%s_%d", target.ptx ? "compute" : "sm",
             target.architecture);
    const char *options[9] = {
        architecture, "--std=c++17",
        "-default-device", /* functions without a qualifier run on the device, as in OpenCL C */
        /* suppresses warnings about unknown pragmas (OPENCL EXTENSION), and about functions of included files
         * that the kernel does not use */
        "--diag-suppress=161,177"};
    int count = 4;
    if (input->without_contraction)
        options[count++] = "--fmad=false";
    if (!input->strict_fp) {
        /* as OpenCL C allows: division within 2.5 ulp, square root within 3 */
        options[count++] = "--prec-div=false";
        options[count++] = "--prec-sqrt=false";
    }
    if (input->flush_subnormals)
        options[count++] = "--ftz=true";
    return nvrtc->nvrtcCompileProgram(program, count, options);
}

/* Returns a copy of the log; NULL: the log is empty or cannot be read. */
static char *read_log(const struct nvrtc *nvrtc, nvrtc_program program)
{
    size_t bytes = 0;
    if (nvrtc->nvrtcGetProgramLogSize(program, &bytes) || bytes <= 1)
        return NULL;
    char *log = malloc(bytes + 1);
    if (!log)
        return NULL;
    if (nvrtc->nvrtcGetProgramLog(program, log)) {
        free(log);
        return NULL;
    }
    log[bytes] = '\0';
    if (log[strspn(log, " \n")])
        return log;
    free(log);
    return NULL;
}

static enum shoal_status read_image(const struct nvrtc *nvrtc, nvrtc_program program, bool ptx,
                                    const char *name, struct cuda_image *image, struct shoal_error *error)
{
    const char *call = ptx ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize";
    size_t bytes = 0;
    nvrtc_result code =
        ptx ? nvrtc->nvrtcGetPTXSize(program, &bytes) : nvrtc->nvrtcGetCUBINSize(program, &bytes);
    if (code)
        return fail_nvrtc(nvrtc, call, code, name, error);
    char *data = malloc(bytes + 1);
    if (!data)
        return fail_host_memory(error);
    data[bytes] = '\0';
    call = ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN";
    code = ptx ? nvrtc->nvrtcGetPTX(program, data) : nvrtc->nvrtcGetCUBIN(program, data);
    if (code) {
        free(data);
        return fail_nvrtc(nvrtc, call, code, name, error);
    }
    *image = (struct cuda_image){.data = data, .bytes = bytes};
    return SHOAL_OK;
}

enum shoal_status cuda_compile(const struct nvrtc *nvrtc, struct cuda_target target,
                               const struct build_input *input, struct cuda_image *image, char **log,
                               struct shoal_error *error)
{
    *image = (struct cuda_image){0};
    *log = NULL;
    char *text = full_text(input);
    if (!text)
        return fail_host_memory(error);
    nvrtc_program program;
    enum shoal_status status = SHOAL_OK;
    nvrtc_result code = nvrtc->nvrtcCreateProgram(&program, text, input->name, 0, NULL, NULL);
    free(text);
    if (code)
        return fail_nvrtc(nvrtc, "nvrtcCreateProgram", code, input->name, error);
    code = run_compiler(nvrtc, program, target, input);
    *log = read_log(nvrtc, program);
    if (code == NVRTC_COMPILATION) {
        char cause[512] = "";
        if (*log)
            build_log_describe(*log, NULL, cause, sizeof cause);
        status = fail_call(error, SHOAL_BUILD_FAILED, "nvrtcCompileProgram", (int)code,
                           "%s does not compile for CUDA: %s", input->name,
                           *cause ? cause : "the compiler gives no reason");
    }
    if (code && !status)
        status = fail_nvrtc(nvrtc, "nvrtcCompileProgram", code, input->name, error);
    else if (!code)
        status = read_image(nvrtc, program, target.ptx, input->name, image, error);
    if (status && *log)
        error_set_log(error, *log);
    nvrtc->nvrtcDestroyProgram(&program);
    return status;
}
