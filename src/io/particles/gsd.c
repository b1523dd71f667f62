/* GSD files with the schema of HOOMD-blue (https://gsd.readthedocs.io/en/stable/schema-hoomd.html).
 *
 * The reader takes the chunks configuration/dimensions and box, and of particles N, types, typeid, mass,
 * charge, position, velocity and image. A chunk that a frame lacks is that of the first frame. */
#include "io/particles/gsd.h"

#include "base/error.h"
#include "io/particles/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BOX_NUMBERS = 6, NO_NAME = UINT16_MAX };
enum chunk { DIMENSIONS, BOX, COUNT, TYPES, TYPEID, MASS, CHARGE, POSITION, VELOCITY, IMAGE, CHUNKS };

/* What a chunk must be. columns 0: any number. */
static const struct {
    const char *name;
    enum gsd_type type;
    uint64_t rows; /* 0: a row for each particle, or any number */
    uint32_t columns;
    bool per_particle;
} layout[CHUNKS] = {
    [DIMENSIONS] = {"configuration/dimensions", GSD_UINT8, 1, 1, false},
    [BOX] = {"configuration/box", GSD_FLOAT, BOX_NUMBERS, 1, false},
    [COUNT] = {"particles/N", GSD_UINT32, 1, 1, false},
    [TYPES] = {"particles/types", GSD_INT8, 0, 0, false},
    [TYPEID] = {"particles/typeid", GSD_UINT32, 0, 1, true},
    [MASS] = {"particles/mass", GSD_FLOAT, 0, 1, true},
    [CHARGE] = {"particles/charge", GSD_FLOAT, 0, 1, true},
    [POSITION] = {"particles/position", GSD_FLOAT, 0, 3, true},
    [VELOCITY] = {"particles/velocity", GSD_FLOAT, 0, 3, true},
    [IMAGE] = {"particles/image", GSD_INT32, 0, 3, true},
};

/* The entries of one frame: from `first` up to `end`. */
struct group {
    uint64_t frame;
    size_t first, end;
    bool is_whole; /* all chunks lie in the file */
};

struct gsd_file {
    const char *data, *name; /* name: that of the file, for messages */
    size_t bytes;
    struct gsd_header header;
    uint16_t number[CHUNKS];       /* numbers of the names; NO_NAME: the file has no such name */
    uint64_t frames;               /* number of frames */
    struct group initial, last;    /* frame 0, empty if the file has none, and the last whole frame */
    uint32_t initial_count, count; /* numbers of particles of both */
    struct shoal_error *error;
};

static struct gsd_entry entry_at(const struct gsd_file *file, size_t i)
{
    struct gsd_entry entry;
    memcpy(&entry, file->data + file->header.index_location + i * sizeof entry, sizeof entry);
    return entry;
}

/* Whether `count` pieces of `size` bytes from `location` on lie in the file. */
static bool is_inside(const struct gsd_file *file, uint64_t location, uint64_t count, size_t size)
{
    return location <= file->bytes && count <= (file->bytes - location) / size;
}

/* Whether the chunk of an entry lies in the file. */
static bool is_whole(const struct gsd_file *file, const struct gsd_entry *entry)
{
    const size_t size = gsd_bytes(entry->type);
    return size && entry->location > 0 && entry->rows <= file->bytes &&
           (!entry->columns ||
            is_inside(file, (uint64_t)entry->location, entry->rows, size * (size_t)entry->columns));
}

/* Header and index -------------------------------------------------------------------------------------- */

static enum shoal_status read_header(struct gsd_file *file)
{
    struct gsd_header *header = &file->header;
    if (file->bytes < sizeof *header)
        return fail(file->error, SHOAL_IO, "%s: the GSD file ends within its header", file->name);
    memcpy(header, file->data, sizeof *header);
    header->schema[sizeof header->schema - 1] = '\0';
    const unsigned version = header->version >> 16;
    if (version != 1 && version != 2)
        return fail(file->error, SHOAL_IO,
                    "%s: has version %u.%u of the GSD file layer; versions 1 and 2 are read", file->name,
                    version, header->version & 0xffff);
    if (strcmp(header->schema, "hoomd") != 0)
        return fail(file->error, SHOAL_IO,
                    "%s: has the GSD schema '%s'; only the schema 'hoomd' has particles", file->name,
                    word_show(word_of(header->schema)).text);
    const unsigned schema = header->schema_version >> 16;
    if (schema != 1 && schema != 2)
        return fail(file->error, SHOAL_IO,
                    "%s: has version %u.%u of the schema hoomd; versions 1 and 2 are read", file->name,
                    schema, header->schema_version & 0xffff);
    if (!is_inside(file, header->index_location, header->index_allocated, sizeof(struct gsd_entry)) ||
        !is_inside(file, header->names_location, header->names_allocated, GSD_NAME))
        return fail(file->error, SHOAL_IO, "%s: the GSD file ends before its index or its names", file->name);
    return SHOAL_OK;
}

