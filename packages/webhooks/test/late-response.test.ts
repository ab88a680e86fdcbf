import type { Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import type { LateResponse } from "../../calls/src/port.ts";
import { createWorld, failureOf, NOW } from "./support/dispatch-world.ts";
import { startRawHandler } from "./support/handler-server.ts";

const PATIENT = { timeout: 10_000, interval: 2 };
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const WHOLE = `${HEAD}content-length: 12\r\n\r\n{"result":1}`;
/** 300 ms are left of the tool's own timeout, for which a late answer is waited for. */
const short = { tool: { timeout: 20_000 }, deadline: NOW + 300 };

/** A handler that holds what the test writes to, and a collector of what came late. */
async function startSlow(first = "") {
  const sockets: Socket[] = [];
  const closed = vi.fn<() => void>();
  const handler = await startRawHandler((socket) => {
    sockets.push(socket);
    socket.on("close", closed);
    if (first !== "") socket.write(first);
  });
  const late: LateResponse[] = [];
  return {
    url: handler.url,
    sockets,
    late,
    onLateAnswer: (answer: LateResponse) => void late.push(answer),
    heard: () => vi.waitFor(() => expect(late).toHaveLength(1), PATIENT),
    closed: (count: number) => vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(count), PATIENT),
  };
}

describe("an answer that comes after its deadline", () => {
  it.each<[string, string, string, object]>([
    ["as a whole", "", WHOLE, { httpStatus: 200, responseBytes: 12 }],
    ["as an error", "", "HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n", { httpStatus: 503, responseBytes: 0 }],
    ["in its last byte", WHOLE.slice(0, -1), "}", { httpStatus: 200, responseBytes: 12 }],
    [
      "packed",
      "",
      `${HEAD}content-encoding: gzip\r\ncontent-length: 3\r\n\r\nxyz`,
      { httpStatus: 200, responseBytes: 3 },
    ],
  ])("%s is told of, and nothing of it is used", async (_name, before, after, expected) => {
    const { url, sockets, late, onLateAnswer, heard } = await startSlow(before);
    const world = await createWorld();
    const report = await world.attempt(url, { ...short, onLateAnswer });
    expect(failureOf(report)).toMatchObject({ code: "TIMEOUT", outcome: "unknown" });
    const reported = structuredClone(report);
    expect(late).toEqual([]);
    sockets[0]?.write(after);
    await heard();
    expect(late).toEqual([{ ...expected, elapsedMs: expect.any(Number) }]);
    expect(late[0]?.elapsedMs).toBeGreaterThanOrEqual(300);
    expect(report).toEqual(reported);
    expect(report.response).toBeNull();
  });

  it("is waited for no longer than the tool's timeout once more", async () => {
    const { url, late, onLateAnswer, closed } = await startSlow();
    const world = await createWorld();
    const startedAt = performance.now();
    await world.attempt(url, { ...short, tool: { timeout: 100 }, onLateAnswer });
    await closed(1);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(390);
    expect(late).toEqual([]);
  });

  it.each<[string, string]>([
    ["breaks off", `${HEAD}content-length: 12\r\n\r\n{"res`],
    ["is longer than any answer may be", `${HEAD}content-length: 9000\r\n\r\n${"x".repeat(9_000)}`],
    ["is no HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["never gets past interim answers", "HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n".repeat(40)],
  ])("is not told of when it %s, and its connection is closed", async (_name, bytes) => {
    const { url, sockets, late, onLateAnswer, closed } = await startSlow();
    const world = await createWorld({ maxResponseBytes: 2_000 });
    await world.attempt(url, { ...short, onLateAnswer });
    sockets[0]?.end(bytes);
    await closed(1);
    expect(late).toEqual([]);
    expect(world.errors).toEqual([]);
  });

  it("is not waited for when nobody wants to know", async () => {
    const { url, sockets, late, onLateAnswer, closed, heard } = await startSlow();
    const world = await createWorld();
    const wanted = world.attempt(url, { ...short, onLateAnswer });
    await vi.waitFor(() => expect(sockets).toHaveLength(1), PATIENT);
    await Promise.all([wanted, world.attempt(url, short)]);
    await closed(1);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, true]);
    expect(late).toEqual([]);
    sockets[0]?.write(WHOLE);
    await heard();
  });

  it("is not waited for any longer when the attempt is aborted after all", async () => {
    const { url, late, onLateAnswer, closed } = await startSlow();
    const controller = new AbortController();
    const world = await createWorld();
    await world.attempt(url, { ...short, onLateAnswer, signal: controller.signal });
    controller.abort();
    await closed(1);
    expect(late).toEqual([]);
  });

  it("is waited for at eight connections of an endpoint and no more", async () => {
    const { url, sockets, late, onLateAnswer, closed } = await startSlow();
    const world = await createWorld();
    const attempts = Array.from({ length: 12 }, () => world.attempt(url, { ...short, onLateAnswer }));
    for (const report of await Promise.all(attempts)) expect(failureOf(report).code).toBe("TIMEOUT");
    await closed(4);
    for (const socket of sockets) if (!socket.destroyed) socket.write(WHOLE);
    await vi.waitFor(() => expect(late).toHaveLength(8), PATIENT);
    // Each of them gave its place back.
    const again = world.attempt(url, { ...short, onLateAnswer });
    expect(failureOf(await again).code).toBe("TIMEOUT");
    for (const socket of sockets) if (!socket.destroyed) socket.write(WHOLE);
    await vi.waitFor(() => expect(late).toHaveLength(9), PATIENT);
  });

  it("leaves a connection that the next attempt can use", async () => {
    const { url, sockets, onLateAnswer, heard } = await startSlow();
    const world = await createWorld();
    await world.attempt(url, { ...short, onLateAnswer });
    sockets[0]?.write(WHOLE);
    await heard();
    sockets[0]?.once("data", () => sockets[0]?.write(WHOLE));
    expect((await world.attempt(url)).answer).toEqual({ result: 1 });
    expect(sockets).toHaveLength(1);
  });
});
