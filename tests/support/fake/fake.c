#include "fake.h"
#include "compute/device.h"
#include "state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RECORDS = 4096, MAX_KERNELS = 16, MAX_TEXT = 1 << 16, FIRST_INFALLIBLE = FAKE_CLOSE };

/* A failure that is asked for: the call number `countdown` from now fails; 0: none. */
struct failure {
    unsigned countdown;
    enum shoal_status status;
};

struct kernel_entry {
    char name[64];
    fake_kernel_fn run;
    uint32_t limit;
};

static struct {
    struct shoal_device_info devices[FAKE_TABLES][FAKE_MAX_DEVICES];
    size_t device_count[FAKE_TABLES];
    struct kernel_entry kernels[MAX_KERNELS];
    size_t kernel_count;
    uint32_t numa_nodes;
    enum fake_peers peers;
    struct failure any, each[FAKE_CALLS], later;
    enum fake_call failed;
    char lost[FAKE_MAX_DEVICES][32];
    size_t lost_count;
    struct fake_record records[MAX_RECORDS];
    size_t record_count;
    char sequence[MAX_TEXT], built_text[MAX_TEXT], built_defines[4096];
    size_t live, breaches;
} fake;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *const names[FAKE_CALLS] = {
    [FAKE_OPEN] = "open",
    [FAKE_DEVICE_OPEN] = "device_open",
    [FAKE_DEVICE_DIVIDE] = "device_divide",
    [FAKE_QUEUE_CREATE] = "queue_create",
    [FAKE_QUEUE_FLUSH] = "queue_flush",
    [FAKE_QUEUE_FINISH] = "queue_finish",
    [FAKE_QUEUE_WAIT] = "queue_wait",
    [FAKE_QUEUE_MARK] = "queue_mark",
    [FAKE_SPAN_BEGIN] = "span_begin",
    [FAKE_SPAN_END] = "span_end",
    [FAKE_BUFFER_CREATE] = "buffer_create",
    [FAKE_BUFFER_WRITE] = "buffer_write",
    [FAKE_BUFFER_READ] = "buffer_read",
    [FAKE_BUFFER_COPY] = "buffer_copy",
    [FAKE_BUFFER_FILL] = "buffer_fill",
    [FAKE_BLOCK_CREATE] = "block_create",
    [FAKE_ENQUEUE_WRITE] = "enqueue_write",
    [FAKE_ENQUEUE_READ] = "enqueue_read",
    [FAKE_PEER_OPEN] = "peer_open",
    [FAKE_PEER_COPY] = "peer_copy",
    [FAKE_PROGRAM_BUILD] = "program_build",
    [FAKE_PROGRAM_LOAD] = "program_load",
    [FAKE_PROGRAM_BINARY] = "program_binary",
    [FAKE_KERNEL_CREATE] = "kernel_create",
    [FAKE_KERNEL_LIMIT] = "kernel_limit",
    [FAKE_LAUNCH] = "launch",
    [FAKE_EVENT_WAIT] = "event_wait",
    [FAKE_EVENT_TIMES] = "event_times",
    [FAKE_EVENT_GAP] = "event_gap",
    [FAKE_CLOSE] = "close",
    [FAKE_DEVICE_CLOSE] = "device_close",
    [FAKE_QUEUE_DESTROY] = "queue_destroy",
    [FAKE_BUFFER_DESTROY] = "buffer_destroy",
    [FAKE_BLOCK_DESTROY] = "block_destroy",
    [FAKE_PROGRAM_DESTROY] = "program_destroy",
    [FAKE_KERNEL_DESTROY] = "kernel_destroy",
    [FAKE_EVENT_DESTROY] = "event_destroy",
};

const char *fake_call_name(enum fake_call call)
{
    return call < FAKE_CALLS ? names[call] : "none";
}

void fake_reset(void)
{
    pthread_mutex_lock(&lock);
    memset(&fake, 0, sizeof fake);
    fake.failed = FAKE_CALLS;
    pthread_mutex_unlock(&lock);
}

struct shoal_device_info fake_gpu(const char *name)
{
    return (struct shoal_device_info){
        .backend = "fake",
        .name = name,
        .vendor = "Fake Vendor",
        .platform = "Fake Platform",
        .driver = "1.0",
        .compiler = "fake compiler 1.0",
        .memory = 64 << 20,
        .max_allocation = 16 << 20,
        .local_mem = 32 << 10,
        .local_mem_max = 32 << 10,
        .units = 4,
        .max_work_group = 256,
        .simd_width = 32,
        .fp64 = true,
        .int64_atomics = true,
        .correct_division = true,
        .is_gpu = true,
    };
}

