import { useMutation, useQueryClient } from "@tanstack/react-query";
import { cancelExecution } from "../../api/executions.ts";
import { ErrorBlock } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";

/** Asks before it cancels an execution. */
export function CancelDialog({ id, onClose }: { readonly id: string; onClose(): void }) {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelExecution(id),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries();
    },
  });
  return (
    <Dialog
      title="Cancel this execution?"
      closeLabel="Keep it running"
      onClose={onClose}
      action={
        <Button look="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel execution
        </Button>
      }
    >
      <p>
        <code>{id}</code> starts nothing new. Writes that were already sent run until they finish or time out, and stay
        in the record.
      </p>
      {cancel.isError && <ErrorBlock error={cancel.error} />}
    </Dialog>
  );
}
