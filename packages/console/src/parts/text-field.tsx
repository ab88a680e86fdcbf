import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from "react";
import { classes } from "./classes.ts";
import controls from "./controls.module.css";
import text from "./text.module.css";

interface Described {
  readonly label: string;
  readonly hint?: string | undefined;
}

/** What the control of a field has, so that the label and the hint belong to it. */
interface ControlProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
}

/** A control with its label and its hint. */
function Field({ label, hint, children }: Described & { children(control: ControlProps): ReactNode }) {
  const id = useId();
  return (
    <div className={controls["field"]}>
      <label className={controls["label"]} htmlFor={id}>
        {label}
      </label>
      {children({ id, "aria-describedby": hint === undefined ? undefined : `${id}-hint` })}
      {hint !== undefined && (
        <span id={`${id}-hint`} className={controls["hint"]}>
          {hint}
        </span>
      )}
    </div>
  );
}

interface TextFieldProps extends Described, Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "children"> {
  readonly isCode?: boolean;
  onChange(value: string): void;
}

/** A line of text with its label. */
export function TextField({ label, hint, isCode = false, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <input
          autoComplete="off"
          spellCheck={false}
          {...rest}
          {...control}
          className={classes(controls["input"], isCode && text["mono"])}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

interface TextAreaProps extends Described, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "onChange" | "children"> {
  readonly isCode?: boolean;
  onChange(value: string): void;
}

/** Several lines of text with their label. */
export function TextArea({ label, hint, isCode = false, onChange, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <textarea
          spellCheck={!isCode}
          {...rest}
          {...control}
          className={classes(controls["area"], isCode && text["mono"])}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

interface ChoiceFieldProps extends Described {
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  onChange(value: string): void;
}

/** One of several values with its label. */
export function ChoiceField({ label, hint, value, options, onChange }: ChoiceFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <select
          {...control}
          className={controls["select"]}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        >
          {options.map(([option, word]) => (
            <option key={option} value={option}>
              {word}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
