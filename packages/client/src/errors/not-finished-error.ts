import { isObject } from "@yagate/lib/json/json-object";
import { YagateError } from "@yagate/protocol";
import type { Waiting } from "../executions/waiting.ts";

const BRAND = Symbol.for("yagate.not-finished-error");

/** The execution has not ended within `maxWaitMs`. It continues. */
export class NotFinishedError extends YagateError {
  override readonly name: string = "NotFinishedError";
  /** Null only if the time was over before the gateway responded to the request that starts the execution. */
  readonly executionId: string | null;
  /** What the execution waits for; null if it runs. */
  readonly waiting: Waiting | null;

  constructor(maxWaitMs: number, executionId: string | undefined, waiting: Waiting | undefined) {
    const state = waiting === undefined ? "" : `; it waits for ${subjectOf(waiting)} until ${waiting.until}`;
    super("NOT_FINISHED", `${executionId ?? "the execution"} has not ended within ${maxWaitMs} ms${state}`);
    this.executionId = executionId ?? null;
    this.waiting = waiting ?? null;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Recognises the error across copies of this package (ESM and CommonJS, two versions), where `instanceof` fails. */
  static override is(value: unknown): value is NotFinishedError {
    return isObject(value) && BRAND in value;
  }
}

function subjectOf({ reason, calls }: Waiting): string {
  if (reason !== "approval") return `a ${reason}`;
  const ids = calls.flatMap(({ approvalId }) => (approvalId === undefined ? [] : [approvalId]));
  return ["an approval", ids.join(", ")].join(" ").trimEnd();
}
