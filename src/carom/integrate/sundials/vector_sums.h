// Sums of vectors as a multistep method forms them many times in every step: two components at a
// time. Those of the serial vector take one, and were a sixth of a run of four billiard balls.
// Products and sums come in the same order, so that results are the same to the last bit.
#pragma once

#include <sundials/sundials_nvector.h>

namespace carom {

/// z = a x + b y
void sum_two(double a, N_Vector x, double b, N_Vector y, N_Vector z);
/// z = c0 x0 + c1 x1 + …
int sum_many(int count, double* c, N_Vector* x, N_Vector z);
/// z_i = a_i x + y_i
int add_to_many(int count, double* a, N_Vector x, N_Vector* y, N_Vector* z);

}  // namespace carom
