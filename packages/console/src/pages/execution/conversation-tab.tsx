import { Link } from "@tanstack/react-router";
import type { ReceivedEvent } from "@yagate/protocol";
import { type ReactNode, useState } from "react";
import { Notice } from "../../parts/blocks.tsx";
import { Button } from "../../parts/button.tsx";
import { JsonBlock, toJsonText } from "../../parts/json-block.tsx";
import { formatCount } from "../../parts/numbers.ts";
import { StatusTag, Tag, UntrustedTag } from "../../parts/status.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import css from "./execution.module.css";

const PAGE = 200;

interface MessageProps {
  readonly who: string;
  readonly tags?: ReactNode;
  readonly children: ReactNode;
}

function Message({ who, tags, children }: MessageProps) {
  return (
    <li className={css["message"]}>
      <div className={css["messageHead"]}>
        <h2>{who}</h2>
        {tags}
      </div>
      {children}
    </li>
  );
}

function Said({ text }: { readonly text: string }) {
  return (
    <p className={css["text"]}>
      <VisibleText text={text} />
    </p>
  );
}

/** What the model read and wrote, in its order. What it read only in part, and what came from outside, is marked. */
export function ConversationTab({
  events,
  draft,
}: {
  readonly events: readonly ReceivedEvent[];
  readonly draft: string;
}) {
  const [most, setMost] = useState(PAGE);
  const requested = new Map(
    events.flatMap((event) => (event.type === "tool_call.requested" ? [[event.toolCallId, event] as const] : [])),
  );
  const messages = events.flatMap((event) => {
    const message = toMessage(event, requested);
    return message === undefined ? [] : [message];
  });
  return (
    <>
      <ol className={css["messages"]}>
        {messages.slice(0, most)}
        {draft !== "" && (
          <Message who="Model" tags={<StatusTag kind="running">writes</StatusTag>}>
            <Said text={draft} />
          </Message>
        )}
      </ol>
      {messages.length > most && (
        <Button onClick={() => setMost(most + PAGE)}>Show {formatCount(messages.length - most)} more</Button>
      )}
    </>
  );
}

type Requested = ReadonlyMap<string, Extract<ReceivedEvent, { type: "tool_call.requested" }>>;

function toMessage(event: ReceivedEvent, requested: Requested): ReactNode | undefined {
  switch (event.type) {
    case "execution.started": {
      const { input } = event;
      if (typeof input === "string") {
        return (
          <Message key={event.seq} who="Input">
            <Said text={input} />
          </Message>
        );
      }
      return input.map(({ role, content }, index) => (
        <Message key={`input-${index}`} who={role === "user" ? "Input" : "Model, earlier"}>
          <Said text={content} />
        </Message>
      ));
    }
    case "model.responded":
      return event.text === "" ? undefined : (
        <Message key={event.seq} who={`Model, turn ${event.turn}`}>
          <Said text={event.text} />
        </Message>
      );
    case "tool_call.completed": {
      const call = requested.get(event.toolCallId);
      const whole = toJsonText(event.result).length;
      const isCut = event.readCharacters !== undefined && event.readCharacters < whole;
      const tags = (
        <>
          {call?.isUntrusted === true && <UntrustedTag />}
          {isCut && <Tag>The model read {formatCount(event.readCharacters ?? 0)} characters</Tag>}
          {toJsonText(event.result).includes("***") && <Tag>Secrets are redacted</Tag>}
          <Link to="/tool-calls/$id" params={{ id: event.toolCallId }}>
            Open
          </Link>
        </>
      );
      return (
        <Message key={event.seq} who={`Result of ${call?.name ?? "a tool"}`} tags={tags}>
          <JsonBlock label="Result" value={event.result} />
        </Message>
      );
    }
    case "tool_call.failed":
    case "tool_call.denied":
      return (
        <Message
          key={event.seq}
          who={`Error of ${requested.get(event.toolCallId)?.name ?? "a tool"}`}
          tags={
            <StatusTag kind={event.type === "tool_call.denied" ? "denied" : "failed"}>{event.error.code}</StatusTag>
          }
        >
          <Said text={event.error.message} />
        </Message>
      );
    case "limit.reached":
      return (
        <li key={event.seq}>
          <Notice icon="limit">{event.message}</Notice>
        </li>
      );
    default:
      return undefined;
  }
}
