/** Runs concurrent identical jobs only once. */
export interface SingleFlight<Value> {
  /**
   * Joins the job with this key, or starts it. The job is aborted when all callers that share it have cancelled.
   *
   * @returns `isJoined`: whether another caller had already started the job.
   */
  run(
    key: string,
    signal: AbortSignal,
    begin: (signal: AbortSignal) => Promise<Value>,
  ): Promise<{ readonly value: Value; readonly isJoined: boolean }>;
}

interface Flight<Value> {
  readonly work: Promise<Value>;
  readonly controller: AbortController;
  waiting: number;
}

export function createSingleFlight<Value>(): SingleFlight<Value> {
  const flights = new Map<string, Flight<Value>>();

  function take(key: string, begin: (signal: AbortSignal) => Promise<Value>): Flight<Value> {
    const known = flights.get(key);
    if (known !== undefined) return known;
    const controller = new AbortController();
    const flight = { work: begin(controller.signal), controller, waiting: 0 };
    flights.set(key, flight);
    const end = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.work.then(end, end);
    return flight;
  }

  return {
    async run(key, signal, begin) {
      signal.throwIfAborted();
      const isJoined = flights.has(key);
      const flight = take(key, begin);
      flight.waiting += 1;
      let leave: (() => void) | undefined;
      const left = new Promise<never>((_resolve, reject) => {
        leave = () => reject(signal.reason);
        signal.addEventListener("abort", leave, { once: true });
      });
      try {
        return { value: await Promise.race([flight.work, left]), isJoined };
      } finally {
        if (leave !== undefined) signal.removeEventListener("abort", leave);
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          // Later callers must not join a job that is being aborted.
          if (flights.get(key) === flight) flights.delete(key);
          flight.controller.abort();
        }
      }
    },
  };
}
