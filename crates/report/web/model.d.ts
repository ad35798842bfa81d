// The data of the page as `src/html/data.rs` writes them, as far as the page reads them. Times are in seconds; threads,
// metrics, call paths, regions, files and places are indices; numbers that are not finite are null.

declare namespace Data {
  interface Report {
    version: string;
    experiment: string | null;
    words: Words;
    headline: string[];
    is_efficiency_judged: boolean;
    recording_cost: string | null;
    inflated: Inflated;
    titles: string[];
    explained_by: string[];
    paths: string[][];
    known: (string | null)[];
    live: LiveWords[];
    summary: Summary;
    loops: LoopWords[];
    activities: { activity: string; per_thread: number[] }[];
    activity_names: [id: string, name: string][];
    factors: { id: keyof Efficiency<number>; name: string; meaning: string }[];
    balance: FunctionBalance[];
    metrics: Metric[];
    regions: Region[];
    call_paths: CallPaths;
    system: System;
    attributes: Record<string, string>;
    detailed: number[] | null;
    severities: MetricRows[];
    sources: Source[];
    timelines: Timeline[];
    comparison: Comparison | null;
  }

  interface Words {
    one: string;
    many: string;
    article: string;
    first: number;
    models: string;
  }

  interface Inflated {
    metrics: Record<number, string>;
    call_paths: Record<number, string>;
    findings: Record<number, string>;
  }

  interface LiveWords {
    times: string;
    share: string | null;
    thread_share: string | null;
    findings: number[];
  }

  interface LoopWords {
    title: string;
    sentences: string[];
    marks: string[];
    series: [metric: string, words: string][];
  }

  interface FunctionBalance {
    region: string;
    module: string;
    total: number;
    mean: number;
    minimum: number;
    minimum_thread: number;
    lower_quartile: number;
    median: number;
    upper_quartile: number;
    maximum: number;
    maximum_thread: number;
    call_path: number;
  }

  type Unit = "s" | "occ" | "bytes";

  interface Metric {
    id: string;
    name: string;
    description: string;
    unit: Unit;
    parent: number | null;
    wait_state: boolean;
  }

  interface Region {
    name: string;
    module: string;
    begin_line: number;
    end_line: number;
  }

  interface CallPaths {
    files: string[];
    region: number[];
    parent: (number | null)[];
    file: number[];
    line: number[];
  }

  interface System {
    machine: string;
    nodes: string[];
    threads: string[];
    node: number[];
    process: number[];
  }

  /** One number for all threads, a number for each, or minimum, quartiles and maximum. */
  type Row = number | number[] | [Five];
  type Five = [number, number, number, number, number];

  interface MetricRows {
    call_paths: number[];
    totals: number[];
    values: Row[];
    rest?: Record<number, Row>;
  }

  interface Source {
    name: string;
    text?: string;
    missing?: string;
    notes: string[];
    /** Set by the page. */
    lines?: string[];
  }

  interface Comparison {
    name: string;
    summary: Summary;
    severities: MetricRows[];
    notes: string[];
    runs: Diff | null;
  }

  interface Efficiency<T> {
    load_balance: T;
    communication_efficiency: T;
    parallel_efficiency: T;
  }

  interface Summary {
    program: string;
    arguments: string[];
    threads: number;
    wall_seconds: number;
    efficiency: Efficiency<number | null>;
    findings: Finding[];
    instances: InstanceStatistics[];
    remarks: string[];
    recording: Recording;
    clocks?: Clocks;
    causes?: { root_causes: RootCause[] };
    synchronization?: Synchronization;
    communication?: Communication;
    tasks?: Tasks;
    /** Not in the file where there are none; the page puts an empty list there. */
    phases: Loop[];
    withheld?: Withheld[];
    sampling?: Sampling;
    /** Not in the file where there are none; the page puts an empty list there. */
    live_findings: LiveFinding[];
  }

  interface LiveFinding {
    text: string;
    place?: { region: string; file: string; line: number };
  }

  /** Where threads computed, by samples; what the page shows of it. */
  interface Sampling {
    places: SampledPlace[];
  }

  /** Computing time at a source line; without an estimate if there are too few samples. */
  interface SampledPlace {
    file: string;
    line: number;
    time: { samples: number; estimate: Estimate | null };
  }

  interface Estimate {
    seconds: number;
    low_seconds: number;
    high_seconds: number;
  }

