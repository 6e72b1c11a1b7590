use clap::ArgMatches;

/// Removes and returns all values of a repeatable argument.
pub(super) fn take_values(matches: &mut ArgMatches, id: &str) -> Vec<String> {
    matches.remove_many(id).into_iter().flatten().collect()
}
