import { type InputHTMLAttributes, type TextareaHTMLAttributes, useId } from "react";
import { classes } from "./classes.ts";
import controls from "./controls.module.css";
import text from "./text.module.css";

interface Described {
  readonly label: string;
  readonly hint?: string;
}

interface TextFieldProps extends Described, Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  readonly isCode?: boolean;
  onChange(value: string): void;
}

/** A line of text with its label. */
export function TextField({ label, hint, isCode = false, onChange, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <div className={controls["field"]}>
      <label className={controls["label"]} htmlFor={id}>
        {label}
      </label>
      <input
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className={classes(controls["input"], isCode && text["mono"])}
        onChange={({ target }) => onChange(target.value)}
      />
      {hint !== undefined && (
        <span id={`${id}-hint`} className={controls["hint"]}>
          {hint}
        </span>
      )}
    </div>
  );
}

interface TextAreaProps extends Described, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "onChange"> {
  readonly isCode?: boolean;
  onChange(value: string): void;
}

/** Several lines of text with their label. */
export function TextArea({ label, hint, isCode = false, onChange, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <div className={controls["field"]}>
      <label className={controls["label"]} htmlFor={id}>
        {label}
      </label>
      <textarea
        spellCheck={!isCode}
        {...rest}
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className={classes(controls["area"], isCode && text["mono"])}
        onChange={({ target }) => onChange(target.value)}
      />
      {hint !== undefined && (
        <span id={`${id}-hint`} className={controls["hint"]}>
          {hint}
        </span>
      )}
    </div>
  );
}

interface ChoiceFieldProps extends Described {
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  onChange(value: string): void;
}

/** One of several values with its label. */
export function ChoiceField({ label, hint, value, options, onChange }: ChoiceFieldProps) {
  const id = useId();
  return (
    <div className={controls["field"]}>
      <label className={controls["label"]} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={controls["select"]}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        {options.map(([option, word]) => (
          <option key={option} value={option}>
            {word}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={controls["hint"]}>
          {hint}
        </span>
      )}
    </div>
  );
}
