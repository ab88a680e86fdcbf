import type { EventQueue } from "./event-queue.ts";

/** So many servers with one queue: the cores of a database, or the event loop of a replica. */
export class Station {
  readonly #queue: EventQueue;
  readonly #servers: number;
  readonly #waiting: (readonly [serviceMs: number, done: () => void])[] = [];
  #head = 0;
  #busy = 0;
  busyMs = 0;

  constructor(queue: EventQueue, servers: number) {
    this.#queue = queue;
    this.#servers = servers;
  }

  serve(serviceMs: number, done: () => void): void {
    this.#waiting.push([serviceMs, done]);
    this.#next();
  }

  #next(): void {
    if (this.#busy === this.#servers) return;
    const next = this.#waiting[this.#head];
    if (next === undefined) {
      this.#waiting.length = 0;
      this.#head = 0;
      return;
    }
    this.#head += 1;
    const [serviceMs, done] = next;
    this.#busy += 1;
    this.busyMs += serviceMs;
    this.#queue.after(serviceMs, () => {
      this.#busy -= 1;
      done();
      this.#next();
    });
  }
}

/** Group commit: what arrives while the groups before it are on their way shares one transaction. */
export class Lane {
  static readonly #MOST = 512;
  readonly #maxInFlight: number;
  readonly #commit: (items: number, done: () => void) => void;
  #waiting: (() => void)[] = [];
  #inFlight = 0;

  constructor(maxInFlight: number, commit: (items: number, done: () => void) => void) {
    this.#maxInFlight = maxInFlight;
    this.#commit = commit;
  }

  write(done: () => void): void {
    this.#waiting.push(done);
    this.#next();
  }

  #next(): void {
    if (this.#inFlight === this.#maxInFlight || this.#waiting.length === 0) return;
    const group = this.#waiting.splice(0, Lane.#MOST);
    this.#inFlight += 1;
    this.#commit(group.length, () => {
      this.#inFlight -= 1;
      for (const done of group) done();
      this.#next();
    });
  }
}
