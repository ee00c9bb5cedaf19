// Random items around a program's functions: constants and constraints, properties, lemmas,
// checkers, external functions.
#pragma once

#include "world.h"

namespace leto::soundness {

void write_constants(World& world, Nodes& items);
void write_properties(World& world, Nodes& items);
void write_definitions(World& world, Nodes& items);
// lemma_gen.cpp
void write_lemmas(World& world, Nodes& items);
void write_checkers(World& world, Nodes& items);
void write_externs(World& world, Nodes& items);

}  // namespace leto::soundness
