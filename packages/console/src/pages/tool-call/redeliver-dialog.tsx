import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ToolCallRecord } from "@yagate/protocol";
import { useId, useState } from "react";
import { redeliver } from "../../api/tool-calls.ts";
import { ErrorBlock, Notice } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import controls from "../../parts/controls.module.css";
import { Dialog } from "../../parts/dialog.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { StatusTag } from "../../parts/status.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { sessionQuery } from "../../session/session.ts";

/**
 * Whether an ended call can be sent to its handler again. The gateway decides; this hides what it would reject anyway.
 */
export function mayBeRedelivered({ kind, finishedAt, attempts, via, status }: ToolCallRecord): boolean {
  return kind === "handler" && finishedAt !== null && attempts.length > 0 && via !== "recording" && status !== "denied";
}

/** Sends an ended call to its handler again. The execution, its result and its receipt stay as they are. */
export function RedeliverDialog({ call, onClose }: { readonly call: ToolCallRecord; onClose(): void }) {
  const { data: session } = useQuery(sessionQuery);
  const mayWrite = call.risk !== "read_only";
  const lacksScope = call.approval !== undefined && session?.scopes.includes("approvals") === false;
  const [isConfirmed, setConfirmed] = useState(false);
  const [url, setUrl] = useState("");
  const confirmId = useId();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () =>
      redeliver(call.id, {
        ...(isConfirmed ? { confirm: true } : {}),
        ...(url.trim() === "" ? {} : { url: url.trim() }),
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["tool-call", call.id] }),
  });
  if (send.data !== undefined) {
    const { status, error, result, notice } = send.data;
    return (
      <Dialog title="Redelivered" onClose={onClose}>
        <div>
          <StatusTag kind={status === "completed" ? "ok" : status === "failed" ? "failed" : "waiting"}>
            {error?.code ?? status}
          </StatusTag>
        </div>
        {notice !== undefined && (
          <Notice icon="clock">
            <VisibleText text={notice} />
          </Notice>
        )}
        {error !== undefined && (
          <p>
            <VisibleText text={error.message} />
          </p>
        )}
        {result !== undefined && <JsonBlock label="Result" value={result} />}
        <p>No model reads it. The attempt is listed below those of the call.</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Redeliver this call?"
      closeLabel="Keep it as it is"
      onClose={onClose}
      action={
        <Button
          look="primary"
          disabled={send.isPending || lacksScope || (mayWrite && !isConfirmed)}
          onClick={() => send.mutate()}
        >
          Redeliver call
        </Button>
      }
    >
      <p>
        The handler gets <code>{call.name}</code> again, with the same arguments and the same id. A handler that
        remembers the id answers from its memory. The execution and its receipt do not change.
      </p>
      {mayWrite && (
        <label className={controls["check"]} htmlFor={confirmId}>
          <input
            id={confirmId}
            type="checkbox"
            checked={isConfirmed}
            onChange={({ target }) => setConfirmed(target.checked)}
          />
          The call may write a second time
        </label>
      )}
      {lacksScope && (
        <Notice icon="person">A person approved this call: redelivery needs a key with the scope approvals.</Notice>
      )}
      {session?.isDevelopment === true && (
        <TextField
          label="Another URL"
          hint="Optional: such as http://localhost:3000/tools; signed with the secret named redelivery"
          isCode
          value={url}
          onChange={setUrl}
        />
      )}
      {send.isError && <ErrorBlock error={send.error} />}
    </Dialog>
  );
}
