import type { AddressInfo } from "node:net";
import type { Logger } from "@yagate/lib/logging/logger";
import type { Store } from "@yagate/store/port";
import type { AgentWriter } from "../agents/agent-writer.ts";
import type { ApprovalService } from "../executions/approvals/approval-service.ts";
import type { ExecutionService } from "../executions/service/execution-service.ts";
import type { KeyRecheck } from "../http/readiness/recheck-keys.ts";
import type { Route } from "../http/route.ts";
import type { ApiKeys } from "../secrets/api-keys.ts";
import type { Telemetry } from "../telemetry/gateway-telemetry.ts";
import type { openKeys } from "./compose-keys.ts";
import type { QuotaModules } from "./compose-quotas.ts";

/** Everything behind the API, wired. */
export interface ComposedGateway {
  readonly store: Store;
  readonly executions: ExecutionService;
  readonly approvals: ApprovalService;
  readonly agentWriter: AgentWriter;
  readonly routes: readonly Route[];
  readonly authenticate: ApiKeys["authenticate"];
  readonly recorderOf: Awaited<ReturnType<typeof openKeys>>["recorderOf"];
  readonly admitRequest: QuotaModules["admitRequest"];
  readonly onKeyDeleted: ApiKeys["onDeleted"];
  readonly keyRecheck: KeyRecheck;
  readonly defaultWorkspaceId: string;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  /** How many executions this process holds in memory: those that run, and those whose wait is short. */
  activeCount(): number;
  revealSigningSecret(): Promise<string>;
  /** From now on `/readyz` says that this gateway takes no work, which it goes on taking until it is closed. */
  drain(): void;
  /** Tells handlers where to bring later results, unless an operator has said so, and closes the address to tenants' calls. */
  onListening(url: string, address: AddressInfo): void;
  close(): Promise<void>;
}
