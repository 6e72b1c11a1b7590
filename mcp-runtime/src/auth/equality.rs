/// Compares secrets in a time that depends on the length of `presented` alone.
pub(super) fn equal(presented: &[u8], secret: &[u8]) -> bool {
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

    use super::equal;

    proptest! {
        #[test]
        fn is_equality(one in ".{0,8}", other in ".{0,8}") {
            prop_assert_eq!(equal(one.as_bytes(), other.as_bytes()), one == other);
            prop_assert!(equal(one.as_bytes(), one.as_bytes()));
        }

        #[test]
        fn a_prefix_is_not_equal(text in ".{1,8}") {
            prop_assert!(!equal(&text.as_bytes()[1..], text.as_bytes()));
            prop_assert!(!equal(text.as_bytes(), &text.as_bytes()[..text.len() - 1]));
        }
    }
}
