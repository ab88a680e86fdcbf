import type { NewId } from "@yagate/lib/ids/ids";
import { type CreatedWorkspace, DEFAULT_PLAN, YagateError } from "@yagate/protocol";
import type { AuditSubject, ChangeRecorder, EpochMs, WorkspaceRow, WorkspaceStore } from "@yagate/store/port";
import type { SigningSecrets } from "./signing-secrets.ts";

/** The name of the workspace to which the bootstrap key belongs. */
export const DEFAULT_WORKSPACE_NAME = "default";

export interface WorkspacesOptions {
  readonly store: WorkspaceStore;
  readonly signingSecrets: SigningSecrets;
  readonly now: () => EpochMs;
  readonly newId: NewId;
}

/** Creates workspaces, each with its first signing secret in the same commit. */
export interface Workspaces {
  /**
   * Creates a workspace. Only this result contains the text of its signing secret.
   * @throws YagateError `CONFLICT` if the name is in use.
   */
  create(name: string, plan?: string, recorder?: ChangeRecorder): Promise<CreatedWorkspace>;
  /**
   * Returns the workspace `default`. Creates it on the first start.
   * @param signingSecret - becomes the default signing secret of the workspace; default: a random one that has not been
   *   shown.
   * @throws YagateError `SECRET_INVALID`.
   */
  ensureDefault(signingSecret: string | undefined, recorder?: ChangeRecorder): Promise<WorkspaceRow>;
}

/** How workspaces appear in the audit log. */
export const WORKSPACE_SUBJECT: AuditSubject<WorkspaceRow> = {
  type: "workspace",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show: ({ createdAt, ...shown }) => ({ ...shown, createdAt: new Date(createdAt).toISOString() }),
};

export function createWorkspaces({ store, signingSecrets, now, newId }: WorkspacesOptions): Workspaces {
  async function make(
    { name, plan }: Pick<WorkspaceRow, "name" | "plan">,
    secret: { readonly isSeen: boolean; readonly text?: string },
    recorder: ChangeRecorder | undefined,
  ) {
    const workspace: WorkspaceRow = { id: newId("workspace"), name, plan, createdAt: now() };
    const first = await signingSecrets.createFirst(workspace.id, secret);
    await store.create(workspace, first.sealed, recorder?.of(workspace.id, "workspace.created", WORKSPACE_SUBJECT));
    return { workspace, text: first.text };
  }

  return {
    async create(name, plan = DEFAULT_PLAN, recorder) {
      const { workspace, text } = await make({ name, plan }, { isSeen: true }, recorder);
      return { ...workspace, createdAt: new Date(workspace.createdAt).toISOString(), signingSecret: text };
    },
    async ensureDefault(signingSecret, recorder) {
      let existing = await store.findByName(DEFAULT_WORKSPACE_NAME);
      if (existing === undefined) {
        const secret = signingSecret === undefined ? { isSeen: false } : { isSeen: true, text: signingSecret };
        try {
          const workspace = { name: DEFAULT_WORKSPACE_NAME, plan: DEFAULT_PLAN };
          return (await make(workspace, secret, recorder)).workspace;
        } catch (error) {
          if (!YagateError.is(error) || error.code !== "CONFLICT") throw error;
          // Another replica created the workspace at the same time.
          existing = await store.findByName(DEFAULT_WORKSPACE_NAME);
          if (existing === undefined) throw error;
        }
      }
      if (signingSecret !== undefined) await signingSecrets.adopt(existing.id, signingSecret, recorder);
      return existing;
    },
  };
}
