use std::sync::Mutex;

use serde_json::json;

use super::*;

fn message(id: Option<i64>, params: Option<&str>) -> ServerMessage {
    ServerMessage {
        id: id.map(RequestId::from),
        method: "sampling/createMessage".to_owned(),
        params: params.map(|json| RawValue::from_string(json.to_owned()).unwrap()),
    }
}

#[tokio::test]
async fn without_a_handler_requests_fail_and_notifications_are_dropped() {
    let duplex = DuplexDispatcher::new();
    let error = duplex.dispatch(message(Some(1), None)).await.unwrap_err();
    assert_eq!(error.response.code, ErrorCode::METHOD_NOT_FOUND);
    assert!(error.response.message.contains("sampling/createMessage"));
    assert_eq!(duplex.dispatch(message(None, None)).await.unwrap(), None);
}

#[tokio::test]
async fn parameters_are_passed_unchanged() {
    let seen = Arc::new(Mutex::new(String::new()));
    let duplex = DuplexDispatcher::new();
    let keep = Arc::clone(&seen);
    duplex.set_handler(move |message: ServerMessage| {
        message
            .params
            .unwrap()
            .get()
            .clone_into(&mut keep.lock().unwrap());
        async { Ok(json!({})) }
    });
    let unusual = r#"{ "unknown" : 1.50, "_meta":{"b":1,"a":2} }"#;
    duplex
        .dispatch(message(Some(1), Some(unusual)))
        .await
        .unwrap();
    assert_eq!(*seen.lock().unwrap(), unusual);
}

#[tokio::test]
async fn an_error_object_is_passed_on_and_other_errors_become_the_source() {
    let duplex = DuplexDispatcher::new();
    let own = ErrorObject::new(ErrorCode(-1), "rejected").with_data(json!([1]));
    let passed = own.clone();
    duplex.set_handler(move |_: ServerMessage| {
        let own = own.clone();
        async { Err(own.into()) }
    });
    let error = duplex.dispatch(message(Some(1), None)).await.unwrap_err();
    assert_eq!(error.response, passed);
    assert!(error.source().is_none());

    duplex.set_handler(|_: ServerMessage| async { Err("the disk is full".into()) });
    let error = duplex.dispatch(message(Some(1), None)).await.unwrap_err();
    assert_eq!(error.response.code, ErrorCode::INTERNAL_ERROR);
    assert!(error.response.message.contains("sampling/createMessage"));
    assert!(!error.to_string().contains("disk"));
    assert_eq!(error.source().unwrap().to_string(), "the disk is full");
}

#[tokio::test]
async fn a_panic_is_an_error() {
    let duplex = DuplexDispatcher::new();
    let check = async || {
        let error = duplex.dispatch(message(Some(1), None)).await.unwrap_err();
        assert_eq!(error.response.code, ErrorCode::INTERNAL_ERROR);
        assert!(!error.response.to_string().contains("intended"));
        assert!(error.source().unwrap().to_string().contains("panicked"));
        assert!(duplex.dispatch(message(None, None)).await.is_err());
    };
    duplex.set_handler(|message: ServerMessage| {
        assert!(message.method.is_empty(), "intended");
        async { Ok(json!({})) }
    });
    check().await;
    duplex.set_handler(|message: ServerMessage| async move {
        tokio::task::yield_now().await;
        assert!(message.method.is_empty(), "intended");
        Ok(json!({}))
    });
    check().await;
}

#[tokio::test]
async fn each_message_has_its_own_context() {
    let duplex = DuplexDispatcher::default();
    duplex.set_context_handler(|_, number: u32| async move { Ok(json!(number)) });
    let (first, second) = tokio::join!(
        duplex.dispatch_with(message(Some(1), None), 1),
        duplex.dispatch_with(message(Some(2), None), 2),
    );
    assert_eq!(first.unwrap(), Some(json!(1)));
    assert_eq!(second.unwrap(), Some(json!(2)));
    duplex.set_handler(|_: ServerMessage| async { Ok(json!("without")) });
    let result = duplex.dispatch_with(message(Some(3), None), 3).await;
    assert_eq!(result.unwrap(), Some(json!("without")));
}

#[tokio::test]
async fn a_message_keeps_the_handler_that_it_started_with() {
    let duplex = Arc::new(DuplexDispatcher::new());
    let (release, released) = tokio::sync::oneshot::channel::<()>();
    let released = Arc::new(Mutex::new(Some(released)));
    duplex.set_handler(move |_: ServerMessage| {
        let released = released.lock().unwrap().take().unwrap();
        async {
            released.await.unwrap();
            Ok(json!("first"))
        }
    });
    let first = duplex.dispatch(message(Some(1), None));
    let mut first = std::pin::pin!(first);
    assert!(poll_once(first.as_mut()).is_pending());
    duplex.set_handler(|_: ServerMessage| async { Ok(json!("second")) });
    let second = duplex.dispatch(message(Some(2), None)).await.unwrap();
    assert_eq!(second, Some(json!("second")));
    duplex.replace_handler(None);
    release.send(()).unwrap();
    assert_eq!(first.await.unwrap(), Some(json!("first")));
    assert!(duplex.dispatch(message(Some(3), None)).await.is_err());
}

fn poll_once<F: Future>(future: Pin<&mut F>) -> std::task::Poll<F::Output> {
    future.poll(&mut std::task::Context::from_waker(std::task::Waker::noop()))
}
