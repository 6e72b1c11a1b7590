use std::future::Future;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Limits the length of a message of the server, in bytes.
pub(super) const MAX_MESSAGE_BYTES: usize = 64 * 1024 * 1024;

/// Limits the number and the total length of the messages that a client holds because of
/// its server: a server must not be able to fill the memory of the client.
#[derive(Clone, Debug)]
pub(super) struct MessageBudget {
    bytes: Arc<Semaphore>,
    /// What a short message counts, so that the bytes limit the number as well.
    min_cost: usize,
}

/// The share of one message, which is returned on drop.
pub(super) type MessagePermit = OwnedSemaphorePermit;

impl MessageBudget {
    /// Creates a budget of `max_messages` messages with [`MAX_MESSAGE_BYTES`] in total; a
    /// longer message uses all of it.
    pub(super) fn new(max_messages: usize) -> Self {
        Self {
            bytes: Arc::new(Semaphore::new(MAX_MESSAGE_BYTES)),
            min_cost: MAX_MESSAGE_BYTES / max_messages.max(1),
        }
    }

    /// Reserves room for a message of `length` bytes; `None` if there is none at present.
    pub(super) fn try_reserve(&self, length: usize) -> Option<MessagePermit> {
        let bytes = Arc::clone(&self.bytes);
        bytes.try_acquire_many_owned(self.cost(length)).ok()
    }

    /// Waits for room; `None` once the budget is closed.
    pub(super) fn reserve(
        &self,
        length: usize,
    ) -> impl Future<Output = Option<MessagePermit>> + Send + use<> {
        let reserved = Arc::clone(&self.bytes).acquire_many_owned(self.cost(length));
        async { reserved.await.ok() }
    }

    /// Ends all waiting, and gives out no more room.
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
