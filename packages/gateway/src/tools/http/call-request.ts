import { createHash } from "node:crypto";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { maskOf } from "@yagate/lib/redaction/mask-of";
import { canonicalJson, type JsonObject, type JsonValue, type SecretAuth, YagateError } from "@yagate/protocol";
import { bodyText } from "@yagate/tool-definitions/request/body-text";
import type { RenderedRequest, SecretOf } from "@yagate/tool-definitions/request/port";
import { withinRequestLimits } from "@yagate/tool-definitions/request/request-limits";
import { type Credential, carriesAlready, maskCredential } from "../../secrets/credential.ts";
import type { NetworkTool } from "./network-tool.ts";

/** A request as it goes over the network, except for what egress adds. */
export interface WireRequest {
  readonly method: RenderedRequest["method"];
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request that anyone may read. */
export interface MaskedRequest extends WireRequest {
  /** What is added to it when it leaves; in its place stands `***NAME***`. */
  readonly credential: Pick<Credential, "name" | "auth"> | undefined;
}

/**
 * The request of one call: what the template made of the arguments, apart from what the gateway adds. Preview, approval
 * hash, scan, record and wire request are views of it.
 */
export class CallRequest {
  readonly #tool: NetworkTool;
  readonly #parameters: JsonObject;
  /** What the author's template made of the arguments, with `***NAME***` in place of its secrets. */
  readonly authored: RenderedRequest;
  #bare: WireRequest | undefined;

  /** @throws YagateError `INVALID_ARGUMENTS`, for the model. */
  constructor(tool: NetworkTool, parameters: JsonObject) {
    this.#tool = tool;
    this.#parameters = parameters;
    this.authored = tool.template.render(parameters, maskOf);
  }

  /** With the default headers of the gateway, but without a credential. @throws YagateError `INVALID_ARGUMENTS`. */
  get bare(): WireRequest {
    this.#bare ??= toWireRequest(this.authored);
    return this.#bare;
  }

  /** Name of the secret that the call is sent with. */
  get credentialName(): string | undefined {
    return this.#tool.credentialOf(this.#parameters);
  }

  /** With the credential's name where its value will stand. @param auth - how the request carries the secret now. */
  masked(auth: SecretAuth | null): MaskedRequest {
    const name = this.credentialName;
    // Text that is not a URL has no query; the check of the destination refuses it.
    if (name === undefined || !URL.canParse(this.bare.url)) return { ...this.bare, credential: undefined };
    const credential = { name, auth };
    return { ...maskCredential(this.bare, credential), credential };
  }

  /** With the values of the template's own secrets, which their places may not accept. Must not be stored. */
  withSecrets(secretOf: SecretOf): WireRequest {
    const { template } = this.#tool;
    return template.secretNames.length === 0 ? this.bare : toWireRequest(template.render(this.#parameters, secretOf));
  }

  /** The hash of what would be sent: the masked request, its secrets and how they are carried, and the tool's version. */
  hash(toolCallId: string, { method, url, headers, body, credential }: MaskedRequest): string {
    const { name, template, version } = this.#tool;
    const carried = credential === undefined ? null : [credential.name, canonicalJson(credential.auth)];
    const secrets = [carried, [...template.secretNames]];
    const rendered = JSON.stringify([name, toolCallId, method, url, headers, body ?? null, secrets, version]);
    return `sha256:${createHash("sha256").update(rendered).digest("hex")}`;
  }

  /**
   * Refuses a call that writes something of its own where its credential goes: it would be lost without notice.
   *
   * @throws YagateError `INVALID_ARGUMENTS`, for the model.
   */
  assertNoCredentialConflict({ credential }: MaskedRequest): void {
    if (credential === undefined) return;
    const taken = carriesAlready(this.authored, credential.auth);
    if (taken === undefined) return;
    throw new YagateError(
      "INVALID_ARGUMENTS",
      `the credential ${credential.name} is sent as the ${taken}; leave it out of the request`,
    );
  }
}

/**
 * Makes the requests of a tool's calls. As long as the arguments of a call are in memory, its request is rendered once,
 * for all its checks, approvals and attempts.
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

/** Headers of a request that does not have its own. */
const DEFAULT_HEADERS = { accept: "*/*", "user-agent": "yagate" };

/** Serialises the body of a request and names its type. @throws YagateError `INVALID_ARGUMENTS`, for the model. */
function toWireRequest(rendered: RenderedRequest): WireRequest {
  const { method, url, headers, body } = withinRequestLimits(rendered);
  const text = bodyText(rendered);
  if (body === undefined || text === undefined) return { method, url, headers: { ...DEFAULT_HEADERS, ...headers } };
  return { method, url, headers: { ...DEFAULT_HEADERS, "content-type": typeOf(body), ...headers }, body: text };
}

/** Models often serialise JSON themselves. */
function typeOf(body: JsonValue): string {
  return typeof body !== "string" || isJsonText(body) ? "application/json" : "text/plain; charset=utf-8";
}

function isJsonText(text: string): boolean {
  return /^\s*[{[]/.test(text) && parseJsonOrUndefined(text) !== undefined;
}
