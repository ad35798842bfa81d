//! What a person looks at: terminal text and JSON.
