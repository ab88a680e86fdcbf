import type { Approver, Command } from "@yagate/execution-machine/inputs";
import { defined } from "@yagate/lib/objects/defined";
import { type Approval, type ApprovalQuery, type JsonObject, type Page, YagateError } from "@yagate/protocol";
import type {
  ApprovalRow,
  ApprovalStore,
  AuditSubject,
  ChangeRecorder,
  EventStore,
  ExecutionRow,
} from "@yagate/store/port";
import type { Tool } from "../../tools/port.ts";
import { toolOfCall } from "../../tools/toolset/tool-of-call.ts";
import type { LoadAgent } from "../run/loaded-agents.ts";
import { toToolCall } from "../run/to-tool-call.ts";
import type { Commands } from "../service/commands.ts";

/** A person's decision on one approval. */
export interface ApprovalDecision {
  readonly workspaceId: string;
  /** Id of the API key that decides; null for the bootstrap key. */
  readonly keyId: string | null;
  readonly approvalId: string;
  readonly recorder?: ChangeRecorder;
}

/**
 * The approvals of a workspace, as the API offers them. Every method sees one workspace only and throws `NOT_FOUND` for
 * an id that the workspace does not have.
 */
export interface ApprovalService {
  list(workspaceId: string, query: ApprovalQuery): Promise<Page<Approval>>;
  /**
   * Returns an approval.
   *
   * @throws YagateError `NOT_FOUND` if the workspace has no such approval.
   */
  get(workspaceId: string, approvalId: string): Promise<Approval>;
  /**
   * Approves the call.
   *
   * @throws YagateError `CONFLICT` if the approval was already decided, has expired, or no longer matches the call;
   *   `FORBIDDEN` for the key that started the execution, unless self-approval is allowed.
   * @throws {@link InvalidArgumentsError} if the tool does not accept the edited arguments.
   */
  approve(
    decision: ApprovalDecision & {
      readonly parameters?: JsonObject | undefined;
      readonly comment?: string | undefined;
    },
  ): Promise<Approval>;
  /**
   * Denies the call, which then does not run. The key that started the execution may also do this.
   *
   * @throws YagateError `CONFLICT` if the approval was already decided or has expired.
   */
  deny(decision: ApprovalDecision & { readonly reason?: string | undefined }): Promise<Approval>;
}

/** Thrown for edited arguments that the tool does not accept. The message gives the reason. */
export class InvalidArgumentsError extends Error {
  override readonly name = "InvalidArgumentsError";
}

export interface ApprovalServiceOptions {
  readonly store: ApprovalStore;
  readonly eventStore: Pick<EventStore, "find">;
  readonly commands: Commands;
  readonly loadAgent: LoadAgent;
  /** Whether a key may approve calls of executions that it started itself. */
  readonly isSelfApprovalAllowed: boolean;
}

type ApprovalCommand = Extract<Command, { type: "approve" | "deny" }>;

const DECISIONS = {
  approve: { action: "approval.approved", status: "approved" },
  deny: { action: "approval.denied", status: "denied" },
} as const;

/** An approval with the details of its decision. */
type DecidedApproval = ApprovalRow & { readonly isEdited?: boolean; readonly isSelfApproval?: boolean };

/**
 * Describes approvals for the audit log: the decision, without the arguments and comments. The record of the execution
 * contains these, and it is retained separately.
 */
const SUBJECT: AuditSubject<DecidedApproval> = {
  type: "approval",
  idOf: ({ id }) => id,
  nameOf: ({ details }) => details.tool.name,
  show({ id, status, executionId, toolCallId, details, isEdited, isSelfApproval }) {
    const { agentId, agentVersion, tool, requestHash } = details;
    const shown = { id, status, executionId, toolCallId, agentId, agentVersion, tool: tool.name, requestHash };
    return isEdited === undefined ? shown : { ...shown, isEdited, isSelfApproval };
  },
};