/* Finds the numbers of the names that are read. */
static void find_names(struct gsd_file *file)
{
    const bool is_fixed = file->header.version >> 16 == 1;
    const char *at = file->data + file->header.names_location;
    const char *const end = at + file->header.names_allocated * GSD_NAME;
    for (size_t c = 0; c < CHUNKS; c++)
        file->number[c] = NO_NAME;
    for (uint16_t number = 0; at < end && *at && number < NO_NAME; number++) {
        const size_t length = strnlen(at, (size_t)(end - at));
        const struct word word = {at, at + length};
        for (size_t c = 0; c < CHUNKS; c++)
            if (word_is(word, layout[c].name))
                file->number[c] = number;
        at += is_fixed ? GSD_NAME : length + 1;
    }
}

/* Finds the entries of the frame that begins at entry `first`; false: the index ends there. */
static bool find_group(const struct gsd_file *file, size_t first, struct group *group)
{
    struct gsd_entry entry;
    *group = (struct group){.first = first, .end = first, .is_whole = true};
    while (group->end < file->header.index_allocated) {
        entry = entry_at(file, group->end);
        if (entry.location == 0 || (group->end > first && entry.frame != group->frame))
            break;
        group->frame = entry.frame;
        group->is_whole = group->is_whole && is_whole(file, &entry);
        group->end++;
    }
    return group->end > first;
}

/* Counts the frames, and chooses the last whole one. */
static enum shoal_status find_frame(struct gsd_file *file)
{
    const uint64_t most = (uint64_t)1 << 48;
    struct group group = {0};
    bool found = false;
    for (size_t i = 0; find_group(file, i, &group); i = group.end) {
        if (group.frame >= most || group.frame < file->frames)
            return fail(file->error, SHOAL_IO, "%s: the frames in the index of the GSD file are out of order",
                        file->name);
        if (group.frame == 0)
            file->initial = group;
        if (group.is_whole)
            file->last = group;
        found = found || group.is_whole;
        file->frames = group.frame + 1;
    }
    if (!file->frames)
        return fail(file->error, SHOAL_IO, "%s: the GSD file has no frames", file->name);
    if (!found || (file->initial.end && !file->initial.is_whole))
        return fail(file->error, SHOAL_IO, "%s: the GSD file ends within its first frame", file->name);
    return SHOAL_OK;
}

/* Chunks ------------------------------------------------------------------------------------------------ */

static bool find_in(const struct gsd_file *file, const struct group *group, enum chunk chunk,
                    struct gsd_entry *entry)
{
    for (size_t i = group->first; i < group->end && file->number[chunk] != NO_NAME; i++) {
        *entry = entry_at(file, i);
        if (entry->name == file->number[chunk])
            return true;
    }
    return false;
}

/* The data of a chunk; data NULL: there are none. */
struct found {
    const char *data;
    size_t rows, columns;
    bool is_double; /* a file may have double precision, by version 2 of the schema */
};

static double real_at(const struct found *found, size_t i)
{
    float single;
    double value;
    if (!found->is_double) {
        memcpy(&single, found->data + i * sizeof single, sizeof single);
        return (double)single;
    }
    memcpy(&value, found->data + i * sizeof value, sizeof value);
    return value;
}

/* Sets the number of particles, if the group has such a chunk. */
static enum shoal_status read_count(const struct gsd_file *file, const struct group *group, uint32_t *count)
{
    struct gsd_entry entry;
    if (!find_in(file, group, COUNT, &entry))
        return SHOAL_OK;
    if (entry.type != GSD_UINT32 || entry.rows != 1 || entry.columns != 1)
        return fail(file->error, SHOAL_IO, "%s: the chunk particles/N is no number of type uint32",
                    file->name);
    memcpy(count, file->data + entry.location, sizeof *count);
    return SHOAL_OK;
}