  interface Finding {
    metric: string;
    seconds: number;
    percent: number;
    region: string;
    function: string;
    file: string;
    line: number;
    call_path: number;
    culprit_thread: number | null;
    cause: string;
    advice: string;
    worst: Worst | null;
    saves_seconds?: number;
    overlaps?: number[];
  }

  interface Worst {
    at_seconds: number;
    seconds: number;
    last_thread: number;
    number?: number;
    longest_thread?: number;
    longest_seconds?: number;
  }

  interface InstanceStatistics {
    metric: string;
    call_path: number;
    instances: number;
    worst: Worst | null;
    last_counts: number[];
    spread?: { instances: Distribution; threads: Distribution; until_last_exit?: Distribution };
  }

  interface Distribution {
    count: number;
    minimum: number;
    lower_quartile: number;
    median: number;
    upper_quartile: number;
    percentile_95: number;
    maximum: number;
    mean: number;
  }

  interface Recording {
    wait_states: "all" | "until_trace_ends" | "none";
    trace_ends_seconds: number | null;
    throttled: Throttled[];
    cost: Cost | null;
    counters: string[];
  }

  interface Throttled {
    region: string;
    file: string;
    line: number;
    calls: number;
    timed_calls: number;
    seconds: number;
    percent: number;
    since_seconds?: number;
  }

  interface Cost {
    events: number;
    summed_calls: number;
    throttled_calls: number;
    seconds: number;
    baseline?: object;
  }

  interface Clocks {
    nodes: {
      host: string;
      threads: number;
      uncertainty_seconds?: number;
      drift_ppm?: number;
      exchanges: number;
    }[];
    waiting_seconds: number;
    below_uncertainty_seconds: number;
    violations: { barriers: number; collectives: number; locks: number; unexplained: number };
  }

  interface RootCause {
    call_path: number;
    thread: number;
    effects: { metric: string; call_path: number; seconds: number }[];
  }

  interface Synchronization {
    advice: {
      kind: string;
      call_path: number;
      instances: number;
      flag?: string;
      enough?: string;
      seconds: number;
      saves_seconds: number;
    }[];
    note?: string;
  }

  interface Withheld {
    advice: string[];
    reasons: { text: string }[];
    command?: string;
  }

  interface Flow {
    operations: number;
    get_bytes: number;
    put_bytes: number;
    either_bytes: number;
    seconds: number;
  }

  interface Pair extends Flow {
    thread: number;
    owner: number;
  }

  interface Communication {
    complete: boolean;
    pairs: Pair[];
    by_thread: Flow[];
    by_owner: Flow[];
    unknown: Flow | null;
    locality?: Locality;
  }

  /** Of a program of tasks; a processor is a thread. */
  interface Tasks {
    processors: ProcessorLoad[];
    tasks: TaskLoad[];
    omitted_tasks: number;
    channels: ChannelLoad[];
    omitted_channels: number;
    efficiency: number;
    speedup: number;
    one_processor_seconds?: number;
    message_cost?: { ts: number; tw: number };
  }

  interface ProcessorLoad {
    thread: number;
    computing: number;
    communicating: number;
    idle: number;
    rest: number;
    run_time: number;
    tasks: number;
  }

  interface TaskTimes {
    computing: number;
    communicating: number;
    waiting_input: number;
    blocked_in_send: number;
    waiting_processor: number;
  }

  interface TaskLoad extends TaskTimes {
    task: number;
    name: string;
    file: string;
    line: number;
    parent?: number;
    processor: number;
    begin: number;
    end: number;
    critical?: number;
  }

  /** Without a capacity, senders never wait. */
  interface ChannelLoad {
    channel: number;
    file: string;
    line: number;
    capacity?: number;
    senders: number[];
    receiver?: number;
    messages: number;
    bytes: number;
    mean_queued: number;
    max_queued: number;
    send_wait: number;
    receive_wait: number;
  }

  /** Operations with data at one distance; without a time if none was timed. */
  interface Reach {
    operations: number;
    timed_operations: number;
    bytes: number;
    seconds?: number;
  }

  interface Distances {
    own?: Reach;
    same_node: Reach;
    other_node: Reach;
  }

  interface NodePair extends Reach {
    node: number;
    owner_node: number;
  }

  interface Locality {
    all: Distances;
    by_thread: Distances[];
    own_recorded: boolean;
    complete: boolean;
    node_pairs: NodePair[];
  }

