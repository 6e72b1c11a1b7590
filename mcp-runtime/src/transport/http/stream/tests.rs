use std::pin::pin;
use std::task::Waker;

use super::super::connection::FIRST;
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

#[test]
fn an_answer_arrives_however_much_was_told_before() {
    let task = &mut Context::from_waker(Waker::noop());
    let long = "x".repeat(300);
    // Nothing, a little, and more than may wait.
    for told in [0, 1, 50] {
        for stream in streams(200) {
            stream.open();
            for _ in 0..told {
                stream.send(b"{}");
            }
            stream.finish(answer(&long));
            let mut sent = Vec::new();
            while let Poll::Ready(Some(events)) = stream.poll_events(FIRST, task) {
                sent.extend_from_slice(&events);
            }
            let end = format!("data: {long}\n\n");
            assert!(sent.ends_with(end.as_bytes()), "{told} {stream:?}");
        }
    }
}

#[test]
fn a_long_answer_is_kept_until_much_came_after_it() {
    let log = Log::new(100);
    let id = |sequence| EventId {
        stream: 1,
        sequence,
    };
    log.append(id(1), &Bytes::from(vec![b'x'; 300]));
    let kept = |log: &Log| log.after(id(0)).len();
    assert_eq!(kept(&log), 1);
    log.append(id(2), &Bytes::from(vec![b'x'; 99]));
    assert_eq!(kept(&log), 2);
    log.append(id(3), &Bytes::from_static(b"x"));
    assert_eq!(kept(&log), 2);
}
