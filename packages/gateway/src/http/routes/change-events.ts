import type { Principal } from "@yagate/secrets/principal";
import type { ChangeKind } from "@yagate/store/port";
import type { ChangeHints } from "../../executions/streams/change-hints.ts";
import type { StreamAdmission } from "../quotas/open-streams.ts";
import { DEFAULT_HEARTBEAT_MS, writeEventStream } from "../responses/event-stream.ts";
import { defineRoute, type Route } from "../route.ts";

export interface ChangeEventRouteOptions {
  readonly hints: Pick<ChangeHints, "follow">;
  readonly streamAdmission: Pick<StreamAdmission, "open">;
  /** Called when a stream opens. It returns a function that is called when the stream ends. */
  readonly onStreamOpened: () => () => void;
  /** Interval of keep-alive comments in ms; default 15,000. */
  readonly heartbeatMs?: number;
}

export function changeEventRoutes(options: ChangeEventRouteOptions): readonly Route[] {
  const { hints, streamAdmission, onStreamOpened, heartbeatMs = DEFAULT_HEARTBEAT_MS } = options;

  async function* encoded(principal: Principal, signal: AbortSignal) {
    const query = { workspaceId: principal.workspaceId, kinds: kindsFor(principal) };
    for await (const hint of hints.follow(query, signal)) {
      const text = `event: ${hint.type}\ndata: ${JSON.stringify(hint)}\n\n`;
      yield { text, size: text.length };
    }
  }

  return [
    defineRoute({
      name: "followChanges",
      method: "get",
      path: "/v1/events",
      summary: "Follow changes in the workspace",
      description:
        "Streams a hint whenever an execution, a tool call, an approval or an input request changes: `{ type, id, seq, at }`, where `id` is the id of the execution. Hints contain no data: read the lists again. Hints that are lost with a connection are not sent again, so also read the lists after each reconnect. The stream ends when hints may have been lost. A key receives `execution.changed` and `tool_call.changed` with the scope `executions`, and `approval.changed` and `input_request.changed` with the scope `approvals`.",
      tag: "executions",
      scopes: ["executions", "approvals"],
      isStream: "changes",
      status: 200,
      response: null,
      async handle({ principal, response, signal }) {
        const slot = await streamAdmission.open(principal.workspaceId, signal);
        const onClosed = onStreamOpened();
        try {
          await writeEventStream(response, encoded(principal, signal), { signal, heartbeatMs });
        } finally {
          onClosed();
          slot.close();
        }
        return "streamed";
      },
    }),
  ];
}

function kindsFor({ scopes }: Principal): ReadonlySet<ChangeKind> {
  return new Set<ChangeKind>([
    ...(scopes.has("executions") ? (["execution", "tool_call"] as const) : []),
    ...(scopes.has("approvals") ? (["approval", "input_request"] as const) : []),
  ]);
}
