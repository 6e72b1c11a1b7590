use std::sync::mpsc::channel;

use tokio::runtime::Runtime;

use super::*;

const LONG: Duration = Duration::from_secs(20);

#[test]
fn every_job_is_run_once() {
    let (runtime, hands) = (Runtime::new().unwrap(), Arc::<Hands>::default());
    let (done, each) = channel();
    let _inside = runtime.enter();
    for number in 0..1000 {
        let done = done.clone();
        hands.run(move || done.send(number).unwrap());
    }
    let mut ran: Vec<i32> = (0..1000)
        .map(|_| each.recv_timeout(LONG).unwrap())
        .collect();
    ran.sort_unstable();
    assert_eq!(ran, (0..1000).collect::<Vec<_>>());
}

#[test]
fn a_job_that_blocks_holds_nobody_up() {
    let (runtime, hands) = (Runtime::new().unwrap(), Arc::<Hands>::default());
    let (done, all) = channel();
    let _inside = runtime.enter();
    // Each waits for the next one, so that all must run at once.
    let mut wake = None;
    for _ in 0..20 {
        let (sender, woken) = channel::<()>();
        let (before, done) = (wake.replace(sender), done.clone());
        hands.run(move || {
            drop(before);
            let _ = woken.recv_timeout(LONG);
            done.send(()).unwrap();
        });
    }
    drop(wake);
    for _ in 0..20 {
        all.recv_timeout(LONG).unwrap();
    }
}

#[test]
fn a_job_that_panics_ends_alone() {
    let (runtime, hands) = (Runtime::new().unwrap(), Arc::<Hands>::default());
    let (done, all) = channel();
    let _inside = runtime.enter();
    for number in 0..20 {
        let done = done.clone();
        hands.run(move || {
            assert!(number % 2 == 0, "on purpose");
            done.send(number).unwrap();
        });
    }
    let ran: Vec<_> = (0..10).map(|_| all.recv_timeout(LONG).unwrap()).collect();
    assert!(ran.iter().all(|number| number % 2 == 0));
}

#[test]
fn a_pool_whose_threads_are_stuck_is_not_filled_with_hands() {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().max_blocking_threads(1).build();
    let (runtime, hands) = (runtime.unwrap(), Arc::<Hands>::default());
    let (done, all) = channel();
    let (release, released) = channel::<()>();
    let _inside = runtime.enter();
    hands.run(move || {
        let _ = released.recv_timeout(LONG);
    });
    for number in 0..5 {
        let done = done.clone();
        hands.run(move || done.send(number).unwrap());
    }
    // The watch looks about as often as this.
    runtime.block_on(async {
        for _ in 0..20 {
            tokio::time::sleep(PATIENCE).await;
        }
    });
    let threads = hands.lock().threads;
    assert!(threads <= 2, "{threads}");
    drop(release);
    let ran: Vec<_> = (0..5).map(|_| all.recv_timeout(LONG).unwrap()).collect();
    assert_eq!(ran, [0, 1, 2, 3, 4]);
}

#[test]
fn a_runtime_that_ended_is_not_missed() {
    let hands = Arc::<Hands>::default();
    let (done, all) = channel();
    for number in 0..10 {
        let runtime = Runtime::new().unwrap();
        let _inside = runtime.enter();
        let done = done.clone();
        hands.run(move || done.send(number).unwrap());
        all.recv_timeout(LONG).unwrap();
        runtime.shutdown_background();
    }
}

#[test]
fn a_thread_that_rests_takes_a_job_that_nobody_calls_it_for() {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let (runtime, hands) = (builder.build().unwrap(), Arc::<Hands>::default());
    let (done, each) = channel();
    // No task of it ever runs.
    let _inside = runtime.enter();
    for number in 0..20 {
        let done = done.clone();
        hands.run(move || done.send(number).unwrap());
        assert_eq!(each.recv_timeout(LONG), Ok(number));
    }
}
