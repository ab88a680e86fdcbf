import { IsolationError } from "./isolation-error.ts";

/** Limits on running and waiting jobs. */
export interface JobQueueLimits {
  /** Maximum number of concurrent jobs. Default: 1. */
  readonly maxRunning?: number;
  /** Maximum number of waiting jobs. Default: unlimited. */
  readonly maxWaiting?: number;
  /** Maximum number of characters of all waiting jobs together. Default: unlimited. */
  readonly maxWaitingCharacters?: number;
  /** Maximum time that a job waits, in ms. Default: no limit except the job's signal. */
  readonly maxWaitMs?: number;
}

/**
 * Limits how many jobs run concurrently. Owners take turns, and the jobs of one owner run in the order of their
 * arrival. One owner may use at most half of the queue and, while other owners are waiting, at most half of the running
 * jobs.
 */
export interface FairJobQueue {
  /**
   * Runs a job as soon as the limits allow it.
   *
   * @param characters - size of the data that the job keeps in memory while it waits.
   * @param owner - the group for fair queuing; jobs without an owner have no share limit.
   * @throws IsolationError `busy` if the queue is full or the job could not start in time; `aborted` if the signal was
   *   aborted.
   */
  run<T>(characters: number, work: () => Promise<T>, signal?: AbortSignal, owner?: string): Promise<T>;
}

interface Waiting {
  readonly characters: number;
  readonly begin: () => void;
}

/** An owner with running or waiting jobs. */
interface Owner {
  readonly name: string | undefined;
  readonly waiting: Set<Waiting>;
  waitingCharacters: number;
  running: number;
}

const UNSTARTED = { isUnstarted: true };
/** The maximum share of one owner. */
const SHARE = 0.5;
const NO_LIMIT = Number.POSITIVE_INFINITY;

export function createFairJobQueue(limits: JobQueueLimits): FairJobQueue {
  const { maxRunning = 1, maxWaiting = NO_LIMIT, maxWaitingCharacters = NO_LIMIT, maxWaitMs } = limits;
  const ownRunning = Math.ceil(maxRunning * SHARE);
  // Owners whose last job started the longest time ago come first.
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
      throw new IsolationError("busy", "too many other jobs are waiting", UNSTARTED);
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
    const timeOut = () =>
      giveUp(new IsolationError("busy", "other jobs occupied all slots for the entire waiting time", UNSTARTED));
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
  return new IsolationError("aborted", "the job was cancelled while it waited", UNSTARTED);
}
