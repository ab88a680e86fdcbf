import { toVisibleLine } from "@yagate/protocol";
import { errorDocsUrl } from "../frame/docs-url.ts";
import { styled } from "../frame/style-text.ts";
import { clockTime } from "../text/clock-time.ts";
import type { ReceivedCall } from "./answer-call.ts";

/** Describes a request for people: the verdict, why it was rejected, the body and the response. */
export function describeReceived(received: ReceivedCall): string {
  const { at, isAccepted, code, reason, causes = [], name, toolCallId, attempt, status, durationMs } = received;
  const isGood = isAccepted && status >= 200 && status <= 299;
  const mark = isGood ? styled("green", "✓") : styled("red", "✕");
  const what = toolCallId === undefined ? "request" : `${name} ${toolCallId}, attempt ${attempt}`;
  const outcome = `→ ${status} ${Math.round(durationMs)} ms${code === undefined ? "" : ` ${code}: ${reason}`}`;
  const lines = [
    ...causes.flatMap(({ cause, advice }) => [`cause: ${cause}`, `Try: ${advice}`]),
    ...(code === undefined ? [] : [errorDocsUrl(code)]),
    ...(received.forwardedTo === undefined ? [] : [`forwarded to ${received.forwardedTo}`]),
  ];
  // The columns are aligned with spaces, which would be escaped within a line.
  const bodies = [`request   ${toVisibleLine(received.request)}`, `response  ${toVisibleLine(received.response)}`];
  const head = `${clockTime(at)} ${mark} ${toVisibleLine(`${what} ${outcome}`)}`;
  return [head, ...[...lines.map((line) => toVisibleLine(line)), ...bodies].map((line) => `  ${line}`)].join("\n");
}
