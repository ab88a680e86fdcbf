import { writeFile } from "node:fs/promises";
import { parseSigningSecret, YagateError } from "@yagate/protocol";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { readSecrets } from "../signing-secrets/read-secrets.ts";
import type { SecretSources } from "../signing-secrets/secret-sources.ts";
import { allCases } from "./all-cases.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import {
  type ConformanceOptions,
  invalid,
  parseParameters,
  parseSeconds,
  parseTarget,
  parseToleranceSeconds,
  parseTool,
  readParameters,
} from "./conformance-options.ts";
import type { ProbeSettings } from "./probe.ts";
import type { ConformanceReport } from "./report/conformance-report.ts";
import { explainCase } from "./report/explain-case.ts";
import { toJunit } from "./report/junit.ts";
import { printConformance } from "./report/print-conformance.ts";
import { runConformance } from "./run-conformance.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_ANSWER_SECONDS = 5;
const DEFAULT_SLOW_BODY_SECONDS = 5;

/**
 * Tests a handler and prints the report. The exit status is 0 if no required case failed, 1 if one failed, 5 if the
 * time limit was reached.
 */
export async function conformance(
  invocation: Invocation,
  url: string | undefined,
  options: ConformanceOptions,
): Promise<void> {
  const { output } = invocation;
  const cases = chooseCases(options);
  if (options.list === true) {
    const list = cases.map(({ id, group, level, title }) => ({ id, group, level, title }));
    return output.result({ cases: list }, () =>
      cases.map(({ id, level, title }) => `${id.padEnd(26)} ${level.padEnd(12)} ${title}`).join("\n"),
    );
  }
  if (options.explain !== undefined) {
    const found = findCase(allCases(options.requireSignedAnswers), options.explain.trim(), "--explain");
    const { id, group, level, title, advice } = found;
    return output.result({ id, group, level, title, advice }, () => explainCase(found));
  }
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = invocation;
  const settings = await toSettings(invocation, url, options);
  const counterUrl =
    options.counterUrl === undefined ? undefined : parseTarget(options.counterUrl, options.allowHost, "--counter-url");
  output.note(warning(settings, cases.length));
  const ended = AbortSignal.timeout(timeoutMs);
  const report = await runConformance(cases, settings, {
    counterUrl,
    ended,
    onProgress: progressOf(cases.length, invocation),
  });
  output.result(report, () => printConformance(report, options.verbose === true));
  if (options.junit !== undefined) await writeFile(options.junit, toJunit(report));
  process.exitCode = statusOf(report, options.strict === true, ended.aborted);
}

function statusOf({ conforms, summary }: ConformanceReport, isStrict: boolean, isCutShort: boolean): number {
  if (!conforms || (isStrict && summary.requiredNotJudged > 0)) return EXIT.answerIsNo;
  return isCutShort ? EXIT.notFinished : EXIT.done;
}

function chooseCases({ only, requireSignedAnswers = false }: ConformanceOptions): readonly ConformanceCase[] {
  const cases = allCases(requireSignedAnswers);
  if (only === undefined) return cases;
  const chosen = only.split(",").map((id) => findCase(cases, id.trim(), "--only"));
  return cases.filter((each) => chosen.includes(each));
}

function findCase(cases: readonly ConformanceCase[], id: string, option: string): ConformanceCase {
  const found = cases.find((each) => each.id === id);
  if (found === undefined) throw invalid(`${option}: unknown case ${id}`, "--list prints all cases");
  return found;
}

async function toSettings(
  invocation: Invocation,
  url: string | undefined,
  options: ConformanceOptions,
): Promise<ProbeSettings> {
  if (url === undefined) throw invalid("expected the handler's URL", "such as http://127.0.0.1:3000/tools");
  const target = parseTarget(url, options.allowHost);
  const tool = parseTool(options.tool);
  const { wrongParameters, flakyTool, flakyParameters = "{}", audience } = options;
  const parameters = await readParameters(options);
  return {
    target,
    tool,
    parameters,
    wrongParameters: wrongParameters === undefined ? undefined : parseParameters(wrongParameters, "--wrong-parameters"),
    flaky:
      flakyTool === undefined
        ? undefined
        : {
            tool: parseTool(flakyTool, "--flaky-tool"),
            parameters: parseParameters(flakyParameters, "--flaky-parameters"),
          },
    audience: audience ?? url,
    isAudienceChecked: audience !== undefined,
    toleranceSeconds: parseToleranceSeconds(options.tolerance),
    isAnswerSignatureRequired: options.requireSignedAnswers === true,
    answerTimeoutMs: parseSeconds(options.answerTimeout, "--answer-timeout", DEFAULT_ANSWER_SECONDS),
    slowBodyMs: parseSeconds(options.slowBody, "--slow-body", DEFAULT_SLOW_BODY_SECONDS),
    isSlowBodyJudged: options.slowBody !== undefined,
    now: Date.now,
    secret: await readOneSecret(invocation, options),
    previousSecret: await readPreviousSecret(invocation, options),
  };
}

async function readPreviousSecret(
  invocation: Invocation,
  { previousSecretEnv, previousSecretFile }: ConformanceOptions,
): Promise<string | undefined> {
  if (previousSecretEnv === undefined && previousSecretFile === undefined) return undefined;
  return readOneSecret(invocation, {
    ...(previousSecretEnv !== undefined && { secretEnv: [previousSecretEnv] }),
    ...(previousSecretFile !== undefined && { secretFile: [previousSecretFile] }),
  });
}

async function readOneSecret(invocation: Invocation, sources: SecretSources): Promise<string> {
  const secrets = await readSecrets(sources, { env: process.env, terminal: invocation.terminal() });
  const [secret] = secrets;
  if (secret === undefined || secrets.length > 1)
    throw invalid("expected one signing secret", "pass a second one with --previous-secret-env");
  try {
    parseSigningSecret(secret.value);
  } catch (cause) {
    throw new YagateError("SECRET_INVALID", `${secret.name} does not contain a signing secret`, {
      hint: "use a signing secret: whsec_ and the base64 of 24 to 64 bytes, without spaces",
      cause,
    });
  }
  return secret.value;
}

function warning({ target, tool }: ProbeSettings, cases: number): string {
  return `Sending ${cases} cases to ${target.host}: up to 20 MB. The tool ${tool} really runs, several dozen times.`;
}

function progressOf(total: number, { globals: { quiet = false } }: Invocation): (done: number) => void {
  if (process.stderr.isTTY !== true || quiet) return () => {};
  return (done) => process.stderr.write(done + 1 < total ? `\r${done + 1} of ${total}` : "\r\u001b[K");
}
