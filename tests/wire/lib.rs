//! Checks messages against the wire rules of each protocol revision.
