import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { HiddenText } from "./hidden-text.tsx";
import { Icon } from "./icon.tsx";

interface CopyButtonProps {
  /** What is copied, or how to get it. */
  readonly text: string | (() => string);
  /** The label, such as `Copy as CLI`. */
  readonly label: string;
  /** Whether only the drawing is shown. */
  readonly isIcon?: boolean;
  readonly isSmall?: boolean;
}

const SHOWN_MS = 2_000;

/** Copies a text. The label says that it was copied, to screen readers too. */
export function CopyButton({ text, label, isIcon = false, isSmall = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    navigator.clipboard.writeText(typeof text === "string" ? text : text()).then(
      () => setOutcome("copied"),
      () => setOutcome("failed"),
    );
  };
  const said = outcome === "copied" ? "Copied" : outcome === "failed" ? "Not copied" : undefined;
  if (isIcon) {
    return (
      <Button look="quiet" isSmall isIcon onClick={copy} aria-label={label} title={said ?? label}>
        <Icon name={outcome === "copied" ? "ok" : "copy"} />
        <span role="status">{said !== undefined && <HiddenText>{said}</HiddenText>}</span>
      </Button>
    );
  }
  return (
    <>
      <Button onClick={copy} isSmall={isSmall}>
        {said ?? label}
      </Button>
      <HiddenText>
        <span role="status">{said}</span>
      </HiddenText>
    </>
  );
}
