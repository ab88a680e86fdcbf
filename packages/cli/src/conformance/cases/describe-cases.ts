import { SIGNATURE_HEADER } from "@yagate/protocol";
import type { ConformanceCase } from "../conformance-case.ts";
import { type Finding, failed, findingOf, notAsked, PASS } from "../finding.ts";
import { acceptedFault, refusedFault } from "../judgements.ts";
import { encode, newId, withHeader } from "../live-call.ts";
import { describeFields, describeMessage, signedAsDescribe } from "../live-describe.ts";
import type { Probe } from "../probe.ts";
import { watchRuns } from "../watch-runs.ts";
import type { Message } from "../wire/exchange.ts";

const DAY_MS = 86_400_000;
const ONE_MIB = 1_048_576;

interface RejectedRow {
  readonly id: string;
  readonly what: string;
  readonly advice: string;
  toMessage(probe: Probe): Message | Promise<Message>;
}

/** A handler that describes its tools must reject these; one that does not rejects every describe request. */
const REJECTED: readonly RejectedRow[] = [
  {
    id: "describe-signed-as-call",
    what: "a describe request that is signed as a call",
    advice:
      "decide by the signature alone: in a describe request it covers describe. and the body, in a call only the body",
    toMessage: (probe) => probe.signBody(encode(describeFields(probe))),
  },
  {
    id: "call-signed-as-describe",
    what: "a call that is signed as a describe request",
    advice:
      "decide by the signature alone: in a describe request it covers describe. and the body, in a call only the body",
    toMessage: (probe) => signedAsDescribe(encode(probe.call()), newId("dsc"), probe.settings.secret),
  },
  {
    id: "describe-unsigned",
    what: "a describe request without a signature",
    advice: "describe the tools only to a sender with a signing secret",
    toMessage: (probe) => withHeader(describeMessage(probe), SIGNATURE_HEADER, undefined),
  },
  {
    id: "describe-other-secret",
    what: "a describe request signed with a different secret",
    advice: "describe the tools only to a sender with a signing secret",
    toMessage: (probe) => describeMessage(probe, {}, probe.foreignSecret),
  },
  {
    id: "describe-changed",
    what: "a describe request that changed after signing",
    advice: "verify the exact bytes of the body",
    toMessage(probe) {
      const message = describeMessage(probe);
      return { ...message, body: Buffer.concat([message.body, Buffer.from("\n")]) };
    },
  },
  {
    id: "describe-old",
    what: "a describe request from yesterday",
    advice: "compare |now - timestamp| with the tolerance, as for calls",
    toMessage: (probe) => describeMessage(probe, { timestamp: momentOf(probe, -DAY_MS) }),
  },
  {
    id: "describe-future",
    what: "a describe request from tomorrow",
    advice: "compare |now - timestamp| with the tolerance, as for calls",
    toMessage: (probe) => describeMessage(probe, { timestamp: momentOf(probe, DAY_MS) }),
  },
  {
    id: "describe-no-id",
    what: "a describe request without an id",
    advice: "require type, requestId, timestamp and audience",
    toMessage: (probe) => describeMessage(probe, { requestId: undefined }),
  },
  {
    id: "describe-oversize",
    what: "a describe request of 1 MiB plus one byte",
    advice: "limit the size of the body before you read it",
    toMessage(probe) {
      const fields = describeFields(probe);
      const body = encode(fields);
      const padded = Buffer.concat([body, Buffer.alloc(ONE_MIB + 1 - body.byteLength, " ")]);
      return signedAsDescribe(padded, fields.requestId, probe.settings.secret);
    },
  },
];

function momentOf({ settings: { now } }: Probe, awayMs: number): string {
  return new Date(now() + awayMs).toISOString();
}

/** Requirements for every handler, whether or not it describes its tools. */
export const describeCases: readonly ConformanceCase[] = [
  {
    id: "describe-runs-nothing",
    group: "describe",
    level: "required",
    title: "runs nothing for a describe request, whatever the response",
    advice:
      "verify the signature over the body alone before you run a call: the signature of a describe request then fails",
    async run(probe) {
      const { ran } = await watchRuns(probe, describeMessage(probe));
      return ran === undefined ? PASS : failed(ran);
    },
  },
  {
    id: "call-with-describe-fields",
    group: "describe",
    level: "required",
    title: "runs a call that also has the fields of a describe request",
    advice: "decide by the signature alone: a newer gateway may add any field to a call",
    async run(probe) {
      const call = { ...describeFields(probe), ...probe.call() };
      return findingOf(acceptedFault(await probe.sendCall(call)));
    },
  },
  ...REJECTED.map(
    ({ id, what, advice, toMessage }): ConformanceCase => ({
      id,
      group: "describe",
      level: "required",
      title: `rejects ${what}`,
      advice,
      run: async (probe) => judgeRejected(probe, await toMessage(probe)),
    }),
  ),
  {
    id: "describe-audience-other",
    group: "describe",
    level: "required",
    title: "rejects a describe request for another audience",
    advice: "compare the request's audience with the handler's URL exactly as saved in the tool source",
    async run(probe) {
      if (!probe.settings.isAudienceChecked)
        return notAsked("--audience is missing: the handler may accept requests for any audience");
      return judgeRejected(probe, describeMessage(probe, { audience: "https://another.example.com/tools" }));
    },
  },
];

async function judgeRejected(probe: Probe, message: Message): Promise<Finding> {
  const { exchange, ran } = await watchRuns(probe, message);
  return findingOf(ran ?? refusedFault(exchange));
}
