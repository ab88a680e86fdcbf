import {
  parseManifest,
  SIGNATURE_HEADER,
  type ToolManifest,
  toolErrorAnswerSchema,
  verifyManifest,
  YagateError,
} from "@yagate/protocol";
import { type SignedDescribeOptions, signedDescribeParts } from "./signed-describe.ts";

/**
 * Asks a handler for its manifest as the gateway would, without a gateway: signs a describe request, passes it to the
 * handler, verifies the signature of the response and checks the manifest's limits.
 *
 * @param handler - the return value of `createHandler`, or any other function from `Request` to `Response`.
 * @throws {@link YagateError} `INVALID_RESPONSE_SIGNATURE` if the response is not signed, which is the case if the
 *   handler does not describe its tools; `MANIFEST_INVALID` if the handler responds with an error, or with a manifest
 *   that exceeds a limit.
 */
export async function describeTools(
  handler: (request: Request) => Response | Promise<Response>,
  options: SignedDescribeOptions,
): Promise<ToolManifest> {
  const { url, requestId, headers, body } = await signedDescribeParts(options);
  const response = await handler(new Request(url, { method: "POST", headers, body }));
  const { status } = response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  await verifyManifest(response.headers.get(SIGNATURE_HEADER), { requestId, status, body: bytes }, [options.secret]);
  if (status === 200) return parseManifest(bytes);
  const { error } = toolErrorAnswerSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  throw new YagateError("MANIFEST_INVALID", `the handler responded with ${error.code}: ${error.message}`);
}
