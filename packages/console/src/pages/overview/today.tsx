import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ToolCallSummary } from "@yagate/protocol";
import type { ReactNode } from "react";
import { pendingApprovals } from "../../api/approvals.ts";
import { isInTrouble, listEndpoints, troubleOf } from "../../api/endpoints.ts";
import { inputOf, listExecutions } from "../../api/executions.ts";
import { pendingQuestions } from "../../api/input-requests.ts";
import { countsOf, distributionsOf, getMetrics, totalOf } from "../../api/metrics.ts";
import { listOf } from "../../api/pages.ts";
import { DERIVED_AFTER_MS, useLive } from "../../live/live.ts";
import { Clock } from "../../parts/clock.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { countOf, formatCost, formatCount, formatDuration, NONE } from "../../parts/numbers.ts";
import { Figure, Figures, Line, Lines, Quiet, Section } from "../../parts/section.tsx";
import { executionStatus, StatusMark } from "../../parts/status.tsx";
import text from "../../parts/text.module.css";
import { toLine, VisibleText } from "../../parts/visible-text.tsx";
import type { Session } from "../../session/session.ts";
import { groupFailures } from "./failures.ts";
import css from "./home.module.css";

const DAY_MS = 86_400_000;
const SHOWN = 5;
const READ = 200;
const PACE_MS = 2_000;
const METRICS_PACE_MS = 15_000;

/** What needs someone: requests that wait, failures, what is running, and failing handlers. */
export function Today({ session }: { readonly session: Session }) {
  const may = (scope: string) => session.scopes.some((each) => each === scope);
  return (
    <div data-state="ready">
      <DayFigures />
      <div className={css["columns"]}>
        {may("approvals") && <Waiting />}
        <Running />
        <Failures />
        {may("operations") && <Handlers />}
      </div>
    </div>
  );
}

function DayFigures() {
  const report = useQuery({ queryKey: ["home", "metrics"], queryFn: ({ signal }) => getMetrics("24h", signal) });
  useLive(() => void report.refetch(), METRICS_PACE_MS, DERIVED_AFTER_MS);
  return (
    <div className={css["day"]}>
      <Loaded query={report} label="the figures of the day" lines={2}>
        {(data) => {
          const executions = totalOf(data, "executions");
          const completed = countsOf(data, "executions").find(({ label }) => label === "completed")?.total.value ?? 0;
          const tools = distributionsOf(data, "toolDuration").filter(({ total }) => total.count > 0);
          const slowest = tools.toSorted((left, right) => right.total.p95 - left.total.p95)[0];
          return (
            <Figures>
              <Figure name="Executions, 24 h" value={formatCount(executions)} />
              <Figure
                name="Completed"
                value={executions === 0 ? NONE : `${((completed / executions) * 100).toFixed(1)} %`}
                {...(executions > completed ? { note: `${formatCount(executions - completed)} did not` } : {})}
              />
              <Figure
                name="Slowest tool, p95"
                value={slowest === undefined ? NONE : formatDuration(slowest.total.p95)}
                {...(slowest === undefined ? {} : { note: toLine(slowest.label, 40) })}
              />
              <Figure
                name="Model tokens"
                value={formatCount(totalOf(data, "inputTokens") + totalOf(data, "outputTokens"))}
              />
              <Figure name="Cost" value={formatCost(totalOf(data, "cost"))} />
            </Figures>
          );
        }}
      </Loaded>
    </div>
  );
}

function Waiting() {
  const query = useQuery({
    queryKey: ["home", "waiting"],
    queryFn: async ({ signal }) => {
      const [approvals, questions] = await Promise.all([pendingApprovals(signal), pendingQuestions(signal)]);
      return { approvals, questions };
    },
  });
  useLive(() => void query.refetch(), PACE_MS);
  return (
    <Section title="Waiting for a person" link={{ to: "/approvals", text: "All" }}>
      <Loaded query={query} label="what waits" lines={1}>
        {({ approvals, questions }) =>
          approvals.length + questions.length === 0 ? (
            <Quiet>Nothing is waiting for a person.</Quiet>
          ) : (
            <Lines>
              {approvals.slice(0, SHOWN).map(({ id, tool, agentName, agentVersion, requestedAt }) => (
                <Line key={id} icon={<StatusMark kind="waiting">Waiting</StatusMark>} end={<Clock at={requestedAt} />}>
                  <Link to="/approvals" search={{ open: id }} className={text["mono"]}>
                    {tool.name}
                  </Link>
                  <span className={text["quiet"]}>
                    {toLine(agentName, 60)}@{agentVersion}
                  </span>
                </Line>
              ))}
              {questions.slice(0, SHOWN).map(({ toolCallId, tool, requestedAt }) => (
                <Line
                  key={toolCallId}
                  icon={<StatusMark kind="waiting">Waiting</StatusMark>}
                  end={<Clock at={requestedAt} />}
                >
                  <Link to="/tool-calls/$id" params={{ id: toolCallId }} className={text["mono"]}>
                    {tool.name}
                  </Link>
                  <span className={text["quiet"]}>asks a question</span>
                </Line>
              ))}
            </Lines>
          )
        }
      </Loaded>
    </Section>
  );
}

