import { defined } from "@yagate/lib/objects/defined";
import type { BasicCredential, Page, PageQuery, Secret, SecretAuth } from "@yagate/protocol";
import type {
  AuditSubject,
  ChangeRecorder,
  EpochMs,
  WorkspaceSecretRow,
  WorkspaceSecretStore,
} from "@yagate/store/port";
import type { SealContext, Sealer } from "./seal.ts";

/** How a secret may be used. */
export interface SecretUse {
  /** How a request carries it; null if not configured. */
  readonly auth: SecretAuth | null;
  /**
   * The only hosts that it may be sent to. Empty: as the key of a provider, the hosts of the provider and the operator; as the
   * credential of an HTTP tool, none.
   */
  readonly hosts: readonly string[];
}

/** A secret, opened for one use. */
export interface OpenedSecret extends SecretUse {
  /** The value in a request; for a user name and password their base64, as `basic` sends it. */
  readonly value: string;
  /** Every text that reveals it. */
  readonly texts: readonly string[];
  /** Last written before keys of providers were bound to hosts. */
  readonly isUnbound: boolean;
}

/** The metadata that checks of definitions need. */
export interface SecretDescription extends SecretUse {
  readonly updatedAt: EpochMs;
}

/** The secrets of all workspaces. A value is returned only to be sent to a service. */
export interface WorkspaceSecrets {
  /**
   * Sets the value. If omitted, `auth` and `hosts` stay unchanged, except that a user name and password are always sent as
   * `basic`.
   * @throws YagateError `INVALID_REQUEST` if the value is a single text and `auth` stays `basic`; `QUOTA_EXCEEDED`.
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
  /** Names and metadata, ordered by name. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Secret>>;
  /** @throws YagateError `NOT_FOUND`. */
  delete(workspaceId: string, name: string, recorder?: ChangeRecorder): Promise<void>;
  /** The named secrets that exist, by name; opens no value. */
  describe(workspaceId: string, names: readonly string[]): Promise<ReadonlyMap<string, SecretDescription>>;
  /**
   * Opens a secret for one use. Nothing is cached, so a new value takes effect at once.
   * @returns undefined if the workspace has no secret with this name.
   */
  open(workspaceId: string, name: string): Promise<OpenedSecret | undefined>;
}

export interface WorkspaceSecretsOptions {
  readonly store: WorkspaceSecretStore;
  readonly sealer: Sealer;
  readonly now: () => EpochMs;
}

/** A value opens only with the workspace and name that it was sealed for. */
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

/** Joins a pair. A user name contains no colon (RFC 7617), so the text can be split again. */
function joinBasicPair({ username, password }: BasicCredential): string {
  return `${username}:${password}`;
}

/** The value after `authorization: Basic `. */
function basicToken(pair: string): string {
  return Buffer.from(pair, "utf8").toString("base64");
}

/** Every text that reveals part of the pair: its encoded form, the joined pair, and each half. */
function textsOfBasicPair(pair: string): readonly string[] {
  const [username = "", ...rest] = pair.split(":");
  return [basicToken(pair), pair, username, rest.join(":")];
}
