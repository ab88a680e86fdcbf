import { hasEnded, type Receipt, toVisibleLine } from "@yagate/protocol";
import { costText, countOf, keyName, tokensText } from "./narrative/phrases.ts";

const LABEL_WIDTH = 12;

/** A receipt for people: its head, and the account line by line. */
export function receiptText(receipt: Receipt): string {
  const { executionId, account, toolCalls, agent, keyId, createdAt, difference } = receipt;
  const models = agent.models.length === 0 ? "" : `, with ${agent.models.map(toVisibleLine).join(", ")}`;
  const rows: (readonly [label: string, text: string])[] = [
    ["Asked by", keyName(keyId)],
    ["Agent", `${agent.id}, version ${agent.version}${models}`],
    ["Began", createdAt],
    ["Ended", endText(receipt)],
    ["Used", usageText(receipt)],
    ["Tool calls", callsText(toolCalls)],
    ["Record", recordText(receipt)],
    ["Chain ends", receipt.record.head],
  ];
  const width = `${account.at(-1)?.seq ?? 0}`.length;
  return [
    `Receipt of the execution ${executionId}`,
    "",
    ...(difference === null
      ? []
      : ["DO NOT RELY ON THIS RECEIPT: the stored record is not the one that was sealed.", ""]),
    ...rows.map(([label, text]) => `${`${label}:`.padEnd(LABEL_WIDTH)}${text}`),
    "",
    ...(account.length === 0 ? ["Nothing has happened yet."] : account.map((line) => lineText(line, width))),
    "",
  ].join("\n");
}

function lineText({ seq, at, text }: Receipt["account"][number], width: number): string {
  return `${`${seq}`.padStart(width)}  ${at}  ${text}`;
}

function endText({ finishedAt, status, stopReason }: Receipt): string {
  if (finishedAt === null) {
    return hasEnded(status) ? `it is listed as ${status}, but its end is missing` : `not yet: it is ${status}`;
  }
  return `${finishedAt}, ${status}${stopReason === null || stopReason === status ? "" : ` (${stopReason})`}`;
}

function usageText({ usage, cost, status }: Receipt): string {
  if (usage === null || cost === null) {
    return hasEnded(status) ? "not known: its end is missing" : "known when the execution has ended";
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
  if (difference !== null) return `NOT VERIFIED: ${difference.reason}. What follows is what is stored now.`;
  if (isFinal) return `verified: ${entries}, each as it was sealed when it was written`;
  return `so far ${entries}, each as it was sealed when it was written; not complete, since the execution goes on`;
}
