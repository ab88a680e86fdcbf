import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { InputAnswers, InputRequest } from "@yagate/protocol";
import { useId, useState } from "react";
import { answerQuestions } from "../../api/input-requests.ts";
import { ErrorBlock, Facts, Notice } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { shortId } from "../../parts/numbers.ts";
import { UntrustedTag } from "../../parts/status.tsx";
import { ChoiceField, TextField } from "../../parts/text-field.tsx";
import { toLine, VisibleText } from "../../parts/visible-text.tsx";
import css from "./approvals.module.css";
import { fieldsOf, type QuestionField, toContent } from "./question-fields.ts";

type Written = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The questions of a tool. What it asks is external data: a person should know whom the answer reaches. */
export function QuestionCard({ request, mayAnswer }: { readonly request: InputRequest; readonly mayAnswer: boolean }) {
  const { toolCallId, executionId, agentName, agentVersion, tool, round, questions, requestedAt, expiresAt } = request;
  const [written, setWritten] = useState<Written>({});
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: (action: "accept" | "decline") => {
      const answers: InputAnswers = Object.fromEntries(
        questions.map(({ key, mode, schema }) => [
          key,
          action === "accept" && mode === "form"
            ? { action, content: toContent(fieldsOf(schema), written[key] ?? {}) }
            : { action },
        ]),
      );
      return answerQuestions(toolCallId, { round, answers });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["questions"] }),
  });
  const titleId = `question-${toolCallId}`;
  return (
    <article className={css["card"]} aria-labelledby={titleId}>
      <div className={css["cardHead"]}>
        <h2 id={titleId}>{tool.name}</h2>
        <span>asks a question</span>
        <UntrustedTag />
        <span className={css["cardEnd"]}>
          asked <Clock at={requestedAt} isAlone />, expires <Clock at={expiresAt} isAlone />
        </span>
      </div>
      <div className={css["cardBody"]}>
        <div className={css["ask"]}>
          {questions.map(({ key, mode, message, schema, url }) => (
            <fieldset key={key} className={css["question"]}>
              <legend>
                <VisibleText text={message} />
              </legend>
              {mode === "url" ? (
                <Notice icon="untrusted" look="untrusted">
                  It asks you to open <code>{url ?? "no address"}</code>. Check the host before you copy it into a
                  browser.
                </Notice>
              ) : (
                fieldsOf(schema).map((field) => (
                  <Field
                    key={field.name}
                    field={field}
                    value={written[key]?.[field.name] ?? field.start}
                    onChange={(value) => setWritten({ ...written, [key]: { ...written[key], [field.name]: value } })}
                  />
                ))
              )}
            </fieldset>
          ))}
          <Facts
            rows={[
              ["Agent", <VisibleText key="agent" text={`${agentName}@${agentVersion}`} />],
              ["Round", `${round}`],
              [
                "Execution",
                <Link key="execution" to="/executions/$id" params={{ id: executionId }} search={{ row: toolCallId }}>
                  {shortId(executionId)}
                </Link>,
              ],
            ]}
          />
        </div>
        <div className={css["decide"]}>
          {mayAnswer ? (
            <>
              <p>The answer goes to the MCP server that asks, not to the model.</p>
              {answer.isError && <ErrorBlock error={answer.error} />}
              <div className={css["buttons"]}>
                <Button disabled={answer.isPending} onClick={() => answer.mutate("decline")}>
                  Decline
                </Button>
                <Button look="primary" disabled={answer.isPending} onClick={() => answer.mutate("accept")}>
                  Answer
                </Button>
              </div>
            </>
          ) : (
            <p>Answering needs a key with the scope approvals.</p>
          )}
        </div>
      </div>
    </article>
  );
}

interface FieldProps {
  readonly field: QuestionField;
  readonly value: string;
  onChange(value: string): void;
}

function Field({ field, value, onChange }: FieldProps) {
  const id = useId();
  const { title, description, type, choices, isRequired } = field;
  const label = `${toLine(title, 120)}${isRequired ? "" : " (optional)"}`;
  const hint = description === undefined ? {} : { hint: toLine(description) };
  if (type === "boolean") {
    return (
      <label className={controls["check"]} htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={value === "true"}
          onChange={({ target }) => onChange(String(target.checked))}
        />
        {label}
      </label>
    );
  }
  if (type === "choice") {
    const options = [["", "Choose"], ...choices.map((choice) => [choice, toLine(choice, 120)])] as const;
    return (
      <ChoiceField
        label={label}
        {...hint}
        value={value}
        options={options.map(([option = "", word = ""]) => [option, word] as const)}
        onChange={onChange}
      />
    );
  }
  return (
    <TextField
      label={label}
      {...hint}
      value={value}
      inputMode={type === "number" ? "decimal" : "text"}
      onChange={onChange}
    />
  );
}
