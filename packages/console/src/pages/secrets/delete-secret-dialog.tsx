import { useQueryClient } from "@tanstack/react-query";
import { deleteSecret } from "../../api/secrets.ts";
import { DeleteDialog } from "../../parts/delete-dialog.tsx";

/** Deletes a secret once its name was typed. */
export function DeleteSecretDialog({ name, onClose }: { readonly name: string; onClose(): void }) {
  const queries = useQueryClient();
  const remove = async () => {
    await deleteSecret(name);
    onClose();
    await queries.invalidateQueries({ queryKey: ["secrets"] });
  };
  return (
    <DeleteDialog noun="secret" name={name} remove={remove} onClose={onClose}>
      Requests that need it will fail, including those of running executions. Its value cannot be restored.
    </DeleteDialog>
  );
}
