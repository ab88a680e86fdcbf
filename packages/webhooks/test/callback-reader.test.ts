import { YagateError } from "@yagate/protocol";
import { expect, it } from "vitest";
import { createCallbackReader } from "../src/callbacks/callback-reader.ts";
import { TOOL } from "./support/dispatch-world.ts";

it.each([
  ["is UNAVAILABLE while the secrets can't be read", "UNAVAILABLE", "UNAVAILABLE"],
  ["is SIGNATURE_MISMATCH where the workspace has no such secret any more", "NOT_FOUND", "SIGNATURE_MISMATCH"],
] as const)("an outcome %s", async (_what, thrown, code) => {
  const read = createCallbackReader({
    signingSecrets: { forSigning: () => Promise.reject(new YagateError(thrown, "of this test")) },
  });
  const outcome = {
    ...{
      workspaceId: "ws_01",
      toolCallId: "tc_01",
      token: "yc_test",
      tool: { ...TOOL, handler: "https://shop.example.com/", async: true },
    },
    ...{ signature: `sha256=${"0".repeat(64)}`, body: Buffer.from('{"result":1}') },
  };
  await expect(read(outcome)).rejects.toMatchObject({ code });
});
