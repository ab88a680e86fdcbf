// Usage: node import-all.mjs <specifier>… Imports each one and does one round trip through the first package.
import assert from "node:assert/strict";

for (const specifier of process.argv.slice(2)) {
  const names = Object.keys(await import(specifier));
  assert.notEqual(names.length, 0, `${specifier} exports nothing`);
  process.stdout.write(`${specifier} ${names.length}\n`);
}

const { generateSigningSecret, sign, verifySignature } = await import("@yagate/protocol");
const body = new TextEncoder().encode('{"a":1}');
const secret = generateSigningSecret();
const header = await sign(body, [secret]);
await verifySignature(header, body, [secret]);
await assert.rejects(verifySignature(header, body, [generateSigningSecret()]), { code: "SIGNATURE_MISMATCH" });
process.stdout.write("round trip\n");
