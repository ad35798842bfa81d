//! Random graphs of tasks compute the same under all mappings, also when messages carry ports.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

use pgas_tasks::{
    Closed, Failure, Input, Mapping, NewTask, Output, Program, bounded, channel, create,
};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// An edge of a graph, from a node to a later one.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Edge {
    from: usize,
    to: usize,
    capacity: Option<usize>,
    /// What its messages are.
    kind: Kind,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Kind {
    Number,
    /// An output to which the receiver sends its state.
    Question,
    /// An input with numbers.
    Source,
    /// An output in a message of a message: to be passed on to a task of its own.
    Handed,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Graph {
    nodes: usize,
    rounds: usize,
    edges: Vec<Edge>,
}

#[derive(Serialize, Deserialize)]
enum Message {
    Number(u64),
    Question(Output<u64>),
    Source(Input<u64>),
    Handed(Output<Output<u64>>),
}

#[derive(Serialize, Deserialize)]
struct Ports {
    inputs: Vec<Input<Message>>,
    outputs: Vec<(Output<Message>, Kind)>,
}

fn mix(state: u64, number: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (state, number).hash(&mut hasher);
    hasher.finish()
}

async fn whole(graph: Graph) -> Vec<u64> {
    let mut ports: Vec<Ports> = (0..graph.nodes)
        .map(|_| Ports {
            inputs: Vec::new(),
            outputs: Vec::new(),
        })
        .collect();
    for edge in &graph.edges {
        let (output, input) = edge.capacity.map_or_else(channel, bounded);
        ports[edge.from].outputs.push((output, edge.kind));
        ports[edge.to].inputs.push(input);
    }
    let (done, mut results) = channel();
    for (index, ports) in ports.into_iter().enumerate() {
        create(node, (index, graph.rounds, ports, done.clone()));
    }
    drop(done);
    let mut states = vec![0; graph.nodes];
    while let Some((index, state)) = results.receive().await {
        states[index] = state;
    }
    states
}

/// In each round, receives a message from each input, and then sends one to each output.
async fn node(
    index: usize,
    rounds: usize,
    mut ports: Ports,
    done: Output<(usize, u64)>,
) -> Result<(), Closed> {
    let mut state = mix(0, index as u64);
    for _ in 0..rounds {
        for input in &mut ports.inputs {
            let Some(message) = input.receive().await else {
                return Err(Closed);
            };
            state = mix(state, take(message, state).await?);
        }
        let mut answers = Vec::new();
        for (output, kind) in &ports.outputs {
            let (message, answer) = make(*kind, state);
            answers.extend(answer);
            output.send(message).await?;
        }
        for mut answer in answers {
            state = mix(state, answer.receive().await.unwrap_or(1));
        }
    }
    done.send((index, state)).await
}

/// What a message adds to the state.
async fn take(message: Message, state: u64) -> Result<u64, Closed> {
    match message {
        Message::Number(number) => Ok(number),
        Message::Question(answer) => {
            answer.send(state).await?;
            Ok(2)
        }
        Message::Source(mut source) => {
            let mut sum = 0;
            while let Some(number) = source.receive().await {
                sum = mix(sum, number);
            }
            Ok(sum)
        }
        Message::Handed(outputs) => {
            let (output, mut input) = bounded(1);
            outputs.send(output).await?;
            Ok(input.receive().await.unwrap_or(3))
        }
    }
}

/// A message, and where its answer comes from if it has one.
fn make(kind: Kind, state: u64) -> (Message, Option<Input<u64>>) {
    match kind {
        Kind::Number => (Message::Number(state), None),
        Kind::Question => {
            let (output, input) = channel();
            (Message::Question(output), Some(input))
        }
        Kind::Source => {
            let (output, input) = bounded(2);
            create(numbers, (state, output));
            (Message::Source(input), None)
        }
        Kind::Handed => {
            let (output, input) = channel();
            create(answer, (state, input));
            (Message::Handed(output), None)
        }
    }
}

async fn numbers(state: u64, output: Output<u64>) -> Result<(), Closed> {
    for number in 0..state % 7 {
        output.send(mix(state, number)).await?;
    }
    Ok(())
}

async fn answer(state: u64, mut outputs: Input<Output<u64>>) -> Result<(), Closed> {
    match outputs.receive().await {
        Some(output) => output.send(mix(state, 4)).await,
        None => Ok(()),
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    (2_usize..10, 1_usize..6).prop_flat_map(|(nodes, rounds)| {
        let edges = prop::collection::vec(edge(nodes), 1..24);
        edges.prop_map(move |edges| Graph {
            nodes,
            rounds,
            edges,
        })
    })
}

fn edge(nodes: usize) -> impl Strategy<Value = Edge> {
    let kinds = prop::sample::select(vec![
        Kind::Number,
        Kind::Question,
        Kind::Source,
        Kind::Handed,
    ]);
    let ends = (0..nodes - 1).prop_flat_map(move |from| (Just(from), from + 1..nodes));
    let capacity = prop::option::of(1_usize..4);
    (ends, capacity, kinds).prop_map(|((from, to), capacity, kind)| Edge {
        from,
        to,
        capacity,
        kind,
    })
}

fn mappings() -> Vec<Mapping> {
    let scattered = |seed: u64| {
        Mapping::function(move |task: &NewTask, _| {
            (mix(seed, u64::from(task.nth)) as usize) ^ task.parent_processor ^ task.name.len()
        })
    };
    let table = "node[1] 3\nnode 0-2\nanswer 1\n* 0-7\n";
    let mut mappings = vec![
        Mapping::round_robin(),
        Mapping::table("test", table).unwrap(),
    ];
    mappings.extend((0..3).map(scattered));
    mappings
}

/// Twenty ways to run a program.
fn programs() -> Vec<Program> {
    let mappings = mappings();
    let processors = [1, 2, 3, 6];
    let pairs = mappings
        .iter()
        .flat_map(|mapping| processors.map(|number| (mapping, number)));
    pairs
        .map(|(map, number)| Program::new().processors(number).mapping(map.clone()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn graphs_compute_the_same_under_all_mappings(graph in graphs()) {
        let expected = Program::new().processors(1).run(whole, (graph.clone(),)).unwrap();
        let programs = programs();
        prop_assert_eq!(programs.len(), 20);
        for program in programs {
            let states: Result<_, Failure> = program.run(whole, (graph.clone(),));
            prop_assert_eq!(&states.unwrap(), &expected);
        }
    }
}

/// What a process of [`one_graph`] runs.
#[derive(Serialize, Deserialize)]
struct Run {
    graph: Graph,
    processes: usize,
    processors: usize,
    mapping: usize,
}

const RUN: &str = "GRAPH_OF_TEST";

/// This program again, on several processes; its result.
fn on_processes(run: &Run) -> Vec<u64> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["one_graph", "--exact", "--ignored", "--nocapture"]);
    command.env(RUN, serde_json::to_string(run).unwrap());
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let states = text.lines().find_map(|line| line.strip_prefix("states "));
    let error = String::from_utf8(output.stderr).unwrap();
    serde_json::from_str(states.unwrap_or_else(|| panic!("{text}{error}"))).unwrap()
}

#[test]
#[ignore = "run by another test, in processes of its own"]
fn one_graph() {
    let Ok(run) = std::env::var(RUN) else { return };
    let run: Run = serde_json::from_str(&run).unwrap();
    let program = Program::new()
        .processes(run.processes)
        .processors(run.processors)
        .mapping(mappings().swap_remove(run.mapping));
    let states = program.run(whole, (run.graph,)).unwrap();
    println!("\nstates {}", serde_json::to_string(&states).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn graphs_compute_the_same_over_processes(graph in graphs()) {
        let expected = Program::new().processors(1).run(whole, (graph.clone(),)).unwrap();
        for (processes, processors) in [(2, [2, 3, 5, 6]), (3, [3, 4, 5, 6])] {
            for (mapping, processors) in (0..5).flat_map(|map| processors.map(|n| (map, n))) {
                let run = Run { graph: graph.clone(), processes, processors, mapping };
                prop_assert_eq!(&on_processes(&run), &expected);
            }
        }
    }
}
