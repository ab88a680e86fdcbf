import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../src/index.ts";
import { builds } from "./builds.ts";

const [secret, foreign] = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQ0b1c2d3e4U=", `whsec_${"A".repeat(43)}=`] as const;
const bytes = (text: string) => new TextEncoder().encode(text);
const hmacOf = (text: string) => `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;

const body = bytes('{"protocolVersion":1}');
const manifest = { requestId: "dsc_1", status: 200, body };

describe.each(builds)("%s", (_name, protocol) => {
  const { sign, signAnswer, signDescribe, signManifest, verifyDescribe, verifyManifest, verifySignature } = protocol;

  it("signs a describe request over its own prefix", async () => {
    const header = await signDescribe(body, [secret]);
    expect(header).toBe(hmacOf('describe.{"protocolVersion":1}'));
    await expect(verifyDescribe(header, body, [foreign, secret])).resolves.toBeUndefined();
  });

  it("signs a manifest bound to its request and status", async () => {
    const header = await signManifest(manifest, [foreign, secret]);
    expect(header).toContain(hmacOf('manifest.dsc_1.200.{"protocolVersion":1}'));
    await expect(verifyManifest(header, manifest, [secret])).resolves.toBeUndefined();
  });

  it("takes no signature of a call for a describe request, and the reverse", async () => {
    const mismatch = expect.objectContaining({ code: "SIGNATURE_MISMATCH" });
    await expect(verifyDescribe(await sign(body, [secret]), body, [secret])).rejects.toEqual(mismatch);
    await expect(verifySignature(await signDescribe(body, [secret]), body, [secret])).rejects.toEqual(mismatch);
  });

  it.each<[string, () => Promise<string | null>, ErrorCode]>([
    ["without a signature", async () => null, "INVALID_RESPONSE_SIGNATURE"],
    ["with a malformed signature", async () => "sha256=1", "INVALID_RESPONSE_SIGNATURE"],
    ["under a foreign secret", () => signManifest(manifest, [foreign]), "INVALID_RESPONSE_SIGNATURE"],
    [
      "signed for another request",
      () => signManifest({ ...manifest, requestId: "dsc_2" }, [secret]),
      "INVALID_RESPONSE_SIGNATURE",
    ],
    [
      "signed for another status",
      () => signManifest({ ...manifest, status: 500 }, [secret]),
      "INVALID_RESPONSE_SIGNATURE",
    ],
    [
      "signed before it changed",
      () => signManifest({ ...manifest, body: bytes("{}") }, [secret]),
      "INVALID_RESPONSE_SIGNATURE",
    ],
    ["signed as a call", () => sign(body, [secret]), "INVALID_RESPONSE_SIGNATURE"],
    ["signed as a describe request", () => signDescribe(body, [secret]), "INVALID_RESPONSE_SIGNATURE"],
    [
      "signed as the response to a call",
      () => signAnswer({ toolCallId: "tc_1", status: 200, body }, [secret]),
      "INVALID_RESPONSE_SIGNATURE",
    ],
  ])("refuses a manifest %s", async (_case, header, code) => {
    await expect(verifyManifest(await header(), manifest, [secret])).rejects.toMatchObject({ code });
  });

  it.each<[string, () => Promise<unknown>, ErrorCode]>([
    ["a describe request without a secret", () => signDescribe(body, []), "SECRET_INVALID"],
    [
      "a describe request with nine secrets",
      () =>
        signDescribe(
          body,
          Array.from({ length: 9 }, () => secret),
        ),
      "SECRET_INVALID",
    ],
    ["a manifest for a call", () => signManifest({ ...manifest, requestId: "tc_1" }, [secret]), "PAYLOAD_INVALID"],
    [
      "a manifest for an id with a dot",
      () => signManifest({ ...manifest, requestId: "dsc_1.200" }, [secret]),
      "PAYLOAD_INVALID",
    ],
    ["a manifest with no status", () => signManifest({ ...manifest, status: 0 }, [secret]), "PAYLOAD_INVALID"],
    ["a check without a secret", () => verifyManifest(null, manifest, []), "SECRET_INVALID"],
  ])("refuses %s", async (_case, work, code) => {
    await expect(work()).rejects.toMatchObject({ code });
  });
});
