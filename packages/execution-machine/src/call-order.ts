import type { Failure } from "./call-outcome.ts";
import { type ExecutionConfig, type ToolTraits, traitsOf } from "./execution-config.ts";
import {
  type CallState,
  type ExecutionState,
  exceededTurnLimit,
  hasRunningAttempt,
  isClosed,
  type TurnState,
} from "./state.ts";
import { gatewayFailure } from "./tool-error.ts";

/**
 * Returns the open calls of a model turn that may start now, alongside those that are already running.
 *
 * The calls of the turn have one order: the model's order, except that the calls in a group directly follow the first
 * of them, and that dependencies come first. A call waits only for calls before it in this order and for running ones,
 * so the first open call can always start, whatever the agent's author declared.
 */
export function startableCalls(turn: TurnState, config: ExecutionConfig): ReadonlySet<CallState> {
  if (turn.calls.every((call) => isClosed(call) || hasRunningAttempt(call))) return NO_CALLS;
  const [first, second] = turn.calls;
  if (first !== undefined && second === undefined) return mayStartAlone(first, config) ? new Set([first]) : NO_CALLS;
  const calls = turn.calls.map((call) => claimOf(call, config));
  const claims = calls.filter(isDefined);
  const occupied = new Occupied();
  for (const claim of claims) if (hasRunningAttempt(claim.call)) occupied.add(claim);
  const startable = new Set<CallState>();
  const parkedNames = new Set<string>();
  for (const claim of inOrder(claims)) {
    const { call, traits } = claim;
    if (isClosed(call) || hasRunningAttempt(call)) continue;
    const awaitsAnother = traits.dependsOn.some((name) => isOpen(turn, name));
    const isParked =
      isWaitingForDecision(call) || occupied.isParked(claim) || traits.dependsOn.some((name) => parkedNames.has(name));
    if (isParked) {
      parkedNames.add(call.name);
      occupied.park(claim);
      continue;
    }
    if (!awaitsAnother && occupied.admits(claim)) startable.add(call);
    occupied.add(claim);
  }
  return startable;
}

const NO_CALLS: ReadonlySet<CallState> = new Set();

const WAITS_FOR_DECISION: ReadonlySet<CallState["status"]> = new Set([
  "waiting_approval",
  "waiting_callback",
  "waiting_fallback",
  "waiting_input",
  "waiting_task",
]);

/** The same decision for the only call of a turn, which waits for no other. */
function mayStartAlone(call: CallState, config: ExecutionConfig): boolean {
  const traits = traitsOf(config, call);
  return traits !== undefined && !isWaitingForDecision(call) && !traits.dependsOn.includes(call.name);
}

/** The group and the resource that a call occupies while it runs. */
interface Claim {
  readonly call: CallState;
  readonly traits: ToolTraits;
  readonly group: string | null;
  /** Whether the tool declares a resource key. */
  readonly isKeyed: boolean;
  /**
   * The resource that this call works on; undefined if the tool has no resource key, or if an argument of the key is
   * missing.
   */
  readonly key: string | undefined;
  readonly isWrite: boolean;
}

function claimOf(call: CallState, config: ExecutionConfig): Claim | undefined {
  const traits = traitsOf(config, call);
  if (traits === undefined) return undefined;
  const { sideEffect, resourceKeyOf, parallelGroup: group } = traits;
  const isKeyed = resourceKeyOf !== null;
  const key = resourceKeyOf?.(call.parameters);
  // Calls to tools without a declared side effect run in parallel, but a resource key means that their order matters.
  const isWrite = sideEffect === null ? isKeyed : sideEffect !== "read_only";
  return { call, traits, group, isKeyed, key, isWrite };
}

/**
 * Returns whether the call is waiting for an approval, a callback, a fallback, input or a task. Such a wait may take days, so it
 * holds back only calls that work on the same resource and calls that depend on this one.
 */
function isWaitingForDecision({ status }: CallState): boolean {
  return WAITS_FOR_DECISION.has(status);
}

function isOpen(turn: TurnState, name: string): boolean {
  return turn.calls.some((call) => call.name === name && !isClosed(call));
}

function inOrder(claims: readonly Claim[]): readonly Claim[] {
  if (claims.every(({ group, traits }) => group === null && traits.dependsOn.length === 0)) return claims;
  const firstOfGroup = new Map<string, number>();
  for (const [index, { group }] of claims.entries()) {
    if (group !== null && !firstOfGroup.has(group)) firstOfGroup.set(group, index);
  }
  const positionOf = (claim: Claim, index: number) =>
    claim.group === null ? index : (firstOfGroup.get(claim.group) ?? index);
  const byGroup = claims
    .map((claim, index) => ({ claim, position: positionOf(claim, index), index }))
    .sort((a, b) => a.position - b.position || a.index - b.index)
    .map(({ claim }) => claim);
  return dependenciesFirst(byGroup);
}

