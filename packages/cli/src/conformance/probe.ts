import { createHmac, randomBytes } from "node:crypto";
import { generateSigningSecret, type JsonObject } from "@yagate/protocol";
import { acceptedFault } from "./judgements.ts";
import { type CallFields, encode, newCall, signedMessage } from "./live-call.ts";
import type { RunCounter } from "./run-counter.ts";
import type { Exchange, Message } from "./wire/exchange.ts";
import { send } from "./wire/send.ts";
import { sendRaw } from "./wire/send-raw.ts";

/** What a run of the cases is told. */
export interface ProbeSettings {
  readonly target: URL;
  readonly secret: string;
  readonly previousSecret?: string | undefined;
  readonly tool: string;
  readonly parameters: JsonObject;
  /** Sent in every call; compared by the handler only if `isAudienceChecked`. */
  readonly audience: string;
  readonly isAudienceChecked: boolean;
  readonly toleranceSeconds: number;
  readonly wrongParameters?: JsonObject | undefined;
  /** A tool that fails with `retryable: true` at its first attempt and succeeds at its second. */
  readonly flaky?: { readonly tool: string; readonly parameters: JsonObject } | undefined;
  readonly isAnswerSignatureRequired: boolean;
  /** How long a case waits for an answer. */
  readonly answerTimeoutMs: number;
  /** How long a slow body is sent before it counts as not cut off. */
  readonly slowBodyMs: number;
  /** Whether a slow body that is not cut off until then fails. */
  readonly isSlowBodyJudged: boolean;
  readonly now: () => number;
}

/** An answer, for the cases that look at all of them. */
export interface Seen {
  readonly exchange: Exchange;
  /** The right signature of what was sent: whoever reads it in an answer can forge. */
  readonly rightDigest?: string | undefined;
}

/** The handler under test, and all that cases do with it. */
export class Probe {
  readonly settings: ProbeSettings;
  readonly counter: RunCounter;
  /** Stands in every call and belongs in no error. */
  readonly canary = `canary${randomBytes(8).toString("hex")}`;
  /** A secret that the handler does not hold. */
  readonly foreignSecret = generateSigningSecret();
  readonly seen: Seen[] = [];
  readonly #ended: AbortSignal;

  constructor(settings: ProbeSettings, counter: RunCounter, ended: AbortSignal) {
    this.settings = settings;
    this.counter = counter;
    this.#ended = ended;
  }

  /** A new genuine call of this moment, its fields changed as told. */
  call(changes: Readonly<Record<string, unknown>> = {}): CallFields {
    const { tool, parameters, audience, now } = this.settings;
    return { ...newCall({ name: tool, parameters, audience, canary: this.canary }, now()), ...changes };
  }

  /** A call under the handler's secret. */
  sign(call: CallFields): Promise<Message & { readonly body: Uint8Array }> {
    return this.signBody(encode(call), call.toolCallId);
  }

  /** Any bytes under the handler's secret. */
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

  /** What is wrong with the handler's answer to a genuine call now: after an attack it must go on. */
  async faultNow(): Promise<string | undefined> {
    const fault = acceptedFault(await this.sendCall(this.call()));
    return fault === undefined ? undefined : `afterwards a genuine call was not answered: ${fault}`;
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
