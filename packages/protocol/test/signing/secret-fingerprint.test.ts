import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { generateSigningSecret } from "../../src/index.ts";
import { builds } from "./builds.ts";

it.each(builds)("%s: a fingerprint is the beginning of the hash that anybody can compute", async (_name, protocol) => {
  const secret = generateSigningSecret();
  const hash = createHash("sha256").update(secret).digest("hex");
  expect(await protocol.secretFingerprint(secret)).toBe(hash.slice(0, 8));
});
