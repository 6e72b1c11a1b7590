use std::pin::pin;
use std::task::Waker;

use super::super::event_queue::FIRST_CONNECTION;
use super::*;
use crate::dispatch::DispatchStatus;
use crate::limits::Shares;

fn reply(text: &str) -> Option<DispatchReply> {
    let (error, modern) = (None, true);
    let status = DispatchStatus { error, modern };
    let bytes = text.into();
    Some(DispatchReply { status, bytes })
}

/// Returns a stream that is not resumable and a stream that is resumable.
fn streams(limit: usize) -> [EventStream; 2] {
    let resumption = Resumption {
        store: EventStore::new(limit, Shares::new(1024 * 1024), None),
        number: 1,
        retry: Some(Duration::from_secs(1)),
    };
    [None, Some(resumption)].map(|resumption| EventStream::new(resumption, limit, true))
}

#[test]
fn a_reply_at_the_time_limit_is_still_one_message() {
    let task = &mut Context::from_waker(Waker::noop());
    for stream in streams(1024) {
        let mut start = pin!(stream.response_start());
        assert!(start.as_mut().poll(task).is_pending());
        // The call ends after the timer has fired and before the stream is opened.
        stream.finish(reply("{}"));
        stream.open();
        let Poll::Ready(ResponseStart::Reply(Some(sent))) = start.as_mut().poll(task) else {
            panic!("{stream:?}");
        };
        assert_eq!(sent.bytes, b"{}");
    }
}

#[test]
fn a_reply_arrives_after_any_number_of_notifications() {
    let task = &mut Context::from_waker(Waker::noop());
    let long = "x".repeat(300);
    // The last number of notifications exceeds the limit.
    for notifications in [0, 1, 50] {
        for stream in streams(200) {
            stream.open();
            for _ in 0..notifications {
                stream.send(b"{}");
            }
            stream.finish(reply(&long));
            let mut sent = Vec::new();
            while let Poll::Ready(Some(events)) = stream.poll_events(FIRST_CONNECTION, task) {
                sent.extend_from_slice(&events);
            }
            let end = format!("data: {long}\n\n");
            assert!(sent.ends_with(end.as_bytes()), "{notifications} {stream:?}");
        }
    }
}

#[test]
fn a_long_reply_is_stored_until_the_limit_came_after_it() {
    let store = EventStore::<EventStream>::new(100, Shares::new(1024), None);
    let id = |sequence| EventId {
        stream: 1,
        sequence,
    };
    store.append(id(1), &Bytes::from(vec![b'x'; 300]));
    let stored = || store.events_after(id(0)).len();
    assert_eq!(stored(), 1);
    store.append(id(2), &Bytes::from(vec![b'x'; 99]));
    assert_eq!(stored(), 2);
    store.append(id(3), &Bytes::from_static(b"x"));
    assert_eq!(stored(), 2);
}
