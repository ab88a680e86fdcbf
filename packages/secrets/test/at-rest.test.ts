import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "@yagate/lib/ids/ids";
import { generateSigningSecret } from "@yagate/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../../store/test/support/temporary-directory.ts";
import { createApiKeys } from "../src/api-keys.ts";
import { assertMasterKeys } from "../src/canary.ts";
import { createServices, masterKeyOf } from "./support.ts";

let directory: TemporaryDirectory;
beforeEach(async () => {
  directory = await makeTemporaryDirectory();
});
afterEach(() => directory.remove());

async function bytesAtRest(): Promise<Buffer> {
  const files = await readdir(directory.path);
  return Buffer.concat(await Promise.all(files.map((file) => readFile(join(directory.path, file)))));
}

/** A text as it is, as base64 at each alignment, and as hex. */
function formsOf(text: string): readonly (string | Buffer)[] {
  const encoded = [0, 1, 2].map((shift) =>
    Buffer.from(" ".repeat(shift) + text)
      .toString("base64")
      .slice(4, -4),
  );
  return [text, ...encoded, Buffer.from(text).toString("hex")];
}

it("no file of the data directory holds a signing secret, an API key or a master key", async () => {
  const masterKeys = masterKeyOf("k1");
  const bootstrapKey = "bootstrap key of this test";
  const store = await openSqliteStore({ dataDir: directory.path });
  const { sealer, signingSecrets, workspaces, now } = createServices(store, masterKeys);
  await assertMasterKeys(store.settings, sealer);
  const configured = generateSigningSecret();
  const { id } = await workspaces.ensureDefault(configured);
  const acme = await workspaces.create("acme");
  const rotated = await signingSecrets.rotate(acme.id, { name: "default", overlapSeconds: 60 });
  const apiKeys = createApiKeys({ store: store.apiKeys, defaultWorkspaceId: id, bootstrapKey, now, newId });
  const { key } = await apiKeys.create({ workspaceId: acme.id, name: "a name at rest", scopes: ["agents"] });
  await apiKeys.authenticate(bootstrapKey);

  const masterKey = masterKeys.slice("k1:".length);
  const hidden = [configured, acme.signingSecret, rotated.secret, key, bootstrapKey, masterKey];
  const raw = [configured, acme.signingSecret, rotated.secret].map((text) => Buffer.from(text.slice(6), "base64"));
  const whileOpen = await bytesAtRest();
  await store.close();
  for (const bytes of [whileOpen, await bytesAtRest()]) {
    // What may be read there shows that the search looks at the right bytes.
    expect(bytes.includes("a name at rest")).toBe(true);
    for (const form of [...hidden.flatMap(formsOf), ...raw, Buffer.from(masterKey, "base64")]) {
      expect(bytes.includes(form)).toBe(false);
    }
  }
});
