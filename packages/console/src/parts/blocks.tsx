import type { ReactNode } from "react";
import { toProblemFacts } from "../api/api-error.ts";
import type { LiveState } from "../live/live.ts";
import css from "./blocks.module.css";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import { CopyButton } from "./copy-button.tsx";
import { HiddenText } from "./hidden-text.tsx";
import { Icon, type IconName } from "./icon.tsx";

/** What went wrong, what to do, and a button that tries again. It stands where the content would, never an empty list. */
export function ErrorBlock({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { code, message, hint, requestId } = toProblemFacts(error);
  return (
    <div className={css["error"]} role="alert" data-state="error">
      <Icon name="failed" />
      <p>
        <code>{code}</code> {message}
      </p>
      {hint !== undefined && <p className={css["hint"]}>{hint}</p>}
      <div className={css["errorActions"]}>
        {onRetry !== undefined && (
          <Button isSmall onClick={onRetry}>
            <Icon name="retry" />
            Retry
          </Button>
        )}
        {requestId !== undefined && (
          <span>
            Request <code>{requestId}</code>
          </span>
        )}
      </div>
    </div>
  );
}

interface EmptyBlockProps {
  readonly title: string;
  /** One sentence: what would be here. */
  readonly children: ReactNode;
  /** The command that fills the list. */
  readonly command?: string;
  readonly action?: ReactNode;
}

export function EmptyBlock({ title, children, command, action }: EmptyBlockProps) {
  return (
    <div className={css["empty"]} data-state="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {command !== undefined && <Command text={command} />}
      {action}
    </div>
  );
}

/** A command to copy. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className={css["command"]}>
      <code>{text}</code>
      <CopyButton text={text} label="Copy command" isIcon />
    </div>
  );
}

/** Stands for content that is being loaded. It appears after 150 ms, so that fast responses do not flicker. */
export function Skeleton({ lines = 8, label }: { readonly lines?: number; readonly label: string }) {
  return (
    <div className={css["skeleton"]} data-state="loading" aria-busy="true">
      <HiddenText>
        <span role="status">Loading {label}</span>
      </HiddenText>
      {Array.from({ length: lines }, (_, line) => `line-${line}`).map((name) => (
        <span key={name} className={css["line"]} />
      ))}
    </div>
  );
}

interface NoticeProps {
  readonly icon: IconName;
  readonly look?: "waiting" | "untrusted" | "unknown";
  readonly children: ReactNode;
}

const NOTICES = { waiting: "noticeWaiting", untrusted: "noticeUntrusted", unknown: "noticeUnknown" } as const;

export function Notice({ icon, look, children }: NoticeProps) {
  return (
    <div className={classes(css["notice"], look && css[NOTICES[look]])}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}

const LIVE_WORDS: Readonly<Record<LiveState, string>> = {
  live: "Live",
  reconnecting: "Reconnecting",
  paused: "Paused",
};

/** Whether the page shows what happens now. */
export function LiveMark({ state }: { readonly state: LiveState }) {
  return (
    <span className={classes(css["live"], css[state])} data-live={state} role="status">
      {LIVE_WORDS[state]}
    </span>
  );
}

/** Names with values. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={css["facts"]}>
      {rows.map(([name, value]) => (
        <FactRow key={name} name={name}>
          {value}
        </FactRow>
      ))}
    </dl>
  );
}

function FactRow({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Text in a fixed font. It scrolls with the keyboard, too. */
export function CodeBlock({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <pre className={css["code"]} role="group" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}
