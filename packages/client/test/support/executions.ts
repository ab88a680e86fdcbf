import { AGENT_ID, EXECUTION_ID, event, executionRecord, message, toolCallRecord } from "./records.ts";
import { GATEWAY_DATE, json, type Responder } from "./scripted-gateway.ts";

export const START_ROUTE = `POST /v1/agents/${AGENT_ID}/executions`;
export const EVENTS_ROUTE = `GET /v1/executions/${EXECUTION_ID}/events`;

/** The routes that give an ended execution's record and its calls. */
export function recordRoutes(
  record = executionRecord(),
  toolCalls = [toolCallRecord("tc_1")],
): Record<string, Responder> {
  return {
    [`GET /v1/executions/${EXECUTION_ID}`]: json(200, record),
    [`GET /v1/executions/${EXECUTION_ID}/tool-calls`]: json(200, { data: toolCalls, nextCursor: null }),
  };
}

/** An execution of three events. */
export const wholeRun = [message(event.started(1)), message(event.modelRequested(2)), message(event.completed(3))];

/** A promise and what settles it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** An event stream whose pieces come when they are ready; it ends after the last. */
export function slowStream(pieces: readonly (string | Promise<unknown>)[]): Responder {
  return async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream", date: GATEWAY_DATE });
    response.flushHeaders();
    for (const piece of pieces) {
      if (typeof piece === "string") response.write(piece);
      else await piece;
    }
    response.end();
  };
}
