// The front door of `logic`: hash-consed terms over booleans, integers, reals
// and arrays, and their SMT-LIB text. Knows no solver and no program.
#pragma once

#include "logic/ring.h"
#include "logic/smtlib.h"
#include "logic/term.h"
