#include "compute/program/host/code.h"
#include "base/error.h"
#include "base/file.h"
#include "compute/log.h"
#include "compute/program/cache.h"
#include "compute/program/host/compiler.h"
#include "compute/program/source.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct host_code {
    void *object;
    char *name;
    struct loaded *loaded; /* entry of the shared object in the list of loaded objects; NULL: it has none */
};

/* A shared object that is loaded. shoal_host_text_at reads the list of them without a lock, since a crash
 * handler calls it, so entries are never freed, but used again. */
struct loaded {
    _Atomic uintptr_t begin, end; /* addresses; end 0: free */
    char name[160];
    struct loaded *_Atomic next;
};

static struct loaded *_Atomic all_loaded;
static pthread_mutex_t loaded_lock = PTHREAD_MUTEX_INITIALIZER;

const char *shoal_host_text_at(const void *address)
{
    for (const struct loaded *loaded = all_loaded; loaded; loaded = loaded->next)
        if ((uintptr_t)address >= loaded->begin && (uintptr_t)address < loaded->end)
            return loaded->name;
    return NULL;
}

struct range {
    uintptr_t begin, end;
};

/* Callback of dl_iterate_phdr: finds the end of the object that begins at range->begin. */
static int take_end(struct dl_phdr_info *info, size_t size, void *data)
{
    struct range *range = data;
    (void)size;
    if (info->dlpi_addr != range->begin)
        return 0;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && end > range->end)
            range->end = end;
    }
    return 1;
}

/* Returns an entry that is free, or a new one; NULL: there is no memory. The caller holds the lock. */
static struct loaded *free_entry(void)
{
    for (struct loaded *loaded = all_loaded; loaded; loaded = loaded->next)
        if (!loaded->end)
            return loaded;
    struct loaded *entry = calloc(1, sizeof *entry);
    if (entry) {
        entry->next = all_loaded;
        all_loaded = entry;
    }
    return entry;
}

static void list(struct host_code *code)
{
    struct link_map *map;
    if (dlinfo(code->object, RTLD_DI_LINKMAP, &map) != 0)
        return;
    struct range range = {.begin = map->l_addr};
    dl_iterate_phdr(take_end, &range);
    if (!range.end)
        return;
    pthread_mutex_lock(&loaded_lock);
    code->loaded = free_entry();
    if (code->loaded) {
        snprintf(code->loaded->name, sizeof code->loaded->name, "%s", code->name);
        code->loaded->begin = range.begin;
        code->loaded->end = range.end;
    }
    pthread_mutex_unlock(&loaded_lock);
}

static void unlist(const struct host_code *code)
{
    pthread_mutex_lock(&loaded_lock);
    if (code->loaded)
        code->loaded->end = 0;
    pthread_mutex_unlock(&loaded_lock);
}

/* Folders in which a text is compiled: first in the cache, then among temporary files. The next one is tried
 * if a folder has no space, or does not allow code to be executed. */
enum { MOST_PARENTS = 3 };

static size_t list_parents(struct shoal *shoal, const char *parents[MOST_PARENTS])
{
    size_t count = 0;
    const int folder = shoal ? cache_open_folder(shoal, true) : -1;
    if (folder >= 0) {
        parents[count++] = shoal->cache_dir;
        close(folder);
    }
    if (shoal && shoal->temporary_dir)
        parents[count++] = shoal->temporary_dir;
    if (!count || strcmp(parents[count - 1], "/tmp") != 0)
        parents[count++] = "/tmp";
    return count;
}

static void note_unusable(struct shoal *shoal, const struct compilation *c, const char *parent,
                          const char *next, const char *reason)
{
    if (shoal && !atomic_exchange(&shoal->cache_warned, true))
        shoal_log(shoal, SHOAL_LOG_WARNING, "%s: cannot be compiled in %s: %s; compiled in %s instead",
                  c->name, parent, reason, next);
}

static void clean_up(struct compilation *c)
{
    text_folder_remove(&c->folder);
    free(c->source);
    free(c->object);
    free(c->log);
    c->source = c->object = c->log = NULL;
}

