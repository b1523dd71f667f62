/* Allocation that always succeeds, numbers for people, and files that are written as a whole. */
#include "cli/output/text.h"
#include "base/file.h"
#include "base/packed/pack.h"
#include "base/text.h"
#include "cli/output/message.h"
#include "io/decimal.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void *or_die(void *block)
{
    if (!block) {
        fputs("shoal: out of memory\n", stderr);
        _exit(CLI_FAILURE);
    }
    return block;
}

void *cli_alloc(size_t bytes)
{
    return or_die(calloc(1, bytes ? bytes : 1));
}

void *cli_realloc(void *block, size_t bytes)
{
    return or_die(realloc(block, bytes ? bytes : 1));
}

char *cli_strdup(const char *text)
{
    return or_die(strdup(text));
}

char *cli_vsprintf(const char *format, va_list args)
{
    char *text = NULL;
    const int length = vasprintf(&text, format, args);
    return or_die(length < 0 ? NULL : text);
}

char *cli_sprintf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = cli_vsprintf(format, args);
    va_end(args);
    return text;
}

void cli_print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = cli_vsprintf(format, args);
    va_end(args);
    text_clean(text, "\n");
    fputs(text, stdout);
    free(text);
}

void *cli_keep_bytes(size_t bytes)
{
    struct kept {
        struct kept *next;
        max_align_t block[];
    };
    static struct kept *list;
    struct kept *kept = cli_alloc(sizeof *kept + bytes);
    kept->next = list;
    list = kept;
    return kept->block;
}

const char *cli_keep(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(cli_keep_bytes(bytes), text, bytes);
}

/* Number of decimals with which `value`, scaled by a prefix, has `digits` significant digits. */
static int decimals(double value, int digits)
{
    double size = fabs(value);
    int whole = size >= 999.95 ? 4 : size >= 99.995 ? 3 : size >= 9.9995 ? 2 : 1;
    return digits > whole ? digits - whole : 0;
}

static struct cli_text scaled(double value, const char *const *prefixes, int count, int first,
                              const char *unit)
{
    const double step = 1000;
    struct cli_text text = {"-"};
    if (!isfinite(value))
        return text;
    int index = first;
    /* 999.95 would be printed as 1000.0, so it belongs to the next prefix. */
    while (index + 1 < count && fabs(value) >= step * (1 - 5e-5)) {
        value /= step;
        index++;
    }
    while (index > 0 && value != 0 && fabs(value) < 1 - 5e-5) {
        value *= step;
        index--;
    }
    const char *prefix = prefixes[value == 0 ? first : index];
    snprintf(text.s, sizeof text.s, "%.*f%s%s%s", value == 0 ? 0 : decimals(value, 4), value,
             *prefix || *unit ? " " : "", prefix, unit);
    return text;
}

struct cli_text cli_seconds(double seconds)
{
    static const char *const prefixes[] = {"n", "u", "m", ""};
    if (seconds < 0)
        seconds = NAN;
    return scaled(seconds, prefixes, 4, 3, "s");
}

struct cli_text cli_bytes(uint64_t bytes)
{
    /* Sizes are mostly whole, and %.4g prints these without decimals: "1 MiB". */
    static const char *const prefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};
    int index = 0;
    double value = (double)bytes;
    for (; value >= 1023.95 && index < 5; index++)
        value /= 1024;
    struct cli_text text;
    snprintf(text.s, sizeof text.s, "%.4g %sB", value, prefixes[index]);
    return text;
}

struct cli_text cli_si(double value, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    return scaled(value, prefixes, 6, 0, unit);
}

struct cli_text cli_figure(double value, const char *unit)
{
    if (strcmp(unit, "s") == 0)
        return cli_seconds(value);
    if (!*unit && fabs(value) < 0.01) /* a small error, which would be shown as zeros */
        return cli_number(value);
    return strcmp(unit, "ratio") == 0 ? cli_ratio(value) : cli_si(value, unit);
}

struct cli_text cli_roof(double value, const char *unit)
{
    return isnan(value) ? (struct cli_text){"busy, not measured"} : cli_figure(value > 0 ? value : NAN, unit);
}

struct cli_text cli_number(double value)
{
    struct cli_text text = {"-"};
    if (isfinite(value))
        snprintf(text.s, sizeof text.s, value == trunc(value) && fabs(value) < 1e15 ? "%.0f" : "%.6g", value);
    return text;
}

struct cli_text cli_exact(double value, bool is_single)
{
    struct cli_text text = {"-"};
    if (isfinite(value))
        snprintf(text.s, sizeof text.s, "%s",
                 decimal_text(value, is_single && (double)(float)value == value).s);
    return text;
}

struct cli_text cli_digits(double value, int digits)
{
    return digits > 0 ? cli_exact(value, digits <= FLT_DECIMAL_DIG) : cli_number(value);
}

struct cli_text cli_share(double value, int digits)
{
    struct cli_text text = {"-"};
    if (isfinite(value))
        snprintf(text.s, sizeof text.s, "%.*g", digits, value);
    if (value < 1 && strcmp(text.s, "1") == 0)
        return cli_to_error(value, 1 - value);
    return text;
}

/* Returns the exponent of a value's first digit, after rounding to `digits` digits. */
static int exponent_of(double value, int digits)
{
    char text[32];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    return atoi(strchr(text, 'e') + 1);
}

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* Format of a value with an error: `decimals` decimals, down to the second digit of the error, and `digits`
 * digits in all. */
struct places {
    int decimals, digits;
    bool is_fixed; /* false: written with an exponent */
};

