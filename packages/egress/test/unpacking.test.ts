import { gzipSync } from "node:zlib";
import { afterEach, expect, it, vi } from "vitest";
import { PendingRequest } from "../src/request.ts";
import { failureOf, get, testGuard } from "./support/guards.ts";
import { startServer } from "./support/servers.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("a deadline that passes while the answer is unpacked leaves no watch for a late one", async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("unpacked"));
  });
  const { onEnd } = PendingRequest.prototype;
  vi.spyOn(PendingRequest.prototype, "onEnd").mockImplementation(function (this: PendingRequest) {
    onEnd.call(this);
    vi.advanceTimersByTime(5_000);
  });
  const onTimeout = vi.fn<() => undefined>();
  const guard = testGuard();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const failure = await failureOf(guard.request(get(`http://allowed.test:${server.port}/`, { onTimeout })));
  expect(failure).toMatchObject({ code: "TIMEOUT", bytesMayHaveLeft: true });
  expect(onTimeout).not.toHaveBeenCalled();
});
