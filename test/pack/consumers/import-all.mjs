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

// What describes a handler is loaded at the first request for it.
const { createHandler, defineTool } = await import("@yagate/handler");
const { describeTools } = await import("@yagate/handler/testing");
const { z } = await import("zod");
const parameters = z.object({ a: z.int() });
const tool = defineTool({ name: "echo", description: "Echoes.", parameters, execute: (given) => given });
const manifest = await describeTools(createHandler({ secrets: secret, tools: [tool] }), { secret });
assert.deepEqual(manifest.tools, [
  { name: "echo", description: "Echoes.", parameters: tool.at("https://a").parameters },
]);
process.stdout.write("round trip\n");
