import type { Page, PageQuery } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import type { Store, WorkspaceSecretChange } from "../../src/port.ts";
import type { WorkspaceProviderChange } from "../../src/tables/workspace-providers.ts";
import { NOW } from "../support/fixtures.ts";
import { expectPages } from "../support/pages.ts";

const secretOf = (workspaceId: string, name: string, rest: Partial<WorkspaceSecretChange> = {}) => ({
  workspaceId,
  name,
  sealed: `sealed ${name}`,
  at: NOW,
  ...rest,
});

const providerOf = (workspaceId: string, name: string, rest: Partial<WorkspaceProviderChange> = {}) => ({
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
      expect(row).toEqual({ ...rest, auth, hosts: ["a.example"], isUnbound: false, createdAt: at, updatedAt: at });
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

    it("that go along as basic keep that only where a change says it", async () => {
      await secrets().put(secretOf("ws_a", "LOGIN", { auth: { type: "basic" } }), 9);
      const unsaid = secrets().put(secretOf("ws_a", "LOGIN", { sealed: "sealed anew" }), 9);
      await expect(unsaid).rejects.toMatchObject({ code: "INVALID_REQUEST" });
      expect(await secrets().find("ws_a", "LOGIN")).toMatchObject({ sealed: "sealed LOGIN" });
      await secrets().put(secretOf("ws_a", "LOGIN", { sealed: "sealed anew", auth: { type: "bearer" } }), 9);
      expect(await secrets().find("ws_a", "LOGIN")).toMatchObject({ sealed: "sealed anew", auth: { type: "bearer" } });
    });

    it("are as many as they may be, and one more is refused", async () => {
      for (const name of ["A", "B"]) await secrets().put(secretOf("ws_a", name), 2);
      await expect(secrets().put(secretOf("ws_a", "C"), 2)).rejects.toMatchObject({
        ...{ code: "QUOTA_EXCEEDED", quota: "secrets", limit: 2, used: 2 },
      });
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
    const FREE = { mayChangeUrl: true };
    const BOUND = { mayChangeUrl: false };
    const most = (maxProviders: number) => ({ ...FREE, maxProviders });

    it("are found as they were set, and replaced whole but for the moment of their making", async () => {
      const provider = providerOf("ws_a", "openai", { baseUrl: "https://a.example" });
      expect(await providers().put(provider, most(9))).toEqual({ ...provider, isUnbound: false });
      expect(await providers().find("ws_a", "openai")).toEqual({ ...provider, isUnbound: false });
      const next = providerOf("ws_a", "openai", { secretName: "OTHER", createdAt: NOW + 1, updatedAt: NOW + 1 });
      expect(await providers().put(next, most(9))).toEqual({ ...next, isUnbound: false, createdAt: NOW });
      expect(await providers().find("ws_a", "openai")).toEqual({ ...next, isUnbound: false, createdAt: NOW });
    });

    it.each<[string, string | null, string | null]>([
      ["gets", null, "https://a.example"],
      ["loses", "https://a.example", null],
      ["changes", "https://a.example", "https://b.example"],
      ["changes, but for its case,", "https://a.example/v1", "https://a.example/V1"],
    ])("are left alone where one %s its base URL without the permission", async (_what, before, after) => {
      const first = await providers().put(providerOf("ws_a", "openai", { baseUrl: before }), most(9));
      const next = providerOf("ws_a", "openai", { baseUrl: after, secretName: "OTHER" });
      const put = (baseUrl: string | null) => providers().put({ ...next, baseUrl }, { ...BOUND, maxProviders: 9 });
      await expect(put(after)).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await providers().find("ws_a", "openai")).toEqual(first);
      expect(await put(before)).toMatchObject({ baseUrl: before, secretName: "OTHER" });
    });

    it("are made and deleted without the permission where they have no base URL", async () => {
      const made = providerOf("ws_a", "mine", { baseUrl: "https://a.example" });
      await expect(providers().put(made, { ...BOUND, maxProviders: 9 })).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await providers().find("ws_a", "mine")).toBeUndefined();
      const kept = await providers().put(made, most(9));
      await expect(providers().delete("ws_a", "mine", BOUND)).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await providers().find("ws_a", "mine")).toEqual(kept);
      await providers().put(providerOf("ws_a", "openai"), { ...BOUND, maxProviders: 9 });
      await providers().delete("ws_a", "openai", BOUND);
      expect(await providers().listUnbound()).toEqual([]);
    });

    it("are as many as they may be, and one more is refused", async () => {
      await providers().put(providerOf("ws_a", "a"), most(1));
      await expect(providers().put(providerOf("ws_a", "b"), most(1))).rejects.toMatchObject({ code: "CONFLICT" });
      await providers().put(providerOf("ws_a", "a"), most(1));
      await providers().put(providerOf("ws_b", "b"), most(1));
    });

    it("are found, listed and deleted by their own workspace only", async () => {
      for (const name of ["openai", "house", "mistral"]) await providers().put(providerOf("ws_a", name), most(9));
      await providers().put(providerOf("ws_b", "xai"), most(9));
      expect(await providers().find("ws_b", "house")).toBeUndefined();
      await expect(providers().delete("ws_b", "house", FREE)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expectPages(
        byName((page) => providers().list("ws_a", page)),
        2,
        ["house", "mistral", "openai"],
      );
      await providers().delete("ws_a", "house", FREE);
      await expectPages(
        byName((page) => providers().list("ws_a", page)),
        2,
        ["mistral", "openai"],
      );
    });
  });
}
