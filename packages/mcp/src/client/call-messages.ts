import { randomInt } from "node:crypto";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { isJsonObject } from "@yagate/lib/json/json-object";

type Message = Parameters<StreamableHTTPClientTransport["send"]>[0];
type Sent = Exclude<Message, readonly unknown[]>;

const MAX_OFFSET = 2 ** 31;

/**
 * Adjusts the messages of calls where the library does not follow the specification. To be called on an open connection.
 *
 * - The library counts ids from 0 on each connection. The calls of a tool have connections of their own, and a server may
 *   take a call with the id of an earlier one for the same call, so the ids start at a random number.
 * - The library rejects results without `resultType`, which means that they are complete.
 *
 * @param isModern - whether the server uses the revision 2026-07-28, in which results have a `resultType`.
 */
export function adjustCallMessages(transport: StreamableHTTPClientTransport, isModern: boolean): void {
  const offset = randomInt(1, MAX_OFFSET);
  const calls = new Set<number>();
  const send = transport.send.bind(transport);
  const { onmessage } = transport;

  function outgoing(message: Sent): Sent {
    if (!("method" in message)) return message;
    if ("id" in message && typeof message.id === "number" && message.method === "tools/call") {
      calls.add(message.id);
      return { ...message, id: message.id + offset };
    }
    const { method, params } = message;
    const requestId = isJsonObject(params) ? params["requestId"] : undefined;
    if (method !== "notifications/cancelled" || typeof requestId !== "number" || !calls.has(requestId)) return message;
    return { ...message, params: { ...params, requestId: requestId + offset } };
  }

  function incoming<Received extends Sent>(message: Received): Received {
    if ("method" in message || !("id" in message) || typeof message.id !== "number") return message;
    const id = message.id - offset;
    if (!calls.has(id)) return message;
    if (!("result" in message) || !isModern || "resultType" in message.result) return { ...message, id };
    return { ...message, id, result: { ...message.result, resultType: "complete" } };
  }

  transport.send = (message, options) => send(Array.isArray(message) ? message : outgoing(message as Sent), options);
  transport.onmessage = (message) => onmessage?.(incoming(message));
}
