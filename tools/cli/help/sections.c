/* Groups the options of a command by headings, for help and man pages. */
#include "cli/cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char thesis[] = "Thesis";

static struct cli_section *section_of(struct cli_sections *sections, const char *heading)
{
    for (size_t i = 0; i < sections->count; i++)
        if (strcmp(sections->section[i].heading, heading) == 0)
            return &sections->section[i];
    struct cli_section section = {.heading = heading, .name = cli_strdup(heading)};
    section.name[strcspn(section.name, ",")] = '\0';
    for (char *c = section.name; *c; c++)
        *c = *c == ' ' ? '-' : (char)tolower((unsigned char)*c);
    sections->section = cli_realloc(sections->section, (sections->count + 1) * sizeof *sections->section);
    sections->section[sections->count] = section;
    return &sections->section[sections->count++];
}

static void add_options(struct cli_sections *sections, const struct cli_groups *groups, bool of_thesis)
{
    const char *heading = "";
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; i < groups->group[g].count; i++) {
            const struct cli_group *group = &groups->group[g];
            const char *own = group->options[i].group;
            heading = own ? own : i == 0 ? group->title : heading;
            if (((group->options[i].flags & SHOAL_OPTION_THESIS) != 0) != of_thesis)
                continue;
            struct cli_section *section = section_of(sections, of_thesis ? thesis : heading);
            section->entries = cli_realloc(section->entries, (section->count + 1) * sizeof *section->entries);
            section->entries[section->count++] = (struct cli_entry){group, i};
        }
}

void cli_sections_init(struct cli_sections *sections, const struct cli_groups *groups)
{
    *sections = (struct cli_sections){NULL, 0};
    add_options(sections, groups, false);
    add_options(sections, groups, true);
}

bool cli_has_thesis(const struct cli_sections *sections)
{
    return sections->count && strcmp(sections->section[sections->count - 1].heading, thesis) == 0;
}

void cli_sections_free(struct cli_sections *sections)
{
    for (size_t i = 0; i < sections->count; i++) {
        free(sections->section[i].name);
        free(sections->section[i].entries);
    }
    free(sections->section);
    *sections = (struct cli_sections){NULL, 0};
}
