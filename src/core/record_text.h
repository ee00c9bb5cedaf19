// Records as people wrote them. A record is a variable for each of its fields; what is known of
// the fields is put together again where it is told.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program.h"

namespace leto::core {

// Of the field 's.x': "s" and "x".
[[nodiscard]] std::string record_name(const Var& field);
[[nodiscard]] std::string field_name(const Var& field);
// "v[1].x" of the field 'v.x' and "[1]".
[[nodiscard]] std::string element_name(const Var& field, std::string_view element);
// The record that a variable is a field of, or the variable itself.
[[nodiscard]] std::string whole_name(const Var& var);

// Which of the variables are fields of one record, by their places in the list, where the first
// of them stands; every other variable is by itself.
[[nodiscard]] std::vector<std::vector<std::size_t>> gather_records(const Program& program,
                                                                   const std::vector<VarId>& vars);

// What the values of a field are as text; empty where a run has none.
struct FieldText {
  VarId var;
  std::string original, relaxed;
};
// "{x: 1, y<o>: 2, y<r>: 3}", and of a vector of records "[{x: 1}, {x: 2}]" with `most` elements
// at most, or all of them. Fields that are not given are "...". Nothing if the vectors are not of
// one size.
[[nodiscard]] std::optional<std::string> record_text(const Program& program,
                                                     const std::vector<FieldText>& fields,
                                                     std::size_t most = 0);

// "x = 1" or "x<o> = 1, x<r> = 2" of one variable, "s = {x: 1, y<o>: 2, y<r>: 3}" of the fields of
// one record; of vectors of different sizes a record for each run.
[[nodiscard]] std::string equations(const Program& program, const std::vector<FieldText>& parts,
                                    std::size_t most = 0);

}  // namespace leto::core
