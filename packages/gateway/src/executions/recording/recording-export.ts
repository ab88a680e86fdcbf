import { createSecretMask } from "@yagate/lib/redaction/secret-mask";
import { type ExecutionRecording, hasEnded, jsonObjectSchema, YagateError } from "@yagate/protocol";
import type { SigningSecrets } from "@yagate/secrets/signing-secrets";
import type { WorkspaceSecrets } from "@yagate/secrets/workspace-secrets";
import type { EventStore } from "@yagate/store/port";
import { openSecrets } from "../../tools/http/services.ts";
import type { LoadAgent } from "../run/loaded-agents.ts";
import { recordedAgentHash } from "./agent-hash.ts";
import { buildRecording } from "./build-recording.ts";
import { MAX_RECORDING_CHARACTERS } from "./recording-checks.ts";

const SECRETS_PER_PAGE = 200;

export interface RecordingExportOptions {
  readonly eventStore: Pick<EventStore, "find" | "entries">;
  readonly loadAgent: LoadAgent;
  readonly secrets: Pick<WorkspaceSecrets, "list" | "open">;
  readonly signingSecrets: Pick<SigningSecrets, "list" | "forSigning">;
}

/**
 * Creates the function that exports the recording of an execution.
 *
 * @throws YagateError `NOT_FOUND` if the workspace has no such execution; `CONFLICT` if it has not ended, has no model
 *   turn, or is too large.
 */
export function createRecordingExport({ eventStore, loadAgent, secrets, signingSecrets }: RecordingExportOptions) {
  /** Opens every secret of the workspace, because a tool may have returned one that it does not use. */
  async function maskOf(workspaceId: string) {
    const names: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = cursor === undefined ? { limit: SECRETS_PER_PAGE } : { limit: SECRETS_PER_PAGE, cursor };
      const page = await secrets.list(workspaceId, query);
      names.push(...page.data.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    const { named } = await openSecrets(secrets, workspaceId, names);
    const signing = new Set((await signingSecrets.list(workspaceId)).map(({ name }) => name));
    const values = await Promise.all(
      [...signing].map(async (name) =>
        (await signingSecrets.forSigning(workspaceId, name)).map((value) => ({ name, value })),
      ),
    );
    return createSecretMask([...named, ...values.flat()]);
  }

  return async (
    workspaceId: string,
    executionId: string,
    include: ReadonlySet<string>,
  ): Promise<ExecutionRecording> => {
    const row = await eventStore.find(executionId, workspaceId);
    if (row === undefined) throw new YagateError("NOT_FOUND", "no execution with this id in this workspace");
    if (!hasEnded(row.status)) throw new YagateError("CONFLICT", "expected an execution that has ended");
    const entries = await eventStore.entries(executionId, 0);
    const mask = await maskOf(workspaceId);
    const recording = buildRecording(
      executionId,
      entries.map(({ event }) => event),
      mask,
    );
    if (recording.modelTurns.length === 0) {
      throw new YagateError("CONFLICT", "expected an execution with at least one model turn");
    }
    if (JSON.stringify(recording).length > MAX_RECORDING_CHARACTERS) {
      const most = `at most ${MAX_RECORDING_CHARACTERS} characters of JSON`;
      throw new YagateError("CONFLICT", `expected an execution whose recording has ${most}`);
    }
    const { agent, toolset } = await loadAgent(row);
    const hash = recordedAgentHash(agent, toolset);
    const { input, caller, metadata } = row.request;
    const masked = { input: typeof input === "string" ? mask.text(input) : input.map(maskMessage) };
    function maskMessage<Message extends { readonly content: string }>(message: Message): Message {
      return { ...message, content: mask.text(message.content) };
    }
    return {
      executionId,
      recording: { agent: { id: row.agentId, version: row.agentVersion, hash }, ...recording },
      ...(include.has("input") ? masked : {}),
      ...(include.has("caller") && caller !== undefined ? { caller: jsonObjectSchema.parse(mask.json(caller)) } : {}),
      ...(include.has("metadata") ? { metadata: jsonObjectSchema.parse(mask.json(metadata ?? {})) } : {}),
    };
  };
}
