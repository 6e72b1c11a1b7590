use std::future::Future;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The maximum length of a message from the server, in bytes.
pub(super) const MAX_MESSAGE_BYTES: usize = 64 * 1024 * 1024;

/// A limit on the number and the total length of the messages that a client keeps in memory. It
/// prevents a server from using all memory of the client.
#[derive(Clone, Debug)]
pub(super) struct MessageBudget {
    bytes: Arc<Semaphore>,
    /// The number of bytes that even a shorter message uses, which limits the number of messages.
    min_cost: usize,
}

/// The share of the budget that one message uses. Dropping the permit returns it.
pub(super) type MessagePermit = OwnedSemaphorePermit;

impl MessageBudget {
    /// Creates a budget for `max_messages` messages with a total of [`MAX_MESSAGE_BYTES`]. A longer
    /// message uses the whole budget.
    pub(super) fn new(max_messages: usize) -> Self {
        Self {
            bytes: Arc::new(Semaphore::new(MAX_MESSAGE_BYTES)),
            min_cost: MAX_MESSAGE_BYTES / max_messages.max(1),
        }
    }

    /// Reserves part of the budget for a message of `length` bytes. Returns `None` if the rest of
    /// the budget is too small.
    pub(super) fn try_reserve(&self, length: usize) -> Option<MessagePermit> {
        let bytes = Arc::clone(&self.bytes);
        bytes.try_acquire_many_owned(self.cost(length)).ok()
    }

    /// Waits until the budget has room for a message of `length` bytes. Returns `None` once the
    /// budget is closed.
    pub(super) fn reserve(
        &self,
        length: usize,
    ) -> impl Future<Output = Option<MessagePermit>> + Send + use<> {
        let reserved = Arc::clone(&self.bytes).acquire_many_owned(self.cost(length));
        async { reserved.await.ok() }
    }

    /// Closes the budget. Waiting and later reservations then fail.
    pub(super) fn close(&self) {
        self.bytes.close();
    }

    fn cost(&self, length: usize) -> u32 {
        let cost = length.clamp(self.min_cost, MAX_MESSAGE_BYTES);
        u32::try_from(cost).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_and_bytes_are_limited() {
        let budget = MessageBudget::new(4);
        let held: Vec<_> = std::iter::from_fn(|| budget.try_reserve(1))
            .take(9)
            .collect();
        assert_eq!(held.len(), 4);
        drop(held);
        let half = budget.try_reserve(MAX_MESSAGE_BYTES / 2).unwrap();
        assert!(budget.try_reserve(MAX_MESSAGE_BYTES / 2 + 1).is_none());
        drop(half);
        assert!(budget.try_reserve(usize::MAX).is_some(), "a message alone");
        budget.close();
        assert!(budget.try_reserve(1).is_none());
    }
}
