use std::pin::pin;
use std::task::Waker;

use super::*;
use crate::dispatch::Status;

fn answer(text: &str) -> Option<Answer> {
    let (error, modern) = (None, true);
    let status = Status { error, modern };
    let bytes = text.into();
    Some(Answer { status, bytes })
}

/// A stream of its own, and one of a session.
fn streams(limit: usize) -> [Stream; 2] {
    let numbering = Numbering {
        log: Log::new(limit),
        number: 1,
        primed: Some(Duration::from_secs(1)),
    };
    [None, Some(numbering)].map(|numbering| Stream::new(numbering, limit, true))
}

#[test]
fn an_answer_that_comes_as_the_patience_ends_is_sent_whole() {
    let task = &mut Context::from_waker(Waker::noop());
    for stream in streams(1024) {
        let mut waiting = pin!(stream.beginning());
        assert!(waiting.as_mut().poll(task).is_pending());
        // Who waits has lost its patience, and the call ends before it can say so.
        stream.finish(answer("{}"));
        stream.open();
        let Poll::Ready(Beginning::Answer(Some(sent))) = waiting.as_mut().poll(task) else {
            panic!("{stream:?}");
        };
        assert_eq!(sent.bytes, b"{}");
    }
}
