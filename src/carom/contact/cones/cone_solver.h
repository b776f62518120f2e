// Solves cone problems by a cascade of methods, each tried only where those before it missed:
//
//   guess        everything sticks: forces of least norm; they will do if the cones allow them
//   proximal     semismooth Newton (cone_newton.h) around a centre that follows, eps 1e-6 … 1e-12
//   friction     the same along a path: friction from a twentieth up to what it is
//   compliance   the same along another: springs from soft to rigid
//   sweeps       the same from where 10, 50, 200 sweeps of block Gauss-Seidel end
//   polish       Newton on the equations of the modes found, steps of least norm
//   fewer        cutting planes: few contacts at first, then those that would approach (2)
//
// Redundant contacts are what makes a problem hard, and an answer needs few of them: where
//
//   u_n >= 0 at all contacts that were left out,                                        (2)
//
// forces of the others with none at these are an answer of the whole.
//
// What none of them solves to kConeTolerance is told, with the best that was found and where it
// fails: never a wrong answer that passes for a right one.
#pragma once

#include <string>

#include "carom/contact/cones/cone_problem.h"

namespace carom {

/// `r` holds forces to start from where `is_warm`, and then the answer, in the rows of the problem.
/// `is_quick`: only the first two stages are tried, by those who have other means.
ConeAnswer solve_cones(const ConeProblem& problem, std::span<double> r, bool is_warm = false,
                       bool is_quick = false);

/// Why the sizes and values of a problem make no sense; empty if they do.
std::string cone_problem_error(const ConeProblem& problem);

}  // namespace carom
