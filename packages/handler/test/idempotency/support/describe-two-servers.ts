import { describe, expect, it, onTestFinished } from "vitest";
import { call } from "../../support/tools.ts";
import type { Entries } from "./entries.ts";
import { canRunToolServers, startToolServer } from "./tool-server-process.ts";

/** Each test starts two processes, which takes long on a busy machine. */
const TEST_MS = 150_000;

/** What two servers behind one URL must do with the calls that are spread over them. */
export function describeTwoServers(name: string, createEntries: () => Promise<Entries>): void {
  describe.skipIf(!canRunToolServers)(`${name} (needs a Node that runs TypeScript)`, () => {
    async function startTwo() {
      const entries = await createEntries();
      onTestFinished(() => entries.remove());
      return Promise.all([startToolServer(entries.place), startToolServer(entries.place)]);
    }

    it("run fifty duplicates at once only once, and give all of them the one answer", {
      timeout: TEST_MS,
    }, async () => {
      const [first, second] = await startTwo();
      const duplicate = call({ toolCallId: "tc_duplicate" });
      const answers = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? first : second).call(duplicate));
      await Promise.all([first.arrived(25), second.arrived(25)]);
      for (const server of [first, second]) server.letEnd();
      const [one, ...others] = await Promise.all(answers);
      expect(one).toMatchObject({ status: 200, isSigned: true, result: { pid: expect.any(Number) } });
      for (const other of others) expect(other).toEqual(one);
      expect(first.runs() + second.runs()).toBe(1);
    });

    it("begin a deferred call only once, also when the server that did is gone", { timeout: TEST_MS }, async () => {
      const [first, second] = await startTwo();
      const callback = { url: "https://gateway.example.com/v1/callbacks/tc_deferred", token: "token" };
      const deferred = call({ toolCallId: "tc_deferred", callback });
      const pending = { status: 202, toolCallId: "tc_deferred", isSigned: true, pending: true };
      expect(await first.call(deferred)).toEqual(pending);
      await first.kill();
      expect(await second.call({ ...deferred, attempt: 2 })).toEqual(pending);
      expect(first.runs() + second.runs()).toBe(1);
    });

    it("finish the call of a server that was killed in the middle of it, once its time is over", {
      timeout: TEST_MS,
    }, async () => {
      const [first, second] = await startTwo();
      second.letEnd();
      const lost = first.call(call({ toolCallId: "tc_lost", timeoutMs: 3_000 })).catch(() => "no answer");
      await first.ran();
      const retry = second.call(call({ toolCallId: "tc_lost", attempt: 2 }));
      await second.arrived(1);
      await first.kill();
      expect(await lost).toBe("no answer");
      expect(second.runs()).toBe(0);
      expect(await retry).toMatchObject({ status: 200, result: { pid: expect.any(Number) } });
      expect(second.runs()).toBe(1);
    });
  });
}
