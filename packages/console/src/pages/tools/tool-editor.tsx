import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { WorkspaceTool } from "@yagate/protocol";
import { type FormEvent, useDeferredValue, useState } from "react";
import { createTool, previewTool, updateTool } from "../../api/tools.ts";
import { ErrorBlock, Skeleton } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import controls from "../../parts/controls.module.css";
import { parseJson } from "../../parts/parse-json.ts";
import { Quiet, Section } from "../../parts/section.tsx";
import { TextArea } from "../../parts/text-field.tsx";
import { Findings } from "../agents/findings.tsx";
import { RenderedRequest } from "../approvals/rendered-request.tsx";
import { sampleOf } from "./sample-arguments.ts";
import css from "./tools.module.css";

interface ToolEditorProps {
  /** The tool that is changed; absent for a new one. */
  readonly tool?: WorkspaceTool;
  /** What a new tool starts with. */
  readonly start?: unknown;
}

const MOST_ROWS = 36;
const PREVIEW_MS = 400;

/** The definition of a tool as JSON, and next to it the request that it sends for some arguments. */
export function ToolEditor({ tool, start }: ToolEditorProps) {
  const saved = JSON.stringify(tool?.definition ?? start ?? {}, null, 2);
  const [written, setWritten] = useState(saved);
  const [parameters, setParameters] = useState(() => JSON.stringify(sampleOf(tool?.definition ?? start), null, 2));
  const queries = useQueryClient();
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: () => {
      const definition = parseJson(written, "The definition");
      return tool === undefined
        ? createTool({ definition })
        : updateTool(tool.id, { definition, version: tool.version });
    },
    onSuccess: async (result) => {
      queries.setQueryData(["tool", result.id], result);
      await queries.invalidateQueries({ queryKey: ["tools"] });
      if (tool === undefined) await navigate({ to: "/tools/$id", params: { id: result.id }, search: {} });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <div className={css["columns"]}>
      <Section title="Definition">
        <form className={css["stack"]} onSubmit={submit}>
          <TextArea
            label="Definition as JSON"
            hint="The schema of the arguments, and the template of the request"
            isCode
            rows={Math.min(MOST_ROWS, written.split("\n").length + 1)}
            value={written}
            onChange={setWritten}
          />
          {save.isError && <ErrorBlock error={save.error} />}
          {save.isError && <Findings error={save.error} />}
          {tool?.problems !== undefined && <Findings warnings={toWarnings(tool.problems)} />}
          <div className={controls["actions"]}>
            <Button look="primary" type="submit" disabled={save.isPending || (tool !== undefined && written === saved)}>
              {tool === undefined ? "Create tool" : `Save version ${tool.version + 1}`}
            </Button>
          </div>
        </form>
      </Section>
      <Section title="The request that it sends" note="rendered as you type; nothing is sent">
        <TextArea label="Arguments as JSON" isCode rows={5} value={parameters} onChange={setParameters} />
        <Preview definition={written} parameters={parameters} />
      </Section>
    </div>
  );
}

type Problems = NonNullable<WorkspaceTool["problems"]>;
const toWarnings = (problems: Problems) => problems.map(({ path, message }) => ({ severity: "error", path, message }));

function Preview({ definition, parameters }: { readonly definition: string; readonly parameters: string }) {
  const wanted = useDeferredValue(definition);
  const given = useDeferredValue(parameters);
  const preview = useQuery({
    queryKey: ["preview", wanted, given],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, PREVIEW_MS));
      if (signal.aborted) throw signal.reason;
      return previewTool(parseJson(wanted, "The definition"), parseJson(given, "The arguments"), signal);
    },
    placeholderData: (before) => before,
    gcTime: 0,
  });
  if (preview.isError) return <ErrorBlock error={preview.error} onRetry={() => preview.refetch()} />;
  if (preview.data === undefined) return <Skeleton label="the request" lines={3} />;
  const { method, url, headers, body } = preview.data;
  if (url === "") return <Quiet>The definition has no URL yet.</Quiet>;
  const text = typeof body === "string" ? body : body === null ? "" : JSON.stringify(body, null, 2);
  return <RenderedRequest request={{ method, url, headers, body: text }} />;
}
