import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { replayExecution } from "../../api/execution.ts";
import { ErrorBlock } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import controls from "../../parts/controls.module.css";
import { Dialog } from "../../parts/dialog.tsx";
import { ChoiceField } from "../../parts/text-field.tsx";

const MODES = [
  ["recorded", "Recorded outcomes: nothing is sent"],
  ["live", "Live: calls are sent again"],
] as const;

interface ReplayDialogProps {
  readonly id: string;
  /** The number of the last model turn. */
  readonly turns: number;
  onClose(): void;
}

/** Runs an ended execution again as a new one, from a turn that the reader chooses. */
export function ReplayDialog({ id, turns, onClose }: ReplayDialogProps) {
  const [fromTurn, setFromTurn] = useState("1");
  const [toolMode, setToolMode] = useState("recorded");
  const [isConfirmed, setConfirmed] = useState(false);
  const confirmId = useId();
  const navigate = useNavigate();
  const replay = useMutation({
    mutationFn: () =>
      replayExecution(id, {
        fromTurn: Number(fromTurn),
        toolMode: toolMode === "live" ? "live" : "recorded",
        ...(isConfirmed ? { confirm: true } : {}),
      }),
    onSuccess: async (execution) => {
      onClose();
      await navigate({ to: "/executions/$id", params: { id: execution.id }, search: {} });
    },
  });
  const writes = replay.error instanceof ApiError && replay.error.status === 409 ? replay.error.fieldErrors : [];
  const options = Array.from({ length: Math.max(turns, 1) }, (_, turn) => [`${turn + 1}`, `Turn ${turn + 1}`] as const);
  return (
    <Dialog
      title="Replay this execution?"
      closeLabel="Close"
      onClose={onClose}
      action={
        <Button look="primary" disabled={replay.isPending} onClick={() => replay.mutate()}>
          Replay execution
        </Button>
      }
    >
      <p>
        A new execution of the same version of the agent, with the same input. This one does not change. The model is
        called again from the model turn that you choose; approvals are requested again.
      </p>
      <ChoiceField
        label="From"
        hint="Earlier model turns are copied with the outcomes of their calls"
        value={fromTurn}
        options={options}
        onChange={setFromTurn}
      />
      <ChoiceField label="Tool calls" value={toolMode} options={MODES} onChange={setToolMode} />
      {replay.isError && <ErrorBlock error={replay.error} />}
      {writes.length > 0 && (
        <ul>
          {writes.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      {toolMode === "live" && (
        <label className={controls["check"]} htmlFor={confirmId}>
          <input
            id={confirmId}
            type="checkbox"
            checked={isConfirmed}
            onChange={({ target }) => setConfirmed(target.checked)}
          />
          Tools may write a second time
        </label>
      )}
    </Dialog>
  );
}
