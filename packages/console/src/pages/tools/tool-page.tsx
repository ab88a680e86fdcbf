import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { WorkspaceTool } from "@yagate/protocol";
import { useState } from "react";
import { advanceTool, deleteTool, getTool } from "../../api/tools.ts";
import { useLive } from "../../live/live.ts";
import { ErrorBlock, LiveMark } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { CopyMenu } from "../../parts/copy-menu.tsx";
import { DeleteDialog } from "../../parts/delete-dialog.tsx";
import { HiddenText } from "../../parts/hidden-text.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { shortId } from "../../parts/numbers.ts";
import { StatusIcon } from "../../parts/status.tsx";
import text from "../../parts/text.module.css";
import { toLine } from "../../parts/visible-text.tsx";
import { PageHead } from "../../shell/page-head.tsx";
import { toHandlerStub } from "./handler-stub.ts";
import { ToolEditor } from "./tool-editor.tsx";
import { ToolTest } from "./tool-test.tsx";
import css from "./tools.module.css";

const CRUMB = { path: "/tools", name: "Tools" };
const STEPS = [
  ["draft", "Draft"],
  ["configured", "Configured"],
  ["tested", "Tested"],
  ["validated", "Validated by a person"],
  ["created", "In use"],
] as const;
const PACE_MS = 10_000;

/** One workspace tool: its definition with the request that it sends, its test, and the steps to finalize it. */
export function ToolPage() {
  const { id } = useParams({ from: "/tools/$id" });
  const tool = useQuery({ queryKey: ["tool", id], queryFn: ({ signal }) => getTool(id, signal) });
  const live = useLive(() => void tool.refetch(), PACE_MS);
  const [isDeleting, setDeleting] = useState(false);
  const { data } = tool;
  return (
    <>
      <PageHead
        title={data === undefined ? "Tool" : toLine(data.name, 100)}
        crumb={CRUMB}
        meta={
          data !== undefined && (
            <>
              <span>{data.kind === "rest" ? "HTTP" : data.kind}</span>
              <span>Version {data.version}</span>
              <span className={text["idGroup"]}>
                <span className={text["id"]}>{shortId(id)}</span>
                <CopyButton text={id} label="Copy id" isIcon />
              </span>
              <span>
                saved <Clock at={data.updatedAt} isAlone />
              </span>
              <LiveMark state={live} />
            </>
          )
        }
        actions={
          data !== undefined && (
            <>
              <Button onClick={() => setDeleting(true)}>Delete…</Button>
              {data.kind === "handler" && (
                <CopyButton text={() => toHandlerStub(data.definition)} label="Copy handler stub" />
              )}
              <CopyMenu
                id={id}
                value={data.definition}
                command={`yagate tools show ${data.name}`}
                path={`v1/tools/${id}`}
              />
            </>
          )
        }
      />
      <Loaded query={tool} label="the tool">
        {(loaded) => (
          <>
            <Lifecycle tool={loaded} />
            <ToolEditor key={loaded.version} tool={loaded} />
            <ToolTest tool={loaded} />
          </>
        )}
      </Loaded>
      {isDeleting && data !== undefined && <DeleteTool tool={data} onClose={() => setDeleting(false)} />}
    </>
  );
}

function Lifecycle({ tool }: { readonly tool: WorkspaceTool }) {
  const queries = useQueryClient();
  const advance = useMutation({
    mutationFn: (verb: "validate" | "finalize") => advanceTool(tool.id, verb, tool.version),
    onSuccess: async (saved) => {
      queries.setQueryData(["tool", tool.id], saved);
      await queries.invalidateQueries({ queryKey: ["tools"] });
    },
  });
  const at = STEPS.findIndex(([name]) => name === tool.status);
  return (
    <>
      <ol className={css["strip"]} aria-label="Lifecycle">
        {STEPS.map(([name, word], step) => (
          <li key={name} aria-current={step === at ? "step" : undefined}>
            <StatusIcon kind={step <= at ? "ok" : "queued"} />
            {word}
            {step < at && <HiddenText>, done</HiddenText>}
          </li>
        ))}
        {tool.status === "tested" && (
          <li>
            <Button isSmall disabled={advance.isPending} onClick={() => advance.mutate("validate")}>
              Validate response
            </Button>
          </li>
        )}
        {tool.status === "validated" && (
          <li>
            <Button isSmall disabled={advance.isPending} onClick={() => advance.mutate("finalize")}>
              Put into use
            </Button>
          </li>
        )}
      </ol>
      {advance.isError && <ErrorBlock error={advance.error} />}
    </>
  );
}

function DeleteTool({ tool, onClose }: { readonly tool: WorkspaceTool; onClose(): void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const remove = async () => {
    await deleteTool(tool.id);
    await queries.invalidateQueries({ queryKey: ["tools"] });
    await navigate({ to: "/tools", search: {} });
  };
  return (
    <DeleteDialog noun="tool" name={tool.name} remove={remove} onClose={onClose}>
      New executions no longer get it.
    </DeleteDialog>
  );
}
