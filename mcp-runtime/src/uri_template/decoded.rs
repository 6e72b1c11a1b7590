use super::normalize::decode_byte;

/// A URI, its percent-decoded bytes, and a flag for each position in the URI that tells whether
/// decoded text can start or end there.
pub(super) struct DecodedUri<'a> {
    pub(super) uri: &'a str,
    bytes: Vec<u8>,
    /// The position in `bytes` for each position of the URI.
    positions: Vec<usize>,
    /// Whether decoded text can start or end at each position of the URI.
    boundaries: Vec<bool>,
    /// For each position of the URI, the position of the next byte that does not decode to valid
    /// UTF-8.
    next_invalid: Vec<usize>,
}

impl<'a> DecodedUri<'a> {
    pub(super) fn new(uri: &'a str) -> Self {
        let length = uri.len();
        let mut bytes = Vec::with_capacity(length);
        let mut positions = vec![0; length + 1];
        let mut starts = vec![false; length + 1];
        let mut invalid = vec![false; length + 1];
        let mut origins = Vec::with_capacity(length + 1);
        let mut at = 0;
        while at < length {
            starts[at] = true;
            origins.push(at);
            let (byte, width) = decode_byte(uri.as_bytes(), at);
            invalid[at] = byte.is_none();
            bytes.push(byte.unwrap_or(b'%'));
            positions[at + 1..=at + width].fill(bytes.len());
            at += width;
        }
        starts[length] = true;
        origins.push(length);
        let valid_starts = valid_starts(&bytes, |offset| invalid[origins[offset]] = true);
        let boundaries = (0..=length)
            .map(|at| starts[at] && valid_starts[positions[at]])
            .collect();
        let next_invalid = next_positions(length, |at| invalid[at]);
        Self {
            uri,
            bytes,
            positions,
            boundaries,
            next_invalid,
        }
    }

    /// Whether decoded text can start or end at a position.
    pub(super) fn is_boundary(&self, at: usize) -> bool {
        self.boundaries[at]
    }

    /// Whether the byte at a position does not decode to valid UTF-8.
    pub(super) fn is_invalid(&self, at: usize) -> bool {
        self.next_invalid[at] == at
    }

    /// Returns the decoded text between two positions.
    pub(super) fn text(&self, from: usize, to: usize) -> Option<String> {
        let bytes = self.bytes.get(self.positions[from]..self.positions[to])?;
        std::str::from_utf8(bytes).ok().map(str::to_owned)
    }
}

/// Returns, for each position of `bytes`, whether a UTF-8 character starts or ends there. Calls
/// `invalid` with the position of each byte that is not valid UTF-8.
fn valid_starts(bytes: &[u8], mut invalid: impl FnMut(usize)) -> Vec<bool> {
    let mut starts = vec![false; bytes.len() + 1];
    let mut offset = 0;
    for chunk in bytes.utf8_chunks() {
        for (index, _) in chunk.valid().char_indices() {
            starts[offset + index] = true;
        }
        offset += chunk.valid().len();
        starts[offset] = true;
        for _ in chunk.invalid() {
            invalid(offset);
            offset += 1;
        }
    }
    starts[bytes.len()] = true;
    starts
}

/// Returns, for each position up to `length`, the first position at or after it for which `is`
/// returns true, or `length` if there is none.
pub(super) fn next_positions(length: usize, is: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut next = vec![length; length + 1];
    for at in (0..length).rev() {
        next[at] = if is(at) { at } else { next[at + 1] };
    }
    next
}
