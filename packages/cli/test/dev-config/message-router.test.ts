import type { JsonObject } from "@yagate/lib/json/json-object";
import { expect, it } from "vitest";
import { MessageRouter } from "../../src/gateway/stdio-servers/message-router.ts";

/** A router whose messages to the server are recorded. */
function startRouter({ isRunning = true } = {}) {
  const sent: JsonObject[] = [];
  const router = new MessageRouter((message) => {
    if (isRunning) sent.push(message);
    return isRunning;
  });
  /** Sends a request, and records what comes back. */
  const request = (message: JsonObject, session?: string) => {
    const back: unknown[] = [];
    const cancel = router.request({ jsonrpc: "2.0", ...message }, session, {
      notify: (notification) => back.push(notification["params"]),
      respond: (response) => back.push(response),
      fail: (reason) => back.push(reason),
    });
    return { back, cancel };
  };
  return { router, sent, request };
}

const result = (id: unknown, value: string) => ({ jsonrpc: "2.0", id, result: { value } });

it("gives each request an id of its own, so that connections may use the same ones", () => {
  const { router, sent, request } = startRouter();
  const [a, b] = [request({ id: 0, method: "tools/call" }, "A"), request({ id: 0, method: "tools/call" }, "B")];
  expect(sent.map(({ id }) => id)).toEqual([1, 2]);
  router.receive(result(2, "b"));
  router.receive(result(1, "a"));
  router.receive(result(1, "twice"));
  expect([a.back, b.back]).toEqual([[result(0, "a")], [result(0, "b")]]);
});

it("passes progress to the request that it is about", () => {
  const { router, sent, request } = startRouter();
  const params = { name: "x", _meta: { progressToken: "mine", traceparent: "00" } };
  const first = request({ id: 7, method: "tools/call", params });
  const second = request({ id: 7, method: "tools/call", params });
  expect(sent[1]?.["params"]).toEqual({ name: "x", _meta: { progressToken: 2, traceparent: "00" } });
  const progress = { jsonrpc: "2.0", method: "notifications/progress" };
  router.receive({ ...progress, params: { progressToken: 2, progress: 1 } });
  router.receive({ ...progress, params: { progressToken: 9, progress: 1 } });
  expect([first.back, second.back]).toEqual([[], [{ progressToken: "mine", progress: 1 }]]);
});

it("initializes the server once, and again after it has ended", () => {
  const { router, sent, request } = startRouter();
  const [a, b] = [request({ id: 0, method: "initialize" }), request({ id: 5, method: "initialize" })];
  a.cancel?.();
  router.receive(result(1, "hello"));
  const late = request({ id: 9, method: "initialize" });
  router.notify({ jsonrpc: "2.0", method: "notifications/initialized" }, "A");
  expect([a.back, b.back, late.back]).toEqual([[], [result(5, "hello")], [result(9, "hello")]]);
  expect(sent.map(({ method }) => method)).toEqual(["initialize", "notifications/initialized"]);
  router.reset("ended");
  request({ id: 0, method: "initialize" });
  expect(sent.at(-1)).toMatchObject({ id: 2, method: "initialize" });
});

it("asks again if the server rejected the first request to initialize", () => {
  const { router, sent, request } = startRouter();
  request({ id: 0, method: "initialize" });
  router.receive({ jsonrpc: "2.0", id: 1, error: { code: -32_602, message: "no" } });
  request({ id: 0, method: "initialize" });
  expect(sent.map(({ id, method }) => [id, method])).toEqual([
    [1, "initialize"],
    [2, "initialize"],
  ]);
});

it("cancels a request of the same session only, by the id that the server knows", () => {
  const { router, sent, request } = startRouter();
  request({ id: 3, method: "tools/call" }, "A");
  const other = request({ id: 3, method: "tools/call" }, "B");
  router.notify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } }, "A");
  expect(sent.slice(2)).toMatchObject([{ method: "notifications/cancelled", params: { requestId: 1 } }]);
  other.cancel?.();
  other.cancel?.();
  expect(sent.slice(3)).toMatchObject([{ method: "notifications/cancelled", params: { requestId: 2 } }]);
});

it("fails what is under way when the server ends, and sends nothing while it does not run", () => {
  const { router, request } = startRouter();
  const open = [request({ id: 0, method: "tools/call" }), request({ id: 1, method: "initialize" })];
  router.reset("ended with status 1");
  expect(open.map(({ back }) => back)).toEqual([["ended with status 1"], ["ended with status 1"]]);
  const stopped = startRouter({ isRunning: false });
  expect(stopped.request({ id: 0, method: "initialize" }).cancel).toBeUndefined();
  expect(stopped.request({ id: 1, method: "tools/list" }).cancel).toBeUndefined();
});

it("responds to the server's own requests, of which it supports ping alone", () => {
  const { router, sent } = startRouter();
  router.receive({ jsonrpc: "2.0", id: "p", method: "ping" });
  router.receive({ jsonrpc: "2.0", id: "s", method: "sampling/createMessage" });
  expect(sent).toMatchObject([
    { id: "p", result: {} },
    { id: "s", error: { code: -32_601 } },
  ]);
});
