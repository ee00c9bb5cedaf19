// The front door of `transition`: protocols as transition systems. A `System` comes in, read from
// MCMT text or made by somebody else; verdicts on its claims go out. An engine only proposes:
// `valid` is said after a certificate was checked, `invalid` after a trace was replayed.
#pragma once

#include "transition/certificate.h"
#include "transition/horn.h"
#include "transition/mcmt.h"
#include "transition/portfolio.h"
#include "transition/system.h"
