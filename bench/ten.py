"""The ten programs that people bring: what is proved of each, which wrong variants are refuted, and where its reliability stands."""

# Name of the example, how its wrong variants begin in tests/refutes, what is proved, functions that a campaign runs.
TEN = [
    ("abft_product", "abft", "one faulty operation in a product of matrices of any size is found, located and put right: what is returned is A * B", ["multiply"]),
    ("tmr_dot", "tmr", "three copies and a voter: an inner product is right, and so is each element of a sum of vectors", ["inner_product", "scale_and_add"]),
    ("duplicated_sum", "duplicated_sum", "two passes, and a second attempt where they disagree: the result is the sum", ["total"]),
    ("parity_buffer", "parity", "one flipped read is found by a parity bit: what is handed out is what was written", ["load"]),
    ("checkpoint", "checkpoint", "two copies of each step, checkpoints and rollback: the state after all steps is right, and both runs end", ["march"]),
    ("checked_sort", "sort", "any number of wrong comparisons: the result is in order and a permutation, and both runs end", ["sort"]),
    ("heat_range", "heat", "values stay in their range, whatever an upset does; without one the runs agree; both end", ["diffuse"]),
    ("binary_search", "binary_search", "in bounds and ends, whatever is read; the right answer if no read went wrong", ["search"]),
    ("pid_controller", "pid", "commands stay within limits, and one upset moves none of them by more than the gains allow", ["control"]),
    ("mercurial_core", "mercurial", "a defect that is always the same, for operands that nobody knows: exchanged operands give right products", ["fingerprint", "diverse_product", "good_product"]),
]

# Bounds on how likely a result is right, for those that do something again.
BOUNDS = {"duplicated_sum": "duplicated_sum", "parity_buffer": "parity_word"}
