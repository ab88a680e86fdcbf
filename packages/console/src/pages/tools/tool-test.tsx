import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { WorkspaceTool, WorkspaceToolTest } from "@yagate/protocol";
import { useId, useState } from "react";
import { testTool } from "../../api/tools.ts";
import { ErrorBlock, Facts } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { JsonBlock } from "../../parts/json-block.tsx";
import { formatDuration, NONE } from "../../parts/numbers.ts";
import { parseJson } from "../../parts/parse-json.ts";
import { Quiet, Section } from "../../parts/section.tsx";
import { StatusTag, UntrustedTag } from "../../parts/status.tsx";
import { TextArea } from "../../parts/text-field.tsx";
import { sampleOf } from "./sample-arguments.ts";
import css from "./tools.module.css";

/** Sends one real request of the tool, and shows what came back. */
export function ToolTest({ tool }: { readonly tool: WorkspaceTool }) {
  const [parameters, setParameters] = useState(() => JSON.stringify(sampleOf(tool.definition), null, 2));
  const [isConfirmed, setConfirmed] = useState(false);
  const confirmId = useId();
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: () => testTool(tool.id, { parameters: parseJson(parameters, "The arguments"), confirm: isConfirmed }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["tool", tool.id] }),
  });
  const { lastTest } = tool;
  return (
    <Section title="Test call" note="sends one real request">
      <div className={css["columns"]}>
        <div className={css["stack"]}>
          <TextArea label="Test arguments as JSON" isCode rows={6} value={parameters} onChange={setParameters} />
          <label className={controls["check"]} htmlFor={confirmId}>
            <input
              id={confirmId}
              type="checkbox"
              checked={isConfirmed}
              onChange={({ target }) => setConfirmed(target.checked)}
            />
            It may write: send it anyway
          </label>
          <div className={controls["actions"]}>
            <Button disabled={test.isPending || tool.status === "draft"} onClick={() => test.mutate()}>
              {test.isPending ? "Sending" : "Send test call"}
            </Button>
          </div>
          {test.isError && <ErrorBlock error={test.error} />}
        </div>
        <div className={css["stack"]}>
          {test.data !== undefined ? (
            <Outcome test={test.data} />
          ) : lastTest === null ? (
            <Quiet>The tool has not been tested yet.</Quiet>
          ) : (
            <>
              <p>
                Last test: <Clock at={lastTest.at} isAlone />
              </p>
              <div>
                <StatusTag kind={lastTest.ok ? "ok" : "failed"}>{lastTest.httpStatus ?? "no response"}</StatusTag>
              </div>
              <JsonBlock label="Start of the response" value={lastTest.preview} />
            </>
          )}
        </div>
      </div>
    </Section>
  );
}

function Outcome({ test }: { readonly test: WorkspaceToolTest }) {
  const { ok, httpStatus, durationMs, response, error } = test;
  return (
    <>
      <div className={controls["actions"]}>
        <StatusTag kind={ok ? "ok" : "failed"}>{error?.code ?? httpStatus ?? "answered"}</StatusTag>
        <UntrustedTag />
      </div>
      <Facts
        rows={[
          ["Status", httpStatus === null ? NONE : `${httpStatus}`],
          ["Took", formatDuration(durationMs)],
        ]}
      />
      {error !== null && <JsonBlock label="Error" value={error} />}
      {response !== null && <JsonBlock label="Response" value={response} />}
    </>
  );
}
