/// The limits on the arguments of a call, which are checked before the arguments are parsed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArgumentLimits {
    pub(crate) bytes: usize,
    /// The maximum nesting depth of arrays and objects.
    pub(crate) depth: usize,
}

impl Default for ArgumentLimits {
    fn default() -> Self {
        Self {
            bytes: 4 * 1024 * 1024,
            depth: 64,
        }
    }
}

impl ArgumentLimits {
    /// Returns a message for the model if `json` exceeds a limit. `nesting` is the nesting depth of
    /// `json`.
    pub(crate) fn violation(self, json: &str, nesting: usize) -> Option<String> {
        let Self { bytes, depth } = self;
        if json.len() > bytes {
            let length = json.len();
            return Some(format!(
                "the arguments have {length} bytes, and this server accepts {bytes}; send less"
            ));
        }
        if nesting > depth {
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
    fn arguments_over_a_limit_are_rejected() {
        let limits = ArgumentLimits {
            bytes: 200,
            depth: 64,
        };
        assert_eq!(limits.violation("[]", 64), None);
        assert!(limits.violation("[]", 65).unwrap().contains("64 deep"));
        let text = |length: usize| format!("\"{}\"", "a".repeat(length - 2));
        assert_eq!(limits.violation(&text(200), 0), None);
        assert!(
            limits
                .violation(&text(201), 0)
                .unwrap()
                .contains("201 bytes")
        );
    }
}