function Running() {
  const query = useQuery({
    queryKey: ["home", "running"],
    queryFn: async ({ signal }) => {
      const read = (status: string) => listExecutions({ filter: { status }, limit: SHOWN }, signal);
      const [running, queued] = await Promise.all([read("running"), read("queued")]);
      return [...running.data, ...queued.data].slice(0, SHOWN);
    },
  });
  useLive(() => void query.refetch(), PACE_MS);
  return (
    <Section title="Running now" link={{ to: "/executions", text: "All", search: { status: "running" } }}>
      <Loaded query={query} label="what runs" lines={1}>
        {(rows) =>
          rows.length === 0 ? (
            <Quiet>Nothing runs.</Quiet>
          ) : (
            <Lines>
              {rows.map((execution) => {
                const { kind, word } = executionStatus(execution.status, execution.stopReason);
                return (
                  <Line
                    key={execution.id}
                    icon={<StatusMark kind={kind}>{word}</StatusMark>}
                    end={<Clock at={execution.startedAt ?? execution.createdAt} />}
                  >
                    <Link to="/executions/$id" params={{ id: execution.id }}>
                      <VisibleText text={toLine(inputOf(execution), 120)} />
                    </Link>
                    {kind === "queued" && <span className={text["quiet"]}>{word}</span>}
                  </Line>
                );
              })}
            </Lines>
          )
        }
      </Loaded>
    </Section>
  );
}

function Failures() {
  const query = useQuery({
    queryKey: ["home", "failures"],
    queryFn: async ({ signal }) => {
      const read = (status: string) => listOf<ToolCallSummary>("v1/tool-calls", { status, limit: READ }, signal);
      const [failed, denied] = await Promise.all([read("failed"), read("denied")]);
      return groupFailures([...failed, ...denied], Date.now() - DAY_MS);
    },
  });
  useLive(() => void query.refetch(), PACE_MS, DERIVED_AFTER_MS);
  return (
    <Section
      title="Failures, 24 h"
      note="by code and tool"
      link={{ to: "/tool-calls", text: "All", search: { status: "failed" } }}
    >
      <Loaded query={query} label="failures" lines={1}>
        {(groups) =>
          groups.length === 0 ? (
            <Quiet>No tool call failed.</Quiet>
          ) : (
            <Lines>
              {groups.slice(0, SHOWN * 2).map(({ code, tool, status, count, latest }) => (
                <Line
                  key={`${code} ${tool}`}
                  icon={<StatusMark kind={status === "denied" ? "denied" : "failed"}>{status}</StatusMark>}
                  end={
                    <>
                      {countOf(count, "call")}, <Clock at={latest.requestedAt} />
                    </>
                  }
                >
                  <FailureLink latest={latest} count={count}>
                    <code>{code}</code>
                  </FailureLink>
                  <code>{toLine(tool, 60)}</code>
                </Line>
              ))}
            </Lines>
          )
        }
      </Loaded>
    </Section>
  );
}

interface FailureLinkProps {
  readonly latest: ToolCallSummary;
  readonly count: number;
  readonly children: ReactNode;
}

/** Leads to the call, or to the list of all that failed in the same way. */
function FailureLink({ latest: { id, status, name, code }, count, children }: FailureLinkProps) {
  if (count === 1) {
    return (
      <Link to="/tool-calls/$id" params={{ id }}>
        {children}
      </Link>
    );
  }
  return (
    <Link to="/tool-calls" search={{ status, tool: name, code: code ?? undefined }}>
      {children}
    </Link>
  );
}

function Handlers() {
  const query = useQuery({ queryKey: ["endpoints"], queryFn: ({ signal }) => listEndpoints(signal) });
  useLive(() => void query.refetch(), METRICS_PACE_MS);
  return (
    <Section title="Failing handlers" link={{ to: "/handlers", text: "All" }}>
      <Loaded query={query} label="handlers" lines={1}>
        {(endpoints) => {
          const rows = endpoints.filter(isInTrouble);
          if (rows.length === 0) return <Quiet>All handlers respond.</Quiet>;
          return (
            <Lines>
              {rows.slice(0, SHOWN).map((endpoint) => (
                <Line
                  key={endpoint.id}
                  icon={<StatusMark kind={endpoint.status === "disabled" ? "denied" : "failed"}>In trouble</StatusMark>}
                >
                  <Link to="/handlers" search={{ row: endpoint.id }} className={text["mono"]}>
                    {endpoint.url.replace(/^https?:\/\//, "")}
                  </Link>
                  <span className={text["quiet"]}>{troubleOf(endpoint)}</span>
                </Line>
              ))}
            </Lines>
          );
        }}
      </Loaded>
    </Section>
  );
}
