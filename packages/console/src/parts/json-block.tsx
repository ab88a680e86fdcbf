import { useState } from "react";
import blocks from "./blocks.module.css";
import { CodeBlock } from "./blocks.tsx";
import { Button } from "./button.tsx";
import controls from "./controls.module.css";
import { CopyButton } from "./copy-button.tsx";
import { formatCount } from "./numbers.ts";
import { SHOWN_CHARACTERS, VisibleText } from "./visible-text.tsx";

/** Returns a value as indented JSON; text that is JSON is indented, too. */
export function toJsonText(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, null, 2) ?? "";
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

interface JsonBlockProps {
  readonly label: string;
  readonly value: unknown;
}

/** A value as text, with a button that copies all of it. Long values are cut until the reader asks for more. */
export function JsonBlock({ label, value }: JsonBlockProps) {
  const [most, setMost] = useState(SHOWN_CHARACTERS);
  const text = toJsonText(value);
  return (
    <div className={controls["field"]}>
      <CodeBlock label={label}>
        <VisibleText text={text} most={most} />
      </CodeBlock>
      <div className={controls["actions"]}>
        <CopyButton text={text} label="Copy JSON" isSmall />
        {text.length > most && (
          <>
            <Button isSmall onClick={() => setMost(most * 10)}>
              Show more
            </Button>
            <span className={blocks["hint"]}>
              {formatCount(most)} of {formatCount(text.length)} characters
            </span>
          </>
        )}
      </div>
    </div>
  );
}
