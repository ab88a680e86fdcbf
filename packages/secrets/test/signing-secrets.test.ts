import { newId } from "@yagate/lib/ids/ids";
import { generateSigningSecret, MAX_LIVE_SECRETS, sign, verifySignature, YagateError } from "@yagate/protocol";
import type { Store } from "@yagate/store/port";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { placeMigratedJournal } from "../../../test/services/migrated-stores.ts";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { parseMasterKeys } from "../src/keyring.ts";
import { createSealer } from "../src/seal.ts";
import { createSigningSecrets } from "../src/signing-secrets.ts";
import { createServices, DAY_MS, HOUR_MS, masterKeyOf, NOW } from "./support.ts";

const DAY_SECONDS = 86_400;
const MASTER_KEYS = masterKeyOf("k1");

let directory: TemporaryDirectory;
let store: Store;
let services: ReturnType<typeof createServices>;
let workspace: { readonly id: string; readonly signingSecret: string };

beforeEach(async () => {
  directory = await makeTemporaryDirectory();
  await placeMigratedJournal(directory.path);
  store = await openSqliteStore({ dataDir: directory.path });
  services = createServices(store, MASTER_KEYS);
  workspace = await services.workspaces.create("acme");
});
afterEach(async () => {
  await store.close();
  await directory.remove();
});

const texts = (name = "default", workspaceId = workspace.id) => services.signingSecrets.forSigning(workspaceId, name);
const rotate = (overlapSeconds = DAY_SECONDS, name = "default") =>
  services.signingSecrets.rotate(workspace.id, { name, overlapSeconds });