/* Finds a chunk in the frame, else in the first frame, and checks its type and shape. */
static enum shoal_status find_chunk(const struct gsd_file *file, enum chunk chunk, struct found *found)
{
    const bool per_particle = layout[chunk].per_particle;
    struct gsd_entry entry;
    *found = (struct found){NULL, 0, 0, false};
    if (!find_in(file, &file->last, chunk, &entry) && ((per_particle && file->initial_count != file->count) ||
                                                       !find_in(file, &file->initial, chunk, &entry)))
        return SHOAL_OK;
    const bool is_other_type =
        layout[chunk].type == GSD_FLOAT
            ? entry.type == GSD_DOUBLE
            : chunk == TYPES && (entry.type == GSD_UINT8 || entry.type == GSD_CHARACTER);
    if ((entry.type != layout[chunk].type && !is_other_type) || !entry.columns ||
        (layout[chunk].columns && entry.columns != layout[chunk].columns) ||
        (layout[chunk].rows && entry.rows != layout[chunk].rows) ||
        (per_particle && entry.rows != file->count))
        return fail(file->error, SHOAL_IO,
                    "%s: the chunk %s has %llu x %u numbers of type %u: that is not of the schema hoomd, for "
                    "%u particles",
                    file->name, layout[chunk].name, (unsigned long long)entry.rows, entry.columns, entry.type,
                    file->count);
    *found = (struct found){file->data + entry.location, (size_t)entry.rows, (size_t)entry.columns,
                            entry.type == GSD_DOUBLE};
    return SHOAL_OK;
}

/* Reads floats into newly allocated numbers. *out stays NULL if there is no such chunk. what: name of the
 * numbers in messages. */
static enum shoal_status read_floats(const struct gsd_file *file, enum chunk chunk, const char *what,
                                     double **out)
{
    struct found found;
    enum shoal_status status = find_chunk(file, chunk, &found);
    if (status || !found.data)
        return status;
    *out = malloc(found.rows * found.columns * sizeof **out);
    if (!*out)
        return fail_host_memory(file->error);
    for (size_t i = 0; i < found.rows * found.columns; i++) {
        const double value = real_at(&found, i);
        if (!isfinite(value))
            return fail(file->error, SHOAL_IO, "%s: %s of particle %zu is %g, which is not finite",
                        file->name, what, i / found.columns + 1, value);
        (*out)[i] = value;
    }
    return SHOAL_OK;
}

/* The particles ------------------------------------------------------------------------------------------ */

/* The box lies about the origin of the coordinates. A box without a length along z is flat. */
static enum shoal_status read_box(const struct gsd_file *file, struct particles *particles)
{
    struct found found;
    double box[BOX_NUMBERS];
    enum shoal_status status = find_chunk(file, BOX, &found);
    if (status)
        return status;
    if (!found.data)
        return fail(file->error, SHOAL_IO, "%s: the GSD file has no box", file->name);
    for (size_t i = 0; i < BOX_NUMBERS; i++)
        box[i] = real_at(&found, i);
    if (box[3] != 0 || box[4] != 0 || box[5] != 0)
        return fail(file->error, SHOAL_IO,
                    "%s: the box is oblique (triclinic): its tilts are %g, %g and %g, boxes here are upright",
                    file->name, box[3], box[4], box[5]);
    for (size_t k = 0; k < 3; k++) {
        if (!isfinite(box[k]) || box[k] < 0 || (k < 2 && box[k] == 0))
            return fail(file->error, SHOAL_IO, "%s: the box is %g long along %c", file->name, box[k],
                        "xyz"[k]);
        particles->length[k] = box[k];
        particles->origin[k] = -0.5 * box[k];
    }
    particles->has_box = true;
    return SHOAL_OK;
}

/* Takes the name of a type; without the chunk types, the names are A, B and so on. */
static void name_type(const struct found *types, uint32_t type, char name[PARTICLES_KIND_MOST])
{
    struct word word = {NULL, NULL};
    const char letter[] = {(char)('A' + type % 26), '\0'};
    if (types->data) {
        word.begin = types->data + type * types->columns;
        word.end = word.begin + strnlen(word.begin, types->columns);
    }
    snprintf(name, PARTICLES_KIND_MOST, "%.15s", types->data ? word_show(word).text : letter);
}

/* Sets the kinds of the particles, in the order in which their types occur. */
static enum shoal_status read_types(const struct gsd_file *file, struct particles *particles)
{
    struct found types, ids;
    uint32_t type_of[PARTICLES_KINDS_MOST];
    enum shoal_status status = find_chunk(file, TYPES, &types);
    if (!status)
        status = find_chunk(file, TYPEID, &ids);
    if (status)
        return status;
    particles->kind = calloc(particles->count, sizeof *particles->kind);
    if (!particles->kind)
        return fail_host_memory(file->error);
    for (size_t i = 0; i < particles->count; i++) {
        uint32_t type = 0;
        size_t kind = 0;
        if (ids.data)
            memcpy(&type, ids.data + i * sizeof type, sizeof type);
        if (types.data && type >= types.rows)
            return fail(file->error, SHOAL_IO, "%s: particle %zu is of type %u, but there are %zu types",
                        file->name, i + 1, type, types.rows);
        while (kind < particles->kinds && type_of[kind] != type)
            kind++;
        if (kind == particles->kinds && kind < PARTICLES_KINDS_MOST) {
            type_of[kind] = type;
            name_type(&types, type, particles->kind_names[particles->kinds++]);
        }
        particles->kind[i] = (uint8_t)kind;
        if (kind > 0 && !*particles->told)
            particles_tell(particles->told, "type");
    }
    return SHOAL_OK;
}

