import { YagateError } from "@yagate/protocol";

/** Reads all of standard input as bytes. */
export async function readStandardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/**
 * Reads a secret from standard input.
 *
 * @throws YagateError `NOT_CONFIGURED` if standard input is a terminal, which would show the secret as it is typed.
 */
export async function readSecretInput(): Promise<string> {
  if (process.stdin.isTTY === true) {
    throw new YagateError("NOT_CONFIGURED", "expected a secret on standard input, which is a terminal", {
      hint: "redirect a file to standard input, or omit --no-input to type the secret",
    });
  }
  return String(await readStandardInput());
}
