import { spawnSync } from "node:child_process";
import { z } from "zod";

const vectorsSchema = z.object({
  cases: z.array(
    z.object({
      id: z.string(),
      level: z.string(),
      headers: z.record(z.string(), z.string()),
      bodyBase64: z.string().optional(),
      secrets: z.array(z.string()),
      expect: z.string(),
    }),
  ),
});

export type VerifierCase = z.infer<typeof vectorsSchema>["cases"][number];

/**
 * The vectors that a verifier of a header, a body and one secret can be held to: all about the signature but those of
 * a malformed secret, which the kit refuses when it is configured.
 */
export function verifierCases(vectors: string): readonly VerifierCase[] {
  return vectorsSchema
    .parse(JSON.parse(vectors))
    .cases.filter(({ level, expect }) => level === "signature" && expect !== "SECRET_INVALID");
}

/**
 * Runs `command <header value> <secret>` with the body on its standard input, once for each secret until one verifies:
 * status 0 means that it verifies, 1 that it does not. Anything else, or a message on standard error, is a crash.
 */
function verdict(command: readonly [string, ...string[]], vector: VerifierCase): string {
  const [program, ...args] = command;
  const header = vector.headers["x-ya-signature"] ?? "";
  const input = Buffer.from(vector.bodyBase64 ?? "", "base64");
  for (const secret of vector.secrets) {
    const { status, stderr, error } = spawnSync(program, [...args, header, secret], { input, encoding: "utf8" });
    if (error !== undefined && !error.message.includes("EPIPE")) return `could not run: ${error.message}`;
    if (stderr !== "" || (status !== 0 && status !== 1)) return `status ${status}: ${stderr}`;
    if (status === 0) return "accept";
  }
  return "refuse";
}

/** The vectors about which a verifier is wrong, with what it said. */
export function wrongVerdicts(
  command: readonly [string, ...string[]],
  cases: readonly VerifierCase[],
): readonly string[] {
  return cases.flatMap((vector) => {
    const said = verdict(command, vector);
    const isRight = said === (vector.expect === "accept" ? "accept" : "refuse");
    return isRight ? [] : [`${vector.id} (${vector.expect}): ${said}`];
  });
}
