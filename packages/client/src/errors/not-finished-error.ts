import { isObject } from "@yagate/lib/json/json-object";
import { YagateError } from "@yagate/protocol";
import type { Waiting } from "../executions/waiting.ts";

const BRAND = Symbol.for("yagate.not-finished-error");

/** Thrown if an execution does not end within `maxWaitMs`. The execution continues. */
export class NotFinishedError extends YagateError {
  override readonly name: string = "NotFinishedError";
  /**
   * The id of the execution; null if `maxWaitMs` elapsed before the gateway had responded to the request to start it.
   */
  readonly executionId: string | null;
  /** What the execution is waiting for; null if it is running. */
  readonly waiting: Waiting | null;

  constructor(maxWaitMs: number, executionId: string | undefined, waiting: Waiting | undefined) {
    const state = waiting === undefined ? "" : `; it is waiting for ${subjectOf(waiting)} until ${waiting.until}`;
    super("NOT_FINISHED", `${executionId ?? "the execution"} did not end within ${maxWaitMs} ms${state}`);
    this.executionId = executionId ?? null;
    this.waiting = waiting ?? null;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /**
   * Checks whether a value is a `NotFinishedError`. Unlike `instanceof`, this also recognises errors from another copy
   * of this package (ESM and CommonJS, or two versions).
   */
  static override is(value: unknown): value is NotFinishedError {
    return isObject(value) && BRAND in value;
  }
}

function subjectOf({ reason, calls }: Waiting): string {
  if (reason === "input") return "answers to a tool's questions";
  if (reason !== "approval") return `a ${reason}`;
  const ids = calls.flatMap(({ approvalId }) => (approvalId === undefined ? [] : [approvalId]));
  return ["an approval", ids.join(", ")].join(" ").trimEnd();
}
