import { describe, expect, it } from "vitest";
import { YagateError } from "../../src/index.ts";
import { builds, type Protocol } from "./builds.ts";
import { readVectors, type Vector } from "./vectors.ts";

type Verify = (protocol: Protocol, header: string | undefined, vector: Vector) => Promise<void>;

const files: [file: string, level: string, fewest: number, verify: Verify][] = [
  [
    "signature.json",
    "signature",
    34,
    ({ verifySignature }, header, { body, secrets }) => verifySignature(header, body, secrets),
  ],
  [
    "answer-signature.json",
    "answer",
    40,
    ({ verifyAnswerSignature }, header, { toolCallId = "", status = 0, body, secrets }) =>
      verifyAnswerSignature(header, { toolCallId, status, body }, secrets),
  ],
  [
    "callback-signature.json",
    "callback",
    37,
    ({ verifyCallbackSignature }, header, { toolCallId = "", body, secrets }) =>
      verifyCallbackSignature(header, { toolCallId, body }, secrets),
  ],
  [
    "describe-signature.json",
    "describe",
    36,
    ({ verifyDescribe }, header, { body, secrets }) => verifyDescribe(header, body, secrets),
  ],
  [
    "manifest-signature.json",
    "manifest",
    46,
    ({ verifyManifest }, header, { requestId = "", status = 0, body, secrets }) =>
      verifyManifest(header, { requestId, status, body }, secrets),
  ],
];

/** "accept" or the code of the error; anything but our own error fails the test. */
async function outcomeOf(verification: Promise<void>): Promise<string> {
  try {
    await verification;
    return "accept";
  } catch (error) {
    if (YagateError.is(error)) return error.code;
    throw error;
  }
}

describe.each(builds)("%s", (_name, protocol) => {
  describe.each(files)("agrees with %s", (file, level, fewest, verify) => {
    const vectors = readVectors(file, level);

    it("finds the cases", () => {
      expect(vectors.length).toBeGreaterThanOrEqual(fewest);
    });

    it.each(vectors)("$id: $description", async (vector) => {
      expect(await outcomeOf(verify(protocol, vector.headers["x-ya-signature"], vector))).toBe(vector.expect);
    });
  });
});
