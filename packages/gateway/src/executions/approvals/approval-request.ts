import { defined } from "@yagate/lib/objects/defined";
import { type Agent, type ExecutionInput, toVisibleLine, toVisibleText } from "@yagate/protocol";
import type { ApprovalDetails, ExecutionRow, NewApproval } from "@yagate/store/port";
import type { Rendering, Tool, ToolCall } from "../../tools/port.ts";

const MAX_PREVIEW_CHARACTERS = 500;

/** An approval request without the times at which it is requested and expires. */
export type NewApprovalRequest = Omit<NewApproval, "requestedAt" | "expiresAt">;

/** Creates the approval request for a call, with everything that the approver sees. */
export async function newApprovalRequest(
  approvalId: string,
  {
    call,
    tool,
    agent,
    execution,
    policyReason,
  }: {
    readonly call: ToolCall;
    readonly tool: Tool;
    readonly agent: Pick<Agent, "name">;
    readonly execution: ExecutionRow;
    /** The reason why the call needs an approval. */
    readonly policyReason: string;
  },
): Promise<NewApprovalRequest> {
  const rendering = await tool.executor.render(call);
  const details: ApprovalDetails = {
    agentId: execution.agentId,
    agentVersion: execution.agentVersion,
    agentName: toVisibleLine(agent.name),
    tool: {
      name: tool.name,
      description: toVisibleText(tool.description),
      kind: tool.kind,
      sideEffect: tool.sideEffect,
      risk: tool.risk,
      ...defined({ capability: tool.capability }),
    },
    policyReason,
    parameters: call.parameters,
    request: toShownRequest(rendering),
    requestHash: rendering.hash,
    inputPreview: previewOf(execution.request.input),
  };
  const { workspaceId, executionId, toolCallId } = call;
  return { id: approvalId, workspaceId, executionId, toolCallId, details };
}

function toShownRequest({ request }: Rendering): ApprovalDetails["request"] {
  return request === null ? null : { ...request, body: toVisibleText(request.body) };
}

/** Returns the beginning of the last message, which shows the approver what the execution is about. */
function previewOf(input: ExecutionInput): string {
  const text = typeof input === "string" ? input : (input.at(-1)?.content ?? "");
  const isCut = text.length > MAX_PREVIEW_CHARACTERS;
  // The limit counts code points, so that no surrogate pair is split.
  return toVisibleText(
    isCut
      ? `${Array.from(text.slice(0, MAX_PREVIEW_CHARACTERS * 2))
          .slice(0, MAX_PREVIEW_CHARACTERS)
          .join("")}…`
      : text,
  );
}
