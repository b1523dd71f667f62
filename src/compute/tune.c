#include "compute/tune.h"

#include "base/file.h"
#include "base/input.h"
#include "base/params.h"
#include "compute/backend.h"
#include "compute/contract.h"
#include "compute/log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char file_name[] = "tuning.txt", lock_name[] = "tuning.lock";
static const char file_head[] =
    "# Found by `shoal tune`: device|driver|program|name=value. A name that ends with a class of sizes holds "
    "for\n"
    "# problems like that: \"rows=4^8\" for 65536 to 262143 rows, what is no power for that alone. Problems\n"
    "# without a value of their own class take that of the nearest, at most a factor of 16 away, else the "
    "one\n"
    "# whose name has no class.\n";

static struct tuning_row *find(const struct tuning *tuning, const char *key)
{
    for (size_t i = 0; i < tuning->count; i++)
        if (strcmp(tuning->rows[i].key, key) == 0)
            return &tuning->rows[i];
    return NULL;
}

/* Returns the row of a key, which is added if it is missing; NULL: there is no memory. */
static struct tuning_row *find_or_add(struct tuning *tuning, const char *key)
{
    struct tuning_row *row = find(tuning, key);
    if (row)
        return row;
    if (tuning->count == tuning->capacity) {
        size_t capacity = tuning->capacity ? 2 * tuning->capacity : 16;
        struct tuning_row *rows = realloc(tuning->rows, capacity * sizeof *rows);
        if (!rows)
            return NULL;
        tuning->rows = rows;
        tuning->capacity = capacity;
    }
    char *copy = strdup(key);
    if (!copy)
        return NULL;
    tuning->rows[tuning->count] = (struct tuning_row){.key = copy};
    return &tuning->rows[tuning->count++];
}

/* Stores the setting of `key`: the text `name`, or the number `value` if name is NULL. Returns false if
 * there is no memory. */
static bool store(struct tuning *tuning, const char *key, int64_t value, const char *name)
{
    struct tuning_row *row = find_or_add(tuning, key);
    char *copy = row && name ? strdup(name) : NULL;
    if (!row || (name && !copy))
        return false;
    free(row->name);
    row->value = value;
    row->name = copy;
    row->is_stored = true;
    return true;
}

static bool has_value(const struct tuning_row *row)
{
    return row->is_tried || (row->is_stored && !row->name);
}

static int64_t value_of(const struct tuning_row *row)
{
    return row->is_tried ? row->tried : row->value;
}

static bool is_name(const char *text)
{
    return islower((unsigned char)*text) && strlen(text) < TUNING_NAME_SIZE &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

/* Reads a line "device|driver|program|name=value", in which the last '=' separates key and value. False: the
 * line has another form. */
static bool parse_line(struct tuning *tuning, char *line)
{
    char *equals = strrchr(line, '=');
    if (!equals || equals == line)
        return false;
    char *end, *text = equals + 1;
    errno = 0;
    const int64_t value = strtoll(text, &end, 10);
    const bool is_number = !errno && end != text && !*end;
    if (!is_number && !is_name(text))
        return false;
    *equals = '\0';
    return store(tuning, line, value, is_number ? NULL : text);
}

bool tuning_parse(struct tuning *tuning, const char *text, size_t *bad_lines)
{
    *bad_lines = 0;
    char *copy = strdup(text), *rest = copy;
    if (!copy)
        return false;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line && *line != '#')
            *bad_lines += !parse_line(tuning, line);
    free(copy);
    return true;
}

void tuning_free(struct tuning *tuning)
{
    for (size_t i = 0; i < tuning->count; i++) {
        free(tuning->rows[i].key);
        free(tuning->rows[i].name);
    }
    free(tuning->rows);
    for (size_t i = 0; i < tuning->note_count; i++)
        free(tuning->notes[i].name);
    free(tuning->notes);
    *tuning = (struct tuning){0};
}

static char *path_of(const struct shoal *shoal, const char *name)
{
    struct text path = {0};
    text_printf(&path, "%s/%s", shoal->cache_dir, name);
    if (path.failed)
        text_free(&path);
    return path.data;
}

