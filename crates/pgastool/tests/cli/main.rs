//! What a user of the command line sees: the whole cycle, the contract that scripts rely on, and an answer to every kind
//! of trouble that a newcomer runs into. All of it with the real compiler, recorder and analysis.

mod bench;
mod compiling;
mod control;
mod convert;
mod cycle;
mod damage;
mod events;
mod filtering;
mod helpers;
mod newcomer;
mod recording;
mod running;
mod scoring;
mod sites;
mod summed;
mod tour;
