import type { Execution, ReceivedEvent } from "@yagate/protocol";
import { formatCost, formatCount, formatDuration, NONE } from "../../parts/numbers.ts";
import css from "../../parts/table.module.css";

interface UsageRow {
  readonly name: string;
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly usd: number;
  readonly tookMs: number | undefined;
}

function rowsOf(events: readonly ReceivedEvent[]): readonly UsageRow[] {
  const startedAt = new Map<string, number>();
  const names = new Map<string, string>();
  const rows: UsageRow[] = [];
  for (const event of events) {
    const time = Date.parse(event.at);
    if (event.type === "model.requested") startedAt.set(`turn-${event.turn}`, time);
    if (event.type === "model.responded") {
      const from = startedAt.get(`turn-${event.turn}`);
      rows.push({
        ...{ name: `Turn ${event.turn}`, input: event.usage.inputTokens, output: event.usage.outputTokens },
        ...{ usd: event.cost.usd, tookMs: from === undefined ? undefined : time - from },
      });
    }
    if (event.type === "tool_call.requested") {
      startedAt.set(event.toolCallId, time);
      names.set(event.toolCallId, event.name);
    }
    if (event.type === "tool_call.completed" || event.type === "tool_call.failed") {
      const from = startedAt.get(event.toolCallId);
      rows.push({
        ...{ name: names.get(event.toolCallId) ?? event.toolCallId, input: undefined, output: undefined },
        ...{ usd: event.cost?.usd ?? 0, tookMs: from === undefined ? undefined : time - from },
      });
    }
  }
  return rows;
}

interface UsageTabProps {
  readonly execution: Execution;
  readonly events: readonly ReceivedEvent[];
}

const count = (value: number | undefined) => (value === undefined ? NONE : formatCount(value));

/** Tokens, cost and time, by turn and tool call. */
export function UsageTab({ execution: { usage, cost }, events }: UsageTabProps) {
  const rows = rowsOf(events);
  const number = css["number"];
  return (
    <div className={css["sheet"]}>
      <table className={css["table"]} role="table" aria-label="Usage">
        <thead role="rowgroup">
          <tr role="row">
            {["Step", "Input tokens", "Output tokens", "Cost", "Took"].map((name, index) => (
              <th key={name} role="columnheader" scope="col" className={index === 0 ? undefined : number}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(({ name, input, output, usd, tookMs }, index) => (
            <tr key={index} role="row">
              <td role="cell" className={css["atStatus"]}>
                {name}
              </td>
              <td role="cell" className={`${number} ${css["dropped"]}`}>
                {count(input)}
              </td>
              <td role="cell" className={`${number} ${css["dropped"]}`}>
                {count(output)}
              </td>
              <td role="cell" className={`${number} ${css["atRight"]}`}>
                {usd === 0 ? NONE : formatCost(usd)}
              </td>
              <td role="cell" className={`${number} ${css["atWhen"]}`}>
                {tookMs === undefined ? NONE : formatDuration(tookMs)}
              </td>
            </tr>
          ))}
          <tr role="row">
            <td role="cell" className={css["atStatus"]}>
              <b>Total</b>
            </td>
            <td role="cell" className={`${number} ${css["dropped"]}`}>
              {formatCount(usage.inputTokens)}
            </td>
            <td role="cell" className={`${number} ${css["dropped"]}`}>
              {formatCount(usage.outputTokens)}
            </td>
            <td role="cell" className={`${number} ${css["atRight"]}`}>
              {formatCost(cost.usd)}
              {cost.isPartial === true && " or more"}
            </td>
            <td role="cell" className={`${number} ${css["atWhen"]}`}>
              {NONE}
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