/* Creates a folder in `parent` and writes the source there. *code: errno of a failure. */
static enum shoal_status write_source(struct compilation *c, const char *parent, const char *source,
                                      int *code, struct shoal_error *error)
{
    const void *part = source;
    const size_t bytes = strlen(source);
    *code = text_folder_create(parent, &c->folder);
    if (!*code) {
        c->source = text_folder_file(&c->folder, "text.c");
        c->object = text_folder_file(&c->folder, "text.so");
        c->log = text_folder_file(&c->folder, "log");
        *code = c->source && c->object && c->log
                    ? write_file_atomically(c->source, FILE_CACHE, &part, &bytes, 1)
                    : ENOMEM;
    }
    if (*code == ENOMEM)
        return fail_host_memory(error);
    return *code ? fail_call(error, SHOAL_IO, "mkdtemp", *code,
                             "%s: cannot be compiled in %s: %s; set TMPDIR", c->name, parent, strerror(*code))
                 : SHOAL_OK;
}

static enum shoal_status load(const struct compilation *c, struct host_code *code, struct shoal_error *error)
{
    code->object = dlopen(c->object, RTLD_NOW | RTLD_LOCAL);
    if (code->object) {
        list(code);
        return SHOAL_OK;
    }
    const char *reason = dlerror();
    return fail(error, SHOAL_BUILD_FAILED, "%s: its machine code cannot be loaded: %s", c->name,
                reason ? reason : "no reason given");
}

/* Compiles the text. code NULL: the text is only checked. */
static enum shoal_status build(struct shoal *shoal, const struct host_code_params *params, const char *source,
                               struct host_code *code, struct shoal_error *error)
{
    const char *parents[MOST_PARENTS];
    const size_t count = list_parents(shoal, parents);
    struct compilation c = {.name = params->name, .is_check = !code};
    enum shoal_status status = SHOAL_IO;
    int failed;
    for (size_t i = 0; i < count && status == SHOAL_IO; i++) {
        clean_up(&c);
        if (i > 0)
            note_unusable(shoal, &c, parents[i - 1], parents[i], strerror(failed));
        status = write_source(&c, parents[i], source, &failed, error);
    }
    if (!status)
        status = host_compile(shoal, &c, params->defines, error);
    if (!status && code)
        status = load(&c, code, error);
    clean_up(&c);
    return status;
}

static enum shoal_status flatten_and_build(struct shoal *shoal, const struct host_code_params *params,
                                           struct host_code *code, struct shoal_error *error)
{
    char *source = NULL;
    struct shoal_program_params flat;
    shoal_program_params_init(&flat);
    const struct shoal_kernel_text snippet = {
        .file = params->replaced, .text = params->text, .shown = params->name};
    flat.texts = &snippet;
    flat.text_count = 1;
    enum shoal_status status = source_flatten(shoal, params->file, &flat, &source, error);
    if (!status)
        status = build(shoal, params, source, code, error);
    free(source);
    return status;
}

enum shoal_status host_code_check(struct shoal *shoal, const struct host_code_params *params,
                                  struct shoal_error *error)
{
    return shoal ? flatten_and_build(shoal, params, NULL, error) : SHOAL_OK;
}

enum shoal_status host_code_create(struct shoal *shoal, const struct host_code_params *params,
                                   struct host_code **out, struct shoal_error *error)
{
    *out = NULL;
    struct host_code *code = calloc(1, sizeof *code);
    if (!code || !(code->name = strdup(params->name))) {
        free(code);
        return fail_host_memory(error);
    }
    const enum shoal_status status = flatten_and_build(shoal, params, code, error);
    if (status)
        host_code_destroy(&code);
    *out = code;
    return status;
}

enum shoal_status host_code_find(const struct host_code *code, const char *function, void *pointer,
                                 struct shoal_error *error)
{
    /* copied as bytes: ISO C has no conversion from an object pointer to a function pointer */
    void *symbol = dlsym(code->object, function);
    if (!symbol)
        return fail(error, SHOAL_BUILD_FAILED, "%s: its machine code has no %s", code->name, function);
    memcpy(pointer, &symbol, sizeof symbol);
    return SHOAL_OK;
}

void host_code_destroy(struct host_code **code)
{
    if (!*code)
        return;
    unlist(*code);
    if ((*code)->object)
        dlclose((*code)->object);
    free((*code)->name);
    free(*code);
    *code = NULL;
}
