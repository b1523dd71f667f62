/* The data files of COCO, in the format "bbob-new2" of coco-experiment 2.8. Each function has a file
 * NAME.info, and for each dimension NAME.dat, with a line for each improvement of a trial, and NAME.tdat,
 * with the best values at given numbers of evaluations. */
#include "cli/bbob/bbob.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The text of a file, written to memory. */
struct text {
    FILE *out;
    char *bytes;
    size_t size;
};

static void begin(struct text *text)
{
    *text = (struct text){.out = NULL};
    text->out = open_memstream(&text->bytes, &text->size);
}

/* Writes the file and frees the text. Returns an exit code. */
static int end(struct text *text, const char *option, const char *path)
{
    struct shoal_error error;
    int code = CLI_OK;
    if (!text->out || fclose(text->out) != 0)
        code = cli_error(CLI_FAILURE, "out of memory");
    else if (cli_write_file(path, text->bytes, text->size, &error) != SHOAL_OK)
        code = cli_fail(option, &error);
    free(text->bytes);
    return code;
}

static int failed(const char *option, const char *path, const char *call, const char *what)
{
    struct shoal_error error;
    cli_io_failed(&error, path, call, what, "");
    return cli_fail(option, &error);
}

int bbob_coco_check(const char *option, const char *folder)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    bool is_empty = true;
    if (!entries && errno == ENOENT)
        return mkdir(folder, 0777) == 0 ? CLI_OK : failed(option, folder, "mkdir", "cannot be made");
    if (!entries)
        return failed(option, folder, "opendir", "cannot be read");
    while ((entry = readdir(entries)))
        is_empty = is_empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    closedir(entries);
    return is_empty
               ? CLI_OK
               : cli_error(CLI_USAGE, "%s: %s is not empty: name a new folder, since cocopp reads all of it",
                           option, folder);
}

static void write_heading(FILE *out, const struct suite_trial *trial)
{
    fprintf(out,
            "%% f evaluations | g evaluations | best noise-free fitness - Fopt (%.12e) + sum g_i+ | measured "
            "fitness | best measured fitness or single-digit g-values | x1 | x2...\n",
            trial->minimum);
}

static void write_line(FILE *out, const struct suite_trial *trial, size_t gain, uint64_t evaluations)
{
    const double difference = trial->gains[gain].difference, value = trial->minimum + difference;
    fprintf(out, "%" PRIu64 " 0 %+.9e %+.9e %+.9e", evaluations, difference, value, value);
    for (size_t i = 0; i < trial->dim; i++)
        fprintf(out, " %+.4e", trial->points[gain * trial->dim + i]);
    putc('\n', out);
}

/* Writes a line for each improvement of the trial, and a line for the last evaluation if it is after the last
 * improvement. */
static void write_gains(FILE *out, const struct suite_trial *trial)
{
    write_heading(out, trial);
    for (size_t i = 0; i < trial->gain_count; i++)
        write_line(out, trial, i, trial->gains[i].evaluations);
    if (trial->gain_count && trial->gains[trial->gain_count - 1].evaluations < trial->evaluations)
        write_line(out, trial, trial->gain_count - 1, trial->evaluations);
}

/* Writes the best values at 20 numbers of evaluations in each power of ten. */
static void write_times(FILE *out, const struct suite_trial *trial)
{
    uint64_t last = 0;
    size_t gain = 0;
    write_heading(out, trial);
    for (int i = 0; trial->gain_count && last < trial->evaluations; i++) {
        const double time = floor(pow(10, (double)i / 20));
        const uint64_t evaluations = time < (double)trial->evaluations ? (uint64_t)time : trial->evaluations;
        if (evaluations <= last || evaluations < trial->gains[0].evaluations)
            continue;
        while (gain + 1 < trial->gain_count && trial->gains[gain + 1].evaluations <= evaluations)
            gain++;
        write_line(out, trial, gain, evaluations);
        last = evaluations;
    }
}

/* Writes the part of an .info file about a dimension. */
static void write_info(FILE *out, const struct suite *suite, const struct suite_trial *trials,
                       const char *name, const char *stem)
{
    fprintf(out, "suite = 'bbob', funcId = %d, DIM = %zu, Precision = %.3e, algId = '", trials->function,
            trials->dim, suite->success);
    for (const char *c = name; *c; c++)
        putc(*c == '\'' || (unsigned char)*c < ' ' ? '_' : *c, out);
    fprintf(out, "', logger = 'bbob', data_format = 'bbob-new2'\n%% shoal %s\n%s.dat", shoal_version(), stem);
    for (size_t i = 0; i < suite->instance_count; i++)
        if (trials[i].gain_count)
            fprintf(out, ", %" PRIu64 ":%" PRIu64 "|%.1e", trials[i].instance, trials[i].evaluations,
                    fmax(trials[i].difference, 0));
    putc('\n', out);
}

static int write_data(const struct suite *suite, const struct suite_trial *trials, const char *option,
                      const char *folder, const char *stem, bool is_dat)
{
    struct text text;
    char *path = cli_sprintf("%s/%s.%s", folder, stem, is_dat ? "dat" : "tdat");
    begin(&text);
    for (size_t i = 0; text.out && i < suite->instance_count; i++)
        if (trials[i].gain_count)
            (is_dat ? write_gains : write_times)(text.out, &trials[i]);
    const int code = end(&text, option, path);
    free(path);
    return code;
}

static int write_function(const struct bbob_run *run, size_t function, const char *option, const char *folder,
                          const char *name)
{
    const struct suite *suite = &run->suite;
    const int number = (int)suite->functions[function];
    struct text info;
    char *path = cli_sprintf("%s/data_f%d", folder, number);
    int code = mkdir(path, 0777) == 0 ? CLI_OK : failed(option, path, "mkdir", "cannot be made");
    free(path);
    begin(&info);
    for (size_t d = 0; info.out && d < suite->dim_count && code == CLI_OK; d++) {
        const struct suite_trial *trials = suite_trials(suite, function, d);
        char *stem = cli_sprintf("data_f%d/bbobexp_f%d_DIM%zu", number, number, trials->dim);
        write_info(info.out, suite, trials, name, stem);
        code = write_data(suite, trials, option, folder, stem, true);
        if (code == CLI_OK)
            code = write_data(suite, trials, option, folder, stem, false);
        free(stem);
    }
    path = cli_sprintf("%s/bbobexp_f%d.info", folder, number);
    code = cli_first_failure(code, end(&info, option, path));
    free(path);
    return code;
}

int bbob_coco_write(const struct bbob_run *run, const char *option, const char *folder, const char *name)
{
    int code = CLI_OK;
    for (size_t f = 0; f < run->suite.function_count && code == CLI_OK; f++)
        code = write_function(run, f, option, folder, name);
    if (code == CLI_OK)
        cli_note(run->cli, "wrote %s", folder);
    return code;
}
