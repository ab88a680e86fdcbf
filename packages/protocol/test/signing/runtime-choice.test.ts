import { describe, expect, it, vi } from "vitest";
import { hmac } from "#hmac";
import { hmac as nodeHmac } from "../../src/signing/hmac.node.ts";
import { builds, bundleForWeb } from "./builds.ts";

it("uses node:crypto on Node", () => {
  expect(hmac).toBe(nodeHmac);
});

describe("a bundle for runtimes that are not Node", () => {
  it("holds no module of Node", async () => {
    const code = await bundleForWeb();
    expect(code).toContain("crypto.subtle.importKey");
    expect(code).not.toMatch(/["']node:/);
    expect(code).not.toMatch(/\brequire\(|createHmac|timingSafeEqual|\bBuffer\b/);
  });

  it("holds no schema when it only verifies", async () => {
    const code = await bundleForWeb('export { verifySignature } from "../../src/index.ts"');
    expect(code).toContain("SIGNATURE_MISMATCH");
    expect(code).not.toContain("ZodObject");
  });
});

it("says what is missing where there is no Web Crypto, such as on a page without https", async () => {
  const web = builds.find(([name]) => name === "the web build")?.[1];
  const secret = web?.generateSigningSecret() ?? "";
  vi.stubGlobal("crypto", { getRandomValues: () => undefined });
  try {
    await expect(web?.sign(new Uint8Array(), [secret])).rejects.toMatchObject({ code: "NOT_CONFIGURED" });
    await expect(web?.schemaHash({})).rejects.toMatchObject({ code: "NOT_CONFIGURED" });
  } finally {
    vi.unstubAllGlobals();
  }
});
