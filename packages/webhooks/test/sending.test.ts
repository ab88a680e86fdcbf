import { YagateError } from "@yagate/protocol";
import { describe, expect, it, vi } from "vitest";
import { createWorld, failureOf, NOW } from "./support/dispatch-world.ts";
import { startReplier } from "./support/handler-server.ts";

const answer = { body: { result: 1 } };

describe("before an attempt is sent", () => {
  it("asks beforeSend once, and never sends when that throws", async () => {
    const handler = await startReplier(answer);
    const world = await createWorld();
    const lapsed = new Error("the lease ran out");
    const attempt = world.attempt(handler.url, {
      beforeSend: () => {
        throw lapsed;
      },
    });
    await expect(attempt).rejects.toBe(lapsed);
    expect(handler.calls).toEqual([]);

    const beforeSend = vi.fn<() => void>();
    await world.attempt(handler.url, { beforeSend });
    expect(beforeSend).toHaveBeenCalledTimes(1);
    expect(handler.calls).toHaveLength(1);
  });

  it("passes on an error of beforeSend that looks like the network's", async () => {
    const handler = await startReplier(answer);
    const world = await createWorld();
    const error = Object.assign(new Error("reset"), { code: "ECONNRESET" });
    const attempt = world.attempt(handler.url, {
      beforeSend: () => {
        throw error;
      },
    });
    await expect(attempt).rejects.toBe(error);
  });

  it("is CANCELLED when the job was cancelled", async () => {
    const handler = await startReplier(answer);
    const report = await (await createWorld()).attempt(handler.url, { signal: AbortSignal.abort() });
    expect(failureOf(report)).toMatchObject({ code: "CANCELLED", isRetryable: false, outcome: "none" });
    expect(handler.calls).toEqual([]);
  });

  it.each([NOW, NOW - 1, NOW + 0.5])("is TIMEOUT when no time is left: deadline %d", async (deadline) => {
    const handler = await startReplier(answer);
    const report = await (await createWorld()).attempt(handler.url, { deadline });
    expect(failureOf(report)).toMatchObject({ code: "TIMEOUT", outcome: "none" });
    expect(handler.calls).toEqual([]);
  });

  it.each<[string, () => Promise<readonly string[]>, string]>([
    ["does not exist", () => Promise.reject(new YagateError("NOT_FOUND", "no such secret")), "NOT_CONFIGURED"],
    ["has no live version", () => Promise.resolve([]), "NOT_CONFIGURED"],
    ["can't be read", () => Promise.reject(new YagateError("UNAVAILABLE", "the disk is gone")), "INTERNAL"],
    ["is malformed", () => Promise.resolve(["whsec_short"]), "INTERNAL"],
    ["fails in a way that nobody foresaw", () => Promise.reject(new Error("whsec_c2VjcmV0")), "INTERNAL"],
  ])("is refused without a word of the secret when it %s", async (_name, forSigning, code) => {
    const handler = await startReplier(answer);
    const world = await createWorld({ forSigning });
    const failure = failureOf(await world.attempt(handler.url));
    expect(failure).toMatchObject({ code, outcome: "none", isRetryable: false });
    expect(JSON.stringify(failure)).not.toContain("whsec_");
    expect(world.errors).toHaveLength(code === "INTERNAL" ? 1 : 0);
    expect(handler.calls).toEqual([]);
  });

  it("refuses arguments that would make the body longer than 1 MiB", async () => {
    const handler = await startReplier(answer);
    const report = await (await createWorld()).attempt(handler.url, { parameters: { note: "€".repeat(350_000) } });
    expect(failureOf(report)).toMatchObject({ code: "INVALID_ARGUMENTS", isRetryable: false, outcome: "none" });
    expect(handler.calls).toEqual([]);
  });
});
