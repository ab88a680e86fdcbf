import { describe, expect, it } from "vitest";
import type { ConsoleSessionRow, Store } from "../../src/port.ts";
import { NOW } from "../support/fixtures.ts";

const session: ConsoleSessionRow = {
  ...{ tokenHash: "hash-a", workspaceId: "ws_a", keyId: "key_a", keyProof: "proof" },
  ...{ createdAt: NOW, usedAt: NOW, expiresAt: NOW + 1_000 },
};

export function describeConsoleSessions(store: () => Store): void {
  const sessions = () => store().consoleSessions;

  describe("sessions of the console", () => {
    it("are found by the hash of their token until they end", async () => {
      await sessions().start(session);
      await sessions().start({ ...session, tokenHash: "hash-b", keyId: null });
      expect(await sessions().find("hash-a")).toEqual(session);
      expect(await sessions().find("hash-b")).toEqual({ ...session, tokenHash: "hash-b", keyId: null });
      await sessions().end("hash-a");
      expect(await sessions().find("hash-a")).toBeUndefined();
      expect(await sessions().find("hash-b")).toBeDefined();
    });

    it("end when the same browser signs in again", async () => {
      await sessions().start(session);
      await sessions().start({ ...session, tokenHash: "hash-b" }, "hash-a");
      expect(await sessions().find("hash-a")).toBeUndefined();
      expect(await sessions().find("hash-b")).toMatchObject({ tokenHash: "hash-b" });
    });

    it("keep the latest time of use", async () => {
      await sessions().start(session);
      await sessions().markUsed("hash-a", NOW + 60_000);
      await sessions().markUsed("hash-a", NOW + 30_000);
      expect(await sessions().find("hash-a")).toMatchObject({ usedAt: NOW + 60_000 });
    });

    it("are deleted with the expired links", async () => {
      await sessions().start(session);
      await sessions().start({ ...session, tokenHash: "hash-b", expiresAt: NOW + 1_001 });
      await sessions().addLink("link-a", NOW + 1_000);
      expect(await store().eventStore.deleteExpired(NOW + 1_000, 10)).toBe(2);
      expect(await sessions().find("hash-a")).toBeUndefined();
      expect(await sessions().find("hash-b")).toBeDefined();
    });

    it("begin with a link once, and not after it has expired", async () => {
      await sessions().addLink("link-a", NOW + 1_000);
      await sessions().addLink("link-b", NOW);
      const uses = await Promise.all(["link-a", "link-a", "link-a"].map((hash) => sessions().useLink(hash, NOW)));
      expect(uses.filter((isUsed) => isUsed)).toHaveLength(1);
      expect(await sessions().useLink("link-a", NOW)).toBe(false);
      expect(await sessions().useLink("link-b", NOW)).toBe(false);
      expect(await sessions().useLink("link-c", NOW)).toBe(false);
    });
  });
}