export function createApprovalService(options: ApprovalServiceOptions): ApprovalService {
  const { store, eventStore, commands, loadAgent, isSelfApprovalAllowed } = options;

  async function find(workspaceId: string, approvalId: string): Promise<ApprovalRow> {
    const row = await store.find(workspaceId, approvalId);
    if (row === undefined) throw new YagateError("NOT_FOUND", "no approval with this id in this workspace");
    return row;
  }

  async function executionOf({ executionId, workspaceId }: ApprovalRow): Promise<ExecutionRow> {
    const row = await eventStore.find(executionId, workspaceId);
    if (row === undefined) throw new YagateError("INTERNAL", "expected the execution of an approval");
    return row;
  }

  async function decide(
    row: ApprovalRow,
    command: ApprovalCommand,
    recorder: ChangeRecorder | undefined,
  ): Promise<Approval> {
    const { action, status } = DECISIONS[command.type];
    const { isSelfApproval } = command.by;
    const isEdited = command.type === "approve" && command.edit !== undefined;
    const audit = recorder?.of(row.workspaceId, action, SUBJECT)(row, { ...row, status, isEdited, isSelfApproval });
    const { events } = await commands.apply(row.executionId, command, audit);
    const after = await find(row.workspaceId, row.id);
    if (events.length > 0) return toApproval(after);
    assertPending(after);
    throw conflict("it has expired, or its execution is ending");
  }

  /** Checks the call against the tool's current definition. Returns the edit if the approver changed the arguments. */
  async function check(row: ApprovalRow, execution: ExecutionRow, parameters: JsonObject | undefined) {
    const toolset = (await loadAgent(execution)).toolset.withArtifacts;
    const { tool: shown, parameters: requested, requestHash } = row.details;
    const tool = toolOfCall(toolset, shown);
    if (tool === undefined || tool.policyDecision.decision === "denied")
      throw conflict("the agent's current tools or policy do not allow the call");
    const refusal = parameters === undefined ? undefined : toolset.refusalOf({ name: tool.name, parameters });
    const problem = refusal?.message ?? (parameters === undefined ? undefined : tool.problemOf?.(parameters));
    if (problem !== undefined) throw new InvalidArgumentsError(problem);
    const hash = await hashOf(tool, execution, row, parameters ?? requested).catch((error: unknown) => {
      if (!YagateError.is(error) || error.code !== "INVALID_ARGUMENTS") throw error;
      if (parameters !== undefined) throw new InvalidArgumentsError(error.message);
      throw conflict(`the request that was shown can no longer be sent: ${error.message}`);
    });
    if (parameters !== undefined) return { parameters, requestHash: hash };
    if (hash !== requestHash) throw conflict("the request has changed since it was shown, so it can only be denied");
    return undefined;
  }

  return {
    async list(workspaceId, query) {
      const { data, nextCursor } = await store.list(workspaceId, query);
      return { data: data.map(toApproval), nextCursor };
    },
    get: async (workspaceId, approvalId) => toApproval(await find(workspaceId, approvalId)),
    async approve({ workspaceId, keyId, approvalId, parameters, comment, recorder }) {
      const row = await find(workspaceId, approvalId);
      const execution = await executionOf(row);
      const by = approver(execution, keyId);
      if (by.isSelfApproval && !isSelfApprovalAllowed) {
        throw new YagateError("FORBIDDEN", "expected a key other than the one that started the execution", {
          hint: "create another key with the scope approvals (yagate keys create <name> --scopes approvals, or POST /v1/api-keys), or ask an operator to allow self-approval (allowSelfApproval, YAGATE_ALLOW_SELF_APPROVAL)",
        });
      }
      assertPending(row);
      const edit = await check(row, execution, parameters);

      return decide(row, { type: "approve", approvalId, by, ...defined({ comment, edit }) }, recorder);
    },
    async deny({ workspaceId, keyId, approvalId, reason, recorder }) {
      const row = await find(workspaceId, approvalId);
      const by = approver(await executionOf(row), keyId);
      assertPending(row);
      return decide(row, { type: "deny", approvalId, by, ...defined({ reason }) }, recorder);
    },
  };
}

function approver({ startedByKeyId }: ExecutionRow, keyId: string | null): Approver {
  return { keyId, isSelfApproval: startedByKeyId === keyId };
}

async function hashOf(
  tool: Tool,
  execution: ExecutionRow,
  { toolCallId }: ApprovalRow,
  parameters: ApprovalRow["details"]["parameters"],
): Promise<string> {
  return (await tool.executor.render(toToolCall(execution, { toolCallId, name: tool.name, parameters }))).hash;
}

/** Throws if the approval is no longer pending. Every late decision gets the same error, whichever check detects it. */
function assertPending({ status }: ApprovalRow): void {
  if (status !== "pending") throw conflict(`it is ${status}`);
}

function conflict(reason: string): YagateError {
  return new YagateError("CONFLICT", `this approval cannot be decided: ${reason}`);
}

function toApproval({
  id,
  status,
  executionId,
  toolCallId,
  details,
  requestedAt,
  expiresAt,
  resolution,
}: ApprovalRow): Approval {
  return {
    id,
    status,
    executionId,
    toolCallId,
    ...details,
    requestedAt: new Date(requestedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    resolution,
  };
}
