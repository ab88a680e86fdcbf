import { type Page, type PageQuery, type Provider, toWorkspaceSecretReference, YagateError } from "@yagate/protocol";
import type {
  AuditSubject,
  ChangeRecorder,
  EpochMs,
  ProviderPermission,
  WorkspaceProviderRow,
  WorkspaceProviderStore,
} from "@yagate/store/port";
import type { OpenedSecret, WorkspaceSecrets } from "./workspace-secrets.ts";

const MAX_PROVIDERS = 100;

/** The model providers of workspaces, each with the secret that contains its key. */
export interface ProviderCredentials {
  /** @throws YagateError `FORBIDDEN` if the base URL would change without the permission; `CONFLICT` if there are too many. */
  put(
    workspaceId: string,
    provider: { readonly name: string; readonly secretName: string; readonly baseUrl: string | null },
    permission: ProviderPermission,
    recorder?: ChangeRecorder,
  ): Promise<Provider>;
  /** Reports a missing permission before other errors. @throws YagateError `FORBIDDEN`, as `put` would. */
  assertMayPut(
    workspaceId: string,
    provider: { readonly name: string; readonly baseUrl: string | null },
    permission: ProviderPermission,
  ): Promise<void>;
  /** @throws YagateError `NOT_FOUND`. */
  get(workspaceId: string, name: string): Promise<Provider>;
  /** Ordered by name. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Provider>>;
  /** The base URLs of a workspace's providers, by name. */
  baseUrls(workspaceId: string): Promise<ReadonlyMap<string, string | null>>;
  /** @throws YagateError `NOT_FOUND`; `FORBIDDEN` if it has a base URL and the permission is missing. */
  delete(workspaceId: string, name: string, permission: ProviderPermission, recorder?: ChangeRecorder): Promise<void>;
  /** The current provider and its key; `secret` is undefined if the secret does not exist. */
  find(
    workspaceId: string,
    name: string,
  ): Promise<
    | {
        readonly secretName: string;
        readonly secret: OpenedSecret | undefined;
        readonly baseUrl: string | null;
        /** Both were last written before keys of providers were bound to hosts. */
        readonly isUnbound: boolean;
      }
    | undefined
  >;
}

export interface ProviderCredentialsOptions {
  readonly store: WorkspaceProviderStore;
  readonly secrets: Pick<WorkspaceSecrets, "open">;
  readonly now: () => EpochMs;
}

function toProvider({ name, secretName, baseUrl, createdAt, updatedAt }: WorkspaceProviderRow): Provider {
  return {
    name,
    apiKey: toWorkspaceSecretReference(secretName),
    baseUrl,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

const SUBJECT: AuditSubject<WorkspaceProviderRow> = {
  type: "provider",
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  show: toProvider,
};

export function createProviderCredentials({ store, secrets, now }: ProviderCredentialsOptions): ProviderCredentials {
  return {
    async put(workspaceId, { name, secretName, baseUrl }, permission, recorder) {
      const at = now();
      const row = { workspaceId, name, secretName, baseUrl, createdAt: at, updatedAt: at };
      const audit = recorder?.of(workspaceId, "provider.set", SUBJECT);
      return toProvider(await store.put(row, { ...permission, maxProviders: MAX_PROVIDERS }, audit));
    },
    assertMayPut: (workspaceId, { name, baseUrl }, permission) =>
      store.assertMayPut({ workspaceId, name, baseUrl }, permission),
    async get(workspaceId, name) {
      const row = await store.find(workspaceId, name);
      if (row === undefined) throw new YagateError("NOT_FOUND", "no provider with this name in this workspace");
      return toProvider(row);
    },
    async list(workspaceId, page) {
      const { data, nextCursor } = await store.list(workspaceId, page);
      return { data: data.map(toProvider), nextCursor };
    },
    async baseUrls(workspaceId) {
      const { data } = await store.list(workspaceId, { limit: MAX_PROVIDERS });
      return new Map(data.map(({ name, baseUrl }) => [name, baseUrl]));
    },
    delete: (workspaceId, name, permission, recorder) =>
      store.delete(workspaceId, name, permission, recorder?.of(workspaceId, "provider.deleted", SUBJECT)),
    async find(workspaceId, name) {
      const row = await store.find(workspaceId, name);
      if (row === undefined) return undefined;
      const { secretName, baseUrl } = row;
      const secret = await secrets.open(workspaceId, secretName);
      return { secretName, baseUrl, secret, isUnbound: row.isUnbound && secret?.isUnbound === true };
    },
  };
}
