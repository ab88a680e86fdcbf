import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendTo } from "../src/events/event-store.ts";
import { openSqliteStore } from "../src/sqlite.ts";
import { appendOf, entryOf, executionOf, NOW } from "./support/fixtures.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "./support/temporary-directory.ts";

const RETENTION_MS = 604_800_000;
const FULL = { code: "UNAVAILABLE", message: expect.stringContaining("the disk is full") };

let directory: TemporaryDirectory;
beforeEach(async () => {
  directory = await makeTemporaryDirectory();
});
afterEach(() => directory.remove());

describe("a full disk", () => {
  it("refuses what no longer fits, keeps what was acknowledged, and goes on once there is space", async () => {
    const store = await openSqliteStore({ dataDir: directory.path, now: () => NOW, maxBytes: 600_000 });
    const { execution } = await store.eventStore.create(executionOf("ws_a"));
    const body = "x".repeat(50_000);
    const message = { headers: {}, body, bodyBytes: body.length, isTruncated: false };
    const append = (expectedSeq: number) =>
      appendTo(store.eventStore, {
        ...appendOf(execution.id, expectedSeq, { epoch: 1 }),
        entries: [
          entryOf(execution.id, expectedSeq + 1, {
            type: "attempt.started",
            toolCallId: "tc_1",
            attemptId: `att_${expectedSeq}`,
          }),
        ],
        exchanges: [{ attemptId: `att_${expectedSeq}`, request: message, response: message }],
      });

    let acknowledged = 0;
    let refusal: unknown;
    while (refusal === undefined) {
      try {
        await append(acknowledged);
        acknowledged += 1;
      } catch (error) {
        refusal = error;
      }
    }
    expect(refusal).toMatchObject(FULL);
    expect(acknowledged).toBeGreaterThan(1);
    await expect(append(acknowledged)).rejects.toMatchObject(FULL);
    expect(await store.eventStore.entries(execution.id, 0)).toHaveLength(acknowledged);
    expect(await store.eventStore.find(execution.id, "ws_a")).toMatchObject({ lastSeq: acknowledged });
    expect(await store.eventStore.findAttempt(`att_${acknowledged}`, "ws_a")).toBeUndefined();

    await store.eventStore.deleteExpired(NOW + RETENTION_MS + 1, 100);
    expect(await append(acknowledged)).toBe("appended");
    expect(await store.eventStore.entries(execution.id, 0)).toHaveLength(acknowledged + 1);
    await store.close();
  });

  it.runIf(process.platform === "linux")("fails a whole commit of a process that may write no further", async () => {
    const script = fileURLToPath(new URL("support/sqlite-filler.ts", import.meta.url));
    const dataDir = join(directory.path, "data");
    const limited = `ulimit -f 2000; exec "$0" "$@"`;
    const child = spawn("sh", ["-c", limited, process.execPath, script, dataDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said = new Map<string, string>();
    for await (const line of createInterface({ input: child.stdout })) {
      const [word = "", ...rest] = line.split(" ");
      said.set(word, rest.join(" "));
    }
    const acknowledged = Number(said.get("acknowledged"));
    expect(said.get("refused")).toBe("2 UNAVAILABLE");
    expect(said.get("reason")).toMatch(/^the store could not be read or written: /);
    expect(said.get("readable")).toBe(String(acknowledged));

    const store = await openSqliteStore({ dataDir });
    const executionId = said.get("execution") ?? "";
    expect(await store.eventStore.entries(executionId, 0)).toHaveLength(acknowledged);
    expect(await appendTo(store.eventStore, appendOf(executionId, acknowledged))).toBe("appended");
    await store.close();
  });
});
