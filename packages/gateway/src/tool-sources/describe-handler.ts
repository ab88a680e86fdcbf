import { headerOf } from "@yagate/calls/read-response";
import { EgressError, type EgressGuard } from "@yagate/egress";
import type { NewId } from "@yagate/lib/ids/ids";
import { defined } from "@yagate/lib/objects/defined";
import {
  type DescribeRequest,
  MAX_MANIFEST_BYTES,
  parseManifest,
  SIGNATURE_HEADER,
  signDescribe,
  verifyManifest,
  YagateError,
} from "@yagate/protocol";
import type { SigningSecrets } from "@yagate/secrets/signing-secrets";
import { assertUsable } from "./check-tools.ts";
import { toDescribeFailure } from "./describe-failure.ts";
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
    const { status, body: bytes } = response;
    const signature = headerOf(response.headers, SIGNATURE_HEADER);
    const verify = () => verifyManifest(signature, { requestId, status, body: bytes }, secrets);
    if (status < 200 || status >= 300) {
      const isSigned = await verify().then(
        () => true,
        () => false,
      );
      throw toDescribeFailure({ status, body: bytes, isSigned });
    }
    await verify();
    const { tools, protocolVersion, schemaGenerator: generator } = parseManifest(response.body);
    const definitions = tools.map((tool) => ({ ...tool, generator }));
    await assertUsable(definitions);
    return { definitions, info: { revision: String(protocolVersion), ...defined({ generator }) } };
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
