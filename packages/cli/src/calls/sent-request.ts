import type { Yagate } from "@yagate/client";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { type JsonObject, type JsonValue, type ToolCallRecord, YagateError } from "@yagate/protocol";
import { commandName } from "../command-name.ts";

/** What the handler of a call receives: the name that it gave its tool, and the arguments of that tool. */
export interface SentRequest {
  readonly name: string;
  readonly parameters: JsonObject;
  /** Whether the name and the arguments come from the request that the gateway sent. */
  readonly isRecorded: boolean;
}

/**
 * Reads name and arguments from the newest request of a call. For tools of sources and tools that serve an intent, the
 * name differs from the one that the model used; for those that serve an intent, the arguments differ too. Without a
 * stored request, returns the name and the arguments of the model.
 *
 * @throws YagateError `INVALID_REQUEST` if the arguments are unknown or not an object.
 */
export async function sentRequestOf(
  { id, name: called, parameters, attempts }: ToolCallRecord,
  client: Pick<Yagate, "attempts">,
): Promise<SentRequest> {
  if (!isJsonObject(parameters)) {
    throw new YagateError("INVALID_REQUEST", "expected a call whose arguments are an object");
  }
  const newest = attempts.at(-1);
  const request = newest === undefined ? null : (await client.attempts.get(newest.id)).request;
  const asCalled = { name: called, parameters, isRecorded: false };
  if (request === null) return asCalled;
  if (request.isTruncated) {
    const [, name = called] = START_OF_BODY.exec(request.body) ?? [];
    // The tool of a source has the arguments that the model gave.
    if (name === called || called.endsWith(`.${name}`)) return { name, parameters, isRecorded: true };
    throw new YagateError("INVALID_REQUEST", "expected a call whose recorded request is at most 64 KiB", {
      hint: `${commandName()} calls redeliver ${id} --to <url> sends longer ones`,
    });
  }
  const body = bodyOf(request.body);
  if (body?.["toolCallId"] !== id || typeof body["name"] !== "string" || !isJsonObject(body["parameters"])) {
    return asCalled;
  }
  return { name: body["name"], parameters: body["parameters"], isRecorded: true };
}

const START_OF_BODY = /^\{"toolCallId":"[^"]*","agentId":"[^"]*","executionId":"[^"]*","name":"([^"]*)"/;

function bodyOf(text: string): JsonObject | undefined {
  try {
    const body: JsonValue = JSON.parse(text);
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
