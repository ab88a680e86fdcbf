import type { ToolCallRecord } from "@yagate/client";
import { toVisibleLine, toVisibleText } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";

/** Prints a tool call with its attempts. */
export async function showCall(invocation: Invocation, id: string): Promise<void> {
  const call = await (await invocation.client()).toolCalls.get(id);
  invocation.output.result(call, () => describe(call));
}

function describe(call: ToolCallRecord): string {
  const { policyDecision, approval, capability, triedCapabilities = [], result, error } = call;
  const rows = [
    ["status", call.via === undefined ? call.status : `${call.status}, by ${call.via}`],
    ["tool", call.risk === null ? call.name : `${call.name} (${call.risk})`],
    ...(capability === undefined
      ? []
      : [
          ["capability", toVisibleLine([capability.key, ...triedCapabilities.map((key) => `after ${key}`)].join(", "))],
        ]),
    ["requested at", call.requestedAt],
    ...(call.finishedAt === null ? [] : [["finished at", call.finishedAt]]),
    ...(policyDecision === null ? [] : [["policy", `${policyDecision.decision}: ${policyDecision.reason}`]]),
    ...(approval === undefined ? [] : [["approval", `${approval.id}, ${approval.status}`]]),
    ["execution", `${call.executionId}, model turn ${call.turn}`],
    ["arguments", JSON.stringify(call.parameters)],
    ...(error === undefined ? [] : [["error", `${error.code}: ${error.message}`]]),
  ];
  const text = result === undefined ? [] : ["", toVisibleText(JSON.stringify(result, null, 2))];
  return [toVisibleLine(call.id), "", table(rows), ...text, "", describeAttempts(call)].join("\n");
}

function describeAttempts({ attempts }: ToolCallRecord): string {
  if (attempts.length === 0) return "No attempt was sent.";
  const rows = attempts.map(({ id, number, startedAt, durationMs, httpStatus, errorCode, url }) => [
    ...[`${number}`, id, startedAt, durationMs === null ? "-" : `${Math.round(durationMs)} ms`],
    ...[errorCode ?? (httpStatus === undefined ? "-" : `${httpStatus}`), url],
  ]);
  return table([["ATTEMPT", "ID", "STARTED", "TOOK", "RESULT", "URL"], ...rows]);
}
