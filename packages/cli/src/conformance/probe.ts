import { createHmac, randomBytes } from "node:crypto";
import { generateSigningSecret, type JsonObject } from "@yagate/protocol";
import { acceptedFault } from "./judgements.ts";
import { type CallFields, encode, newCall, signedMessage } from "./live-call.ts";
import type { RunCounter } from "./run-counter.ts";
import type { Exchange, Message } from "./wire/exchange.ts";
import { send } from "./wire/send.ts";
import { sendRaw } from "./wire/send-raw.ts";

/** The input for a run of the cases. */
export interface ProbeSettings {
  readonly target: URL;
  readonly secret: string;
  readonly previousSecret?: string | undefined;
  readonly tool: string;
  readonly parameters: JsonObject;
  /** Sent in every call. The handler compares it only if `isAudienceChecked`. */
  readonly audience: string;
  readonly isAudienceChecked: boolean;
  readonly toleranceSeconds: number;
  readonly wrongParameters?: JsonObject | undefined;
  /** A tool that fails with `retryable: true` in its first attempt and succeeds in its second. */
  readonly flaky?: { readonly tool: string; readonly parameters: JsonObject } | undefined;
  readonly isAnswerSignatureRequired: boolean;
  /** Time limit for each response. */
  readonly answerTimeoutMs: number;
  /** How long to send a slow body before concluding that the server does not end the connection. */
  readonly slowBodyMs: number;
  /** Whether the case fails if the server has not closed the connection by then. */
  readonly isSlowBodyJudged: boolean;
  readonly now: () => number;
}

/** A response, for the cases that inspect all of them. */
export interface Seen {
  readonly exchange: Exchange;
  /** The correct signature of the request. A response that contains it makes forgery possible. */
  readonly rightDigest?: string | undefined;
}

/** The handler under test, with the operations that the cases use. */
export class Probe {
  readonly settings: ProbeSettings;
  readonly counter: RunCounter;
  /** Part of every call. No error response may contain it. */
  readonly canary = `canary${randomBytes(8).toString("hex")}`;
  /** A secret that the handler does not have. */
  readonly foreignSecret = generateSigningSecret();
  readonly seen: Seen[] = [];
  readonly #ended: AbortSignal;

  constructor(settings: ProbeSettings, counter: RunCounter, ended: AbortSignal) {
    this.settings = settings;
    this.counter = counter;
    this.#ended = ended;
  }

  /** Creates a genuine call with the current time and the given changes. */
  call(changes: Readonly<Record<string, unknown>> = {}): CallFields {
    const { tool, parameters, audience, now } = this.settings;
    return { ...newCall({ name: tool, parameters, audience, canary: this.canary }, now()), ...changes };
  }

  /** Signs a call with the handler's secret. */
  sign(call: CallFields): Promise<Message & { readonly body: Uint8Array }> {
    return this.signBody(encode(call), call.toolCallId);
  }

  /** Signs any bytes with the handler's secret. */
  signBody(body: Uint8Array, toolCallId = this.call().toolCallId): Promise<Message & { readonly body: Uint8Array }> {
    return signedMessage(toolCallId, body, this.settings.secret, this.settings.now());
  }

  async sendCall(call: CallFields): Promise<Exchange> {
    return this.send(await this.sign(call));
  }

  async send(message: Message, timeoutMs = this.settings.answerTimeoutMs): Promise<Exchange> {
    this.#ended.throwIfAborted();
    const exchange = await send(this.settings.target, message, timeoutMs);
    const rightDigest = message.body === undefined ? undefined : this.#digestOf(message.body);
    this.seen.push({ exchange, rightDigest });
    return exchange;
  }

  /** Sends a genuine call and returns the fault of its response: after an attack, the handler must still work. */
  async faultNow(): Promise<string | undefined> {
    const fault = acceptedFault(await this.sendCall(this.call()));
    return fault === undefined ? undefined : `after that, a genuine call failed: ${fault}`;
  }

  async sendRaw(text: string): Promise<Exchange> {
    this.#ended.throwIfAborted();
    const exchange = await sendRaw(this.settings.target, text, this.settings.answerTimeoutMs);
    this.seen.push({ exchange });
    return exchange;
  }

  #digestOf(body: Uint8Array): string {
    return createHmac("sha256", this.settings.secret).update(body).digest("hex");
  }
}
