// Types of what the server sends: a picture is an object of docs/schema/watch-1.json, with fields that the schema of an
// older server may lack.

declare namespace Live {
  interface Place {
    region: string;
    file: string;
    line: number;
  }

  /** Seconds. */
  interface Times {
    computing: number;
    waiting: Record<string, number>;
    communicating: Record<string, number>;
    estimated: number;
    recording: number;
    paused: number;
  }

  interface Operation {
    place: Place;
    activity: string;
    kind: string;
    seconds: number;
    calls: number;
    bytes: number;
    threads: number;
  }

  interface Wait {
    place: Place;
    kind: string;
    threads: number[];
    longest: number;
    longest_thread: number;
  }

  interface Metric {
    name: string;
    unit: "count" | "seconds" | "bytes";
    value: number;
    /** Per second in the last period. */
    rate: number | null;
    is_running: boolean | null;
  }

  interface Now {
    thread: number;
    activity: string;
    kind: string | null;
    seconds: number;
    place: Place | null;
    path: Place[];
    deeper: number;
    held: number[];
    wanted: number | null;
    efficiency: number | null;
    times: Times | null;
    metrics?: Metric[];
    node?: string;
  }

  interface Stuck {
    thread: number;
    place: Place;
    seconds: number;
    usual: number | null;
    lock: number | null;
    holder: number | null;
    others: string[];
  }

  interface LockWait {
    thread: number;
    place: Place;
    lock: number;
    holder: number;
    seconds: number;
  }

  interface Finding {
    level: "program" | "kind" | "place" | "thread" | "channel";
    activity?: string;
    kind?: string;
    place?: Place;
    thread?: number;
    /** Of two tasks that are joined by a channel: the one that is too slow. */
    slow?: "producer" | "consumer";
    channel?: number;
    producer?: TaskRef;
    consumer?: TaskRef;
    share: number;
    known_after: number;
    pattern?: string;
    evidence?: string;
    meanwhile: string | null;
    /** The sentence; in events only. */
    text?: string;
  }

  interface TaskRef {
    task: number;
    place: Place;
  }

  interface Processor {
    thread: number;
    load: number | null;
    idle: number | null;
    memory: number | null;
  }

  interface Task {
    task: number;
    place: Place;
    thread: number;
    state: "running" | "receiving" | "sending" | "selecting" | "ready";
    seconds: number;
    channel: number | null;
    computing: number;
    communicating: number;
    load: number | null;
  }

  interface Channel {
    channel: number;
    place: Place;
    capacity: number | null;
    senders: number[];
    receiver: number | null;
    thread: number;
    sends: number;
    receives: number;
    sent_bytes: number;
    received_bytes: number;
    send_seconds: number;
    receive_seconds: number;
    queued: number;
  }

  interface StuckTask {
    task: number;
    place: Place;
    state: string;
    channel: number | null;
    channel_place: Place | null;
    seconds: number;
    usual: number | null;
    is_deadlocked: boolean;
    others: string[];
  }

  interface Tasks {
    processors: Processor[];
    tasks: Task[];
    channels: Channel[];
    omitted_tasks: number;
    omitted_channels: number;
    stuck: StuckTask[];
  }

  interface Words {
    one: string;
    many: string;
    /** The number of the first one for people. */
    first?: number;
  }

  interface Picture {
    experiment: string;
    run: string;
    /** The program's name, where the server sends it. */
    program?: string;
    words?: Words;
    time_unix_ns: number;
    elapsed: number;
    period: number;
    threads: number;
    seen: number;
    efficiency: number | null;
    times: Times;
    calls_per_second: number;
    bytes_per_second: {
      own: number;
      near: number;
      far: number;
      unknown: number;
    };
    operations: Operation[];
    waiting: number;
    waits: Wait[];
    now: Now[];
    stuck: Stuck[];
    deadlocks: { waits: LockWait[] }[];
    problems: string[];
    tasks?: Tasks | null;
    findings?: Finding[];
  }

  /** A period of the run so far: seconds of all threads together. */
  interface Point {
    elapsed: number;
    period: number;
    efficiency: number | null;
    computing: number;
    waiting: number;
    communicating: number;
    calls_per_second: number;
  }
}

/** An element for an item of a list, with the parts of it that change. */
interface Part {
  element: Element;
}

/** What the connection tells the page. */
interface Listener {
  picture(picture: Live.Picture): void;
  history(points: Live.Point[]): void;
  found(finding: Live.Finding): void;
  gone(finding: Live.Finding): void;
  ended(why: string): void;
  connected(): void;
  lost(): void;
  refused(): void;
}
