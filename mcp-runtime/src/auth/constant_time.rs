/// Compares two secrets. The time of the comparison only depends on the length of `presented`.
pub(super) fn constant_time_eq(presented: &[u8], secret: &[u8]) -> bool {
    let mut difference = presented.len() ^ secret.len();
    for (index, byte) in presented.iter().enumerate() {
        let other = secret.get(index).copied().unwrap_or_default();
        difference |= usize::from(byte ^ other);
    }
    std::hint::black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::constant_time_eq;

    proptest! {
        #[test]
        fn is_equality(one in ".{0,8}", other in ".{0,8}") {
            prop_assert_eq!(constant_time_eq(one.as_bytes(), other.as_bytes()), one == other);
            prop_assert!(constant_time_eq(one.as_bytes(), one.as_bytes()));
        }

        #[test]
        fn a_prefix_is_not_equal(text in ".{1,8}") {
            prop_assert!(!constant_time_eq(&text.as_bytes()[1..], text.as_bytes()));
            prop_assert!(!constant_time_eq(text.as_bytes(), &text.as_bytes()[..text.len() - 1]));
        }
    }
}
