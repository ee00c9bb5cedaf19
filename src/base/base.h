// The front door of `base`: what every other room stands on. Typed ids and
// stores, interned names, source text with places, diagnostics as data.
// A closed list: nothing here knows the language.
#pragma once

#include "base/allowance.h"
#include "base/assert.h"
#include "base/diagnostic.h"
#include "base/ids.h"
#include "base/names.h"
#include "base/overload.h"
#include "base/restored.h"
#include "base/source.h"
#include "base/trap.h"
