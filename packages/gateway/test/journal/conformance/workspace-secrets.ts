import type { Page, PageQuery } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import type { Store, WorkspaceSecretChange } from "../../../src/journal/port.ts";
import type { WorkspaceProviderRow } from "../../../src/journal/provider-rows.ts";
import { NOW } from "../support/fixtures.ts";
import { expectPages } from "../support/pages.ts";

const secretOf = (workspaceId: string, name: string, rest: Partial<WorkspaceSecretChange> = {}) => ({
  workspaceId,
  name,
  sealed: `sealed ${name}`,
  at: NOW,
  ...rest,
});

const providerOf = (workspaceId: string, name: string, rest: Partial<WorkspaceProviderRow> = {}) => ({
  workspaceId,
  name,
  secretName: "KEY",
  baseUrl: null,
  createdAt: NOW,
  updatedAt: NOW,
  ...rest,
});

/** A list whose items have names, as one of items with ids. */
const byName = (list: (page: PageQuery) => Promise<Page<{ readonly name: string }>>) => async (page: PageQuery) => {
  const { data, nextCursor } = await list(page);
  return { data: data.map(({ name }) => ({ id: name })), nextCursor };
};

export function describeWorkspaceSecrets(store: () => Store): void {
  describe("workspace secrets", () => {
    const secrets = () => store().workspaceSecrets;

    it("are found as they were set, until they are deleted", async () => {
      const auth = { type: "header", name: "X-Key" } as const;
      const row = await secrets().put(secretOf("ws_a", "KEY", { auth, hosts: ["a.example"] }), 9);
      const { at, ...rest } = secretOf("ws_a", "KEY");
      expect(row).toEqual({ ...rest, auth, hosts: ["a.example"], createdAt: at, updatedAt: at });
      expect(await secrets().find("ws_a", "KEY")).toEqual(row);
      await secrets().delete("ws_a", "KEY");
      expect(await secrets().find("ws_a", "KEY")).toBeUndefined();
      await expect(secrets().delete("ws_a", "KEY")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    it("keep what is left out of a change, and the moment of their making", async () => {
      const made = await secrets().put(secretOf("ws_a", "KEY", { auth: { type: "bearer" }, hosts: ["a.example"] }), 9);
      const changed = await secrets().put(secretOf("ws_a", "KEY", { sealed: "sealed anew", at: NOW + 1 }), 9);
      expect(changed).toEqual({ ...made, sealed: "sealed anew", updatedAt: NOW + 1 });
      const cleared = await secrets().put(secretOf("ws_a", "KEY", { auth: null, hosts: [], at: NOW + 2 }), 9);
      expect(cleared).toMatchObject({ auth: null, hosts: [], createdAt: NOW });
      expect(await secrets().find("ws_a", "KEY")).toEqual(cleared);
    });

    it("are as many as they may be, and one more is refused", async () => {
      for (const name of ["A", "B"]) await secrets().put(secretOf("ws_a", name), 2);
      await expect(secrets().put(secretOf("ws_a", "C"), 2)).rejects.toMatchObject({ code: "CONFLICT" });
      await secrets().put(secretOf("ws_a", "B", { sealed: "sealed anew" }), 2);
      await secrets().put(secretOf("ws_b", "C"), 2);
    });

    it("are found, listed and deleted by their own workspace only", async () => {
      for (const name of ["B", "C", "A"]) await secrets().put(secretOf("ws_a", name), 9);
      await secrets().put(secretOf("ws_b", "B_OF_B"), 9);
      expect(await secrets().find("ws_b", "A")).toBeUndefined();
      await expect(secrets().delete("ws_b", "A")).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expectPages(
        byName((page) => secrets().list("ws_a", page)),
        2,
        ["A", "B", "C"],
      );
      await expectPages(
        byName((page) => secrets().list("ws_b", page)),
        2,
        ["B_OF_B"],
      );
    });
  });

  describe("providers of workspaces", () => {
    const providers = () => store().workspaceProviders;

    it("are found as they were set, and replaced whole but for the moment of their making", async () => {
      const provider = providerOf("ws_a", "openai", { baseUrl: "https://a.example" });
      expect(await providers().put(provider, 9)).toEqual(provider);
      expect(await providers().find("ws_a", "openai")).toEqual(provider);
      const next = providerOf("ws_a", "openai", { secretName: "OTHER", createdAt: NOW + 1, updatedAt: NOW + 1 });
      expect(await providers().put(next, 9)).toEqual({ ...next, createdAt: NOW });
      expect(await providers().find("ws_a", "openai")).toEqual({ ...next, createdAt: NOW });
    });

    it("are as many as they may be, and one more is refused", async () => {
      await providers().put(providerOf("ws_a", "a"), 1);
      await expect(providers().put(providerOf("ws_a", "b"), 1)).rejects.toMatchObject({ code: "CONFLICT" });
      await providers().put(providerOf("ws_a", "a"), 1);
      await providers().put(providerOf("ws_b", "b"), 1);
    });

    it("are found, listed and deleted by their own workspace only", async () => {
      for (const name of ["openai", "house", "mistral"]) await providers().put(providerOf("ws_a", name), 9);
      await providers().put(providerOf("ws_b", "xai"), 9);
      expect(await providers().find("ws_b", "house")).toBeUndefined();
      await expect(providers().delete("ws_b", "house")).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expectPages(
        byName((page) => providers().list("ws_a", page)),
        2,
        ["house", "mistral", "openai"],
      );
      await providers().delete("ws_a", "house");
      await expectPages(
        byName((page) => providers().list("ws_a", page)),
        2,
        ["mistral", "openai"],
      );
    });
  });
}