static struct places places_of(double value, double error)
{
    enum { SHORT = 6, LEAST_EXPONENT = -4 };
    const int exponent = value != 0 ? exponent_of(value, 1) : exponent_of(error, 2);
    const int decimals = 1 - exponent_of(error, 2);
    const bool is_fixed = fabs(value) < 1e15 && (decimals <= SHORT || exponent >= LEAST_EXPONENT);
    return (struct places){.decimals = clamp(decimals, 0, clamp(DBL_DECIMAL_DIG - 1 - exponent, 0, 20)),
                           .digits = clamp(exponent + decimals + 1, 1, DBL_DECIMAL_DIG),
                           .is_fixed = is_fixed};
}

struct cli_text cli_to_error(double value, double error)
{
    struct cli_text text = {"-"};
    if (!isfinite(value) || !(error > 0) || isinf(error))
        return cli_exact(value, false);
    const struct places places = places_of(value, error);
    if (places.is_fixed)
        snprintf(text.s, sizeof text.s, "%.*f", places.decimals, value);
    else
        snprintf(text.s, sizeof text.s, "%.*e", places.digits - 1, value);
    return text;
}

struct cli_text cli_mean(double mean, double least, double greatest)
{
    const double range = greatest - least;
    /* If the range is not small against the numbers, six digits show differences. */
    return range > 1e-3 * fmax(fabs(least), fabs(greatest)) ? cli_number(mean)
                                                            : cli_to_error(mean, 1e-6 * range);
}

struct cli_text cli_error_of(double value, double error)
{
    struct cli_text text;
    const bool is_known = isfinite(value) && error > 0 && !isinf(error);
    const struct places places = is_known ? places_of(value, error) : (struct places){.is_fixed = false};
    if (places.is_fixed)
        snprintf(text.s, sizeof text.s, "%.*f", places.decimals, error);
    else
        snprintf(text.s, sizeof text.s, "%.2g", error);
    return text;
}

struct cli_text cli_uncertain(double value, double error)
{
    struct cli_text text;
    if (!isfinite(value) || isnan(error)) /* for example a mean of one sample, whose error is unknown */
        return cli_number(value);
    snprintf(text.s, sizeof text.s, "%.40s +- %.40s", cli_to_error(value, error).s,
             cli_error_of(value, error).s);
    return text;
}

struct cli_text cli_ratio(double value)
{
    struct cli_text text = {"-"};
    int decimals_shown = value < 10 ? 2 : value < 100 ? 1 : 0;
    if (isfinite(value) && value > 0 && value < 0.1)
        snprintf(text.s, sizeof text.s, "%.2gx", value);
    else if (isfinite(value) && value > 0)
        snprintf(text.s, sizeof text.s, "%.*fx", decimals_shown, value);
    return text;
}

void cli_csv_text(FILE *out, const char *text)
{
    if (!text[strcspn(text, ",;\"\t\r\n")]) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

char *cli_tagged_path(const char *path, const char *tag)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    /* The extension of run.csv.gz is .csv.gz. */
    for (const char *at = dot;
         pack_is_asked_for(path) && at > path && at[-1] != '/' && dot == strrchr(path, '.');) {
        at--;
        if (*at == '.')
            dot = at;
    }
    if (strcmp(path, "-") == 0)
        return cli_strdup(path);
    if (!dot || (slash && dot < slash))
        dot = path + strlen(path);
    return cli_sprintf("%.*s%s%s", (int)(dot - path), path, tag, dot);
}

bool cli_ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

bool cli_check_output(const char *option, const char *path, bool folder)
{
    struct stat info;
    char *target = file_target(path), *slash = target ? strrchr(target, '/') : NULL;
    const char *place = target;
    int code = target ? 0 : errno;
    if (target && (stat(target, &info) != 0 || S_ISREG(info.st_mode))) {
        /* The folder of the file, in which the file is replaced by a rename. */
        if (slash)
            slash[slash == target] = '\0';
        place = slash ? target : ".";
    } else if (target && S_ISDIR(info.st_mode) && !folder) {
        code = EISDIR;
    }
    if (!code && access(place, W_OK) != 0)
        code = errno;
    if (code)
        cli_error(CLI_FAILURE, "%s: %s: cannot be written: %s", option, path, strerror(code));
    free(target);
    return code == 0;
}

FILE *cli_open_replaced(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 ? fopen(path, "rbe") : NULL;
}

bool cli_check_replaced(const char *option, const char *path, const char *begin, const char *what)
{
    char found[16] = "";
    const size_t bytes = strlen(begin);
    FILE *file = cli_open_replaced(path);
    const bool is_other = file && (fread(found, 1, bytes, file) != bytes || memcmp(found, begin, bytes) != 0);
    if (file)
        fclose(file);
    if (is_other)
        cli_error(CLI_FAILURE, "%s: %s: it is no %s, and is not replaced: move it away or give another name",
                  option, path, what);
    return !is_other;
}

enum shoal_status cli_set_error(struct shoal_error *error, enum shoal_status status, const char *format, ...)
{
    va_list args;
    memset(error, 0, sizeof *error);
    error->status = status;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return status;
}

enum shoal_status cli_io_failed(struct shoal_error *error, const char *path, const char *call,
                                const char *what, const char *state)
{
    const int code = errno;
    cli_set_error(error, SHOAL_IO, "%s: %s: %s%s", path, what, strerror(code), state);
    error->native = code;
    snprintf(error->call, sizeof error->call, "%s", call);
    return SHOAL_IO;
}

enum shoal_status cli_write_file(const char *path, const void *data, size_t bytes, struct shoal_error *error)
{
    struct file_writer writer;
    file_writer_open(&writer, path, FILE_OF_USER);
    if (pack_is_asked_for(path))
        file_writer_pack(&writer);
    file_writer_add(&writer, data, bytes);
    errno = file_writer_close(&writer, true);
    return errno ? cli_io_failed(error, path, "write", "cannot be written", "") : SHOAL_OK;
}
