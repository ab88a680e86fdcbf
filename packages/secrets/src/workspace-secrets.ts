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

/** The restrictions on the use of a secret. */
export interface SecretUse {
  /** How the secret is added to requests; null if not configured. */
  readonly auth: SecretAuth | null;
  /**
   * The only hosts to which the secret may be sent. If empty, a provider's API key may be sent to the hosts of the
   * provider and the operator, and the credential of an HTTP tool to no host.
   */
  readonly hosts: readonly string[];
}

/** A secret that was decrypted for one use. */
export interface OpenedSecret extends SecretUse {
  /**
   * The value that is added to a request. For a user name and password, it is their base64 encoding, as `basic` sends
   * it.
   */
  readonly value: string;
  /** Every text that reveals the secret. */
  readonly texts: readonly string[];
  /** Whether the secret was last written before provider keys were bound to hosts. */
  readonly isUnbound: boolean;
}

/** The metadata of a secret for checks of definitions. */
export interface SecretDescription extends SecretUse {
  readonly updatedAt: EpochMs;
}

/** The secrets of all workspaces. A value is decrypted only in order to send it to a service. */
export interface WorkspaceSecrets {
  /**
   * Sets the value of a secret. An omitted `auth` or `hosts` stays unchanged, except that a user name and password are
   * always sent as `basic`.
   * @throws YagateError `INVALID_REQUEST` if the value is a single string and `auth` remains `basic`; `QUOTA_EXCEEDED`.
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
  /** Returns a page of names and metadata, ordered by name. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Secret>>;
  /**
   * Deletes a secret.
   * @throws YagateError `NOT_FOUND`.
   */
  delete(workspaceId: string, name: string, recorder?: ChangeRecorder): Promise<void>;
  /** Returns the metadata of those secrets that exist, by name. No value is decrypted. */
  describe(workspaceId: string, names: readonly string[]): Promise<ReadonlyMap<string, SecretDescription>>;
  /**
   * Decrypts a secret for one use. Nothing is cached, so a new value takes effect immediately.
   * @returns undefined if the workspace has no secret with this name.
   */
  open(workspaceId: string, name: string): Promise<OpenedSecret | undefined>;
}

export interface WorkspaceSecretsOptions {
  readonly store: WorkspaceSecretStore;
  readonly sealer: Sealer;
  readonly now: () => EpochMs;
}

/**
 * Returns the context in which a value is encrypted. The value can be decrypted only with the same workspace and name.
 */
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

/**
 * Joins a user name and password with a colon. A user name contains no colon (RFC 7617), so the text can be split
 * again.
 */
function joinBasicPair({ username, password }: BasicCredential): string {
  return `${username}:${password}`;
}

/** Returns the value after `authorization: Basic `. */
function basicToken(pair: string): string {
  return Buffer.from(pair, "utf8").toString("base64");
}

/**
 * Returns every text that reveals part of the pair: its encoded form, the joined pair, the user name and the password.
 */
function textsOfBasicPair(pair: string): readonly string[] {
  const [username = "", ...rest] = pair.split(":");
  return [basicToken(pair), pair, username, rest.join(":")];
}
