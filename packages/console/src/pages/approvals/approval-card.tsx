import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Approval } from "@yagate/protocol";
import { listCalls } from "../../api/tool-calls.ts";
import { Facts, Notice } from "../../parts/blocks.tsx";
import { classes } from "../../parts/classes.ts";
import { Clock } from "../../parts/clock.tsx";
import controls from "../../parts/controls.module.css";
import { CopyButton } from "../../parts/copy-button.tsx";
import { JsonBlock } from "../../parts/json-block.tsx";
import { formatDuration, NONE, shortId } from "../../parts/numbers.ts";
import { Status, StatusTag, Tag } from "../../parts/status.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import css from "./approvals.module.css";
import { DecisionForm } from "./decision-form.tsx";
import { RenderedRequest } from "./rendered-request.tsx";

interface ApprovalCardProps {
  readonly approval: Approval;
  readonly isOpen: boolean;
  readonly mayDecide: boolean;
}

/** One request for approval: what would be sent, why it asks, and the decision. */
export function ApprovalCard({ approval, isOpen, mayDecide }: ApprovalCardProps) {
  const { id, tool, agentName, agentVersion, executionId, toolCallId, policyReason, request, requestedAt } = approval;
  const isPending = approval.status === "pending";
  return (
    <article className={classes(css["card"], isOpen && css["open"])} id={id} aria-labelledby={`${id}-title`}>
      <div className={css["cardHead"]}>
        <h2 id={`${id}-title`}>{tool.name}</h2>
        {tool.risk === "destructive" ? (
          <StatusTag kind="failed">destructive</StatusTag>
        ) : (
          <Tag>{tool.risk ?? "no risk class"}</Tag>
        )}
        <span className={css["cardEnd"]}>
          {isPending ? (
            <>
              asked <Clock at={requestedAt} isAlone />, expires in {formatDuration(leftOf(approval))}
            </>
          ) : (
            <Clock at={requestedAt} isAlone />
          )}
        </span>
      </div>
      <div className={css["cardBody"]}>
        <div className={css["ask"]}>
          {request === null ? (
            <>
              <p>The tool runs inside the gateway; nothing is sent. Its arguments:</p>
              <JsonBlock label="Arguments" value={approval.parameters} />
            </>
          ) : (
            <RenderedRequest request={request} />
          )}
          <UntrustedBefore executionId={executionId} toolCallId={toolCallId} />
          <Facts
            rows={[
              ["Why it asks", <VisibleText key="why" text={policyReason} />],
              ["Agent", <VisibleText key="agent" text={`${agentName}@${agentVersion}`} />],
              ["Input", <VisibleText key="input" text={approval.inputPreview} />],
              ["Side effect", tool.sideEffect ?? "not declared"],
              ["Signed with", request?.signingSecret ?? NONE],
              ["Credential", request?.credential ?? NONE],
              [
                "Execution",
                <Link key="execution" to="/executions/$id" params={{ id: executionId }} search={{ row: toolCallId }}>
                  {shortId(executionId)}
                </Link>,
              ],
              ["Hash", <code key="hash">{approval.requestHash}</code>],
            ]}
          />
          <div className={controls["actions"]}>
            <CopyButton text={id} label="Copy id" isSmall />
            <CopyButton text={() => JSON.stringify(approval, null, 2)} label="Copy JSON" isSmall />
            <CopyButton text={`yagate approvals show ${id}`} label="Copy as CLI" isSmall />
          </div>
        </div>
        {isPending && mayDecide ? <DecisionForm approval={approval} /> : <Outcome approval={approval} />}
      </div>
    </article>
  );
}

function leftOf({ expiresAt }: Approval): number {
  return Math.max(0, Date.parse(expiresAt) - Date.now());
}

const OUTCOMES = {
  approved: ["ok", "Approved"],
  denied: ["denied", "Denied"],
  expired: ["cancelled", "Expired"],
  cancelled: ["cancelled", "Cancelled"],
} as const;

function Outcome({ approval }: { readonly approval: Approval }) {
  const { status, resolution } = approval;
  if (status === "pending") {
    return (
      <div className={css["decide"]}>
        <p>Deciding needs a key with the scope approvals.</p>
      </div>
    );
  }
  const [kind, word] = OUTCOMES[status as keyof typeof OUTCOMES] ?? ["unknown", status];
  const who = resolution?.keyId === undefined ? NONE : (resolution.keyId ?? "Bootstrap key");
  return (
    <div className={css["decide"]}>
      <Status kind={kind}>{word}</Status>
      <Facts
        rows={[
          ["By", <code key="key">{who}</code>],
          ["At", resolution === null ? NONE : <Clock key="at" at={resolution.at} isAlone />],
          ["Reason", <VisibleText key="reason" text={resolution?.reason ?? resolution?.comment ?? NONE} />],
          ...(resolution?.isSelfApproval === true ? ([["Note", "The same key started the execution"]] as const) : []),
        ]}
      />
    </div>
  );
}

/** The external data that the model had read before it asked for this call. */
function UntrustedBefore({ executionId, toolCallId }: { readonly executionId: string; readonly toolCallId: string }) {
  const calls = useQuery({
    queryKey: ["approvals", "calls", executionId],
    queryFn: ({ signal }) => listCalls(executionId, signal),
    staleTime: 60_000,
  });
  const turn = calls.data?.find(({ id }) => id === toolCallId)?.turn;
  const read = (calls.data ?? []).filter((call) => call.isUntrusted === true && turn !== undefined && call.turn < turn);
  if (calls.isError) return <Notice icon="warning">The model's earlier input could not be loaded.</Notice>;
  if (read.length === 0) return null;
  return (
    <Notice icon="untrusted" look="untrusted">
      Before it asked, the model read external data:{" "}
      {read.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <Link to="/tool-calls/$id" params={{ id }}>
            {name}
          </Link>
        </span>
      ))}
    </Notice>
  );
}