size_t fake_table(const struct backend *backend)
{
    return backend == &fake_other_backend ? 1 : backend == &fake_peer_backend ? 2 : 0;
}

void fake_add_device(const struct backend *backend, const struct shoal_device_info *info)
{
    const size_t table = fake_table(backend);
    pthread_mutex_lock(&lock);
    if (fake.device_count[table] < FAKE_MAX_DEVICES) {
        struct shoal_device_info *slot = &fake.devices[table][fake.device_count[table]++];
        *slot = *info;
        slot->backend = backend->name;
    }
    pthread_mutex_unlock(&lock);
}

void fake_reset_one_gpu(void)
{
    fake_reset();
    struct shoal_device_info info = fake_gpu("Fake GPU");
    fake_add_device(&fake_backend, &info);
}

void fake_set_numa_nodes(uint32_t nodes)
{
    fake.numa_nodes = nodes;
}

void fake_set_peers(enum fake_peers peers)
{
    fake.peers = peers;
}

enum fake_peers fake_peers(void)
{
    return fake.peers;
}

uint32_t fake_numa_nodes(void)
{
    return fake.numa_nodes;
}

size_t fake_device_count(size_t table)
{
    return fake.device_count[table];
}

struct shoal_device_info fake_device_info(size_t table, size_t index)
{
    return fake.devices[table][index];
}

/* Finds the row of an entry, or adds one. */
static struct kernel_entry *kernel_row(const char *entry)
{
    for (size_t i = 0; i < fake.kernel_count; i++)
        if (strcmp(fake.kernels[i].name, entry) == 0)
            return &fake.kernels[i];
    if (fake.kernel_count == MAX_KERNELS)
        return NULL;
    struct kernel_entry *row = &fake.kernels[fake.kernel_count++];
    snprintf(row->name, sizeof row->name, "%s", entry);
    return row;
}

void fake_set_kernel_limit(const char *entry, uint32_t limit)
{
    pthread_mutex_lock(&lock);
    struct kernel_entry *row = kernel_row(entry);
    if (row)
        row->limit = limit;
    pthread_mutex_unlock(&lock);
}

void fake_register_kernel(const char *entry, fake_kernel_fn run)
{
    pthread_mutex_lock(&lock);
    struct kernel_entry *row = kernel_row(entry);
    if (row)
        row->run = run;
    pthread_mutex_unlock(&lock);
}

fake_kernel_fn fake_kernel_for(const char *entry)
{
    pthread_mutex_lock(&lock);
    struct kernel_entry *row = kernel_row(entry);
    fake_kernel_fn run = row ? row->run : NULL;
    pthread_mutex_unlock(&lock);
    return run;
}

uint32_t fake_kernel_limit_for(const char *entry, uint32_t device_limit)
{
    pthread_mutex_lock(&lock);
    struct kernel_entry *row = kernel_row(entry);
    uint32_t limit = row && row->limit ? row->limit : device_limit;
    pthread_mutex_unlock(&lock);
    return limit;
}

void fake_fail_nth(unsigned n, enum shoal_status status)
{
    pthread_mutex_lock(&lock);
    fake.any = (struct failure){n, status};
    fake.failed = FAKE_CALLS;
    pthread_mutex_unlock(&lock);
}

void fake_fail_call(enum fake_call call, unsigned n, enum shoal_status status)
{
    pthread_mutex_lock(&lock);
    fake.each[call] = (struct failure){n, status};
    fake.failed = FAKE_CALLS;
    pthread_mutex_unlock(&lock);
}

void fake_fail_later(unsigned n, enum shoal_status status)
{
    pthread_mutex_lock(&lock);
    fake.later = (struct failure){n, status};
    pthread_mutex_unlock(&lock);
}

void fake_lose_device(const char *id)
{
    pthread_mutex_lock(&lock);
    if (fake.lost_count < FAKE_MAX_DEVICES)
        snprintf(fake.lost[fake.lost_count++], sizeof fake.lost[0], "%s", id);
    pthread_mutex_unlock(&lock);
}

enum fake_call fake_failed_call(void)
{
    return fake.failed;
}

/* Whether this call is the one that must fail. */
static bool due(struct failure *failure, enum shoal_status *status)
{
    if (!failure->countdown || --failure->countdown)
        return false;
    *status = failure->status;
    return true;
}

static void record(enum fake_call call, const struct shoal_device *device, const char *format, va_list list)
{
    if (fake.record_count == MAX_RECORDS)
        return;
    struct fake_record *row = &fake.records[fake.record_count++];
    row->call = call;
    int used = snprintf(row->text, sizeof row->text, "%s", device ? device->info.id : "");
    if (format[0]) {
        char detail[160];
        vsnprintf(detail, sizeof detail, format, list);
        snprintf(row->text + used, sizeof row->text - (size_t)used, "%s%s", used ? " " : "", detail);
    }
}

