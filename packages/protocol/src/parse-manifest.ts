import { YagateError } from "./errors/yagate-error.ts";
import { MAX_MANIFEST_BYTES } from "./manifest-limits.ts";
import { toFieldErrors } from "./schemas/field-errors.ts";
import { type ToolManifest, toolManifestSchema } from "./schemas/tool-manifest.ts";

const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const MAX_NAMED_FIELDS = 5;

/**
 * Parses the body of a handler's response to a describe request. Verify its signature first.
 *
 * @param body - the exact bytes of the response's body.
 * @throws {@link YagateError} `MANIFEST_INVALID` if the body is larger than 1 MiB, is not JSON in UTF-8, or is not a
 *   manifest. The message names at most 5 invalid fields, and contains no values.
 */
export function parseManifest(body: Uint8Array): ToolManifest {
  if (body.byteLength > MAX_MANIFEST_BYTES) throw invalid(`expected at most ${MAX_MANIFEST_BYTES} bytes`);
  const parsed = toolManifestSchema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  const faults = toFieldErrors(parsed.error).slice(0, MAX_NAMED_FIELDS);
  throw invalid(faults.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; "));
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    // The error has no cause, because the message of a syntax error quotes the body.
    throw invalid("expected JSON in valid UTF-8");
  }
}

function invalid(fault: string): YagateError {
  return new YagateError("MANIFEST_INVALID", `the handler's manifest: ${fault}`);
}
