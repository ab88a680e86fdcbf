import type { StoredCapability } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import type { RoutingEntry, Store } from "../../src/port.ts";
import { NOW } from "../support/fixtures.ts";

const at = new Date(NOW).toISOString();
const entryOf = (name: string, priority = 50): RoutingEntry<StoredCapability> => ({
  ...{ name, version: 1 },
  definition: { fields: { priority }, createdAt: at, updatedAt: at },
});

export function describeRoutingEntries(store: () => Store): void {
  const capabilities = () => store().capabilities;

  describe("capabilities and intents", () => {
    it("are found as they were created, until they are deleted", async () => {
      await capabilities().create("ws_a", entryOf("mcp.search"), 9);
      expect(await capabilities().find("ws_a", "mcp.search")).toEqual(entryOf("mcp.search"));
      await capabilities().delete("ws_a", "mcp.search");
      expect(await capabilities().find("ws_a", "mcp.search")).toBeUndefined();
      await expect(capabilities().delete("ws_a", "mcp.search")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("have a name once per kind in a workspace, and are as many as they may be", async () => {
      await capabilities().create("ws_a", entryOf("mcp.search"), 2);
      await capabilities().create("ws_b", entryOf("mcp.search"), 2);
      const definition = { id: "int_1", description: "Finds.", parameters: {}, createdAt: at, updatedAt: at };
      await store().intents.create("ws_a", { name: "mcp.search", version: 1, definition }, 2);
      const again = capabilities().create("ws_a", entryOf("mcp.search", 1), 2);
      await expect(again).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("exists") });
      expect(await capabilities().find("ws_a", "mcp.search")).toEqual(entryOf("mcp.search"));
      await capabilities().create("ws_a", entryOf("mcp.fetch"), 2);
      const third = capabilities().create("ws_a", entryOf("mcp.third"), 2);
      await expect(third).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("at most 2") });
    });

    it("let one of two changes of the same version through", async () => {
      await capabilities().create("ws_a", entryOf("mcp.search"), 9);
      const changes = await Promise.allSettled(
        [1, 2].map((priority) => capabilities().update("ws_a", { ...entryOf("mcp.search", priority), version: 2 })),
      );
      expect(changes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      expect(changes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "CONFLICT" } });
      expect(await capabilities().find("ws_a", "mcp.search")).toMatchObject({ version: 2 });
      const missing = capabilities().update("ws_b", { ...entryOf("mcp.search"), version: 2 });
      await expect(missing).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("are listed by their own workspace only, in the order of names", async () => {
      for (const name of ["m.b", "m.c", "m.a"]) await capabilities().create("ws_a", entryOf(name), 9);
      await capabilities().create("ws_b", entryOf("m.of_b"), 9);
      expect((await capabilities().list("ws_a")).map(({ name }) => name)).toEqual(["m.a", "m.b", "m.c"]);
      expect(await store().intents.list("ws_a")).toEqual([]);
      expect(await capabilities().find("ws_b", "m.a")).toBeUndefined();
      await expect(capabilities().delete("ws_b", "m.a")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });
  });
}