function dependenciesFirst(claims: readonly Claim[]): readonly Claim[] {
  const byName = Map.groupBy(claims, ({ call }) => call.name);
  const ordered = new Set<Claim>();
  const entered = new Set<Claim>();
  const add = (claim: Claim): void => {
    if (entered.has(claim)) return;
    entered.add(claim);
    for (const name of claim.traits.dependsOn) for (const dependency of byName.get(name) ?? []) add(dependency);
    ordered.add(claim);
  };
  for (const claim of claims) add(claim);
  return [...ordered];
}

/** The groups and resources that are occupied by calls. */
class Occupied {
  readonly #groups = new Set<string>();
  /** For each occupied resource, whether one of the calls that occupy it is a write. */
  readonly #keys = new Map<string, boolean>();
  readonly #parkedKeys = new Map<string, boolean>();
  /**
   * The groups of the writes, separately for tools with and without a resource key; null stands for a write without a
   * group.
   */
  readonly #writers = { keyed: new Set<string | null>(), unkeyed: new Set<string | null>() };
  /**
   * Whether there is a write whose tool has a resource key but whose arguments do not determine the resource. It may
   * work on any resource.
   */
  #hasUnknownKey = false;

  add({ group, isKeyed, key, isWrite }: Claim): void {
    if (group !== null) this.#groups.add(group);
    if (key !== undefined) hold(this.#keys, key, isWrite);
    if (!isWrite) return;
    this.#writers[isKeyed ? "keyed" : "unkeyed"].add(group);
    if (isKeyed && key === undefined) this.#hasUnknownKey = true;
  }

  park({ key, isWrite }: Claim): void {
    if (key !== undefined) hold(this.#parkedKeys, key, isWrite);
  }

  /**
   * Returns whether this call must wait because an earlier call that works on the same resource is waiting for a
   * decision.
   */
  isParked({ key, isWrite }: Claim): boolean {
    return key !== undefined && conflicts(this.#parkedKeys, key, isWrite);
  }

  /**
   * Returns whether the call may run together with the occupying calls. Two writes may do so only if their resources
   * are known and differ, or if they share a group.
   */
  admits({ group, isKeyed, key, isWrite }: Claim): boolean {
    if (group !== null && [...this.#groups].some((other) => other !== group)) return false;
    if (key !== undefined && conflicts(this.#keys, key, isWrite)) return false;
    if (!isWrite) return true;
    const { keyed, unkeyed } = this.#writers;
    if (!isKeyed) return areOf(group, keyed) && areOf(group, unkeyed);
    // Two calls of a group with resource keys may still work on the same resource.
    if (this.#hasUnknownKey || (key === undefined && keyed.size > 0)) return false;
    return areOf(group, unkeyed);
  }
}

/**
 * Returns whether all writes belong to the group of the call, in which case they may run together whatever they write
 * to.
 */
function areOf(group: string | null, writers: ReadonlySet<string | null>): boolean {
  for (const other of writers) if (other === null || other !== group) return false;
  return true;
}

function hold(keys: Map<string, boolean>, key: string, isWrite: boolean): void {
  keys.set(key, isWrite || keys.get(key) === true);
}

function conflicts(keys: ReadonlyMap<string, boolean>, key: string, isWrite: boolean): boolean {
  const isWritten = keys.get(key);
  return isWritten !== undefined && (isWritten || isWrite);
}

function isDefined<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

/**
 * Returns the failure of a call that can never run, because a tool that it depends on did not complete. Returns
 * undefined if every such tool has completed or still may.
 */
export function dependencyFailure(
  state: ExecutionState,
  call: CallState,
  config: ExecutionConfig,
): Failure | undefined {
  for (const name of traitsOf(config, call)?.dependsOn ?? []) {
    const failure = failureOf(state, name);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function failureOf(state: ExecutionState, name: string): Failure | undefined {
  const isOfName = (call: CallState) => call.name === name;
  const siblings = state.turns.at(-1)?.calls.filter((call) => isOfName(call) && !exceededTurnLimit(call)) ?? [];
  const isFailed = siblings.some((call) => isClosed(call) && call.status !== "completed");
  if (isFailed) return gatewayFailure("DEPENDENCY_FAILED", `${name} must complete first, but it did not`);
  if (siblings.length > 0) return undefined;
  const hasCompleted = state.turns.some(({ calls }) =>
    calls.some((call) => isOfName(call) && call.status === "completed"),
  );
  if (hasCompleted) return undefined;
  const failure = gatewayFailure("DEPENDENCY_FAILED", `${name} must complete first, but it was not called`);
  return { ...failure, hint: `call ${name} first, then call this tool again` };
}
