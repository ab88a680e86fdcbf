import { SIGNATURE_HEADER, verifyAnswerSignature, YagateError } from "@yagate/protocol";
import type { ConformanceCase } from "../conformance-case.ts";
import { type Finding, failed, findingOf, notAsked, PASS } from "../finding.ts";
import { errorCodeOf, told } from "../judgements.ts";
import { type CallFields, encode, signAny, withHeader } from "../live-call.ts";
import type { Probe } from "../probe.ts";
import type { Exchange } from "../wire/exchange.ts";

/** Returns the cases for the format and the signature of responses. */
export function answerCases(isSignatureRequired: boolean): readonly ConformanceCase[] {
  return [
    {
      id: "answer-signed",
      group: "answers",
      level: isSignatureRequired ? "required" : "recommended",
      title: "signs its responses",
      advice: "X-YA-Signature over answer.<toolCallId>.<status>. and the body; tools with requireSignedAnswer need it",
      async run(probe) {
        const exchange = await probe.sendCall(probe.call());
        if (exchange.kind !== "answer") return failed(`it ${told(exchange)}`);
        return findingOf(exchange.headers.has(SIGNATURE_HEADER) ? undefined : "the response has no X-YA-Signature");
      },
    },
    {
      id: "answer-signature-right",
      group: "answers",
      level: "required",
      title: "signs the id of the call, the status and the exact bytes, if it signs responses",
      advice: "a wrong signature is worse than none: the gateway rejects the response (INVALID_RESPONSE_SIGNATURE)",
      run: judgeSignatures,
    },
    {
      id: "answer-content-type",
      group: "answers",
      level: "recommended",
      title: "responds with Content-Type: application/json",
      advice: "set the type: proxies and browsers use it to decide how to handle a body",
      async run(probe) {
        const exchange = await probe.sendCall(probe.call());
        if (exchange.kind !== "answer") return failed(`it ${told(exchange)}`);
        const isJson = /^application\/json\b/i.test(exchange.headers.get("content-type") ?? "");
        return findingOf(isJson ? undefined : "the response has another Content-Type, or none");
      },
    },
    ...STATUS_ROWS.map(toStatusCase),
  ];
}

/** Judges signed responses with several statuses: a result, its duplicate, and the error for an unknown tool. */
async function judgeSignatures(probe: Probe): Promise<Finding> {
  const call = probe.call();
  const unknown = probe.call({ name: "conformance_no_such_tool" });
  const answers: readonly (readonly [CallFields, Exchange])[] = [
    [call, await probe.sendCall(call)],
    [call, await probe.sendCall(call)],
    [unknown, await probe.sendCall(unknown)],
  ];
  let signed = 0;
  for (const [{ toolCallId }, exchange] of answers) {
    const signature = exchange.kind === "answer" ? exchange.headers.get(SIGNATURE_HEADER) : undefined;
    if (exchange.kind !== "answer" || signature === undefined) continue;
    signed += 1;
    const { status, body } = exchange;
    const code = await faultOf(() => verifyAnswerSignature(signature, { toolCallId, status, body }, secretsOf(probe)));
    if (code !== undefined) return failed(`the signature of a response with status ${status} is wrong (${code})`);
  }
  return signed === 0 ? notAsked("no response is signed") : PASS;
}

function secretsOf({ settings: { secret, previousSecret } }: Probe): readonly string[] {
  return previousSecret === undefined ? [secret] : [secret, previousSecret];
}

async function faultOf(verify: () => Promise<void>): Promise<string | undefined> {
  try {
    await verify();
    return undefined;
  } catch (error) {
    return YagateError.is(error) ? error.code : "it can't be read";
  }
}

interface StatusRow {
  readonly id: string;
  readonly status: number;
  readonly code: string;
  readonly what: string;
  send(probe: Probe): Promise<Exchange>;
}

/** The handler kit's responses, which give the gateway's log more information than a plain 400. */
const STATUS_ROWS: readonly StatusRow[] = [
  {
    id: "status-signature-missing",
    status: 401,
    code: "SIGNATURE_MISSING",
    what: "a call without a signature",
    send: async (probe) => probe.send(withHeader(await probe.sign(probe.call()), SIGNATURE_HEADER, undefined)),
  },
  {
    id: "status-signature-malformed",
    status: 401,
    code: "SIGNATURE_MALFORMED",
    what: "a malformed signature",
    send: async (probe) => probe.send(withHeader(await probe.sign(probe.call()), SIGNATURE_HEADER, "sha256=x")),
  },
  {
    id: "status-signature-mismatch",
    status: 401,
    code: "SIGNATURE_MISMATCH",
    what: "a signature made with a different secret",
    async send(probe) {
      const message = await probe.sign(probe.call());
      return probe.send(withHeader(message, SIGNATURE_HEADER, await signAny(message.body, probe.foreignSecret)));
    },
  },
  {
    id: "status-too-old",
    status: 401,
    code: "TIMESTAMP_TOO_OLD",
    what: "a call from yesterday",
    send: (probe) => probe.sendCall(callAt(probe, -86_400_000)),
  },
  {
    id: "status-in-future",
    status: 401,
    code: "TIMESTAMP_IN_FUTURE",
    what: "a call from tomorrow",
    send: (probe) => probe.sendCall(callAt(probe, 86_400_000)),
  },
  {
    id: "status-payload-invalid",
    status: 400,
    code: "PAYLOAD_INVALID",
    what: "a signed body that is not a call",
    send: async (probe) => probe.send(await probe.signBody(encode({ conformance: probe.canary }))),
  },
  {
    id: "status-unknown-tool",
    status: 404,
    code: "UNKNOWN_TOOL",
    what: "a call of an unknown tool",
    send: (probe) => probe.sendCall(probe.call({ name: "conformance_no_such_tool" })),
  },
  {
    id: "status-too-large",
    status: 413,
    code: "BODY_TOO_LARGE",
    what: "a body of 1 MiB plus one byte",
    async send(probe) {
      const call = encode(probe.call());
      return probe.send(await probe.signBody(Buffer.concat([call, Buffer.alloc(1_048_577 - call.length, " ")])));
    },
  },
];

function callAt(probe: Probe, awayMs: number): CallFields {
  const nowMs = probe.settings.now() + awayMs;
  return probe.call({ timestamp: new Date(nowMs).toISOString(), deadline: new Date(nowMs + 10_000).toISOString() });
}

function toStatusCase({ id, status, code, what, send }: StatusRow): ConformanceCase {
  return {
    id,
    group: "answers",
    level: "recommended",
    title: `responds with ${status} ${code} to ${what}`,
    advice: `respond with { "error": { "code": "${code}", "message": … } } and status ${status}`,
    async run(probe) {
      const exchange = await send(probe);
      const isAsExpected = exchange.kind === "answer" && exchange.status === status && errorCodeOf(exchange) === code;
      return findingOf(isAsExpected ? undefined : `it ${told(exchange)}`);
    },
  };
}