void tuning_load(struct shoal *shoal)
{
    char *path = shoal->cache_dir ? path_of(shoal, file_name) : NULL;
    if (!path)
        return;
    size_t bytes, bad_lines = 0;
    char *text = input_read(path, INPUT_DATA_MOST, &bytes);
    if (text && tuning_parse(shoal->tuning, text, &bad_lines) && bad_lines)
        shoal_log(shoal, SHOAL_LOG_WARNING,
                  "%s: %zu lines are not of the form key=number or key=name; they are left out", path,
                  bad_lines);
    else if (!text && errno != ENOENT && errno != ENOTDIR)
        shoal_log(shoal, SHOAL_LOG_WARNING, "%s: %s; default work-group sizes are used", path,
                  input_reason(errno));
    free(text);
    free(path);
}

/* Makes the key of a row. Parts of a device that have equally many compute units have the same key. */
static bool make_key(const struct shoal_device *device, const char *program, const char *define,
                     struct text *key)
{
    text_printf(key, "%s %s", device->info.backend, device->info.name);
    if (device->whole)
        text_printf(key, ", %u of %u units", device->info.units, device->info.whole_units);
    text_printf(key, "|%s|%s|%s", device->info.driver, program, define);
    if (key->failed)
        return false;
    for (char *c = key->data; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = ' ';
    return true;
}

/* Logs, once for each row, that its number is not in `range` and is not used. A scout leaves this to the run.
 * The caller holds the lock. */
static void refuse(const struct shoal *shoal, struct tuning_row *row, const char *range)
{
    if (shoal->is_of_scouts)
        return;
    if (!row->is_refused)
        shoal_log(shoal, SHOAL_LOG_WARNING, "%s%s%s: %s=%" PRId64 " is left out: it must be %s",
                  shoal->cache_dir ? shoal->cache_dir : "", shoal->cache_dir ? "/" : "", file_name, row->key,
                  value_of(row), range);
    row->is_refused = true;
}

static bool is_usable(const struct shoal *shoal, struct tuning_row *row,
                      const struct tuning_question *question)
{
    const int64_t value = value_of(row);
    char range[64];
    if (!has_value(row))
        return false;
    if (value < question->min || value > question->max) {
        snprintf(range, sizeof range, "%" PRId64 " to %" PRId64, question->min, question->max);
        refuse(shoal, row, range);
        return false;
    }
    if (question->is_work_group && (value & (value - 1)) != 0) {
        refuse(shoal, row, "a power of two");
        return false;
    }
    return true;
}

static bool get_value(const struct shoal_device *device, const char *program, const char *define,
                      int64_t *value)
{
    struct text key = {0};
    bool found = false;
    if (make_key(device, program, define, &key)) {
        pthread_mutex_lock(&device->shoal->lock);
        const struct tuning_row *row = find(device->shoal->tuning, key.data);
        found = row && has_value(row);
        if (found)
            *value = value_of(row);
        pthread_mutex_unlock(&device->shoal->lock);
    }
    text_free(&key);
    return found;
}

bool shoal_tuning_get(struct shoal_device *device, const char *program, const char *define, int64_t *value)
{
    if (!device || !program || !define || !value)
        return false;
    return get_value(device, program, define, value) ||
           (device->whole && get_value(device->whole, program, define, value));
}

void tuning_print(const struct tuning *tuning, struct text *text)
{
    for (size_t i = 0; i < tuning->count; i++) {
        const struct tuning_row *row = &tuning->rows[i];
        if (row->is_stored && row->name)
            text_printf(text, "%s=%s\n", row->key, row->name);
        else if (row->is_stored)
            text_printf(text, "%s=%" PRId64 "\n", row->key, row->value);
    }
}

static bool get_name(const struct shoal_device *device, const char *program, const char *define,
                     char name[TUNING_NAME_SIZE])
{
    struct text key = {0};
    bool found = false;
    if (make_key(device, program, define, &key)) {
        pthread_mutex_lock(&device->shoal->lock);
        const struct tuning_row *row = find(device->shoal->tuning, key.data);
        found = row && row->name;
        if (found)
            snprintf(name, TUNING_NAME_SIZE, "%s", row->name);
        pthread_mutex_unlock(&device->shoal->lock);
    }
    text_free(&key);
    return found;
}

bool tuning_get_name(struct shoal_device *device, const char *program, const char *define,
                     char name[TUNING_NAME_SIZE])
{
    return get_name(device, program, define, name) ||
           (device->whole && get_name(device->whole, program, define, name));
}

/* Locks the rows until the returned file is closed; writers in other processes wait. -1: the file system has
 * no locks, or the folder accepts no file, so that the rows are written without a lock. */
static int lock_rows(const struct shoal *shoal)
{
    char *path = path_of(shoal, lock_name);
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    while (file >= 0 && flock(file, LOCK_EX)) {
        if (errno == EINTR)
            continue;
        close(file);
        file = -1;
    }
    free(path);
    return file;
}

/* Stores a value and writes the file: all rows of this process, and the rows that other processes have added
 * to the file since this process read it. Returns 0 or errno. */
static int write_rows(struct shoal *shoal, const char *path, const char *key, int64_t value, const char *name)
{
    size_t bytes, bad_lines;
    char *old = input_read(path, INPUT_DATA_MOST, &bytes);
    if (old)
        tuning_parse(shoal->tuning, old, &bad_lines);
    free(old);
    int code = store(shoal->tuning, key, value, name) ? 0 : ENOMEM;
    struct text out = {0};
    text_add(&out, file_head);
    tuning_print(shoal->tuning, &out);
    if (out.failed)
        code = ENOMEM;
    if (!code) {
        const void *part = out.data;
        code = write_file_atomically(path, FILE_CACHE, &part, &out.length, 1);
    }
    text_free(&out);
    return code;
}

static int write_file(struct shoal *shoal, const char *key, int64_t value, const char *name)
{
    char *path = path_of(shoal, file_name);
    if (!path)
        return ENOMEM;
    int code = make_folders(shoal->cache_dir) ? 0 : errno;
    if (!code) {
        const int lock = lock_rows(shoal);
        code = write_rows(shoal, path, key, value, name);
        if (lock >= 0)
            close(lock);
    }
    free(path);
    return code;
}

static enum shoal_status set(struct shoal_device *device, const char *program, const char *define,
                             int64_t value, const char *name, struct shoal_error *error)
{
    struct shoal *shoal = device->shoal;
    struct text key = {0};
    if (!make_key(device, program, define, &key)) {
        text_free(&key);
        return fail_host_memory(error);
    }
    pthread_mutex_lock(&shoal->lock);
    bool stored = store(shoal->tuning, key.data, value, name);
    int code = stored && shoal->cache_dir ? write_file(shoal, key.data, value, name) : 0;
    pthread_mutex_unlock(&shoal->lock);
    text_free(&key);
    if (!stored || code == ENOMEM)
        return fail_host_memory(error);
    return code ? fail_call(error, SHOAL_IO, "write", code, "cannot write %s/%s: %s", shoal->cache_dir,
                            file_name, strerror(code))
                : SHOAL_OK;
}

enum shoal_status shoal_tuning_set(struct shoal_device *device, const char *program, const char *define,
                                   int64_t value, struct shoal_error *error)
{
    if (!NEED(error, device, program, define))
        return SHOAL_INVALID;
    return set(device, program, define, value, NULL, error);
}

enum shoal_status tuning_set_name(struct shoal_device *device, const char *program, const char *define,
                                  const char *name, struct shoal_error *error)
{
    return set(device, program, define, 0, name, error);
}

/* Classes of sizes ------------------------------------------------------------------------------------- */

unsigned tuning_power(unsigned base, double value)
{
    unsigned power = 0;
    for (; value >= base && power < 512; value /= base)
        power++;
    return power;
}

/* Reads the exponent after a '^', and moves *text past it. False: there is none. */
static bool read_exponent(const char **text, long *exponent)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *exponent = strtol(*text, &end, 10);
    *text = end;
    return !errno && *exponent <= 1024;
}

