import { expect, it, vi } from "vitest";
import { Output } from "../../src/frame/output.ts";
import { LiveLog } from "../../src/gateway/live-log/live-log.ts";

const line = (level: number, msg: string) =>
  JSON.stringify({ level, time: Date.parse("2026-11-21T06:00:00Z"), pid: 1, hostname: "h", msg });

it("prints only the warnings and errors of the gateway itself with --quiet", async () => {
  const printed: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
  try {
    const live = new LiveLog({ output: new Output({ quiet: true }), agentNameOf: async () => "Desk" });
    live.addRequest({
      ...{
        at: "2026-11-21T06:00:00.000Z",
        requestId: "request",
        userAgent: undefined,
        method: "GET",
        path: "/v1/agents",
      },
      ...{ status: 401, code: "UNAUTHENTICATED", message: "no key" },
    });
    live.addLogLine(line(30, "listening"));
    live.addLogLine(line(40, "the disk is nearly full"));
    live.addLogLine(line(50, "the store cannot be read"));
    live.addLogLine("not a line of the log");
    await live.printed;
  } finally {
    log.mockRestore();
  }
  expect(printed).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d gateway ✕ the disk is nearly full$/),
    expect.stringMatching(/^\d\d:\d\d:\d\d gateway ✕ the store cannot be read$/),
  ]);
});
