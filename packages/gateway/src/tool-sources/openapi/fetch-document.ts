import { EgressError, type EgressGuard, type EgressResponse } from "@yagate/egress";
import { hostIsBound } from "@yagate/lib/hosts/destination-list";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { createRedaction, type Redaction } from "@yagate/lib/redaction/redaction";
import { type OpenApiSourceSettings, YagateError } from "@yagate/protocol";
import { injectCredential } from "@yagate/secrets/credential";
import type { WorkspaceSecrets } from "@yagate/secrets/workspace-secrets";
import { SYNC_TIMEOUT_MS } from "../port.ts";

/** Maximum size of a document in bytes. */
const MAX_DOCUMENT_BYTES = 12 * 1_048_576;

export interface FetchDocumentOptions {
  readonly egressOf: (workspaceId: string) => Pick<EgressGuard, "request">;
  readonly secrets: Pick<WorkspaceSecrets, "open">;
  readonly now: () => number;
}

/** A document as its server sent it. */
export interface FetchedDocument {
  readonly bytes: Uint8Array;
  /** The redaction of the credential with which the document was fetched. */
  readonly redaction: Redaction;
}

/**
 * Creates the function that fetches the document of a source. A request with a credential follows no redirect.
 *
 * @throws YagateError `SOURCE_UNREACHABLE`, `SOURCE_UNAUTHORIZED` or `MANIFEST_INVALID`.
 */
export function createFetchDocument({ egressOf, secrets, now }: FetchDocumentOptions) {
  return async (
    workspaceId: string,
    { url, auth }: { readonly url: string; readonly auth: OpenApiSourceSettings["auth"] },
    signal: AbortSignal,
  ): Promise<FetchedDocument> => {
    const plain = { url, headers: { accept: "application/json, application/yaml;q=0.9, */*;q=0.1" } };
    const { request, redaction } =
      auth === null
        ? { request: plain, redaction: createRedaction([]) }
        : await withCredential(workspaceId, plain, auth.credential);
    const redirects = auth === null ? ("revalidate" as const) : ("refuse" as const);
    const bounds = { timeoutMs: SYNC_TIMEOUT_MS, maxResponseBytes: MAX_DOCUMENT_BYTES, signal, redirects };
    const response = await egressOf(workspaceId)
      .request({ group: workspaceId, method: "GET", ...request, ...bounds })
      .catch(refuseFailure);
    assertAnswered(response);
    return { bytes: response.body, redaction };
  };

  async function withCredential<Request extends { readonly url: string; readonly headers: Record<string, string> }>(
    workspaceId: string,
    request: Request,
    name: string,
  ): Promise<{ readonly request: Request; readonly redaction: Redaction }> {
    const secret = await secrets.open(workspaceId, name);
    if (secret === undefined) {
      throw new YagateError("SOURCE_UNAUTHORIZED", `the workspace has no secret ${name}, so nothing was sent`, {
        hint: "set the secret, or remove auth from the source",
      });
    }
    const host = hostNameOf(new URL(request.url));
    if (!hostIsBound(host, secret.hosts)) {
      throw new YagateError("SOURCE_UNAUTHORIZED", `${name} may not be sent to ${host}, so nothing was sent`, {
        hint: "add the host to the hosts of the secret",
      });
    }
    const injected = await injectCredential(request, { name, auth: secret.auth, value: secret.value }, now);
    const values = new Set([...secret.texts, injected.sent, ...injected.sentParts]);
    return { request: injected.request, redaction: createRedaction([...values].map((value) => ({ name, value }))) };
  }
}

function refuseFailure(error: unknown): never {
  if (!(error instanceof EgressError)) throw error;
  if (error.code === "RESPONSE_TOO_LARGE") {
    const message = `the OpenAPI document: expected at most ${MAX_DOCUMENT_BYTES} bytes`;
    throw new YagateError("MANIFEST_INVALID", message, { cause: error, hint: "split the document" });
  }
  throw new YagateError("SOURCE_UNREACHABLE", `the OpenAPI document could not be fetched: ${error.message}`, {
    cause: error,
  });
}

function assertAnswered({ status }: EgressResponse): void {
  if (status >= 200 && status < 300) return;
  const answered = `the server of the OpenAPI document responded with HTTP ${status}`;
  if (status === 401 || status === 403) {
    const hint = "set auth to a secret that may read the document";
    throw new YagateError("SOURCE_UNAUTHORIZED", answered, { hint });
  }
  const hint =
    status >= 300 && status < 400
      ? "set url to the address to which the server redirects: a request with a credential follows no redirect"
      : "check that url is the address of the document";
  throw new YagateError("SOURCE_UNREACHABLE", answered, { hint });
}
