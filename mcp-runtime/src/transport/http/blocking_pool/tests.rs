use std::sync::mpsc::channel;

use tokio::runtime::Runtime;

use super::*;

const LONG: Duration = Duration::from_secs(20);

#[test]
fn runs_every_job_once() {
    let (runtime, pool) = (Runtime::new().unwrap(), Arc::<BlockingPool>::default());
    let (done, each) = channel();
    let _inside = runtime.enter();
    for number in 0..1000 {
        let done = done.clone();
        pool.run(move || done.send(number).unwrap());
    }
    let mut ran: Vec<i32> = (0..1000)
        .map(|_| each.recv_timeout(LONG).unwrap())
        .collect();
    ran.sort_unstable();
    assert_eq!(ran, (0..1000).collect::<Vec<_>>());
}

#[test]
fn a_blocked_job_does_not_delay_others() {
    let (runtime, pool) = (Runtime::new().unwrap(), Arc::<BlockingPool>::default());
    let (done, all) = channel();
    let _inside = runtime.enter();
    // Each job waits for the next one, and therefore all jobs must run at the same time.
    let mut wake = None;
    for _ in 0..20 {
        let (sender, woken) = channel::<()>();
        let (before, done) = (wake.replace(sender), done.clone());
        pool.run(move || {
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
fn a_panic_ends_only_its_job() {
    let (runtime, pool) = (Runtime::new().unwrap(), Arc::<BlockingPool>::default());
    let (done, all) = channel();
    let _inside = runtime.enter();
    for number in 0..20 {
        let done = done.clone();
        pool.run(move || {
            assert!(number % 2 == 0, "on purpose");
            done.send(number).unwrap();
        });
    }
    let ran: Vec<_> = (0..10).map(|_| all.recv_timeout(LONG).unwrap()).collect();
    assert!(ran.iter().all(|number| number % 2 == 0));
}

#[test]
fn adds_no_threads_to_a_full_tokio_pool() {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().max_blocking_threads(1).build();
    let (runtime, pool) = (runtime.unwrap(), Arc::<BlockingPool>::default());
    let (done, all) = channel();
    let (release, released) = channel::<()>();
    let _inside = runtime.enter();
    pool.run(move || {
        let _ = released.recv_timeout(LONG);
    });
    for number in 0..5 {
        let done = done.clone();
        pool.run(move || done.send(number).unwrap());
    }
    // Each sleep lasts about as long as one interval of the monitor.
    runtime.block_on(async {
        for _ in 0..20 {
            tokio::time::sleep(QUEUE_TIMEOUT).await;
        }
    });
    let threads = pool.lock().threads;
    assert!(threads <= 2, "{threads}");
    drop(release);
    let ran: Vec<_> = (0..5).map(|_| all.recv_timeout(LONG).unwrap()).collect();
    assert_eq!(ran, [0, 1, 2, 3, 4]);
}

#[test]
fn survives_the_shutdown_of_a_runtime() {
    let pool = Arc::<BlockingPool>::default();
    let (done, all) = channel();
    for number in 0..10 {
        let runtime = Runtime::new().unwrap();
        let _inside = runtime.enter();
        let done = done.clone();
        pool.run(move || done.send(number).unwrap());
        all.recv_timeout(LONG).unwrap();
        runtime.shutdown_background();
    }
}

#[test]
fn an_idle_thread_finds_a_job_without_being_woken() {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let (runtime, pool) = (builder.build().unwrap(), Arc::<BlockingPool>::default());
    let (done, each) = channel();
    // This runtime never runs a task.
    let _inside = runtime.enter();
    for number in 0..20 {
        let done = done.clone();
        pool.run(move || done.send(number).unwrap());
        assert_eq!(each.recv_timeout(LONG), Ok(number));
    }
}
