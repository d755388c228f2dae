//! Markup that is taken away before a reply is read.

use std::borrow::Cow;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
const EMPHASIS: [&[u8]; 4] = [b"b", b"i", b"em", b"strong"];

/// The reply without byte order marks in front, and with `*` in place of the tags of HTML that
/// emphasise.
#[must_use]
pub fn plain(mut reply: &[u8]) -> Cow<'_, [u8]> {
    while let Some(rest) = reply.strip_prefix(BYTE_ORDER_MARK) {
        reply = rest;
    }
    let mut plain = Vec::new();
    let mut kept = 0;
    let mut i = 0;
    while let Some(found) = reply[i..].iter().position(|byte| *byte == b'<') {
        i += found;
        if let Some(width) = emphasis(&reply[i..]) {
            plain.extend_from_slice(&reply[kept..i]);
            plain.push(b'*');
            i += width;
            kept = i;
        } else {
            i += 1;
        }
    }
    if kept == 0 {
        return Cow::Borrowed(reply);
    }
    plain.extend_from_slice(&reply[kept..]);
    Cow::Owned(plain)
}

/// How long the tag is with which a text begins, if it is one that emphasises.
fn emphasis(text: &[u8]) -> Option<usize> {
    let inner = text.strip_prefix(b"</").or(text.strip_prefix(b"<"))?;
    let longest = inner.get(..8).unwrap_or(inner);
    let end = longest.iter().position(|byte| *byte == b'>')?;
    let known = EMPHASIS.iter().any(|name| name.eq_ignore_ascii_case(&inner[..end]));
    known.then_some(text.len() - inner.len() + end + 1)
}