describe("signing secrets", () => {
  it("signs with the secret that the workspace was made with", async () => {
    expect(await texts()).toEqual([workspace.signingSecret]);
  });

  it("signs with the new and the previous one until the overlap ends", async () => {
    const rotated = await rotate(3_600);
    expect(rotated).toEqual({
      id: expect.stringMatching(/^sec_/),
      name: "default",
      secret: expect.stringMatching(/^whsec_/),
      createdAt: "2026-11-21T06:00:00.000Z",
      previousExpiresAt: "2026-11-21T07:00:00.000Z",
    });
    services.clock.now = NOW + HOUR_MS - 1;
    expect(await texts()).toEqual([rotated.secret, workspace.signingSecret]);
    services.clock.now = NOW + HOUR_MS;
    expect(await texts()).toEqual([rotated.secret]);
  });

  it("makes a header that a handler with either secret accepts during the overlap", async () => {
    const { secret } = await rotate();
    const body = new TextEncoder().encode("{}");
    const header = await sign(body, await texts());
    for (const known of [secret, workspace.signingSecret]) {
      expect(await verifySignature(header, body, [known])).toBeUndefined();
    }
  });

  it("signs with the new one alone when there is no overlap, whatever was live before", async () => {
    await rotate();
    const { secret, previousExpiresAt } = await rotate(0);
    expect(previousExpiresAt).toBe("2026-11-21T06:00:00.000Z");
    expect(await texts()).toEqual([secret]);
  });

  it("keeps at most 8 alive, and takes another once one has ended", async () => {
    for (let live = 1; live < MAX_LIVE_SECRETS; live += 1) await rotate();
    const before = await texts();
    expect(before).toHaveLength(MAX_LIVE_SECRETS);
    await expect(rotate()).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await texts()).toEqual(before);
    services.clock.now = NOW + DAY_MS;
    const { secret } = await rotate();
    expect(await texts()).toEqual([secret, before[0]]);
  });

  it("makes a name that does not exist yet, apart from the others", async () => {
    const billing = await rotate(DAY_SECONDS, "billing");
    expect(billing).toMatchObject({ name: "billing", previousExpiresAt: null });
    expect(await texts("billing")).toEqual([billing.secret]);
    expect(await texts()).toEqual([workspace.signingSecret]);
  });

  it("says that a name is not there, until it is made", async () => {
    await expect(texts("billing")).rejects.toMatchObject({ code: "NOT_CONFIGURED" });
    const { secret } = await rotate(0, "billing");
    expect(await texts("billing")).toEqual([secret]);
  });

  it("gives no workspace another one's secrets", async () => {
    const other = await services.workspaces.create("other");
    await rotate(0, "billing");
    await expect(texts("billing", other.id)).rejects.toMatchObject({ code: "NOT_CONFIGURED" });
    expect(await texts("default", other.id)).toEqual([other.signingSecret]);
    expect((await services.signingSecrets.list(other.id)).map(({ name }) => name)).toEqual(["default"]);
  });

  it("lists live ones without their texts", async () => {
    const { secret } = await rotate(3_600);
    const listed = await services.signingSecrets.list(workspace.id);
    expect(listed).toEqual([
      { id: expect.stringMatching(/^sec_/), name: "default", createdAt: expect.any(String), expiresAt: null },
      expect.objectContaining({ name: "default", expiresAt: "2026-11-21T07:00:00.000Z" }),
    ]);
    expect(JSON.stringify(listed)).not.toContain(secret.slice(6, 20));
  });

  it("opens a secret once, however many calls are signed with it", async () => {
    const open = vi.fn(services.sealer.open);
    const signingSecrets = createWithSealer({ ...services.sealer, open });
    for (let call = 0; call < 3; call += 1) {
      await Promise.all([1, 2, 3].map(() => signingSecrets.forSigning(workspace.id, "default")));
    }
    expect(open).toHaveBeenCalledTimes(1);
  });

  describe("that other processes may rotate", () => {
    const MAX_AGE_MS = 1_500;
    const openShared = (list = store.signingSecrets.list) =>
      createSigningSecrets({
        store: { ...store.signingSecrets, list },
        sealer: services.sealer,
        now: services.now,
        newId,
        maxAgeMs: MAX_AGE_MS,
      });

    it("are believed for a moment only", async () => {
      const shared = openShared();
      expect(await shared.forSigning(workspace.id, "default")).toEqual([workspace.signingSecret]);
      const { secret } = await rotate(0);
      services.clock.now = NOW + MAX_AGE_MS - 1;
      expect(await shared.forSigning(workspace.id, "default")).toEqual([workspace.signingSecret]);
      services.clock.now = NOW + MAX_AGE_MS;
      expect(await shared.forSigning(workspace.id, "default")).toEqual([secret]);
    });

    it("are believed for longer while the store does not answer, and no longer than that", async () => {
      let isThere = true;
      const away = new YagateError("UNAVAILABLE", "the database does not respond");
      const shared = openShared((...query) => (isThere ? store.signingSecrets.list(...query) : Promise.reject(away)));
      await shared.forSigning(workspace.id, "default");
      const { secret } = await rotate(0);
      services.clock.now = NOW + MAX_AGE_MS;
      isThere = false;
      // Calls of one turn ask at the same moment.
      const asked = [1, 2, 3].map(() => shared.forSigning(workspace.id, "default"));
      expect(await Promise.all(asked)).toEqual(asked.map(() => [workspace.signingSecret]));
      await expect(shared.forSigning(workspace.id, "billing")).rejects.toBe(away);
      isThere = true;
      expect(await shared.forSigning(workspace.id, "default")).toEqual([secret]);
    });

    it("sign once when two processes adopted the same one at the same moment", async () => {
      const text = generateSigningSecret();
      await Promise.all([openShared().adopt(workspace.id, text), openShared().adopt(workspace.id, text)]);
      expect(await openShared().forSigning(workspace.id, "default")).toEqual([text, workspace.signingSecret]);
    });
  });

  it("opens with the master keys of another start, and not with other keys", async () => {
    const again = createWithSealer(createSealer(parseMasterKeys(`${masterKeyOf("k2")},${MASTER_KEYS}`)));
    expect(await again.forSigning(workspace.id, "default")).toEqual([workspace.signingSecret]);
    const foreign = createWithSealer(createSealer(parseMasterKeys(masterKeyOf("k1"))));
    await expect(foreign.forSigning(workspace.id, "default")).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("refuses a sealed text that was moved to another name", async () => {
    const [own] = await store.signingSecrets.list(workspace.id, NOW);
    if (own === undefined) throw new Error("expected a secret");
    await store.signingSecrets.rotate({
      next: { ...own, id: newId("signingSecret"), name: "billing" },
      previousExpiresAt: NOW,
      now: NOW,
      maxLive: 8,
    });
    await expect(texts("billing")).rejects.toMatchObject({ code: "INTERNAL" });
  });
});

describe("the default workspace", () => {
  it("is made once, with a secret that the first rotation replaces at once", async () => {
    const made = await services.workspaces.ensureDefault(undefined);
    expect(await services.workspaces.ensureDefault(undefined)).toEqual(made);
    expect(made).toMatchObject({ name: "default", createdAt: NOW });
    const rotated = await services.signingSecrets.rotate(made.id, { name: "default", overlapSeconds: DAY_SECONDS });
    expect(rotated.previousExpiresAt).toBeNull();
    expect(await texts("default", made.id)).toEqual([rotated.secret]);
  });

  it("keeps a secret that was revealed for the overlap", async () => {
    const { id } = await services.workspaces.ensureDefault(undefined);
    const revealed = await services.signingSecrets.reveal(id);
    expect(await services.signingSecrets.reveal(id)).toBe(revealed);
    const { secret } = await services.signingSecrets.rotate(id, { name: "default", overlapSeconds: DAY_SECONDS });
    expect(await texts("default", id)).toEqual([secret, revealed]);
    expect(await services.signingSecrets.reveal(id)).toBe(secret);
  });

  it("signs with a configured secret from its first start, and from every later one", async () => {
    const configured = generateSigningSecret();
    const { id } = await services.workspaces.ensureDefault(configured);
    await services.workspaces.ensureDefault(configured);
    expect(await texts("default", id)).toEqual([configured]);
  });

  it("replaces an unseen secret by one that is configured later", async () => {
    const { id } = await services.workspaces.ensureDefault(undefined);
    const configured = generateSigningSecret();
    await services.workspaces.ensureDefault(configured);
    expect(await texts("default", id)).toEqual([configured]);
  });

  it("keeps the previous configured secret for a day, and does not undo a rotation", async () => {
    const [first, second] = [generateSigningSecret(), generateSigningSecret()];
    const { id } = await services.workspaces.ensureDefault(first);
    await services.workspaces.ensureDefault(second);
    expect(await texts("default", id)).toEqual([second, first]);
    const { secret } = await services.signingSecrets.rotate(id, { name: "default", overlapSeconds: DAY_SECONDS });
    await services.workspaces.ensureDefault(second);
    expect(await texts("default", id)).toEqual([secret, second, first]);
  });

  it("starts with a configured secret although 8 are live", async () => {
    const { id } = await services.workspaces.ensureDefault(generateSigningSecret());
    for (let live = 1; live < MAX_LIVE_SECRETS; live += 1) {
      await services.workspaces.ensureDefault(generateSigningSecret());
    }
    expect(await texts("default", id)).toHaveLength(MAX_LIVE_SECRETS);
    const configured = generateSigningSecret();
    await services.workspaces.ensureDefault(configured);
    expect(await texts("default", id)).toEqual([configured]);
  });

  it.each([["secret"], [""], [`${generateSigningSecret()} `]])(
    "refuses the configured secret of case %# without making a workspace",
    async (configured) => {
      const ensuring = services.workspaces.ensureDefault(configured);
      await expect(ensuring).rejects.toMatchObject({ code: "SECRET_INVALID" });
      expect(await store.workspaces.findByName("default")).toBeUndefined();
    },
  );

  it("is the only one of its name", async () => {
    await services.workspaces.ensureDefault(undefined);
    await expect(services.workspaces.create("default")).rejects.toMatchObject({ code: "CONFLICT" });
  });
});

function createWithSealer(sealer: ReturnType<typeof createSealer>) {
  return createSigningSecrets({ store: store.signingSecrets, sealer, now: services.now, newId });
}
