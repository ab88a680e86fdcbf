import { defined } from "@yagate/lib/objects/defined";
import { type Approval, type ApprovalQuery, type JsonObject, type Page, YagateError } from "@yagate/protocol";
import type { EventStore, ExecutionRow } from "@yagate/store/port";
import type { ApprovalRow, ApprovalStore } from "@yagate/store/rows/approval-rows";
import type { AuditSubject, ChangeRecorder } from "@yagate/store/rows/audit-rows";
import type { Tool } from "../../tools/port.ts";
import type { Approver, Command } from "../machine/inputs.ts";
import type { LoadAgent } from "../run/loaded-agents.ts";
import { toToolCall } from "../run/to-tool-call.ts";
import type { Commands } from "../service/commands.ts";

/** Who answers which question. */
export interface ApprovalDecision {
  readonly workspaceId: string;
  /** Null for the bootstrap key. */
  readonly keyId: string | null;
  readonly approvalId: string;
  readonly recorder?: ChangeRecorder;
}

/** What the API asks of approvals; every method sees one workspace only. */
export interface ApprovalService {
  list(workspaceId: string, query: ApprovalQuery): Promise<Page<Approval>>;
  /** @throws YagateError `NOT_FOUND`, as everything below. */
  get(workspaceId: string, approvalId: string): Promise<Approval>;
  /**
   * Lets the call run, once.
   * @throws YagateError `CONFLICT` when it was answered before or its time is over, `FORBIDDEN` for the key that started
   * the execution, {@link InvalidArgumentsError} for arguments that the tool does not take.
   */
  approve(
    answer: ApprovalDecision & { readonly parameters?: JsonObject | undefined; readonly comment?: string | undefined },
  ): Promise<Approval>;
  /** Ends the call. The key that started the execution may do so too. @throws YagateError `CONFLICT` as above. */
  deny(answer: ApprovalDecision & { readonly reason?: string | undefined }): Promise<Approval>;
}

/** Edited arguments that the tool does not take; the message names what is wrong with them. */
export class InvalidArgumentsError extends Error {
  override readonly name = "InvalidArgumentsError";
}

export interface ApprovalServiceOptions {
  readonly store: ApprovalStore;
  readonly eventStore: Pick<EventStore, "find">;
  readonly commands: Commands;
  readonly loadAgent: LoadAgent;
  /** Whether a key may approve calls of executions that it has started itself. */
  readonly isSelfApprovalAllowed: boolean;
}

type ApprovalCommand = Extract<Command, { type: "approve" | "deny" }>;

const DECISIONS = {
  approve: { action: "approval.approved", status: "approved" },
  deny: { action: "approval.denied", status: "denied" },
} as const;

/** A question, and how it was decided once it was. */
type DecidedApproval = ApprovalRow & { readonly isEdited?: boolean; readonly isSelfApproval?: boolean };

/**
 * How approvals stand in the audit log: what was decided, without arguments and comments. They are data of the execution,
 * whose record has them under its own retention.
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
    if (row === undefined) throw new YagateError("NOT_FOUND", "no approval of this id in this workspace");
    return row;
  }

  async function executionOf({ executionId, workspaceId }: ApprovalRow): Promise<ExecutionRow> {
    const row = await eventStore.find(executionId, workspaceId);
    if (row === undefined) throw new YagateError("INTERNAL", "expected the execution of an approval");
    return row;
  }

  async function apply(
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
    throw conflict("its time is over, or its execution ends");
  }

  /** The tool as it is now, and what the edited call comes to. */
  async function prepare(row: ApprovalRow, execution: ExecutionRow, parameters: JsonObject | undefined) {
    const toolset = (await loadAgent(execution)).toolset.withArtifacts;
    const { tool: shown, parameters: asked, requestHash } = row.details;
    const tool = toolset.tools.get(shown.name);
    if (tool === undefined || tool.policyDecision.decision === "denied")
      throw conflict("the call may not run any more");
    const refusal = parameters === undefined ? undefined : toolset.refusalOf({ name: tool.name, parameters });
    if (refusal !== undefined) throw new InvalidArgumentsError(refusal.message);
    const hash = await hashOf(tool, execution, row, parameters ?? asked).catch((error: unknown) => {
      if (!YagateError.is(error) || error.code !== "INVALID_ARGUMENTS") throw error;
      if (parameters !== undefined) throw new InvalidArgumentsError(error.message);
      throw conflict(`what was shown can't be sent any more: ${error.message}`);
    });
    if (parameters !== undefined) return { parameters, requestHash: hash };
    if (hash !== requestHash) throw conflict("what would be sent is not what was shown any more: deny it");
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
        throw new YagateError("FORBIDDEN", "expected another key than the one that started the execution", {
          hint: "make another key with the scope approvals (yagate keys create <name> --scopes approvals, or POST /v1/api-keys); or an operator allows this one: allowSelfApproval, YAGATE_ALLOW_SELF_APPROVAL",
        });
      }
      assertPending(row);
      const edit = await prepare(row, execution, parameters);
      const said = { ...defined({ comment, edit }) };
      return apply(row, { type: "approve", approvalId, by, ...said }, recorder);
    },
    async deny({ workspaceId, keyId, approvalId, reason, recorder }) {
      const row = await find(workspaceId, approvalId);
      const by = approver(await executionOf(row), keyId);
      assertPending(row);
      return apply(row, { type: "deny", approvalId, by, ...defined({ reason }) }, recorder);
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

/** Every answer that comes too late is told the same, whichever it is. */
function assertPending({ status }: ApprovalRow): void {
  if (status !== "pending") throw conflict(`it is ${status}`);
}

function conflict(reason: string): YagateError {
  return new YagateError("CONFLICT", `this approval takes no answer: ${reason}`);
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
