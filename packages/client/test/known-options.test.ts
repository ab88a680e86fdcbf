import { describe, expect, it } from "vitest";
import type { Yagate } from "../src/index.ts";
import { clientOf } from "./support/client-of.ts";
import { startScriptedGateway } from "./support/scripted-gateway.ts";

/** Options as a caller without types writes them. */
const untyped = (json: string) => JSON.parse(json);

describe("an option that does not exist is refused before anything is sent:", () => {
  it.each<[string, (client: Yagate) => unknown, string]>([
    [
      "agents.execute",
      (client) => client.agents.execute("agt_01", { input: "hi", ...untyped('{ "onToolErr": 1 }') }),
      "agents.execute has no option onToolErr; its options are input, limits, toolChoice, scopes, routing, caller, script, recording, metadata, fallbackWaitMs, idempotencyKey, signal, onToolError, onWaiting, maxWaitMs, onEvent",
    ],
    [
      "agents.execute, with the gateway's own name for fallbackWaitMs",
      (client) => client.agents.execute("agt_01", { input: "hi", ...untyped('{ "fallback": {} }') }),
      "agents.execute has no option fallback;",
    ],
    [
      "agents.execute, several",
      (client) => client.agents.execute("agt_01", { input: "hi", ...untyped('{ "a": 1, "b": 2 }') }),
      "agents.execute has no option a, b;",
    ],
    [
      "agents.execute, with a text in place of the options",
      (client) => client.agents.execute("agt_01", untyped('"hi"')),
      "expected the options of agents.execute to be an object",
    ],
    [
      "agents.execute, without options",
      (client) => client.agents.execute("agt_01", untyped("null")),
      "expected the options of agents.execute to be an object",
    ],
    [
      "agents.stream, which gives events by itself",
      (client) => client.agents.stream("agt_01", { input: "hi", ...untyped('{ "onEvent": 1 }') }),
      "agents.stream has no option onEvent;",
    ],
    [
      "agents.start, which nobody listens to",
      (client) => client.agents.start("agt_01", { input: "hi", ...untyped('{ "onToolError": 1 }') }),
      "agents.start has no option onToolError;",
    ],
    [
      "executions.events",
      (client) => client.executions.events("exec_01", untyped('{ "lastEventID": 1 }')),
      "executions.events has no option lastEventID; its options are lastEventId, onToolError, onWaiting, maxWaitMs, signal",
    ],
    [
      "executions.createToken",
      (client) => client.executions.createToken("exec_01", untyped('{ "expiresIn": 1 }')),
      "executions.createToken has no option expiresIn; its options are expiresInSeconds, signal",
    ],
    [
      "executions.list with metadata that is no text",
      (client) => client.executions.list(untyped('{ "metadata": { "orderId": null } }')),
      "executions.list: expected metadata.orderId to be a string",
    ],
    [
      "executions.list since a Date that is not valid",
      (client) => client.executions.list({ since: new Date("yesterday") }),
      "executions.list: since: expected a valid Date, or RFC 3339, such as 2026-11-22T09:00:00Z",
    ],
    [
      "a list",
      (client) => client.agents.list(untyped('{ "limt": 1 }')),
      "a list has no option limt; its options are limit, cursor, signal",
    ],
  ])("%s", async (_what, call, message) => {
    const gateway = await startScriptedGateway({});
    const calling = (async () => call(clientOf(gateway)))();
    await expect(calling).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(message),
    });
    expect(gateway.seen).toHaveLength(0);
  });
});
