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
  process.stdout.write("round trip\n");
}
roundTrip();
