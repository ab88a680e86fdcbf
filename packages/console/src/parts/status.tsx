import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { HiddenText } from "./hidden-text.tsx";
import { Icon } from "./icon.tsx";
import css from "./status.module.css";
import type { StatusKind } from "./status-kind.ts";

interface StatusProps {
  readonly kind: StatusKind;
  readonly children: ReactNode;
}

export function StatusIcon({ kind }: { readonly kind: StatusKind }) {
  return <Icon name={kind} className={kind === "running" ? css["spin"] : undefined} />;
}

export function Status({ kind, children }: StatusProps) {
  return (
    <span className={classes(css["status"], css[kind])}>
      <StatusIcon kind={kind} />
      {children}
    </span>
  );
}

/** A status as a drawing in its colour, where the word stands elsewhere; screen readers read the word. */
export function StatusMark({ kind, children }: StatusProps) {
  return (
    <span className={classes(css["status"], css[kind])}>
      <StatusIcon kind={kind} />
      <HiddenText>{children}</HiddenText>
    </span>
  );
}

/** A status as a label within other text. */
export function StatusTag({ kind, children }: StatusProps) {
  return (
    <span className={classes(css["tag"], css[kind])}>
      <StatusIcon kind={kind} />
      {children}
    </span>
  );
}

/** A plain label. */
export function Tag({ children }: { readonly children: ReactNode }) {
  return <span className={css["tag"]}>{children}</span>;
}

/** Marks content that came from outside, and that the gateway therefore does not trust. */
export function UntrustedTag() {
  return (
    <span className={classes(css["tag"], css["untrusted"])}>
      <Icon name="untrusted" />
      External data
    </span>
  );
}

interface StatusFacts {
  readonly kind: StatusKind;
  readonly word: string;
}

/** Returns how an execution's status is shown. */
export function executionStatus(status: string, stopReason: string | null): StatusFacts {
  switch (status) {
    case "queued":
      return { kind: "queued", word: "Queued" };
    case "running":
      return { kind: "running", word: "Running" };
    case "waiting":
      return { kind: "waiting", word: "Waiting" };
    case "failed":
      return { kind: "failed", word: "Failed" };
    case "cancelled":
      return { kind: "cancelled", word: "Cancelled" };
    case "completed":
      return stopReason?.startsWith("max") === true || stopReason === "truncated"
        ? { kind: "limit", word: "At a limit" }
        : { kind: "ok", word: "Completed" };
    default:
      return { kind: "unknown", word: status };
  }
}

/** Returns how a tool call's status is shown. */
export function callStatus(status: string): StatusFacts {
  switch (status) {
    case "requested":
      return { kind: "queued", word: "Requested" };
    case "running":
      return { kind: "running", word: "Running" };
    case "completed":
      return { kind: "ok", word: "Completed" };
    case "failed":
      return { kind: "failed", word: "Failed" };
    case "denied":
      return { kind: "denied", word: "Denied" };
    case "cancelled":
      return { kind: "cancelled", word: "Cancelled" };
    case "waiting_approval":
      return { kind: "waiting", word: "Waiting for approval" };
    case "waiting_callback":
      return { kind: "waiting", word: "Waiting for a callback" };
    case "waiting_fallback":
      return { kind: "waiting", word: "Waiting for a fallback" };
    case "waiting_input":
      return { kind: "waiting", word: "Waiting for answers" };
    case "waiting_task":
      return { kind: "waiting", word: "Waiting for a task" };
    default:
      return { kind: "unknown", word: status };
  }
}
