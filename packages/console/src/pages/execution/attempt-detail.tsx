import { useQuery } from "@tanstack/react-query";
import type { AttemptDetail as Detail, RecordedMessage } from "@yagate/protocol";
import { getAttempt } from "../../api/tool-calls.ts";
import { ErrorBlock, Facts, Notice, Skeleton } from "../../parts/blocks.tsx";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { CopyButton } from "../../parts/copy-button.tsx";
import { HiddenText } from "../../parts/hidden-text.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { formatBytes, formatDuration, NONE } from "../../parts/numbers.ts";
import { shellWord } from "../../parts/shell-word.ts";
import { StatusTag } from "../../parts/status.tsx";
import type { StatusKind } from "../../parts/status-kind.ts";
import { VisibleText } from "../../parts/visible-text.tsx";
import { PHASES } from "./row-bar.tsx";
import css from "./timeline.module.css";

/** One attempt: what was sent, what came back, and how long each step took. */
export function AttemptDetail({ id }: { readonly id: string }) {
  const attempt = useQuery({ queryKey: ["attempt", id], queryFn: ({ signal }) => getAttempt(id, signal) });
  if (attempt.isError) {
    return (
      <div className={css["part"]}>
        <ErrorBlock error={attempt.error} onRetry={() => attempt.refetch()} />
      </div>
    );
  }
  if (attempt.isPending) return <Skeleton label="the attempt" lines={4} />;
  return <LoadedAttempt attempt={attempt.data} />;
}

function kindOf({ outcome, errorCode, durationMs }: Detail): StatusKind {
  if (durationMs === null) return "running";
  if (outcome === "unknown") return "unknown";
  return errorCode === undefined ? "ok" : "failed";
}

function LoadedAttempt({ attempt }: { readonly attempt: Detail }) {
  const { number, startedAt, durationMs, httpStatus, errorCode, outcome, credential, request, response } = attempt;
  return (
    <>
      <div className={css["part"]}>
        <div>
          <StatusTag kind={kindOf(attempt)}>
            {errorCode ?? httpStatus ?? (durationMs === null ? "In flight" : "Answered")}
          </StatusTag>
        </div>
        {outcome === "unknown" && (
          <Notice icon="unknown" look="unknown">
            The request was sent, but no response arrived. It may have taken effect.
          </Notice>
        )}
        <Facts
          rows={[
            ["Attempt", `${number}`],
            ["Started", <Clock key="at" at={startedAt} isAlone />],
            ["Took", durationMs === null ? NONE : formatDuration(durationMs)],
            ["Status", httpStatus === undefined ? NONE : `${httpStatus}`],
            ...(credential === undefined ? [] : ([["Credential", <code key="name">{credential}</code>]] as const)),
          ]}
        />
        <PhaseBar attempt={attempt} />
      </div>
      <Message title="Request" line={`${attempt.method} ${attempt.url}`} message={request} />
      <Message title="Response" line={httpStatus === undefined ? "" : `${httpStatus}`} message={response} />
      <div className={css["part"]}>
        <div className={controls["actions"]}>
          <CopyButton text={() => toCurl(attempt)} label="Copy as curl" isSmall />
          <CopyButton text={`yagate verify --attempt ${attempt.id}`} label="Copy as CLI" isSmall />
          <CopyButton text={attempt.id} label="Copy id" isSmall />
        </div>
      </div>
    </>
  );
}

function toCurl({ method, url, request }: Detail): string {
  const headers = Object.entries(request?.headers ?? {}).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`);
  const body = request === null || request.body === "" ? [] : [`--data-raw ${shellWord(request.body)}`];
  return [`curl -X ${shellWord(method)} ${shellWord(url)}`, ...headers, ...body].join(" \\\n  ");
}

function PhaseBar({ attempt: { timings, durationMs } }: { readonly attempt: Detail }) {
  if (timings === null || durationMs === null) return null;
  const known = PHASES.map(([name, word]) => ({
    name,
    word,
    ms: timings[name] ?? 0,
    isAbsent: timings[name] === null,
  }));
  const rest = Math.max(0, durationMs - known.reduce((sum, { ms }) => sum + ms, 0));
  const phases = [...known, { name: "body", word: "Body", ms: rest, isAbsent: false }] as const;
  const total = Math.max(durationMs, 0.001);
  let x = 0;
  return (
    <>
      <svg className={css["phases"]} aria-hidden="true" focusable="false">
        {phases.map(({ name, ms }) => {
          const from = x;
          x += (ms / total) * 100;
          return <rect key={name} className={css[name]} x={`${from}%`} width={`${(ms / total) * 100}%`} height="12" />;
        })}
      </svg>
      <dl className={css["phaseList"]}>
        {phases.map(({ name, word, ms, isAbsent }) => (
          <div key={name}>
            <dt>
              <svg aria-hidden="true" focusable="false">
                <rect className={css[name]} width="8" height="8" />
              </svg>
              {word}
            </dt>
            <dd>{isAbsent ? NONE : formatDuration(ms)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface MessageProps {
  readonly title: string;
  readonly line: string;
  readonly message: RecordedMessage | null;
}

/** A request or a response as it was recorded: secrets are names, and the body is cut at 64 KiB. */
function Message({ title, line, message }: MessageProps) {
  return (
    <section className={css["part"]}>
      <h3>
        {title} {message !== null && <HiddenText>of {formatBytes(message.bodyBytes)}</HiddenText>}
      </h3>
      {line !== "" && (
        <p>
          <code>
            <VisibleText text={line} most={2_000} />
          </code>
        </p>
      )}
      {message === null ? (
        <p>Not available: the retention period has passed, or nothing was sent.</p>
      ) : (
        <>
          <table className={css["headers"]}>
            <tbody>
              {Object.entries(message.headers).map(([name, value]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>
                    <VisibleText text={value} most={2_000} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {message.body !== "" && <JsonBlock label={`Body of the ${title.toLowerCase()}`} value={message.body} />}
          {message.isTruncated && <p>The record contains the first 64 KiB of {formatBytes(message.bodyBytes)}.</p>}
        </>
      )}
    </section>
  );
}
