import { defined } from "@yagate/lib/objects/defined";
import type { BasicCredential, Page, PageQuery, Secret, SecretAuth } from "@yagate/protocol";
import type { EpochMs, WorkspaceSecretRow, WorkspaceSecretStore } from "@yagate/store/port";
import type { AuditSubject, ChangeRecorder } from "@yagate/store/rows/audit-rows";
import { basicToken, joinBasicPair, textsOfBasicPair } from "./basic-pair.ts";
import type { SealContext, Sealer } from "./seal.ts";

/** How a secret may be used. */
export interface SecretUse {
  /** How a request carries it; null where nobody said so. */
  readonly auth: SecretAuth | null;
  /**
   * The only hosts that it may be sent to. Empty: as a provider's key, those of the provider and of the operator; as the
   * credential of an HTTP tool, none.
   */
  readonly hosts: readonly string[];
}

/** A secret on its way to where it is used. */
export interface OpenedSecret extends SecretUse {
  /** What stands in a request; of a user name and a password their base64, as `basic` sends it. */
  readonly value: string;
  /** Every text that gives it away. */
  readonly texts: readonly string[];
  /** Not written since keys of providers are bound to hosts. */
  readonly isUnbound: boolean;
}

/** What may be known of a secret by whatever checks definitions that name it. */
export interface SecretDescription extends SecretUse {
  readonly updatedAt: EpochMs;
}

/** The secrets of all workspaces. A value goes in, and comes out only to be sent to a service. */
export interface WorkspaceSecrets {
  /**
   * Sets a value from now on; `auth` and `hosts` stay as they are where they are left out, but that a user name and a
   * password go along as `basic`.
   * @throws YagateError `INVALID_REQUEST` for one text where `basic` stays, `QUOTA_EXCEEDED`.
   */
  put(
    workspaceId: string,
    name: string,
    secret: {
      readonly value: string | BasicCredential;
      readonly auth?: SecretAuth | null | undefined;
      readonly hosts?: readonly string[] | undefined;
    },
    recorder?: ChangeRecorder,
  ): Promise<Secret>;
  /** Names and metadata, in the order of names. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Secret>>;
  /** @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, name: string, recorder?: ChangeRecorder): Promise<void>;
  /** Those of the named secrets that there are, by name; no value is opened. */
  describe(workspaceId: string, names: readonly string[]): Promise<ReadonlyMap<string, SecretDescription>>;
  /**
   * Opens a secret for one use. Nothing is kept in memory, so a new value counts at once.
   * @returns undefined when the workspace has none of this name.
   */
  open(workspaceId: string, name: string): Promise<OpenedSecret | undefined>;
}

export interface WorkspaceSecretsOptions {
  readonly store: WorkspaceSecretStore;
  readonly sealer: Sealer;
  readonly now: () => EpochMs;
}

/** A value opens only as the secret of the workspace and name that it was sealed for. */
export function workspaceSecretContext(workspaceId: string, name: string): SealContext {
  return ["workspace-secret", workspaceId, name];
}

function toSecret({ name, auth, hosts, createdAt, updatedAt }: WorkspaceSecretRow): Secret {
  return {
    name,
    auth,
    hosts: [...hosts],
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

const BASIC = { type: "basic" } as const satisfies SecretAuth;

const SUBJECT: AuditSubject<WorkspaceSecretRow> = {
  type: "secret",
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  show: toSecret,
  isAlwaysChanged: true,
};

export function createWorkspaceSecrets({ store, sealer, now }: WorkspaceSecretsOptions): WorkspaceSecrets {
  return {
    async put(workspaceId, name, { value, auth: given, hosts }, recorder) {
      const isPair = typeof value !== "string";
      const auth = isPair ? BASIC : given;
      const text = isPair ? joinBasicPair(value) : value;
      const sealed = await sealer.seal(text, workspaceSecretContext(workspaceId, name));
      const change = {
        workspaceId,
        name,
        sealed,
        at: now(),
        ...defined({ auth }),
        ...(hosts === undefined ? {} : { hosts: [...new Set(hosts)] }),
      };
      return toSecret(await store.put(change, null, recorder?.of(workspaceId, "secret.set", SUBJECT)));
    },
    async list(workspaceId, page) {
      const { data, nextCursor } = await store.list(workspaceId, page);
      return { data: data.map(toSecret), nextCursor };
    },
    delete: (workspaceId, name, recorder) =>
      store.delete(workspaceId, name, recorder?.of(workspaceId, "secret.deleted", SUBJECT)),
    async describe(workspaceId, names) {
      const rows = await Promise.all([...new Set(names)].map((name) => store.find(workspaceId, name)));
      return new Map(
        rows
          .filter((row) => row !== undefined)
          .map(({ name, auth, hosts, updatedAt }) => [name, { auth, hosts, updatedAt }]),
      );
    },
    async open(workspaceId, name) {
      const row = await store.find(workspaceId, name);
      if (row === undefined) return undefined;
      const { sealed, auth, hosts, isUnbound } = row;
      const text = await sealer.open(sealed, workspaceSecretContext(workspaceId, name));
      const isPair = auth?.type === BASIC.type;
      const value = isPair ? basicToken(text) : text;
      return { value, texts: isPair ? textsOfBasicPair(text) : [text], auth, hosts, isUnbound };
    },
  };
}
