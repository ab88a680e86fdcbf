import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Approval } from "@yagate/protocol";
import { useId, useState } from "react";
import { approve, deny } from "../../api/approvals.ts";
import { ErrorBlock } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import controls from "../../parts/controls.module.css";
import { parseJson } from "../../parts/parse-json.ts";
import css from "./approvals.module.css";

const MAX_TEXT = 2_000;

interface Decision {
  readonly isApproved: boolean;
  readonly text: string;
  /** The changed arguments as JSON; undefined if they stay. */
  readonly edited: string | undefined;
}

async function decide(id: string, { isApproved, text, edited }: Decision): Promise<Approval> {
  const written = text.trim();
  if (!isApproved) return deny(id, written === "" ? {} : { reason: written });
  return approve(id, {
    ...(written === "" ? {} : { comment: written }),
    ...(edited === undefined ? {} : { parameters: parseJson(edited, "The arguments") }),
  });
}

/** Approves or denies one call. There is no way to decide several at once. */
export function DecisionForm({ approval }: { readonly approval: Approval }) {
  const original = JSON.stringify(approval.parameters, null, 2);
  const [text, setText] = useState("");
  const [edited, setEdited] = useState(original);
  const textId = useId();
  const argumentsId = useId();
  const queries = useQueryClient();
  const decision = useMutation({
    mutationFn: (isApproved: boolean) =>
      decide(approval.id, { isApproved, text, edited: edited === original ? undefined : edited }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["approvals"] }),
  });
  const isEdited = edited !== original;
  return (
    <form className={css["decide"]} onSubmit={(event) => event.preventDefault()}>
      <div className={controls["field"]}>
        <label className={controls["label"]} htmlFor={textId}>
          Reason
        </label>
        <textarea
          id={textId}
          className={controls["area"]}
          maxLength={MAX_TEXT}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <span className={controls["hint"]}>
          If you deny, the model reads it. If you approve, it stays in the record.
        </span>
      </div>
      <details className={css["edit"]}>
        <summary>Change the arguments</summary>
        <div className={controls["field"]}>
          <label className={controls["label"]} htmlFor={argumentsId}>
            Arguments as JSON
          </label>
          <textarea
            id={argumentsId}
            className={controls["area"]}
            rows={8}
            spellCheck={false}
            value={edited}
            onChange={({ target }) => setEdited(target.value)}
          />
          <span className={controls["hint"]}>The request above shows the model's arguments, not your changes.</span>
        </div>
      </details>
      {decision.isError && <ErrorBlock error={decision.error} />}
      <div className={css["buttons"]}>
        <Button disabled={decision.isPending} onClick={() => decision.mutate(false)}>
          Deny
        </Button>
        <Button look="primary" disabled={decision.isPending} onClick={() => decision.mutate(true)}>
          {isEdited ? "Approve changed call" : "Approve"}
        </Button>
      </div>
    </form>
  );
}
