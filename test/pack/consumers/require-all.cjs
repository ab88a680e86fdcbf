// Usage: node require-all.cjs <specifier>… Requires each one and does one round trip through the first package.
const assert = require("node:assert/strict");

for (const specifier of process.argv.slice(2)) {
  assert.match(require.resolve(specifier), /\.cjs$/, `${specifier} is no CommonJS`);
  const names = Object.keys(require(specifier));
  assert.notEqual(names.length, 0, `${specifier} exports nothing`);
  process.stdout.write(`${specifier} ${names.length}\n`);
}

async function roundTrip() {
  const { generateSigningSecret, sign, verifySignature } = require("@yagate/protocol");
  const body = new TextEncoder().encode('{"a":1}');
  const secret = generateSigningSecret();
  const header = await sign(body, [secret]);
  await verifySignature(header, body, [secret]);
  await assert.rejects(verifySignature(header, body, [generateSigningSecret()]), { code: "SIGNATURE_MISMATCH" });

  // What describes a handler is loaded at the first request for it.
  const { createHandler, defineTool } = require("@yagate/handler");
  const { describeTools } = require("@yagate/handler/testing");
  const { z } = require("zod");
  const parameters = z.object({ a: z.int() });
  const tool = defineTool({ name: "echo", description: "Echoes.", parameters, execute: (given) => given });
  const manifest = await describeTools(createHandler({ secrets: secret, tools: [tool] }), { secret });
  assert.deepEqual(manifest.tools, [
    { name: "echo", description: "Echoes.", parameters: tool.at("https://a").parameters },
  ]);
  process.stdout.write("round trip\n");
}
roundTrip();
