#include "cli/tsp/map.h"

#include "cli/cli.h"
#include "cli/tsp/picture.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Cuts the globe in the widest interval of longitudes without a city, so that longitudes of cities increase
 * from this cut on. */
static void unroll(struct tsp_map *map)
{
    const uint32_t n = map->cities;
    double *sorted = cli_alloc(n * sizeof *sorted);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = map->places[i][0];
    qsort(sorted, n, sizeof *sorted, compare);
    double widest = sorted[0] + 360 - sorted[n - 1], first = sorted[0];
    for (uint32_t i = 1; i < n; i++)
        if (sorted[i] - sorted[i - 1] > widest) {
            widest = sorted[i] - sorted[i - 1];
            first = sorted[i];
        }
    for (uint32_t i = 0; i < n; i++)
        map->places[i][0] += map->places[i][0] < first ? 360 : 0;
    free(sorted);
}

static void find_borders(struct tsp_map *map)
{
    for (int axis = 0; axis < 2; axis++) {
        map->low[axis] = INFINITY;
        map->high[axis] = -INFINITY;
        for (uint32_t i = 0; i < map->cities; i++) {
            map->low[axis] = fmin(map->low[axis], map->places[i][axis]);
            map->high[axis] = fmax(map->high[axis], map->places[i][axis]);
        }
        if (!(map->high[axis] > map->low[axis])) {
            map->low[axis] -= 0.5;
            map->high[axis] += 0.5;
        }
    }
}

void tsp_map_set(struct tsp_map *map, const struct shoal_tsp_problem *problem)
{
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    const double least_aspect = 0.1, radian = 3.14159265358979323846 / 180;
    *map = (struct tsp_map){.cities = info->cities, .aspect = 1, .is_globe = tsp_is_on_earth(info)};
    map->places = cli_alloc(map->cities * sizeof *map->places);
    for (uint32_t i = 0; i < map->cities; i++)
        shoal_tsp_map_position(problem, i, map->places[i]);
    if (map->is_globe)
        unroll(map);
    find_borders(map);
    /* A degree of longitude has the length of a degree of latitude only at the equator. */
    if (map->is_globe)
        map->aspect = fmax(cos((map->low[1] + map->high[1]) / 2 * radian), least_aspect);
}

void tsp_map_clear(struct tsp_map *map)
{
    free(map->places);
    *map = (struct tsp_map){0};
}

int tsp_map_line(const struct tsp_map *map, uint32_t from, uint32_t to, double ends[2][2][2])
{
    const double *a = map->places[from], *b = map->places[to];
    const double east = b[0] - a[0];
    for (int axis = 0; axis < 2; axis++) {
        ends[0][0][axis] = a[axis];
        ends[0][1][axis] = ends[1][1][axis] = b[axis];
    }
    if (!map->is_globe || fabs(east) <= 180)
        return 1;
    /* The line leaves the map at one side and continues at the other side. */
    const double out = east < 0 ? map->high[0] : map->low[0], in = east < 0 ? map->low[0] : map->high[0];
    const double degrees = 360 - fabs(east);
    const double before = degrees > 0 ? fabs(out - a[0]) / degrees : 0,
                 behind = degrees > 0 ? fabs(b[0] - in) / degrees : 0;
    ends[0][1][0] = out;
    ends[0][1][1] = a[1] + before * (b[1] - a[1]);
    ends[1][0][0] = in;
    ends[1][0][1] = b[1] - behind * (b[1] - a[1]);
    return 2;
}
