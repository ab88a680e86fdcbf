import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { readHidden } from "../../src/signing-secrets/read-hidden.ts";
import { readSecrets } from "../../src/signing-secrets/read-secrets.ts";
import { SECRET } from "../support/signed-request.ts";

/** A terminal on which somebody types. */
function typing(...keys: readonly string[]) {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const output = new PassThrough();
  for (const key of keys) input.write(key);
  return { terminal: { isInteractive: true, input, output }, modes, shown: () => String(output.read()) };
}

it("asks for a secret and shows nothing of it", async () => {
  const { terminal, modes, shown } = typing(`${SECRET}x`, "\u007f", "\r");
  const secrets = await readSecrets({}, { env: {}, terminal });
  expect(secrets).toEqual([{ name: "the secret that was typed", value: SECRET }]);
  expect(shown()).toBe("Signing secret: \n");
  expect(modes).toEqual([true, false]);
});

it.each(["\u0003", "\u0004"])("ends without an answer at %j", async (key) => {
  const { terminal, modes } = typing("whsec_", key);
  await expect(readHidden("? ", terminal)).rejects.toMatchObject({ code: "CANCELLED" });
  expect(modes).toEqual([true, false]);
});
