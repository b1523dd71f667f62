/* Private: converts points on the earth to unit vectors, by operations with equal results on every
 * machine. */
#ifndef SHOAL_TSP_SPHERE_H
#define SHOAL_TSP_SPHERE_H

/* Converts latitude and longitude to a unit vector. Angles are in TSPLIB's format DDD.MM, degrees and
 * minutes, for RULE_GEO; in degrees for RULE_SPHERE and RULE_GEOM. */
void tsp_unit_vector(int rule, const double place[2], double vector[3]);

#endif
