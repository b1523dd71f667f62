/* Private: places on the earth as unit vectors, by operations whose results are equal on every machine. */
#ifndef SHOAL_TSP_SPHERE_H
#define SHOAL_TSP_SPHERE_H

/* Converts latitude and longitude to a unit vector. RULE_GEO takes degrees and minutes as TSPLIB has them,
 * DDD.MM; RULE_SPHERE and RULE_GEOM take degrees. */
void tsp_unit_vector(int rule, const double place[2], double vector[3]);

#endif
