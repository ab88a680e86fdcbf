import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool } from "@yagate/handler";
import { expect, it } from "vitest";
import { calls, startService, toolAt } from "./support/services.ts";
import { openWorld } from "./support/world.ts";

/** A secret as it may lie around: its text, and its bytes in the usual disguises. */
function formsOf(secret: string): readonly Buffer[] {
  const text = Buffer.from(secret);
  const payload = secret.replace(/^(whsec_|yk_)/, "");
  return [
    text,
    Buffer.from(payload),
    Buffer.from(payload, "base64"),
    Buffer.from(text.toString("base64").replace(/=+$/, "")),
    Buffer.from(text.toString("hex")),
  ];
}

async function filesOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
}

it("no file of the data directory holds a key or a signing secret, in whatever form", async () => {
  const world = await openWorld();
  const tool = { name: "lookup_order", description: "Look up an order.", parameters: { type: "object" } } as const;
  const url = await startService(world.secret, [defineTool({ ...tool, execute: () => "shipped by Hermes" })]);
  const execution = await world.play([toolAt(url)], [calls("lookup_order"), { text: "done" }]);
  expect(execution.toolCalls).toMatchObject([{ status: "completed" }]);
  const billing = await world.client.signingSecrets.rotate({ name: "billing" });
  const next = await world.client.signingSecrets.rotate();
  const { key } = await world.client.apiKeys.create({ name: "shop", scopes: ["executions"] });
  const ofWorkspace = `sk-${"0123456789abcdef".repeat(2)}`;
  await world.client.secrets.set("OPENAI_KEY", { value: ofWorkspace });
  await world.client.providers.set("openai", { apiKey: "workspace-secret://OPENAI_KEY" });
  const { signingSecret } = await world.client.workspaces.create({ name: "acme" });

  const files = await filesOf(world.dataDir);
  const secrets = {
    world: world.secret,
    key,
    billing: billing.secret,
    next: next.secret,
    api: world.apiKey,
    ofWorkspace,
    signingSecret,
  };
  for (const [name, secret] of Object.entries(secrets)) {
    for (const [file, bytes] of files) {
      const found = formsOf(secret).map((form) => bytes.includes(form));
      expect({ name, file, found: found.includes(true) }).toEqual({ name, file, found: false });
    }
  }
  // The search finds what is there, also in what was sent and what came back.
  const all = Buffer.concat([...files.values()]);
  for (const known of ["shipped by Hermes", "Order desk", execution.id, "billing", "acme", "OPENAI_KEY"]) {
    expect({ known, found: all.includes(known) }).toEqual({ known, found: true });
  }
  expect([...files.keys()]).toEqual(expect.arrayContaining(["journal.db", "journal.db-wal", "master.key"]));
});
