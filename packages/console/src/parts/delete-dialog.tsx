import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ErrorBlock } from "./blocks.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./text-field.tsx";
import { toLine } from "./visible-text.tsx";

const MAX_NAME = 60;

interface DeleteDialogProps {
  /** What is deleted, such as `agent`. */
  readonly noun: string;
  readonly name: string;
  /** What happens then. */
  readonly children: ReactNode;
  /** Deletes it, and brings the page up to date. */
  remove(): Promise<unknown>;
  onClose(): void;
}

/** Deletes something once its name was typed as the dialog shows it: a name may contain characters that nobody types. */
export function DeleteDialog({ noun, name, children, remove, onClose }: DeleteDialogProps) {
  const [typed, setTyped] = useState("");
  const removal = useMutation({ mutationFn: remove });
  const shown = toLine(name, MAX_NAME);
  return (
    <Dialog
      title={`Delete ${shown}?`}
      closeLabel={`Keep the ${noun}`}
      onClose={onClose}
      action={
        <Button look="danger" disabled={typed !== shown || removal.isPending} onClick={() => removal.mutate()}>
          Delete {noun}
        </Button>
      }
    >
      <p>{children}</p>
      <TextField label={`Type ${shown}`} isCode value={typed} onChange={setTyped} />
      {removal.isError && <ErrorBlock error={removal.error} />}
    </Dialog>
  );
}
