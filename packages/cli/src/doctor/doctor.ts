import { type CompleteConfig, checkDatabase, checkStoredKeys, configFromEnvironment } from "@yagate/gateway";
import { toVisibleLine, YagateError } from "@yagate/protocol";
import { commandName } from "../command-name.ts";
import { EXIT } from "../frame/exit-status.ts";
import type { Invocation } from "../frame/invocation.ts";
import { styled } from "../frame/style-text.ts";
import { dataPlace } from "../gateway/data-place.ts";
import { checkData } from "./check-data.ts";
import { checkPort } from "./check-port.ts";
import { checkProviders } from "./check-providers.ts";
import { type Finding, findingsOf } from "./finding.ts";

export interface DoctorOptions {
  readonly offline?: boolean;
}

/** Checks whether `yagate serve` can run with this environment on this machine. The exit status is 1 if it cannot. */
export async function doctor({ output, globals }: Invocation, { offline = false }: DoctorOptions): Promise<void> {
  const findings = await findAll(offline);
  const isFine = findings.every(({ status }) => status !== "failed");
  const shown = globals.quiet === true ? findings.filter(({ status }) => status === "failed") : findings;
  if (output.isJson || shown.length > 0)
    output.result({ isFine, checks: findings }, () => shown.map(describe).join("\n"));
  if (!isFine) process.exitCode = EXIT.answerIsNo;
}

async function findAll(offline: boolean): Promise<readonly Finding[]> {
  const { ok, failed } = findingsOf("configuration");
  let config: CompleteConfig;
  try {
    config = configFromEnvironment(process.env, {
      required: ["YAGATE_API_KEY", "YAGATE_MASTER_KEYS"],
      requiresStrongKeys: true,
    });
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    return [
      failed(
        error.message,
        `${commandName()} serve --help shows how to create keys; ${commandName()} help environment lists variables`,
      ),
    ];
  }
  return [
    ok("all variables are valid"),
    ...checkData(config),
    ...(config.databaseUrl === undefined ? [] : [await databaseFinding(config)]),
    await masterKeysFinding(config),
    await checkPort(config),
    ...(offline ? [findingsOf("providers").skipped("--offline")] : await checkProviders(config.providers)),
  ];
}

async function databaseFinding(config: CompleteConfig): Promise<Finding> {
  const { ok, failed } = findingsOf("database");
  try {
    await checkDatabase(config);
    const later =
      config.migrations === "apply" ? "; missing migrations are applied at the start" : ", with all migrations";
    return ok(`${dataPlace(config)} can be used${later}`);
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    return failed(error.message, "check DATABASE_URL and the database");
  }
}

/** Without the keys with which a store was encrypted, `serve` does not start. */
async function masterKeysFinding(config: CompleteConfig): Promise<Finding> {
  const { ok, failed, skipped } = findingsOf("master keys");
  try {
    const isEncrypted = await checkStoredKeys(config);
    return ok(isEncrypted ? `${dataPlace(config)} was encrypted with them` : "nothing is encrypted yet");
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    if (error.code === "UNAVAILABLE") return skipped(error.message);
    return failed(error.message, "set YAGATE_MASTER_KEYS to the keys that encrypted this data, the active key first");
  }
}

const MARKS = { ok: ["green", "✓"], warning: ["yellow", "!"], failed: ["red", "✕"], skipped: ["dim", "-"] } as const;

function describe({ check, status, message, advice }: Finding): string {
  const [colour, mark] = MARKS[status];
  const [first = "", ...rest] = message.split("\n");
  const head = `${styled(colour, mark)} ${toVisibleLine(`${check}: ${first}`)}`;
  const details = [...rest, ...(advice === undefined ? [] : [`Try: ${advice}`])];
  return [head, ...details.map((line) => `  ${toVisibleLine(line.trim())}`)].join("\n");
}
