/// The bounds of a call's arguments as they come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputLimits {
    pub(crate) bytes: usize,
    /// How many arrays and objects may be in one another.
    pub(crate) depth: usize,
}

impl Default for InputLimits {
    fn default() -> Self {
        Self {
            bytes: 4 * 1024 * 1024,
            depth: 64,
        }
    }
}

impl InputLimits {
    /// What is wrong with `json`, which is so deep, in words for the model.
    pub(crate) fn violated(self, json: &str, deep: usize) -> Option<String> {
        let Self { bytes, depth } = self;
        if json.len() > bytes {
            let length = json.len();
            return Some(format!(
                "the arguments have {length} bytes, and this server takes {bytes}; send less"
            ));
        }
        if deep > depth {
            return Some(format!(
                "the arguments are nested more than {depth} deep; send a flatter value"
            ));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_and_length_are_bounded_at_their_limits() {
        let limits = InputLimits {
            bytes: 200,
            depth: 64,
        };
        assert_eq!(limits.violated("[]", 64), None);
        assert!(limits.violated("[]", 65).unwrap().contains("64 deep"));
        let text = |length: usize| format!("\"{}\"", "a".repeat(length - 2));
        assert_eq!(limits.violated(&text(200), 0), None);
        assert!(
            limits
                .violated(&text(201), 0)
                .unwrap()
                .contains("201 bytes")
        );
    }
}