  interface Loop {
    file: string;
    line: number;
    iterations: number;
    iterations_per_value: number;
    series: Series[];
    marks?: Mark[];
  }

  interface Series {
    metric: string;
    values: number[];
    mean: number;
    recorded_iterations?: number;
  }

  interface Mark {
    after_iteration: number;
    /** Those that it is about; all, where there are none. */
    metrics?: string[];
  }

  interface Timeline {
    metric: string;
    call_path: number;
    begin_seconds: number;
    end_seconds: number;
    instance_begin_seconds: number;
    instance_end_seconds: number;
    places: { region: string; file: string; line: number }[];
    rows: TimelineRow[];
    omitted_threads: number;
    arrows: Arrow[];
  }

  interface TimelineRow {
    thread: number;
    bars: Bar[];
  }

  interface Bar {
    begin_seconds: number;
    end_seconds: number;
    depth: number;
    activity: string;
    place: number;
    merged: number;
    metric?: string;
    of_instance?: boolean;
  }

  interface Arrow {
    from_thread: number;
    from_seconds: number;
    to_thread: number;
    to_seconds: number;
    metric: string;
  }

  /** What `pgastool diff --format json` prints. */
  interface Diff {
    before: { runs: string[] };
    after: { runs: string[] };
    wall_seconds: Change;
    efficiency: Efficiency<Change> | null;
    per_thread: boolean;
    metrics: { metric: string; name: string; unit: Unit; depth: number; change: Change }[];
    metric: string;
    unit: Unit;
    places: ChangedPlace[];
    findings: ChangedFinding[];
    notes: string[];
  }

  interface Change {
    before: number;
    after: number;
    change: number;
    percent: number | null;
    interval: [number, number] | null;
    verdict: string;
  }

  interface ChangedPlace {
    region: string;
    file: string;
    line: number;
    path?: string[];
    call_path?: number;
    change: Change;
  }

  interface ChangedFinding {
    name: string;
    status: string;
    region: string;
    file: string;
    line: number;
    change: Change;
    in_before: number;
    in_after: number;
  }
}

/** What becomes of an element's children: text and elements; nothing for false and what is absent. */
type Content = Node | string | number | false | null | undefined | Content[];

interface Attributes {
  style?: Record<string, string>;
  onchange?: (event: any) => void;
  onclick?: (event: any) => void;
  ondblclick?: (event: any) => void;
  onkeydown?: (event: KeyboardEvent) => void;
  onscroll?: () => void;
  [name: string]: any;
}

interface Column {
  name: string;
  /** Whether it has numbers. */
  n?: boolean;
}

/** Values by thread. */
type Numbers = ArrayLike<number> & Iterable<number>;

interface BarOptions {
  unit: Data.Unit;
  label: string;
  before?: Numbers;
  height?: number;
  colour?: string;
}

/** Values of a call path by thread, or their spread, or neither. */
interface ByThread {
  values?: Float64Array;
  spread?: Data.Five;
}

/** A value as a row of a tree shows it; the share of the whole is from 0 to 1. */
interface Shown {
  text: string;
  share: number;
  colour?: string;
  zero: boolean;
  title?: string;
}

interface TreeModel {
  label: string;
  roots: number[];
  children(node: number): number[];
  parent(node: number): number | null;
  text(node: number): string;
  hint?(node: number): string | undefined;
  /** By which the hot path goes down. */
  weight(node: number): number;
  value(node: number, open: boolean): Shown;
}

interface TreeEntry {
  node: number;
  level: number;
  parent: number | null;
  /** Among its siblings, from 1. */
  position: number;
  size: number;
}

interface View {
  id: string;
  name: string;
  make(parameters: string[]): Content;
  wide?: boolean;
  count?(): number;
  there?(): unknown;
}

/** A task, or the tasks of one function that were created at one place; one more for those that are not listed. */
interface TaskNode extends Data.TaskTimes {
  name: string;
  file: string;
  line: number;
  tasks: Data.TaskLoad[];
  /** Time of all states. */
  total: number;
  layer: number;
  /** Place of its middle, once it is laid out. */
  x: number;
  y: number;
}

/** The messages of all channels between two nodes. */
interface TaskEdge {
  from: number;
  to: number;
  channels: number;
  messages: number;
  bytes: number;
  /** Mean of queued messages relative to the capacity, by messages; absent without a capacity. */
  filled?: number;
}

interface ReferencePage {
  ids: string[];
  title: string;
  content?: DocumentFragment;
}
