import { EgressError, type EgressGuard, type EgressResponse } from "@yagate/egress";
import type { NewId } from "@yagate/lib/ids/ids";
import {
  type DescribeRequest,
  MAX_MANIFEST_BYTES,
  parseManifest,
  SIGNATURE_HEADER,
  signDescribe,
  verifyManifest,
  YagateError,
} from "@yagate/protocol";
import { headerOf } from "../calls/read-response.ts";
import type { SigningSecrets } from "../secrets/signing-secrets.ts";
import { assertUsable } from "./check-tools.ts";
import { type FetchDefinitions, SYNC_TIMEOUT_MS } from "./port.ts";

export interface DescribeHandlerOptions {
  readonly egressOf: (workspaceId: string) => Pick<EgressGuard, "request">;
  readonly signingSecrets: Pick<SigningSecrets, "forSigning">;
  readonly now: () => number;
  readonly newId: NewId;
}

/** Creates the function that asks a handler for its manifest, with a signed request. */
export function createDescribeHandler(options: DescribeHandlerOptions): FetchDefinitions<"handler"> {
  const { egressOf, signingSecrets, now, newId } = options;
  return async ({ workspaceId, settings: { url, signingSecret } }, { signal }) => {
    const secrets = await signingSecrets.forSigning(workspaceId, signingSecret);
    const requestId = newId("describeRequest");
    const request: DescribeRequest = {
      type: "describe",
      requestId,
      timestamp: new Date(now()).toISOString(),
      audience: url,
    };
    const body = Buffer.from(JSON.stringify(request));
    const headers = { "Content-Type": "application/json", [SIGNATURE_HEADER]: await signDescribe(body, secrets) };
    const bounds = { timeoutMs: SYNC_TIMEOUT_MS, maxResponseBytes: MAX_MANIFEST_BYTES, signal };
    const response = await egressOf(workspaceId)
      .request({ group: workspaceId, method: "POST", url, headers, body, ...bounds })
      .catch(refuseFailure);
    assertAnswered(response);
    const signature = headerOf(response.headers, SIGNATURE_HEADER);
    await verifyManifest(signature, { requestId, status: response.status, body: response.body }, secrets);
    const { tools, schemaGenerator: generator } = parseManifest(response.body);
    const definitions = tools.map((tool) => ({ ...tool, generator }));
    await assertUsable(definitions);
    return { definitions };
  };
}

function refuseFailure(error: unknown): never {
  if (!(error instanceof EgressError)) throw error;
  if (error.code === "RESPONSE_TOO_LARGE") {
    const message = `the handler's manifest: expected at most ${MAX_MANIFEST_BYTES} bytes`;
    throw new YagateError("MANIFEST_INVALID", message, { cause: error });
  }
  throw new YagateError("SOURCE_UNREACHABLE", `the handler did not describe its tools: ${error.message}`, {
    cause: error,
  });
}

function assertAnswered({ status }: EgressResponse): void {
  if (status >= 200 && status < 300) return;
  const answered = `the handler responded to a describe request with HTTP ${status}`;
  if (status === 401 || status === 403) {
    throw new YagateError("SOURCE_UNAUTHORIZED", answered, {
      hint: "check that the handler has the signing secret of the source, and that it supports describe requests",
    });
  }
  throw new YagateError("SOURCE_UNREACHABLE", answered, {
    hint: "check that the URL belongs to a handler that supports describe requests",
  });
}
