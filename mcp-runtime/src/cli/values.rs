use clap::ArgMatches;

/// Removes and returns all values of an argument that may be repeated.
pub(super) fn take_values(matches: &mut ArgMatches, id: &str) -> Vec<String> {
    matches.remove_many(id).into_iter().flatten().collect()
}
