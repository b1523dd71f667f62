/* The native row evaluator as least squares specialises it: tensor units where an architecture has them, and
 * never a word in the log. Skipped (77) without NVRTC. */
#include "compute/cuda/compile.h"
#include "compute/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77, DEFINES = 9 };

static struct nvrtc nvrtc;
static struct shoal_error error;

struct specialisation {
    int real, dim, points, lanes, work_group, stage, linear;
};

static const struct specialisation specialisations[] = {
    {64, 4, 2, 32, 128, 16, 1}, {64, 8, 2, 128, 128, 8, 2}, {64, 17, 1, 8, 64, 3, 1},
    {64, 4, 8, 8, 128, 16, 0},  {32, 4, 8, 8, 128, 16, 1},
};

/* Text of the PTX, NULL where it does not compile. */
static char *compile(const struct specialisation *s, const char *text, int architecture)
{
    char strings[DEFINES][32];
    const char *defines[DEFINES];
    struct cuda_image image;
    char *log;
    const struct cuda_target target = {.architecture = architecture, .ptx = true};
    const struct {
        const char *name;
        int value;
    } values[DEFINES] = {{"COLUMNS", s->dim + 1}, {"DIM", s->dim},       {"LANES", s->lanes},
                         {"LINEAR", s->linear},   {"POINTS", s->points}, {"REAL", s->real},
                         {"SHIFTED", 1},          {"STAGE", s->stage},   {"WG", s->work_group}};
    for (int i = 0; i < DEFINES; i++) {
        snprintf(strings[i], sizeof strings[i], "%s=%d", values[i].name, values[i].value);
        defines[i] = strings[i];
    }
    const struct build_input input = {
        .text = text, .name = "cuda/rows.cu", .defines = defines, .define_count = DEFINES, .native = true};
    enum shoal_status status = cuda_compile(&nvrtc, target, &input, &image, &log, &error);
    if (status || log)
        printf("sm_%d, dim %d: %s\n%s\n", architecture, s->dim,
               status ? error.message : "the log is not empty", log ? log : error.log);
    if (log) {
        free(log);
        if (!status)
            free(image.data);
        return NULL;
    }
    return status ? NULL : image.data;
}

int main(void)
{
    static const int architectures[] = {75, 80, 90};
    const struct shoal_program_params params = {.size = sizeof params};
    char reason[LOAD_REASON_SIZE], *text = NULL;
    int failures = 0;
    if (!nvrtc_load(&nvrtc, 0, reason)) {
        printf("skipped: %s\n", reason);
        return SKIPPED;
    }
    if (source_flatten(NULL, "cuda/rows.cu", &params, &text, &error)) {
        printf("%s\n", error.message);
        return 1;
    }
    for (size_t i = 0; i < sizeof specialisations / sizeof *specialisations; i++)
        for (size_t a = 0; a < sizeof architectures / sizeof *architectures; a++) {
            const struct specialisation *s = &specialisations[i];
            const bool tensor = s->linear && s->real == 64 && architectures[a] >= 80;
            char *ptx = compile(s, text, architectures[a]);
            if (!ptx || tensor != (strstr(ptx, "mma.sync") != NULL) ||
                (architectures[a] >= 80) != (strstr(ptx, "cp.async") != NULL)) {
                printf("sm_%d, dim %d, linear %d: not as it should be\n", architectures[a], s->dim,
                       s->linear);
                failures++;
            }
            free(ptx);
        }
    free(text);
    nvrtc_unload(&nvrtc);
    return failures ? 1 : 0;
}