/* Reads the masses, which are 1 where the file gives none. */
static enum shoal_status read_masses(const struct gsd_file *file, struct particles *particles)
{
    enum shoal_status status = read_floats(file, MASS, "the mass", &particles->masses);
    particles->mass = particles->masses ? *particles->masses : 1;
    for (size_t i = 0; i < particles->count && !status && particles->masses; i++)
        if (particles->masses[i] != *particles->masses)
            particles->mass = NAN;
    if (isnan(particles->mass))
        particles_tell(particles->told, "mass");
    return status;
}

static enum shoal_status read_charges(const struct gsd_file *file, struct particles *particles)
{
    enum shoal_status status = read_floats(file, CHARGE, "the charge", &particles->charges);
    bool differ = false;
    for (size_t i = 0; i < particles->count && !status && particles->charges; i++)
        differ = differ || particles->charges[i] != particles->charges[0];
    if (differ)
        particles_tell(particles->told, "charge");
    return status;
}

static enum shoal_status read_images(const struct gsd_file *file, struct particles *particles)
{
    struct found found;
    enum shoal_status status = find_chunk(file, IMAGE, &found);
    if (status || !found.data)
        return status;
    particles->image = malloc(3 * particles->count * sizeof *particles->image);
    if (!particles->image)
        return fail_host_memory(file->error);
    memcpy(particles->image, found.data, 3 * particles->count * sizeof *particles->image);
    for (size_t i = 0; i < 3 * particles->count; i++)
        if (!(fabs((double)particles->image[i]) <= particles_most_crossings))
            return fail(file->error, SHOAL_IO,
                        "%s: the crossings of particle %zu along %c are %d, which is no count up to %g",
                        file->name, i / 3 + 1, "xyz"[i % 3], particles -> image[i], particles_most_crossings);
    return SHOAL_OK;
}

static enum shoal_status read_particles(struct gsd_file *file, struct particles *particles)
{
    struct found dimensions;
    enum shoal_status status = read_count(file, &file->initial, &file->initial_count);
    file->count = file->initial_count;
    if (!status)
        status = read_count(file, &file->last, &file->count);
    if (!status && !file->count)
        return fail(file->error, SHOAL_IO, "%s: frame %llu of the GSD file has no particles", file->name,
                    (unsigned long long)file->last.frame + 1);
    if (!status)
        status = read_floats(file, POSITION, "the position", &particles->position);
    if (!status && !particles->position)
        return fail(file->error, SHOAL_IO, "%s: frame %llu of the GSD file has no positions", file->name,
                    (unsigned long long)file->last.frame + 1);
    particles->count = file->count;
    if (!status)
        status = read_floats(file, VELOCITY, "the velocity", &particles->velocity);
    if (!status)
        status = read_box(file, particles);
    if (!status)
        status = find_chunk(file, DIMENSIONS, &dimensions);
    if (!status && dimensions.data && *dimensions.data == 2)
        particles->length[2] = particles->origin[2] = 0;
    if (!status)
        status = read_types(file, particles);
    if (!status)
        status = read_masses(file, particles);
    if (!status)
        status = read_charges(file, particles);
    return status ? status : read_images(file, particles);
}

bool gsd_is_at(const char *data, size_t bytes)
{
    const uint64_t magic = GSD_MAGIC;
    return bytes >= sizeof magic && memcmp(data, &magic, sizeof magic) == 0;
}

enum shoal_status gsd_read(const char *data, size_t bytes, const char *name, struct particles *particles,
                           struct shoal_error *error)
{
    struct gsd_file file = {.data = data, .bytes = bytes, .name = name, .error = error};
    enum shoal_status status = read_header(&file);
    if (status)
        return status;
    find_names(&file);
    status = find_frame(&file);
    if (!status)
        status = read_particles(&file, particles);
    particles->format = "GSD";
    particles->frames = (size_t)file.frames;
    particles->frame = (size_t)file.last.frame + 1;
    particles->is_cut = particles->frame < particles->frames;
    return status;
}
