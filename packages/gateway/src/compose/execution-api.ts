import { createReceiptService } from "@yagate/receipts/receipt-service";
import type { Store } from "@yagate/store/port";
import { createRecordingChecks } from "../executions/recording/recording-checks.ts";
import { createRecordingExport } from "../executions/recording/recording-export.ts";
import { createChangeHints } from "../executions/streams/change-hints.ts";
import type { Route } from "../http/route.ts";
import { approvalRoutes } from "../http/routes/approvals.ts";
import { artifactRoutes } from "../http/routes/artifacts.ts";
import { callbackRoutes } from "../http/routes/callbacks.ts";
import { changeEventRoutes } from "../http/routes/change-events.ts";
import { executionTokenRoutes } from "../http/routes/execution-tokens.ts";
import { executionRoutes } from "../http/routes/executions.ts";
import { inputRequestRoutes } from "../http/routes/input-requests.ts";
import { receiptRoutes } from "../http/routes/receipts.ts";
import { recordingRoutes } from "../http/routes/recordings.ts";
import { replayRoutes } from "../http/routes/replays.ts";
import { toolCallRoutes } from "../http/routes/tool-calls.ts";
import type { ComposedBuiltins } from "./compose-builtins.ts";
import type { ComposedExecutions } from "./compose-executions.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { ComposedModels } from "./compose-models.ts";
import type { ComposedQuotas } from "./compose-quotas.ts";
import type { ComposedSecrets } from "./compose-secrets.ts";
import type { ComposedStore } from "./compose-store.ts";
import type { ComposedTools } from "./compose-tools.ts";
import type { GatewayContext } from "./gateway-context.ts";

export interface ExecutionApiParts {
  readonly store: Pick<
    Store,
    "eventStore" | "records" | "readModels" | "redeliveries" | "agents" | "workspaces" | "audit"
  >;
  readonly recordKeys: ComposedStore["recordKeys"];
  readonly keys: Pick<ComposedKeys, "tokens" | "signingSecrets">;
  readonly secrets: Pick<ComposedSecrets, "secrets">;
  readonly models: Pick<ComposedModels, "models">;
  readonly builtins: Pick<ComposedBuiltins, "artifacts">;
  readonly executions: ComposedExecutions;
  readonly tools: Pick<ComposedTools, "loadAgent">;
  readonly quotas: Pick<ComposedQuotas, "streamAdmission">;
}

/** Creates the routes that start, read and command executions. */
export function executionApi(
  { telemetry, logger, now, onError }: GatewayContext,
  { store, recordKeys, keys, secrets, models, builtins, executions: composed, tools, quotas }: ExecutionApiParts,
): readonly Route[] {
  const { eventStore, records, readModels, redeliveries: redeliveryStore, agents, workspaces, audit } = store;
  const { executions, approvals, inputRequests, callbacks } = composed;
  const { traceRequest, http, receipts } = telemetry;
  return [
    ...executionRoutes({
      ...{ executions, agents, isPriced: models.models.isPriced, now, traceRequest },
      recordings: createRecordingChecks(tools.loadAgent),
      ...{ onStreamOpened: http.onStreamOpened, streamAdmission: quotas.streamAdmission },
    }),
    ...changeEventRoutes({
      hints: createChangeHints({ eventStore, now, onError }),
      ...{ onStreamOpened: http.onStreamOpened, streamAdmission: quotas.streamAdmission },
    }),
    ...recordingRoutes(
      createRecordingExport({
        ...{ eventStore, loadAgent: tools.loadAgent, secrets: secrets.secrets, signingSecrets: keys.signingSecrets },
      }),
    ),
    ...replayRoutes({ replays: composed.replays, traceRequest }),
    ...executionTokenRoutes({ executions, tokens: keys.tokens, audit }),
    ...toolCallRoutes({ executions, readModels, redeliveries: composed.redeliveries, redeliveryStore }),
    ...artifactRoutes(builtins.artifacts),
    ...receiptRoutes({
      receipts: createReceiptService({ eventStore, records, agents, workspaces, keys: recordKeys }),
      onUnverified(executionId, difference) {
        receipts.onUnverified();
        logger.warn(
          { executionId, ...difference },
          "a receipt is not verified: the record has changed since it was sealed",
        );
      },
    }),
    ...approvalRoutes(approvals),
    ...inputRequestRoutes(inputRequests),
    ...callbackRoutes(callbacks),
  ];
}
