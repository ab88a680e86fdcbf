import type { Response } from "express";
import { describe, expect, it } from "vitest";
import { freePort } from "../services/free-port.ts";
import { calls, startRawService, toolAt } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

const TURNS = [calls("lookup_order"), { text: "done" }];
const ok = (response: Response) => void response.json({ result: "shipped" });

describe("a tool that fails", () => {
  it("by not answering in time: nobody knows what happened, and a write is not repeated", async () => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService(() => {});
    const tool = toolAt(url, { timeout: 500, retries: 3, sideEffect: "non_idempotent_write" });
    const { toolCalls, output } = await world.play([tool], TURNS);
    expect(toolCalls).toMatchObject([
      { status: "failed", error: { code: "TIMEOUT", outcome: "unknown", retryable: false, attempts: 1 } },
    ]);
    expect(toolCalls[0]?.error?.hint).toMatch(/check before you repeat it/);
    expect(arrived).toHaveLength(1);
    expect(output?.text).toBe("done");
  });

  it("by not answering in time, and is a read: it is asked again, with the same id and a new date", async () => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService((response, _call, count) => {
      if (count > 1) ok(response);
    });
    const { toolCalls } = await world.play([toolAt(url, { timeout: 500, retries: 1, sideEffect: "read_only" })], TURNS);
    expect(toolCalls).toMatchObject([
      { status: "completed", attempts: [{ errorCode: "TIMEOUT" }, { httpStatus: 200 }] },
    ]);
    const [first, second] = arrived.map(({ body }) => JSON.parse(body.toString()));
    expect([first.attempt, second.attempt]).toEqual([1, 2]);
    expect(second.toolCallId).toBe(first.toolCallId);
    expect(Date.parse(second.timestamp)).toBeGreaterThan(Date.parse(first.timestamp));
  });

  it("for good, with 410: its URL is left alone until a person enables it again", async () => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService((response, _call, count) => {
      if (count === 1) response.status(410).end();
      else ok(response);
    });
    const play = async () => (await world.play([toolAt(url)], TURNS)).toolCalls[0];
    expect(await play()).toMatchObject({ status: "failed", error: { code: "HANDLER_GONE", outcome: "none" } });
    expect(await play()).toMatchObject({ status: "failed", error: { code: "ENDPOINT_DISABLED", outcome: "none" } });
    expect(arrived).toHaveLength(1);
    const [endpoint] = await world.client.endpoints.list().toArray();
    expect(endpoint).toMatchObject({ url, reason: expect.stringContaining("410") });
    await world.client.endpoints.enable(endpoint?.id ?? "");
    expect(await play()).toMatchObject({ status: "completed", result: "shipped" });
  });

  it("with 410 and an error: an order may be gone too, and the next call goes out", async () => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService(
      (response) => void response.status(410).json({ error: { code: "ORDER_GONE", message: "archived" } }),
    );
    for (let round = 1; round <= 2; round += 1) {
      const { toolCalls } = await world.play([toolAt(url)], TURNS);
      expect(toolCalls).toMatchObject([{ error: { code: "ORDER_GONE", source: "handler" } }]);
      expect(arrived).toHaveLength(round);
    }
  });

  it("for now, with Retry-After: it is asked again no sooner", async () => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService((response, _call, count) => {
      if (count === 1) response.status(429).set("Retry-After", "1").end();
      else ok(response);
    });
    const { toolCalls } = await world.play([toolAt(url, { retries: 1 })], TURNS);
    expect(toolCalls).toMatchObject([{ status: "completed", attempts: [{ httpStatus: 429 }, { httpStatus: 200 }] }]);
    const [first, second] = arrived;
    // The header's second, less what passes between the answer and the moment that it was counted from.
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it("for longer than the execution may run: the call ends at once", async () => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService(
      (response) => void response.status(503).set("Retry-After", "3600").end(),
    );
    const { toolCalls } = await world.play([toolAt(url, { retries: 5 })], TURNS);
    expect(toolCalls).toMatchObject([{ status: "failed", error: { code: "HANDLER_ERROR", attempts: 1 } }]);
    expect(arrived).toHaveLength(1);
  });

  it.each<[string, (response: Response) => void, object]>([
    [
      "with an answer that is too large",
      (response) => void response.json({ result: "x".repeat(500_000) }),
      { code: "RESPONSE_TOO_LARGE", outcome: "unknown" },
    ],
    [
      "with an answer in another form",
      (response) => void response.send("<html></html>"),
      { code: "INVALID_RESPONSE", outcome: "unknown" },
    ],
    ["with a redirect", (response) => response.redirect("/elsewhere"), { code: "REDIRECT_REFUSED" }],
    ["with 404", (response) => void response.status(404).end(), { code: "HANDLER_ERROR", outcome: "none" }],
  ])("%s: the call ends, and the model is told", async (_name, answer, error) => {
    const world = await openWorld();
    const { url, calls: arrived } = await startRawService(answer);
    const { toolCalls, status } = await world.play([toolAt(url, { retries: 2 })], TURNS);
    expect(toolCalls).toMatchObject([{ status: "failed", error: { source: "gateway", ...error } }]);
    expect(arrived).toHaveLength(1);
    expect(status).toBe("completed");
  });

  it("because nobody listens there: surely nothing happened", async () => {
    const world = await openWorld();
    const { toolCalls } = await world.play([toolAt(`http://127.0.0.1:${await freePort()}/`)], TURNS);
    expect(toolCalls).toMatchObject([{ error: { code: "NETWORK_ERROR", outcome: "none", retryable: true } }]);
  });
});
