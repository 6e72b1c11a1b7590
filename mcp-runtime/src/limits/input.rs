use crate::jsonrpc::after_text;

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
    /// What is wrong with `json`, which must be valid, in words for the model.
    pub(crate) fn violated(self, json: &str) -> Option<String> {
        let Self { bytes, depth } = self;
        if json.len() > bytes {
            let length = json.len();
            return Some(format!(
                "the arguments have {length} bytes, and this server takes {bytes}; send less"
            ));
        }
        // What is that short cannot be deeper, which spares most calls the walk.
        if json.len() > 2 * depth && depth_of(json) > depth {
            return Some(format!(
                "the arguments are nested more than {depth} deep; send a flatter value"
            ));
        }
        None
    }
}

fn depth_of(json: &str) -> usize {
    let json = json.as_bytes();
    let (mut depth, mut deepest, mut at) = (0_usize, 0, 0);
    while let Some(byte) = json.get(at) {
        at += 1;
        match byte {
            b'"' => at = after_text(json, at),
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, depth: usize) {
        assert!(serde_json::from_str::<serde_json::Value>(json).is_ok());
        assert_eq!(depth_of(json), depth, "{json}");
    }

    #[test]
    fn brackets_count_outside_of_strings_only() {
        check("1", 0);
        check("{}", 1);
        check(r#"{"a":[{"b":[]}],"c":{}}"#, 4);
        check(r#"{"[[[":"{{{\"[[[","\\":"["}"#, 1);
        check(r#"["\\",["\\\"["]]"#, 2);
    }

    #[test]
    fn depth_and_length_are_bounded_at_their_limits() {
        let limits = InputLimits {
            bytes: 200,
            depth: 64,
        };
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(limits.violated(&nested(64)), None);
        assert!(limits.violated(&nested(65)).unwrap().contains("64 deep"));
        let text = |length: usize| format!("\"{}\"", "a".repeat(length - 2));
        assert_eq!(limits.violated(&text(200)), None);
        assert!(limits.violated(&text(201)).unwrap().contains("201 bytes"));
    }
}
