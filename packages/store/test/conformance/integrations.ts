import type { Integration } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/port.ts";
import { NOW } from "../support/fixtures.ts";
import { expectPages } from "../support/pages.ts";

const at = new Date(NOW).toISOString();
const integrationOf = (name: string, rest: Partial<Integration> = {}): Integration => ({
  name,
  version: 1,
  allowedDomains: ["api.example.com"],
  ports: [443],
  limits: { standard: { callsPerMinute: 5 } },
  createdAt: at,
  updatedAt: at,
  ...rest,
});

export function describeIntegrations(store: () => Store): void {
  const integrations = () => store().integrations;

  describe("integrations", () => {
    it("are found as they were made, until they are deleted", async () => {
      const made = integrationOf("shop", { description: "the shop" });
      await integrations().create("ws_a", made, 9);
      expect(await integrations().find("ws_a", "shop")).toEqual(made);
      await integrations().delete("ws_a", "shop");
      expect(await integrations().find("ws_a", "shop")).toBeUndefined();
      await expect(integrations().delete("ws_a", "shop")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("have a name once in a workspace, and are as many as they may be", async () => {
      await integrations().create("ws_a", integrationOf("shop"), 2);
      await integrations().create("ws_b", integrationOf("shop"), 2);
      const again = integrations().create("ws_a", integrationOf("shop", { ports: [8_443] }), 2);
      await expect(again).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("exists") });
      expect(await integrations().find("ws_a", "shop")).toMatchObject({ ports: [443] });
      await integrations().create("ws_a", integrationOf("mail"), 2);
      const third = integrations().create("ws_a", integrationOf("third"), 2);
      await expect(third).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("at most 2") });
    });

    it("let one of two changes of the same version through", async () => {
      await integrations().create("ws_a", integrationOf("shop"), 9);
      const changes = await Promise.allSettled(
        [80, 81].map((port) => integrations().update("ws_a", integrationOf("shop", { version: 2, ports: [port] }), 1)),
      );
      expect(changes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      expect(changes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "CONFLICT" } });
      expect(await integrations().find("ws_a", "shop")).toMatchObject({ version: 2 });
      const missing = integrations().update("ws_b", integrationOf("shop", { version: 2 }), 1);
      await expect(missing).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("are listed by their own workspace only, in the order of names", async () => {
      for (const name of ["b", "c", "a"]) await integrations().create("ws_a", integrationOf(name), 9);
      await integrations().create("ws_b", integrationOf("of-b"), 9);
      await expectPages(
        async (page) => {
          const { data, nextCursor } = await integrations().list("ws_a", page);
          return { data: data.map(({ name }) => ({ id: name })), nextCursor };
        },
        2,
        ["a", "b", "c"],
      );
      expect(await integrations().find("ws_b", "a")).toBeUndefined();
      await expect(integrations().delete("ws_b", "a")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });
  });
}
