import { expect, it } from "vitest";
import { openGuard, toWork } from "./support/guarded.ts";
import { discovered, sendResult, startHostileServer } from "./support/hostile-server.ts";
import { sendJson } from "./support/http-server.ts";
import { startResumableServer } from "./support/resumable-server.ts";

const endpointOf = openGuard();
const call = toWork(endpointOf);

it("no two calls have the same id, although each has a connection of its own", async () => {
  const ids: unknown[] = [];
  const server = await startHostileServer({
    call(response, { id }) {
      ids.push(id);
      return sendResult(response, id, { content: [{ type: "text", text: `call ${ids.length}` }] });
    },
  });
  expect(await call(server.url)).toMatchObject({ value: "call 1" });
  expect(await call(server.url)).toMatchObject({ value: "call 2" });
  expect(ids).toEqual([expect.any(Number), expect.any(Number)]);
  expect(ids[0]).not.toBe(ids[1]);
});

it("a result without a type is complete", async () => {
  const server = await startHostileServer({
    call: (response, { id }) =>
      sendJson(response, { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "all" }] } }),
  });
  const verdict = { kind: "modern", discover: discovered } as const;
  expect(await call(server.url, { verdict })).toMatchObject({ value: "all" });
});

it("a cancellation names the call as it was sent", async () => {
  const server = await startResumableServer({ hasEvents: false });
  const cancelling = new AbortController();
  const cancelled = call(server.url, { signal: cancelling.signal, verdict: { kind: "legacy" } });
  await server.called("work", 1);
  cancelling.abort();
  await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
  const bodies = server.requests.flatMap(({ body }) => (body === "" ? [] : [JSON.parse(body)]));
  const sent = bodies.find(({ method }) => method === "tools/call");
  await expect.poll(() => server.requests.some(({ body }) => body.includes("notifications/cancelled"))).toBe(true);
  const cancellation = server.requests.find(({ body }) => body.includes("notifications/cancelled"));
  expect(JSON.parse(cancellation?.body ?? "{}")).toMatchObject({ params: { requestId: sent?.id } });
});
