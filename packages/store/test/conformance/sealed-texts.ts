import { describe, expect, it } from "vitest";
import type { Store } from "../../src/port.ts";
import type { SealedKind, SealedText } from "../../src/tables/sealed-texts.ts";
import { NOW } from "../support/fixtures.ts";

const signingSecretOf = (workspaceId: string, id: string, name = "default") => ({
  ...{ id, workspaceId, name, sealed: `sealed ${id}`, createdAt: NOW, expiresAt: null, isSeen: true },
});

export function describeSealedTexts(store: () => Store): void {
  describe("sealed texts", () => {
    const list = (kind: SealedKind, after?: SealedText, limit = 9) => store().sealedTexts.list({ kind, after, limit });

    async function fill(): Promise<void> {
      for (const [workspaceId, name] of [
        ["ws_b", "A"],
        ["ws_a", "B"],
        ["ws_a", "A_1"],
        ["ws_a", "A"],
      ] as const) {
        await store().workspaceSecrets.put({ workspaceId, name, sealed: `sealed ${workspaceId} ${name}`, at: NOW }, 9);
      }
      for (const id of ["b", "a"]) {
        const workspace = { id: `ws_${id}`, name: id, plan: "standard", createdAt: NOW } as const;
        await store().workspaces.create(workspace, signingSecretOf(`ws_${id}`, `sec_${id}`));
      }
    }

    it("are listed in pages, those of every workspace", async () => {
      await fill();
      const first = await list("workspace-secret", undefined, 3);
      const second = await list("workspace-secret", first.at(-1), 3);
      expect([first, second].map((page) => page.map(({ workspaceId, name }) => `${workspaceId} ${name}`))).toEqual([
        ["ws_a A", "ws_a A_1", "ws_a B"],
        ["ws_b A"],
      ]);
      const [one] = await list("signing-secret", undefined, 1);
      expect(one).toEqual({
        ...{ kind: "signing-secret", workspaceId: "ws_a", name: "default", id: "sec_a", sealed: "sealed sec_a" },
      });
      expect((await list("signing-secret", one)).map(({ id }) => id)).toEqual(["sec_b"]);
      expect(await list("signing-secret", (await list("signing-secret")).at(-1))).toEqual([]);
    });

    it("are replaced, and nothing else of their rows is", async () => {
      await fill();
      const before = await store().workspaceSecrets.find("ws_a", "A");
      const texts = [...(await list("workspace-secret")), ...(await list("signing-secret"))];
      const changes = texts.map((from) => ({ from, sealed: `${from.sealed} anew` }));
      expect(await store().sealedTexts.replace(changes)).toBe(6);
      expect(await store().workspaceSecrets.find("ws_a", "A")).toEqual({ ...before, sealed: "sealed ws_a A anew" });
      expect(await store().signingSecrets.list("ws_b", NOW)).toEqual([
        { ...signingSecretOf("ws_b", "sec_b"), sealed: "sealed sec_b anew" },
      ]);
    });

    it("stay as they are where they were changed or deleted meanwhile", async () => {
      await fill();
      const texts = [...(await list("workspace-secret")), ...(await list("signing-secret"))];
      await store().workspaceSecrets.put({ workspaceId: "ws_a", name: "A", sealed: "written meanwhile", at: NOW }, 9);
      await store().workspaceSecrets.delete("ws_a", "B");
      expect(await store().sealedTexts.replace(texts.map((from) => ({ from, sealed: "anew" })))).toBe(4);
      expect((await store().workspaceSecrets.find("ws_a", "A"))?.sealed).toBe("written meanwhile");
      expect(await store().workspaceSecrets.find("ws_a", "B")).toBeUndefined();
      expect(await store().sealedTexts.replace([])).toBe(0);
    });

    it("of a setting are replaced only while it is what it was", async () => {
      const { settings } = store();
      await settings.setOnce("a", "1");
      expect(await settings.replace("a", "0", "2")).toBe(false);
      expect(await settings.replace("b", "1", "2")).toBe(false);
      expect(await settings.get("a")).toBe("1");
      expect(await settings.replace("a", "1", "2")).toBe(true);
      expect(await settings.get("a")).toBe("2");
      expect(await settings.get("b")).toBeUndefined();
    });
  });
}