/* Compares two classes of sizes. *distance: sum over their sizes of the factors between them, as exponents of
 * 2; *lean: below 0 if the sizes of `class` are smaller. False: the classes differ in more than sizes. */
static bool compare_classes(const char *class, const char *other, long *distance, long *lean)
{
    *distance = *lean = 0;
    for (char last = 0; *class == *other; last = *class ++, other++) {
        long here, there;
        if (!*class)
            return true;
        if (*class != '^')
            continue;
        const long step = last == '4' ? 2 : 1;
        class ++;
        other++;
        if (!read_exponent(&class, &here) || !read_exponent(&other, &there))
            return false;
        *distance += step * labs(here - there);
        *lean += step * (here - there);
        if (*class != *other)
            return false;
        if (!*class)
            return true;
    }
    return false;
}

/* Finds the row of the nearest class; NULL: there is none. name: the key without a class. The result does not
 * depend on the order of the rows. */
static const struct tuning_row *find_nearest(const struct shoal *shoal, const char *name,
                                             const struct tuning_question *question)
{
    const struct tuning *tuning = shoal->tuning;
    const size_t length = strlen(name);
    const struct tuning_row *nearest = NULL;
    long distance, lean, least = TUNING_REACH, least_lean = 0;
    for (size_t i = 0; i < tuning->count; i++) {
        struct tuning_row *row = &tuning->rows[i];
        if (strncmp(row->key, name, length) != 0 || row->key[length] != ' ' ||
            !compare_classes(row->key + length + 1, question->sizes, &distance, &lean) || distance > least ||
            !is_usable(shoal, row, question))
            continue;
        if (nearest && distance == least &&
            (lean > least_lean || (lean == least_lean && strcmp(row->key, nearest->key) > 0)))
            continue;
        nearest = row;
        least = distance;
        least_lean = lean;
    }
    return nearest;
}

