import { createHash } from "node:crypto";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { maskOf } from "@yagate/lib/redaction/secret-mask";
import { canonicalJson, type JsonObject, type JsonValue, type SecretAuth, YagateError } from "@yagate/protocol";
import { type Credential, carriesAlready, maskCredential } from "@yagate/secrets/credential";
import { bodyText } from "@yagate/tool-definitions/request/body-text";
import type { RenderedRequest, SecretOf } from "@yagate/tool-definitions/request/port";
import { withinRequestLimits } from "@yagate/tool-definitions/request/request-limits";
import type { NetworkTool } from "./network-tool.ts";

/** A request as it is sent over the network, except for the parts that the egress guard adds. */
export interface WireRequest {
  readonly method: RenderedRequest["method"];
  readonly url: string;
  /** Headers with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request without secret values. */
export interface MaskedRequest extends WireRequest {
  /** The credential that is added when the request is sent. The request contains `***NAME***` in its place. */
  readonly credential: Pick<Credential, "name" | "auth"> | undefined;
}

/**
 * The request for one call, rendered from the arguments, without the parts that the gateway adds. The preview, approval
 * hash, leak scan, record and wire request of the call are all derived from it.
 */
export class CallRequest {
  readonly #tool: NetworkTool;
  readonly #parameters: JsonObject;
  /** The request that the template rendered from the arguments, with `***NAME***` in place of its secrets. */
  readonly authored: RenderedRequest;
  #bare: WireRequest | undefined;

  /** @throws YagateError `INVALID_ARGUMENTS`, with a message for the model. */
  constructor(tool: NetworkTool, parameters: JsonObject) {
    this.#tool = tool;
    this.#parameters = parameters;
    this.authored = tool.template.render(parameters, maskOf);
  }

  /**
   * The request with the gateway's default headers but without a credential.
   * @throws YagateError `INVALID_ARGUMENTS`.
   */
  get bare(): WireRequest {
    this.#bare ??= toWireRequest(this.authored);
    return this.#bare;
  }

  /** Name of the secret that is the credential of the call; undefined if there is none. */
  get credentialName(): string | undefined {
    return this.#tool.credentialOf(this.#parameters);
  }

  /**
   * Returns the request with the name of the credential in place of its value.
   * @param auth - how the credential is currently added to requests; null if the call has no credential.
   */
  masked(auth: SecretAuth | null): MaskedRequest {
    const name = this.credentialName;
    // Text that is not a URL has no query. The check of the destination rejects it later.
    if (name === undefined || !URL.canParse(this.bare.url)) return { ...this.bare, credential: undefined };
    const credential = { name, auth };
    return { ...maskCredential(this.bare, credential), credential };
  }

  /**
   * Returns the request with the values of the template's secrets inserted. A value may be invalid in its position. The
   * result must not be stored.
   */
  withSecrets(secretOf: SecretOf): WireRequest {
    const { template } = this.#tool;
    return template.secretNames.length === 0 ? this.bare : toWireRequest(template.render(this.#parameters, secretOf));
  }

  /**
   * Returns the hash of the request to be sent. It covers the masked request, its secrets, how its credential is added,
   * and the version of the tool.
   */
  hash(toolCallId: string, { method, url, headers, body, credential }: MaskedRequest): string {
    const { name, template, version } = this.#tool;
    const carried = credential === undefined ? null : [credential.name, canonicalJson(credential.auth)];
    const secrets = [carried, [...template.secretNames]];
    const rendered = JSON.stringify([name, toolCallId, method, url, headers, body ?? null, secrets, version]);
    return `sha256:${createHash("sha256").update(rendered).digest("hex")}`;
  }

  /**
   * Rejects a call whose arguments set the header or parameter of its credential, because the credential would silently
   * overwrite that value.
   *
   * @throws YagateError `INVALID_ARGUMENTS`, with a message for the model.
   */
  assertNoCredentialConflict({ credential }: MaskedRequest): void {
    if (credential === undefined) return;
    const taken = carriesAlready(this.authored, credential.auth);
    if (taken === undefined) return;
    throw new YagateError(
      "INVALID_ARGUMENTS",
      `the credential ${credential.name} is sent as the ${taken}; omit it from the request`,
    );
  }
}

/**
 * Creates the function that renders the requests of a tool's calls. As long as the arguments of a call are in memory,
 * its request is rendered only once, for all checks, approvals and attempts.
 */
export function createCallRequests(tool: NetworkTool): (parameters: JsonObject) => CallRequest {
  const requests = new WeakMap<JsonObject, CallRequest>();
  return (parameters) => {
    const known = requests.get(parameters);
    if (known !== undefined) return known;
    const request = new CallRequest(tool, parameters);
    requests.set(parameters, request);
    return request;
  };
}

/** Default headers of a request. */
const DEFAULT_HEADERS = { accept: "*/*", "user-agent": "yagate" };

/**
 * Serialises the body of a request and sets its content type.
 * @throws YagateError `INVALID_ARGUMENTS`, with a message for the model.
 */
function toWireRequest(rendered: RenderedRequest): WireRequest {
  const { method, url, headers, body } = withinRequestLimits(rendered);
  const text = bodyText(rendered);
  if (body === undefined || text === undefined) return { method, url, headers: { ...DEFAULT_HEADERS, ...headers } };
  return { method, url, headers: { ...DEFAULT_HEADERS, "content-type": typeOf(body), ...headers }, body: text };
}

/** Returns the content type of a body. A string may contain JSON, because models often serialise it themselves. */
function typeOf(body: JsonValue): string {
  return typeof body !== "string" || isJsonText(body) ? "application/json" : "text/plain; charset=utf-8";
}

function isJsonText(text: string): boolean {
  return /^\s*[{[]/.test(text) && parseJsonOrUndefined(text) !== undefined;
}
