import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { failureOf, testGuard } from "./support/guards.ts";
import { startServer } from "./support/servers.ts";

describe("the body of a fetched response", () => {
  it("may have as many bytes as the limit, and no more", async () => {
    const server = await startServer((request, response) => response.end("x".repeat(Number(request.url?.slice(1)))));
    const { fetch } = testGuard({ limits: { fetchResponseBytes: 1_000 } });
    const read = async (bytes: number) => (await fetch(`http://allowed.test:${server.port}/${bytes}`)).text();
    expect(await read(1_000)).toHaveLength(1_000);
    expect(await failureOf(read(1_001))).toMatchObject({ code: "RESPONSE_TOO_LARGE" });
  });

  it("goes on after each pause of a reader that is slower than the service", async () => {
    const bytes = 4_000_000;
    const server = await startServer((_request, response) => response.end(Buffer.alloc(bytes)));
    const { body } = await testGuard().fetch(`http://allowed.test:${server.port}/`);
    let received = 0;
    for await (const chunk of body ?? []) {
      received += chunk.byteLength;
      for (let turn = 0; turn < 5; turn += 1) await nextEventLoopTurn();
    }
    expect(received).toBe(bytes);
  });
});
