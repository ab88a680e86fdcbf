import { describe, expect, it } from "vitest";
import { type ErrorCode, generateSigningSecret, signAttempt } from "../../src/index.ts";
import { builds } from "./builds.ts";

const body = new TextEncoder().encode('{"toolCallId":"tc_1","note":"Zürich ☃"}');
const attempt = { id: "tc_1", timestampSeconds: 1_800_000_000, body };
const [current, previous] = [generateSigningSecret(), generateSigningSecret()];

describe.each(builds)(
  "both signatures of an attempt with %s",
  (_name, { sign, signAttempt: signBoth, signStandardWebhook }) => {
    it("are those of the two functions for one signature each", async () => {
      expect(await signBoth(attempt, [current, previous])).toEqual({
        signature: await sign(body, [current, previous]),
        webhookSignature: await signStandardWebhook(attempt, [current, previous]),
      });
    });

    it.each<[string, Partial<typeof attempt>, readonly string[], ErrorCode]>([
      ["an id with a dot", { id: "tc_1.5" }, [current], "PAYLOAD_INVALID"],
      ["half a second", { timestampSeconds: 0.5 }, [current], "PAYLOAD_INVALID"],
      ["more than 1 MiB", { body: new Uint8Array(1_048_577) }, [current], "BODY_TOO_LARGE"],
      ["no secret", {}, [], "SECRET_INVALID"],
    ])("are refused for %s", async (_case, change, secrets, code) => {
      const signing = async () => signBoth({ ...attempt, ...change }, secrets);
      await expect(signing()).rejects.toMatchObject({ code });
    });
  },
);

it("both signatures of an attempt need no promise on Node", () => {
  expect(signAttempt(attempt, [current])).toMatchObject({ signature: expect.stringContaining("sha256=") });
});
