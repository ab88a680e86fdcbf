import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteSecret } from "../../api/secrets.ts";
import { ErrorBlock } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/text-field.tsx";

/** Deletes a secret once its name was typed. */
export function DeleteSecretDialog({ name, onClose }: { readonly name: string; onClose(): void }) {
  const [typed, setTyped] = useState("");
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteSecret(name),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({ queryKey: ["secrets"] });
    },
  });
  return (
    <Dialog
      title={`Delete ${name}?`}
      closeLabel="Keep it"
      onClose={onClose}
      action={
        <Button look="danger" disabled={typed !== name || remove.isPending} onClick={() => remove.mutate()}>
          Delete secret
        </Button>
      }
    >
      <p>Requests that need it then fail, in running executions too. Its value cannot be restored.</p>
      <TextField label={`Type ${name}`} isCode value={typed} onChange={setTyped} />
      {remove.isError && <ErrorBlock error={remove.error} />}
    </Dialog>
  );
}
