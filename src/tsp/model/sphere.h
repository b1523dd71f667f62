/* Private: conversion of points on the earth to unit vectors, with operations whose results are equal on all
 * machines. */
#ifndef SHOAL_TSP_SPHERE_H
#define SHOAL_TSP_SPHERE_H

/* Converts latitude and longitude to a unit vector. The angles are in degrees for RULE_SPHERE and RULE_GEOM,
 * and in TSPLIB's format DDD.MM, degrees and minutes, for RULE_GEO. */
void tsp_unit_vector(int rule, const double place[2], double vector[3]);

#endif
