import { describe, expect, it } from "vitest";
import type { WorkspaceChange } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { manualRuntime } from "../support/manual-runtime.ts";
import {
  eventStream,
  hangUp,
  json,
  problem,
  type ScriptedGateway,
  startScriptedGateway,
} from "../support/scripted-gateway.ts";

const ROUTE = "GET /v1/events";
const AT = "2026-11-21T06:00:00.000Z";
const hint = (seq: number) => ({ type: "execution", id: `exec_${"0".repeat(26)}`, seq, at: AT });
const message = (seq: number) => `event: execution\ndata: ${JSON.stringify(hint(seq))}\n\n`;

/** What a follower yields until it has seen `count` changes, or until it throws. */
async function followed(gateway: ScriptedGateway, count: number, runtime = manualRuntime()) {
  const changes: WorkspaceChange[] = [];
  const stop = new AbortController();
  for await (const change of clientOf(gateway, {}, runtime).changes.follow({ signal: stop.signal })) {
    changes.push(change);
    if (changes.length === count) break;
  }
  return changes;
}

describe("changes.follow", () => {
  it("yields `connected` and the hints of each connection, and connects again whenever one ends", async () => {
    const gateway = await startScriptedGateway({
      [ROUTE]: [
        eventStream([message(1)], { ending: "broken" }),
        hangUp,
        problem(503, "UNAVAILABLE", { headers: { "retry-after": "3" } }),
        eventStream([message(2)]),
        eventStream([message(3)], { ending: "none" }),
      ],
    });
    const runtime = manualRuntime();
    const connected = { type: "connected" };
    expect(await followed(gateway, 6, runtime)).toEqual([
      ...[connected, hint(1)],
      ...[connected, hint(2)],
      ...[connected, hint(3)],
    ]);
    // Hints are never repeated, so there is no position to name.
    expect(gateway.seenAt(ROUTE).map(({ headers }) => headers["last-event-id"])).toEqual(Array(5).fill(undefined));
    expect(runtime.delays).toHaveLength(4);
    expect(runtime.delays[2]).toBeGreaterThanOrEqual(3_000);
    // A connection that opened starts the count of failures again.
    expect(runtime.delays[3]).toBeLessThan(runtime.delays[1] ?? 0);
  });

  it("gives up after eight connections in a row that did not open", async () => {
    const gateway = await startScriptedGateway({ [ROUTE]: hangUp });
    await expect(followed(gateway, 1)).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    expect(gateway.seenAt(ROUTE)).toHaveLength(9);
  });

  it.each([
    ["an invalid key", problem(401, "UNAUTHENTICATED"), "UNAUTHENTICATED"],
    ["a response that is no stream", json(200, {}), "INVALID_RESPONSE"],
    ["a hint that it cannot read", eventStream(['data: {"type":1}\n\n']), "INVALID_RESPONSE"],
  ])("does not try again after %s", async (_what, responder, code) => {
    const gateway = await startScriptedGateway({ [ROUTE]: responder });
    await expect(followed(gateway, 9)).rejects.toMatchObject({ code });
    expect(gateway.seenAt(ROUTE)).toHaveLength(1);
  });

  it("closes its connection when its reader stops at `connected`", async () => {
    const gateway = await startScriptedGateway({ [ROUTE]: eventStream([], { ending: "none" }) });
    const signals: (AbortSignal | null | undefined)[] = [];
    const client = clientOf(gateway, {
      fetch: (url, init) => {
        signals.push(init?.signal);
        return fetch(url, init);
      },
    });
    for await (const { type } of client.changes.follow()) if (type === "connected") break;
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it("ends with the reason of its signal", async () => {
    const gateway = await startScriptedGateway({ [ROUTE]: eventStream([message(1)], { ending: "none" }) });
    const stop = new AbortController();
    const changes: WorkspaceChange[] = [];
    const following = async () => {
      for await (const change of clientOf(gateway).changes.follow({ signal: stop.signal })) {
        changes.push(change);
        if (changes.length === 2) stop.abort(new Error("closed the page"));
      }
    };
    await expect(following()).rejects.toThrow("closed the page");
    expect(changes).toEqual([{ type: "connected" }, hint(1)]);
  });
});