/* Records that a value was chosen. If there is no memory, nothing is recorded, and the value cannot be
 * tuned. */
static void note(struct tuning *tuning, const struct shoal_device *device,
                 const struct tuning_question *question, int64_t value)
{
    struct text name = {0};
    text_printf(&name, "%s %s", question->name, question->sizes);
    bool known = name.failed;
    for (size_t i = 0; i < tuning->note_count && !known; i++)
        known = tuning->notes[i].device == device && strcmp(tuning->notes[i].name, name.data) == 0 &&
                strcmp(tuning->notes[i].tunable.program, question->program) == 0;
    if (!known && tuning->note_count == tuning->note_capacity) {
        size_t capacity = tuning->note_capacity ? 2 * tuning->note_capacity : 16;
        struct tuning_note *notes = realloc(tuning->notes, capacity * sizeof *notes);
        known = !notes;
        if (notes) {
            tuning->notes = notes;
            tuning->note_capacity = capacity;
        }
    }
    if (known) {
        text_free(&name);
        return;
    }
    tuning->notes[tuning->note_count++] = (struct tuning_note){
        device, name.data, {question->program, name.data, value, question->tries, question->try_count}};
}

/* Finds the row with the value for this device; NULL: there is none. The caller holds the lock. */
static const struct tuning_row *find_answer(const struct shoal_device *device,
                                            const struct tuning_question *question)
{
    struct text name = {0};
    const struct tuning_row *row = NULL;
    if (make_key(device, question->program, question->name, &name)) {
        row = find_nearest(device->shoal, name.data, question);
        struct tuning_row *general =
            row || question->needs_class ? NULL : find(device->shoal->tuning, name.data);
        if (general && is_usable(device->shoal, general, question))
            row = general;
    }
    text_free(&name);
    return row;
}

