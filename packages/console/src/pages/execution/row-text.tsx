import { isJsonObject } from "@yagate/lib/json/json-object";
import { classes } from "../../parts/classes.ts";
import { Icon } from "../../parts/icon.tsx";
import { formatBytes } from "../../parts/numbers.ts";
import status from "../../parts/status.module.css";
import { StatusIcon, Tag, UntrustedTag } from "../../parts/status.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import css from "./timeline.module.css";
import type { TimelineRow } from "./timeline.ts";

const CHARACTERS = 160;

/** Returns a value as a person would write it in a sentence: `orderId: "ORD-1", amount: 3`. */
export function brief(value: unknown): string {
  if (isJsonObject(value)) {
    const pairs = Object.entries(value).map(([name, each]) => `${name}: ${JSON.stringify(each) ?? "undefined"}`);
    return pairs.join(", ").slice(0, CHARACTERS * 2);
  }
  return (JSON.stringify(value) ?? "").slice(0, CHARACTERS * 2);
}

/** Returns the outcome of a call in a few words. */
function outcomeOf({
  result,
  errorCode,
}: {
  readonly result: unknown;
  readonly errorCode: string | undefined;
}): string {
  if (errorCode !== undefined) return errorCode;
  if (result === undefined) return "";
  const text = brief(result);
  return isJsonObject(result) ? `{${text}}` : text;
}

/** A row as a sentence. */
export function RowText({ row }: { readonly row: TimelineRow }) {
  const mark = (
    <span className={classes(status["status"], status[row.kind])}>
      <StatusIcon kind={row.kind} />
    </span>
  );
  switch (row.type) {
    case "turn":
      return (
        <>
          <span className={css["title"]}>Turn {row.turn}</span>
          {row.isCopied && <Tag>copied</Tag>}
          <span className={css["say"]}>
            {row.text === "" ? (
              row.model
            ) : (
              <>
                “<VisibleText text={row.text} most={CHARACTERS} />”
              </>
            )}
          </span>
        </>
      );
    case "call": {
      const outcome = outcomeOf(row);
      return (
        <>
          {mark}
          <span className={classes(css["say"], css["code"])}>
            <b>{row.name}</b>(<VisibleText text={brief(row.parameters)} most={CHARACTERS} />)
            {outcome !== "" && (
              <>
                <span className={css["arrow"]}>→</span>
                <VisibleText text={outcome} most={CHARACTERS} />
              </>
            )}
          </span>
          {row.isUntrusted && <UntrustedTag />}
        </>
      );
    }
    case "attempt":
      return (
        <>
          {mark}
          <span className={classes(css["say"], css["code"])}>
            attempt {row.number}
            <span className={css["arrow"]}>→</span>
            {attemptOutcome(row)} {row.errorCode !== undefined && <b>{row.errorCode}</b>}
          </span>
        </>
      );
    case "wait":
      return (
        <>
          {row.reason === "retry" ? <Icon name="clock" /> : mark}
          <span className={css["say"]}>{row.text}</span>
        </>
      );
    case "note":
      return (
        <>
          {mark}
          <span className={css["say"]}>
            {row.code !== undefined && <b className={css["code"]}>{row.code} </b>}
            <VisibleText text={row.text} most={CHARACTERS} />
          </span>
        </>
      );
  }
}

function attemptOutcome({ httpStatus, to, kind, bytes }: Extract<TimelineRow, { type: "attempt" }>): string {
  if (httpStatus !== undefined) return bytes === undefined ? `${httpStatus}` : `${httpStatus}, ${formatBytes(bytes)}`;
  if (to === undefined) return "in flight";
  return kind === "unknown" ? "no answer" : kind === "ok" ? "answered" : "not answered";
}
