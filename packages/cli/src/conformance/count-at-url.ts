import { YagateError } from "@yagate/protocol";
import { field } from "../verify/json-fields.ts";

const TIMEOUT_MS = 5_000;

/**
 * Reads how often the tool has run from a URL of the handler's service: a number, or JSON with the number in `runs`.
 *
 * @throws YagateError `INVALID_RESPONSE` for any other response.
 */
export async function countAtUrl(url: URL): Promise<number> {
  const text = await read(url);
  const count = Number(text.trim() === "" ? Number.NaN : (runsIn(text) ?? text));
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw unreadable(url, 'expected a whole number, or JSON such as { "runs": 3 }');
}

async function read(url: URL): Promise<string> {
  try {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok) return await response.text();
  } catch {
    throw unreadable(url, "it can't be reached");
  }
  throw unreadable(url, "expected the status 200");
}

function runsIn(text: string): unknown {
  try {
    return field(JSON.parse(text), "runs");
  } catch {
    return undefined;
  }
}

function unreadable({ host }: URL, why: string): YagateError {
  return new YagateError("INVALID_RESPONSE", `--counter-url at ${host}: ${why}`, {
    hint: "it must return how often the tool has run",
  });
}