static bool is_lost(const struct shoal_device *device)
{
    for (size_t i = 0; device && i < fake.lost_count; i++)
        if (strcmp(fake.lost[i], device->info.id) == 0)
            return true;
    return false;
}

enum shoal_status fake_error(struct shoal_device *device, enum shoal_status status, enum fake_call call,
                             struct shoal_error *error)
{
    if (status == SHOAL_DEVICE_LOST && device)
        return device_lost(device, error, names[call], FAKE_NATIVE_ERROR, "%s: injected loss of the device",
                           device->info.id);
    fail_call(error, status, names[call], FAKE_NATIVE_ERROR, "injected failure of %s", names[call]);
    if (status == SHOAL_BUILD_FAILED)
        error_set_log(error, "injected build log\n");
    return status;
}

enum shoal_status fake_enter(enum fake_call call, struct shoal_device *device, struct shoal_error *error,
                             const char *format, ...)
{
    va_list list;
    va_start(list, format);
    pthread_mutex_lock(&lock);
    record(call, device, format, list);
    enum shoal_status status = SHOAL_OK;
    if (is_lost(device))
        status = SHOAL_DEVICE_LOST;
    /* Both counters count this call, whichever of them makes it fail. */
    bool any = due(&fake.any, &status);
    if (due(&fake.each[call], &status) || any)
        fake.failed = call;
    pthread_mutex_unlock(&lock);
    va_end(list);
    return status == SHOAL_OK ? SHOAL_OK : fake_error(device, status, call, error);
}

void fake_note(enum fake_call call, struct shoal_device *device, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    pthread_mutex_lock(&lock);
    record(call, device, format, list);
    pthread_mutex_unlock(&lock);
    va_end(list);
}

enum shoal_status fake_launch_outcome(void)
{
    enum shoal_status status = SHOAL_OK;
    pthread_mutex_lock(&lock);
    due(&fake.later, &status);
    pthread_mutex_unlock(&lock);
    return status;
}

void fake_keep_build(const struct build_input *input)
{
    pthread_mutex_lock(&lock);
    snprintf(fake.built_text, sizeof fake.built_text, "%s", input->text);
    size_t used = 0;
    fake.built_defines[0] = '\0';
    for (size_t i = 0; i < input->define_count && used < sizeof fake.built_defines; i++)
        used += (size_t)snprintf(fake.built_defines + used, sizeof fake.built_defines - used, "%s%s",
                                 i ? " " : "", input->defines[i]);
    pthread_mutex_unlock(&lock);
}

void fake_require(bool ok, const char *format, ...)
{
    if (ok)
        return;
    va_list list;
    va_start(list, format);
    fputs("fake backend: contract broken: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    pthread_mutex_lock(&lock);
    fake.breaches++;
    pthread_mutex_unlock(&lock);
}

void fake_object_born(void)
{
    pthread_mutex_lock(&lock);
    fake.live++;
    pthread_mutex_unlock(&lock);
}

void fake_object_dead(void)
{
    pthread_mutex_lock(&lock);
    fake.live--;
    pthread_mutex_unlock(&lock);
}

void fake_clear_records(void)
{
    fake.record_count = 0;
}

size_t fake_record_count(void)
{
    return fake.record_count;
}

const struct fake_record *fake_record_at(size_t index)
{
    return index < fake.record_count ? &fake.records[index] : NULL;
}

size_t fake_count(enum fake_call call)
{
    size_t count = 0;
    for (size_t i = 0; i < fake.record_count; i++)
        count += fake.records[i].call == call;
    return count;
}

const char *fake_last(enum fake_call call)
{
    for (size_t i = fake.record_count; i-- > 0;)
        if (fake.records[i].call == call)
            return fake.records[i].text;
    return "";
}

const char *fake_sequence(void)
{
    size_t used = 0;
    fake.sequence[0] = '\0';
    for (size_t i = 0; i < fake.record_count && used < sizeof fake.sequence; i++)
        used += (size_t)snprintf(fake.sequence + used, sizeof fake.sequence - used, "%s%s", i ? " " : "",
                                 names[fake.records[i].call]);
    return fake.sequence;
}

const char *fake_built_text(void)
{
    return fake.built_text;
}

const char *fake_built_defines(void)
{
    return fake.built_defines;
}

size_t fake_live(void)
{
    return fake.live;
}

size_t fake_breaches(void)
{
    return fake.breaches;
}
