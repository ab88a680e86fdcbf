import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Agent, ReceivedEvent } from "@yagate/protocol";
import { type FormEvent, useState } from "react";
import { startExecution } from "../../api/executions.ts";
import { useExecutionEvents } from "../../live/execution-events.ts";
import { ErrorBlock, LiveMark, Notice } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import controls from "../../parts/controls.module.css";
import { shortId } from "../../parts/numbers.ts";
import { Section } from "../../parts/section.tsx";
import { TextArea } from "../../parts/text-field.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { TimelineTab } from "../execution/timeline-tab.tsx";
import css from "./agents.module.css";

/** Runs the agent on an input, and shows what it does. It is an execution like any other. */
export function TryIt({ agent }: { readonly agent: Agent }) {
  const [input, setInput] = useState("");
  const run = useMutation({ mutationFn: () => startExecution(agent.id, { input }) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (input.trim() !== "") run.mutate();
  };
  return (
    <>
      <form className={css["try"]} onSubmit={submit}>
        <TextArea
          label="Input"
          hint="Tool calls are really sent, with the approvals that the agent's policy requires."
          rows={3}
          value={input}
          onChange={setInput}
        />
        <div className={controls["actions"]}>
          <Button look="primary" type="submit" disabled={run.isPending || input.trim() === ""}>
            {run.isPending ? "Starting" : "Run"}
          </Button>
        </div>
        {run.isError && <ErrorBlock error={run.error} />}
      </form>
      {run.data !== undefined && <Running key={run.data.id} id={run.data.id} />}
    </>
  );
}

function answerOf(events: readonly ReceivedEvent[]): string {
  const last = events.findLast((event) => event.type === "model.responded");
  return last?.type === "model.responded" ? last.text : "";
}

function Running({ id }: { readonly id: string }) {
  const [attempt, setAttempt] = useState(0);
  const { events, draft, state, hasEnded, error } = useExecutionEvents(id, attempt);
  const [change, setChange] = useState<{
    readonly show?: string | undefined;
    readonly row?: string | undefined;
    readonly zoom?: string | undefined;
  }>({});
  const failed = events.find((event) => event.type === "execution.failed");
  const answer = hasEnded ? answerOf(events) : draft;
  return (
    <Section
      title="What it does"
      actions={
        <>
          {!hasEnded && <LiveMark state={state} />}
          <Link to="/executions/$id" params={{ id }} search={{}}>
            Execution {shortId(id)}
          </Link>
        </>
      }
    >
      {error !== undefined && <ErrorBlock error={error} onRetry={() => setAttempt(attempt + 1)} />}
      {failed?.type === "execution.failed" && (
        <Notice icon="failed">
          <code>{failed.error.code}</code> <VisibleText text={failed.error.message} />
        </Notice>
      )}
      {answer !== "" && (
        <p className={css["answer"]}>
          <VisibleText text={answer} />
        </p>
      )}
      {events.length > 0 && (
        <TimelineTab
          events={events}
          hasEnded={hasEnded}
          filter={change.show === "failed" || change.show === "slow" ? change.show : "all"}
          selected={change.row}
          zoom={change.zoom}
          onChange={(next) => setChange((before) => ({ ...before, ...next }))}
        />
      )}
    </Section>
  );
}
