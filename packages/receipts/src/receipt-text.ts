import { hasEnded, type Receipt, toVisibleLine } from "@yagate/protocol";
import { costText, countOf, keyName, tokensText } from "./narrative/phrases.ts";

const LABEL_WIDTH = 12;

/** Returns a receipt as text: its summary, and the account line by line. */
export function receiptText(receipt: Receipt): string {
  const { executionId, account, toolCalls, agent, keyId, createdAt, difference } = receipt;
  const models = agent.models.length === 0 ? "" : `, with ${agent.models.map(toVisibleLine).join(", ")}`;
  const rows: (readonly [label: string, text: string])[] = [
    ["Caller", keyName(keyId)],
    ["Agent", `${agent.id}, version ${agent.version}${models}`],
    ["Started", createdAt],
    ["Ended", endText(receipt)],
    ["Usage", usageText(receipt)],
    ["Tool calls", callsText(toolCalls)],
    ["Record", recordText(receipt)],
    ["Chain head", receipt.record.head],
  ];
  const width = `${account.at(-1)?.seq ?? 0}`.length;
  return [
    `Receipt of the execution ${executionId}`,
    "",
    ...(difference === null
      ? []
      : ["DO NOT RELY ON THIS RECEIPT: the stored record differs from the sealed record.", ""]),
    ...rows.map(([label, text]) => `${`${label}:`.padEnd(LABEL_WIDTH)}${text}`),
    "",
    ...(account.length === 0 ? ["No events yet."] : account.map((line) => lineText(line, width))),
    "",
  ].join("\n");
}

function lineText({ seq, at, text }: Receipt["account"][number], width: number): string {
  return `${`${seq}`.padStart(width)}  ${at}  ${text}`;
}

function endText({ finishedAt, status, stopReason }: Receipt): string {
  if (finishedAt === null) {
    return hasEnded(status) ? `listed as ${status}, but the record has no end` : `not yet: ${status}`;
  }
  return `${finishedAt}, ${status}${stopReason === null || stopReason === status ? "" : ` (${stopReason})`}`;
}

function usageText({ usage, cost, status }: Receipt): string {
  if (usage === null || cost === null) {
    return hasEnded(status) ? "unknown: the record has no end" : "known when the execution ends";
  }
  return `${tokensText(usage)}, ${costText(cost)}`;
}

function callsText(calls: Receipt["toolCalls"]): string {
  const counted = (["completed", "failed", "denied", "open"] as const)
    .map((outcome) => [outcome, calls.filter((call) => call.outcome === outcome).length] as const)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  return counted.length === 0 ? "none" : counted.join(", ");
}

function recordText({ difference, isFinal, record }: Receipt): string {
  const entries = countOf(record.entries.length, "entry", "entries");
  if (difference !== null)
    return `NOT VERIFIED: ${difference.reason}. The rest of this receipt shows what is stored now.`;
  if (isFinal) return `verified: ${entries}, unchanged since they were sealed`;
  return `verified so far: ${entries}, unchanged since they were sealed; incomplete: the execution is in progress`;
}
