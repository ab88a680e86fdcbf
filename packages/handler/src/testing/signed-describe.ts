import { type DescribeRequest, SIGNATURE_HEADER, signDescribe } from "@yagate/protocol/calls";

/** A describe request for a test. All fields except the secret have defaults that a handler accepts. */
export interface SignedDescribeOptions {
  /** The signing secret of the handler under test (`whsec_…`). */
  readonly secret: string;
  /** The URL of the request. Default `https://handler.test/`. */
  readonly url?: string | undefined;
  /** Default: a new id, `dsc_…`. */
  readonly requestId?: string | undefined;
  /** When the request was signed, in ms since the epoch. Default: the current time. */
  readonly timestampMs?: number | undefined;
  /** Default: the URL of the request. */
  readonly audience?: string | undefined;
  /** Additional fields, or other values for the fields above, to test how a handler treats an invalid request. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** The parts of a signed describe request, for tests that build their own requests. */
export interface SignedDescribeParts {
  readonly url: string;
  readonly requestId: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes that were signed. */
  readonly body: ReturnType<InstanceType<typeof TextEncoder>["encode"]>;
}

/**
 * Signs a describe request as the gateway would, and returns its URL, headers and bytes.
 *
 * @throws {@link YagateError} `SECRET_INVALID`.
 */
export async function signedDescribeParts(options: SignedDescribeOptions): Promise<SignedDescribeParts> {
  const { secret, url = "https://handler.test/", timestampMs = Date.now() } = options;
  const { requestId = `dsc_test_${crypto.randomUUID().replaceAll("-", "")}`, audience = url } = options;
  const timestamp = new Date(timestampMs).toISOString();
  const request: DescribeRequest = { type: "describe", requestId, timestamp, audience, ...options.fields };
  const body = new TextEncoder().encode(JSON.stringify(request));
  const headers = { "content-type": "application/json", [SIGNATURE_HEADER]: await signDescribe(body, [secret]) };
  return { url, requestId, headers, body };
}
