import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Agent, Execution } from "@yagate/protocol";
import type { ReactNode } from "react";
import { startExecution } from "../../api/executions.ts";
import { Command, ErrorBlock } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { classes } from "../../parts/classes.ts";
import { HiddenText } from "../../parts/hidden-text.tsx";
import { Icon } from "../../parts/icon.tsx";
import { toLine } from "../../parts/visible-text.tsx";
import type { Session } from "../../session/session.ts";
import css from "./home.module.css";

/** The question that the demo agent of `yagate dev` can answer. */
const QUESTION = "Where is order ORD-12345, and what would express shipping to Berlin cost?";

interface FirstRunProps {
  readonly session: Session;
  readonly agent: Agent | undefined;
  readonly hasAnsweredCall: boolean;
  readonly latest: Execution | undefined;
}

/** What is left to do before the first execution has finished. Each step ticks when it happens. */
export function FirstRun({ session, agent, hasAnsweredCall, latest }: FirstRunProps) {
  const done = [true, agent !== undefined, hasAnsweredCall, false];
  const next = done.indexOf(false);
  const step = (at: number, title: string, children: ReactNode) => (
    <Step number={at + 1} title={title} isDone={done[at] === true} isNext={at === next}>
      {children}
    </Step>
  );
  return (
    <ol className={css["steps"]} data-state="empty">
      {step(
        0,
        "The gateway is running",
        <p>
          Version {session.version}, workspace <code>{session.workspaceId}</code>
        </p>,
      )}
      {step(
        1,
        "An agent exists",
        agent === undefined ? (
          <Command text="yagate agents create agent.json" />
        ) : (
          <p>
            <Link to="/agents/$id" params={{ id: agent.id }}>
              {toLine(agent.name, 60)}@{agent.version}
            </Link>
            , model {agent.model}
          </p>
        ),
      )}
      {step(
        2,
        "A handler responds to a signed call",
        <>
          <p>A handler is your code behind a URL. The gateway signs each call to it with the workspace's secret.</p>
          <Command text="npx @yagate/cli init my-tools" />
        </>,
      )}
      {step(
        3,
        "An execution completes",
        agent === undefined ? (
          <p>An execution is one run of an agent on one input.</p>
        ) : (
          <RunOnce agent={agent} latest={latest} />
        ),
      )}
    </ol>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly isNext: boolean;
  readonly children: ReactNode;
}

function Step({ number, title, isDone, isNext, children }: StepProps) {
  return (
    <li className={css["step"]} aria-current={isNext ? "step" : undefined}>
      <span className={classes(css["mark"], isDone && css["done"], isNext && css["next"])} aria-hidden="true">
        {isDone ? <Icon name="ok" /> : number}
      </span>
      <div className={css["stepBody"]}>
        <h2>
          {title}
          {isDone && <HiddenText> – done</HiddenText>}
        </h2>
        {children}
      </div>
    </li>
  );
}

function RunOnce({ agent, latest }: { readonly agent: Agent; readonly latest: Execution | undefined }) {
  const navigate = useNavigate();
  const run = useMutation({
    mutationFn: () => startExecution(agent.id, { input: QUESTION }),
    onSuccess: ({ id }) => navigate({ to: "/executions/$id", params: { id } }),
  });
  return (
    <>
      <p>
        {toLine(agent.name, 60)} gets the input “{QUESTION}”.
      </p>
      <div>
        <Button look="primary" disabled={run.isPending} onClick={() => run.mutate()}>
          Run it
        </Button>
      </div>
      {run.isError && <ErrorBlock error={run.error} />}
      {latest !== undefined && (
        <p>
          The latest execution:{" "}
          <Link to="/executions/$id" params={{ id: latest.id }}>
            {latest.status}
          </Link>
        </p>
      )}
    </>
  );
}
