/* Private: places on the earth as unit vectors, by operations that are the same everywhere. */
#ifndef SHOAL_TSP_SPHERE_H
#define SHOAL_TSP_SPHERE_H

/* Latitude and longitude: RULE_GEO in degrees and minutes as TSPLIB has them, DDD.MM; RULE_SPHERE and
 * RULE_GEOM in degrees. */
void tsp_unit_vector(int rule, const double place[2], double vector[3]);

#endif
