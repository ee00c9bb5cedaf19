// The front door of `workbench`: programs and models to verdicts, explanations, bounds and runs. It
// prints nothing, catches no signal and never ends the process. One header for each thing it does:
//   proving.h      solvers, cache and limits, for all that follows
//   verifying.h    one program under one model: claims, and why they are not proved
//   bounding.h     how likely results are right
//   executing.h    a program that is ready to run
//   formatting.h   programs in the house style
//   footing.h      what a verdict rests on
#pragma once

#include "workbench/bounding.h"
#include "workbench/executing.h"
#include "workbench/footing.h"
#include "workbench/formatting.h"
#include "workbench/proving.h"
#include "workbench/verifying.h"
