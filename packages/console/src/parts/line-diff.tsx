import { classes } from "./classes.ts";
import { type DiffLine, diffLines } from "./diff-lines.ts";
import { HiddenText } from "./hidden-text.tsx";
import { toJsonText } from "./json-block.tsx";
import css from "./line-diff.module.css";
import { VisibleText } from "./visible-text.tsx";

/** How many unchanged lines are shown around a change. */
const CONTEXT = 3;
const LINE_CHARACTERS = 2_000;

interface LineDiffProps {
  readonly label: string;
  readonly before: unknown;
  readonly after: unknown;
}

const linesOf = (value: unknown) => (value === null || value === undefined ? [] : toJsonText(value).split("\n"));
const SIGNS = { same: " ", removed: "-", added: "+" } as const;
const WORDS = { same: "", removed: "removed: ", added: "added: " } as const;

/** Two values as JSON, line by line: what was removed and what was added. Sign, word and colour say it together. */
export function LineDiff({ label, before, after }: LineDiffProps) {
  const lines = diffLines(linesOf(before), linesOf(after));
  const isShown = (at: number) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== "same");
  const shown = lines.map((line, at) => ({ line, at })).filter(({ at }) => isShown(at));
  if (shown.length === 0) return <p>Nothing differs.</p>;
  return (
    <div className={css["diff"]} role="group" aria-label={label} tabIndex={0}>
      {shown.map(({ line, at }, index) => (
        <Line key={at} line={line} hasGap={index > 0 && shown[index - 1]?.at !== at - 1} />
      ))}
    </div>
  );
}

function Line({ line: { kind, text }, hasGap }: { readonly line: DiffLine; readonly hasGap: boolean }) {
  return (
    <>
      {hasGap && <div className={css["gap"]}>…</div>}
      <div className={classes(css["line"], css[kind])}>
        <span aria-hidden="true">{SIGNS[kind]}</span>
        <code>
          <HiddenText>{WORDS[kind]}</HiddenText>
          <VisibleText text={text} most={LINE_CHARACTERS} />
        </code>
      </div>
    </>
  );
}
