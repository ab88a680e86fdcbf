import { IsolationError } from "./isolation-error.ts";

/** What may run and wait for its turn. */
export interface TurnQueueLimits {
  /** Jobs that run at the same time; default 1. */
  readonly maxRunning?: number;
  /** Default any number. */
  readonly maxWaiting?: number;
  /** Of the texts of all jobs that wait; default any number. */
  readonly maxWaitingCharacters?: number;
  /** Default as long as the job's signal lets it. */
  readonly maxWaitMs?: number;
}

/**
 * Lets few jobs run at a time. Turns go round by owner, those of one owner in the order in which they came. Half of what
 * may wait is the most that one owner's jobs may take; while others wait, so is half of what may run.
 */
export interface TurnQueue {
  /**
   * @param characters - of what the job holds on to while it waits.
   * @param owner - whose turns it takes; jobs without one have no share that bounds them.
   * @throws IsolationError `busy` when too much waits already, or when the turn does not come in time; `aborted`.
   */
  run<T>(characters: number, work: () => Promise<T>, signal?: AbortSignal, owner?: string): Promise<T>;
}

interface Waiting {
  readonly characters: number;
  readonly begin: () => void;
}

/** One who has jobs that run or wait. */
interface Owner {
  readonly name: string | undefined;
  readonly waiting: Set<Waiting>;
  waitingCharacters: number;
  running: number;
}

/** Of what all may have, for one. */
const SHARE = 0.5;
const NO_LIMIT = Number.POSITIVE_INFINITY;

export function createTurnQueue(limits: TurnQueueLimits): TurnQueue {
  const { maxRunning = 1, maxWaiting = NO_LIMIT, maxWaitingCharacters = NO_LIMIT, maxWaitMs } = limits;
  const ownRunning = Math.ceil(maxRunning * SHARE);
  // Whose turn is longest ago comes first.
  const owners = new Map<string | undefined, Owner>();
  let running = 0;
  let waiting = 0;
  let waitingCharacters = 0;

  function ownerOf(name: string | undefined): Owner {
    const known = owners.get(name);
    if (known !== undefined) return known;
    const owner = { name, waiting: new Set<Waiting>(), waitingCharacters: 0, running: 0 };
    owners.set(name, owner);
    return owner;
  }

  function begin(owner: Owner): void {
    running += 1;
    owner.running += 1;
    comeLast(owner);
  }

  function comeLast(owner: Owner): void {
    owners.delete(owner.name);
    owners.set(owner.name, owner);
  }

  function forgetIdle(owner: Owner): void {
    if (owner.running === 0 && owner.waiting.size === 0) owners.delete(owner.name);
  }

  function leave(owner: Owner, one: Waiting): void {
    if (!owner.waiting.delete(one)) return;
    waiting -= 1;
    waitingCharacters -= one.characters;
    owner.waitingCharacters -= one.characters;
  }

  function isFull(owner: Owner, characters: number): boolean {
    if (waiting >= maxWaiting || waitingCharacters + characters > maxWaitingCharacters) return true;
    return (
      owner.name !== undefined &&
      (owner.waiting.size >= Math.ceil(maxWaiting * SHARE) ||
        owner.waitingCharacters + characters > maxWaitingCharacters * SHARE)
    );
  }

  async function turn(owner: Owner, characters: number, signal: AbortSignal | undefined): Promise<void> {
    if (running < maxRunning) {
      begin(owner);
      return;
    }
    if (isFull(owner, characters)) {
      forgetIdle(owner);
      throw new IsolationError("busy", "too many others wait already");
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { characters, begin: resolve };
    owner.waiting.add(one);
    owner.waitingCharacters += characters;
    waiting += 1;
    waitingCharacters += characters;
    const giveUp = (error: IsolationError) => {
      leave(owner, one);
      forgetIdle(owner);
      reject(error);
    };
    const cancel = () => giveUp(aborted());
    signal?.addEventListener("abort", cancel, { once: true });
    const timeOut = () => giveUp(new IsolationError("busy", "others were running all the time"));
    const timer = maxWaitMs === undefined ? undefined : setTimeout(timeOut, maxWaitMs);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    });
  }

  function pass(last: Owner): void {
    running -= 1;
    last.running -= 1;
    comeLast(last);
    forgetIdle(last);
    const waitingOwners = [...owners.values()].filter((owner) => owner.waiting.size > 0);
    const next = waitingOwners.find((owner) => owner.running < ownRunning) ?? waitingOwners[0];
    const [one] = next?.waiting ?? [];
    if (next === undefined || one === undefined) return;
    leave(next, one);
    begin(next);
    one.begin();
  }

  return {
    async run(characters, work, signal, name) {
      if (signal?.aborted === true) throw aborted();
      const owner = ownerOf(name);
      await turn(owner, characters, signal);
      try {
        return await work();
      } finally {
        pass(owner);
      }
    },
  };
}

function aborted(): IsolationError {
  return new IsolationError("aborted", "the job was cancelled");
}