int64_t tuning_ask(struct shoal_device *device, const struct tuning_question *question)
{
    struct tuning *tuning = device->shoal->tuning;
    pthread_mutex_lock(&device->shoal->lock);
    const struct tuning_row *row = find_answer(device, question);
    if (!row && device->whole)
        row = find_answer(device->whole, question);
    const int64_t value = row ? value_of(row) : question->value;
    if (tuning->is_watched && question->try_count && !device->shoal->is_of_scouts)
        note(tuning, device, question, value);
    pthread_mutex_unlock(&device->shoal->lock);
    return value;
}

void shoal_tuning_watch(struct shoal_device *device)
{
    if (!device)
        return;
    struct tuning *tuning = device->shoal->tuning;
    pthread_mutex_lock(&device->shoal->lock);
    for (size_t i = 0; i < tuning->note_count; i++)
        free(tuning->notes[i].name);
    tuning->note_count = 0;
    tuning->is_watched = true;
    pthread_mutex_unlock(&device->shoal->lock);
}

bool shoal_tuning_watched(struct shoal_device *device, size_t index, struct shoal_tunable *tunable)
{
    bool found = false;
    if (!device || !tunable)
        return false;
    const struct tuning *tuning = device->shoal->tuning;
    pthread_mutex_lock(&device->shoal->lock);
    for (size_t i = 0; i < tuning->note_count && !found; i++)
        if (tuning->notes[i].device == device && index-- == 0) {
            *tunable = tuning->notes[i].tunable;
            found = true;
        }
    pthread_mutex_unlock(&device->shoal->lock);
    return found;
}

enum shoal_status shoal_tuning_try(struct shoal_device *device, const char *program, const char *define,
                                   const int64_t *value, struct shoal_error *error)
{
    if (!NEED(error, device, program, define))
        return SHOAL_INVALID;
    struct text key = {0};
    struct tuning_row *row = NULL;
    const bool has_key = make_key(device, program, define, &key);
    if (has_key) {
        pthread_mutex_lock(&device->shoal->lock);
        row = value ? find_or_add(device->shoal->tuning, key.data) : find(device->shoal->tuning, key.data);
        if (row) {
            row->is_tried = value != NULL;
            row->tried = value ? *value : 0;
        }
        pthread_mutex_unlock(&device->shoal->lock);
    }
    text_free(&key);
    return has_key && (row || !value) ? SHOAL_OK : fail_host_memory(error);
}

static bool get_define(const struct shoal_device *device, const struct shoal_program_desc *desc,
                       const char *name, int64_t *value)
{
    const struct tuning_question question = define_question(desc, name, "", 0, NULL, 0);
    struct text key = {0};
    bool found = false;
    if (make_key(device, desc->name, name, &key)) {
        pthread_mutex_lock(&device->shoal->lock);
        struct tuning_row *row = find(device->shoal->tuning, key.data);
        found = row && is_usable(device->shoal, row, &question);
        if (found)
            *value = value_of(row);
        pthread_mutex_unlock(&device->shoal->lock);
    }
    text_free(&key);
    return found;
}

bool tuning_get_define(struct shoal_device *device, const struct shoal_program_desc *desc, const char *name,
                       int64_t *value)
{
    return get_define(device, desc, name, value) ||
           (device->whole && get_define(device->whole, desc, name, value));
}

struct shoal_define choose_define(struct shoal_device *device, const struct shoal_program_desc *desc,
                                  const char *name, int64_t value)
{
    tuning_get_define(device, desc, name, &value);
    return (struct shoal_define){name, value};
}

struct tuning_question define_question(const struct shoal_program_desc *desc, const char *name,
                                       const char *sizes, int64_t value, const int64_t *tries,
                                       size_t try_count)
{
    struct tuning_question question = {desc->name, name, sizes, value, 0, -1, tries, try_count};
    for (uint32_t i = 0; i < desc->define_count; i++)
        if (strcmp(desc->defines[i].name, name) == 0) {
            question.min = desc->defines[i].min;
            question.max = desc->defines[i].max;
        }
    question.is_work_group = program_is_work_group(desc, name);
    return question;
}
