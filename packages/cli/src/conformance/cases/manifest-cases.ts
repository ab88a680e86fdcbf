import { isJsonObject } from "@yagate/lib/json/json-object";
import { parseManifest, SIGNATURE_HEADER, type ToolManifest, verifyManifest, YagateError } from "@yagate/protocol";
import type { ConformanceCase } from "../conformance-case.ts";
import { type Finding, failed, findingOf, notAsked, PASS } from "../finding.ts";
import { jsonOf, told } from "../judgements.ts";
import { describeMessage } from "../live-describe.ts";
import type { Probe } from "../probe.ts";
import type { Answer } from "../wire/exchange.ts";

const NOT_DESCRIBED = notAsked("the handler does not describe its tools");

/** Requirements for a handler that describes its tools. */
export const manifestCases: readonly ConformanceCase[] = [
  {
    id: "manifest-signed",
    group: "describe",
    level: "required",
    title: "signs its manifest with the id of the request, the status and the exact bytes, if it describes its tools",
    advice:
      "X-YA-Signature over manifest.<requestId>.<status>. and the body; the gateway rejects any other manifest (INVALID_RESPONSE_SIGNATURE)",
    run: (probe) => judgeManifest(probe, (described) => findingOf(described.signatureFault)),
  },
  {
    id: "manifest-valid",
    group: "describe",
    level: "required",
    title: "sends a manifest that the gateway accepts, if it describes its tools",
    advice:
      "protocolVersion 1, and at most 1 MiB and 2,000 tools: docs/describing-tools.md lists the fields and limits",
    run: (probe) => judgeManifest(probe, ({ answer }) => readManifest(answer, () => PASS)),
  },
  {
    id: "manifest-has-tool",
    group: "describe",
    level: "required",
    title: "describes the tool that it runs, if it describes its tools",
    advice: "describe every tool: the gateway turns off tools that a manifest no longer contains",
    run: (probe) =>
      judgeManifest(probe, ({ answer }) =>
        readManifest(answer, ({ tools }) =>
          tools.some(({ name }) => name === probe.settings.tool)
            ? PASS
            : failed(`the manifest does not contain the tool ${probe.settings.tool}`),
        ),
      ),
  },
  {
    id: "manifest-known-fields",
    group: "describe",
    level: "recommended",
    title: "sends only the fields of a manifest, if it describes its tools",
    advice: "leave out URLs, headers, secrets and approval modes: the gateway ignores what only a workspace may decide",
    run: (probe) =>
      judgeManifest(probe, ({ answer }) =>
        readManifest(answer, (manifest) => {
          const field = unknownField(jsonOf(answer), manifest);
          return field === undefined ? PASS : failed(`the manifest has an unknown field: ${field}`);
        }),
      ),
  },
  {
    id: "describe-errors-signed",
    group: "describe",
    level: "recommended",
    title: "signs its response to a verified describe request that is too old, if it describes its tools",
    advice: "once you have verified the signature of the request, sign every response, whatever its status",
    run: (probe) => judgeManifest(probe, () => judgeSignedError(probe)),
  },
];

interface Described {
  readonly answer: Answer;
  /** Why the gateway would reject the signature. */
  readonly signatureFault: string | undefined;
}

/** Judges the response to a genuine describe request, unless the handler rejects such requests. */
async function judgeManifest(
  probe: Probe,
  judge: (described: Described) => Finding | Promise<Finding>,
): Promise<Finding> {
  const message = describeMessage(probe);
  const answer = await probe.send(message);
  if (answer.kind !== "answer") return failed(`it ${told(answer)}`);
  const isSigned = answer.headers.has(SIGNATURE_HEADER);
  if (answer.status >= 400 && answer.status <= 499 && !isSigned) return NOT_DESCRIBED;
  return judge({ answer, signatureFault: await signatureFault(probe, message.requestId, answer) });
}

async function signatureFault(probe: Probe, requestId: string, answer: Answer): Promise<string | undefined> {
  const { status, body, headers } = answer;
  const signature = headers.get(SIGNATURE_HEADER);
  if (signature === undefined) return "the response has no X-YA-Signature";
  try {
    await verifyManifest(signature, { requestId, status, body }, secretsOf(probe));
    return undefined;
  } catch {
    return `the signature of a response with status ${status} is wrong`;
  }
}

function secretsOf({ settings: { secret, previousSecret } }: Probe): readonly string[] {
  return previousSecret === undefined ? [secret] : [secret, previousSecret];
}

function readManifest(answer: Answer, judge: (manifest: ToolManifest) => Finding): Finding {
  if (answer.status !== 200) return failed(`it ${told(answer)}; expected 200`);
  try {
    return judge(parseManifest(answer.body));
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    return failed(error.message);
  }
}

/** Returns the path of a field that the gateway drops. */
function unknownField(sent: unknown, manifest: ToolManifest): string | undefined {
  const own = keysOf(sent).find((key) => !(key in manifest));
  if (own !== undefined) return own;
  const tools: unknown = isJsonObject(sent) ? sent["tools"] : undefined;
  if (!Array.isArray(tools)) return undefined;
  for (const [index, tool] of manifest.tools.entries()) {
    const key = keysOf(tools[index]).find((name) => !(name in tool));
    if (key !== undefined) return `tools[${index}].${key}`;
  }
  return undefined;
}

function keysOf(value: unknown): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

async function judgeSignedError(probe: Probe): Promise<Finding> {
  const timestamp = new Date(probe.settings.now() - 86_400_000).toISOString();
  const message = describeMessage(probe, { timestamp });
  const answer = await probe.send(message);
  if (answer.kind !== "answer") return failed(`it ${told(answer)}`);
  return findingOf(await signatureFault(probe, message.requestId, answer));
}
