import { Link } from "@tanstack/react-router";
import type { Execution } from "@yagate/protocol";
import { inputOf } from "../../api/executions.ts";
import { classes } from "../../parts/classes.ts";
import { Clock } from "../../parts/clock.tsx";
import { formatCost, formatCount, formatDuration, NONE } from "../../parts/numbers.ts";
import { executionStatus, Status } from "../../parts/status.tsx";
import css from "../../parts/table.module.css";
import text from "../../parts/text.module.css";
import { toLine, VisibleText } from "../../parts/visible-text.tsx";

interface ExecutionsTableProps {
  readonly rows: readonly Execution[];
  readonly selected: string | undefined;
  readonly nameOf: (agentId: string) => string;
  readonly now: number;
}

const INPUT_CHARACTERS = 300;

const COLUMNS = [
  ["Status", css["status"]],
  ["Input", undefined],
  ["Agent", css["agent"]],
  ["Calls", classes(css["calls"], css["number"])],
  ["Tokens", classes(css["tokens"], css["number"])],
  ["Cost", classes(css["cost"], css["number"])],
  ["Took", classes(css["took"], css["number"])],
  ["Started", classes(css["started"], css["number"])],
] as const;

/** The list of executions. The roles keep it a table where it is drawn as a list. */
export function ExecutionsTable({ rows, selected, nameOf, now }: ExecutionsTableProps) {
  return (
    <table className={css["table"]} role="table" aria-label="Executions">
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map(([name, className]) => (
            <th key={name} role="columnheader" scope="col" className={className}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((execution) => (
          <Row
            key={execution.id}
            execution={execution}
            isSelected={execution.id === selected}
            agent={`${nameOf(execution.agentId)}@${execution.agentVersion}`}
            now={now}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly execution: Execution;
  readonly isSelected: boolean;
  readonly agent: string;
  readonly now: number;
}

function Row({ execution, isSelected, agent, now }: RowProps) {
  const { id, status, stopReason, usage, cost, startedAt, createdAt } = execution;
  const { kind, word } = executionStatus(status, stopReason);
  const input = inputOf(execution).slice(0, INPUT_CHARACTERS * 2);
  const tokens = usage.inputTokens + usage.outputTokens;
  const durationMs = durationOf(execution, now);
  const hasStarted = startedAt !== null;
  return (
    <tr role="row" aria-selected={isSelected} data-id={id}>
      <td role="cell" className={css["atStatus"]}>
        <Status kind={kind}>{word}</Status>
      </td>
      <td role="cell" className={css["atMain"]}>
        <Link className={text["cut"]} to="/executions/$id" params={{ id }} title={toLine(input, INPUT_CHARACTERS)}>
          <VisibleText text={input.replaceAll(/\s+/g, " ")} most={INPUT_CHARACTERS} />
        </Link>
      </td>
      <td role="cell" className={css["atLeft"]}>
        <span className={classes(text["cut"], text["mono"])}>{agent}</span>
      </td>
      <td role="cell" className={classes(css["number"], css["dropped"])}>
        {hasStarted ? formatCount(usage.toolCalls) : NONE}
      </td>
      <td role="cell" className={classes(css["number"], css["dropped"])}>
        {tokens > 0 ? formatCount(tokens) : NONE}
      </td>
      <td role="cell" className={classes(css["number"], css["dropped"])}>
        {tokens > 0 ? formatCost(cost.usd) : NONE}
      </td>
      <td role="cell" className={classes(css["number"], css["atRight"])}>
        {durationMs === undefined ? NONE : formatDuration(durationMs)}
      </td>
      <td role="cell" className={classes(css["number"], css["atWhen"])}>
        <Clock at={startedAt ?? createdAt} />
      </td>
    </tr>
  );
}

/** Returns how long an execution took, or has been running; undefined if it has not started. */
export function durationOf({ startedAt, finishedAt }: Execution, now: number): number | undefined {
  if (startedAt === null) return undefined;
  return Math.max(0, (finishedAt === null ? now : Date.parse(finishedAt)) - Date.parse(startedAt));
}
