//! Event access for analyses: typed events, states, pointer attributes, compound events.
