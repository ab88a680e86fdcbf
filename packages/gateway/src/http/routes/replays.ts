import { createHash } from "node:crypto";
import { defined } from "@yagate/lib/objects/defined";
import { canonicalJson, executionSchema, replaySchema } from "@yagate/protocol";
import type { RequestTracing } from "@yagate/telemetry/request-tracing";
import type { ReplayService } from "../../executions/replay/replay-service.ts";
import { executionPreferences } from "../requests/request-preferences.ts";
import { defineRoute, type Route } from "../route.ts";

const REPLAY_PATH = "/v1/executions/:id/replay";

export interface ReplayRouteOptions {
  readonly replays: ReplayService;
  /** Starts the trace of a request. */
  readonly traceRequest: RequestTracing;
}

export function replayRoutes({ replays, traceRequest }: ReplayRouteOptions): readonly Route[] {
  return [
    defineRoute({
      name: "replayExecution",
      method: "post",
      path: REPLAY_PATH,
      summary: "Replay an execution that has ended",
      description:
        'Starts a new execution of the same version of the agent, with the same input, caller, metadata, limits and script. Model turns before `fromTurn` are copied with the outcomes of their calls; from then on the model is asked again, and approvals are requested again. With `toolMode: "recorded"`, each call gets the recorded outcome with the same tool, arguments and occurrence, and no call is sent: the execution fails with `REPLAY_DIVERGED` if the record has no such outcome. With `toolMode: "live"`, calls are sent. If tools of the agent may write, that needs `confirm: true`; otherwise the request is rejected with 409, and `errors` lists these tools. The routing of the original holds within the bounds of the key that replays it.',
      tag: "executions",
      scopes: ["executions"],
      problems: ["CONFLICT", "MODEL_UNPRICED"],
      headers: {
        "Idempotency-Key":
          "For 24 hours, a request with the same key and the same body returns the same execution; a request with a different body is rejected with 409",
      },
      body: replaySchema.prefault({}),
      status: 201,
      response: executionSchema,
      async handle({ principal, recorder, params, body, headers, response, note }) {
        const executionId = params["id"] ?? "";
        const { idempotencyKey: key } = executionPreferences(headers);
        const { fromTurn = 1, toolMode, confirm } = body;
        const trace = traceRequest({
          ...{ method: "POST", route: REPLAY_PATH, path: REPLAY_PATH.replace(":id", executionId), headers },
        });
        response.once("close", () => trace.end(response.statusCode));
        const bodyHash = createHash("sha256").update(canonicalJson({ executionId, body }));
        const execution = await replays.replay({
          ...{ workspaceId: principal.workspaceId, keyId: principal.keyId, keyRouting: principal.routing },
          ...{ executionId, fromTurn, toolMode, isConfirmed: confirm === true, recorder },
          ...defined({ trace: trace.context }),
          ...(key === undefined ? {} : { idempotency: { key, bodyHash: bodyHash.digest("hex") } }),
        });
        note({ executionId: execution.id });
        return { status: 201, body: execution, headers: { Location: `/v1/executions/${execution.id}` } };
      },
    }),
  ];
}
