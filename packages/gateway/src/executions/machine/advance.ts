import type { ExecutionEvent } from "@yagate/protocol";
import { createEventLog } from "./event-log.ts";
import type { ExecutionConfig, MachineEnvironment } from "./execution-config.ts";
import type { Command, MachineInput } from "./inputs.ts";
import { interpret, interpretCommand } from "./interpret.ts";
import { settle } from "./settle.ts";
import type { ExecutionState } from "./state.ts";

/** The events of one step and the state after them. */
export interface Step {
  readonly events: readonly ExecutionEvent[];
  readonly state: ExecutionState;
}

/**
 * What follows from reports of the outside world, for the owner of the execution. Pure: the same state, inputs and
 * environment always give the same events. A late or repeated report gives none.
 */
export function advance(
  state: ExecutionState,
  inputs: readonly MachineInput[],
  config: ExecutionConfig,
  environment: MachineEnvironment,
): Step {
  const log = createEventLog(state, environment.now);
  for (const input of inputs) interpret(log, input, config, environment);
  settle(log, config, environment);
  return { events: log.events, state: log.state };
}

/**
 * The same for an owner that is about to stop: what happened is written down, and nothing new follows from it, so that
 * whoever goes on finds no attempt that was announced and never sent.
 */
export function record(
  state: ExecutionState,
  inputs: readonly MachineInput[],
  config: ExecutionConfig,
  environment: MachineEnvironment,
): Step {
  const log = createEventLog(state, environment.now);
  for (const input of inputs) interpret(log, input, config, environment);
  return { events: log.events, state: log.state };
}

/** What follows from a command of the API: a note to the owner, who acts on it. No events: too late for it. */
export function command(state: ExecutionState, order: Command, now: number): Step {
  const log = createEventLog(state, now);
  interpretCommand(log, order);
  return { events: log.events, state: log.state };
}
