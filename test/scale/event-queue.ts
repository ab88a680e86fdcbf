interface Due {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Simulated time: what is due runs in the order of its moment, and of its making where two are equal. */
export class EventQueue {
  readonly #heap: Due[] = [];
  #made = 0;
  #now = 0;

  /** ms since the beginning. */
  get now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): void {
    this.#made += 1;
    this.#push({ at: this.#now + ms, order: this.#made, run });
  }

  /** Runs everything that is due up to a moment. */
  runUntil(ms: number): void {
    for (let next = this.#heap[0]; next !== undefined && next.at <= ms; next = this.#heap[0]) {
      this.#pop();
      this.#now = next.at;
      next.run();
    }
    this.#now = ms;
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let place = heap.push(due) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, due)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (isBefore(last, child)) break;
      heap[place] = child;
      place = 2 * place + (isRight ? 2 : 1);
    }
    heap[place] = last;
  }
}

function isBefore(left: Due, right: Due): boolean {
  return left.at < right.at || (left.at === right.at && left.order < right.order);
}
