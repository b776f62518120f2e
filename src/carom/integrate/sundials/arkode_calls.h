// One table of function pointers for each of ARKODE's two steppers, which SUNDIALS 6
// gives the same functions under different prefixes.
#pragma once

#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>

namespace carom {

struct ArkodeCalls {
  void (*free)(void**);
  int (*evolve)(void*, double, N_Vector, double*, int);
  int (*set_stop_time)(void*, double);
  int (*set_initial_step)(void*, double);
  int (*set_fixed_step)(void*, double);
  int (*set_max_step)(void*, double);
  int (*set_max_steps)(void*, long);
  int (*set_interpolant_degree)(void*, int);
  int (*set_max_hnil_warnings)(void*, int);
  int (*set_max_error_fails)(void*, int);
  int (*set_controller)(void*, int, int, int, double*);
  int (*set_user_data)(void*, void*);
  int (*set_error_handler)(void*, ARKErrHandlerFn, void*);
  int (*set_weights)(void*, ARKEwtFn);
  int (*set_postprocess)(void*, ARKPostProcessFn);
  int (*get_attempts)(void*, long*);
  int (*get_current_step)(void*, double*);
};

inline constexpr ArkodeCalls kExplicitCalls{
    ERKStepFree,
    ERKStepEvolve,
    ERKStepSetStopTime,
    ERKStepSetInitStep,
    ERKStepSetFixedStep,
    ERKStepSetMaxStep,
    ERKStepSetMaxNumSteps,
    ERKStepSetInterpolantDegree,
    ERKStepSetMaxHnilWarns,
    ERKStepSetMaxErrTestFails,
    ERKStepSetAdaptivityMethod,
    ERKStepSetUserData,
    ERKStepSetErrHandlerFn,
    ERKStepWFtolerances,
    ERKStepSetPostprocessStepFn,
    ERKStepGetNumStepAttempts,
    ERKStepGetCurrentStep,
};

inline constexpr ArkodeCalls kImplicitCalls{
    ARKStepFree,
    ARKStepEvolve,
    ARKStepSetStopTime,
    ARKStepSetInitStep,
    ARKStepSetFixedStep,
    ARKStepSetMaxStep,
    ARKStepSetMaxNumSteps,
    ARKStepSetInterpolantDegree,
    ARKStepSetMaxHnilWarns,
    ARKStepSetMaxErrTestFails,
    ARKStepSetAdaptivityMethod,
    ARKStepSetUserData,
    ARKStepSetErrHandlerFn,
    ARKStepWFtolerances,
    ARKStepSetPostprocessStepFn,
    ARKStepGetNumStepAttempts,
    ARKStepGetCurrentStep,
};

}  // namespace carom
