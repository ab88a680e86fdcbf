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

/** The model providers of workspaces, each with the secret that contains its API key. */
export interface ProviderCredentials {
  /**
   * Creates or replaces a provider.
   * @throws YagateError `FORBIDDEN` if the base URL would change without the permission; `CONFLICT` if the workspace
   *   has too many providers.
   */
  put(
    workspaceId: string,
    provider: { readonly name: string; readonly secretName: string; readonly baseUrl: string | null },
    permission: ProviderPermission,
    recorder?: ChangeRecorder,
  ): Promise<Provider>;
  /**
   * Checks the permission for `put`, so that a missing permission is reported before other errors.
   * @throws YagateError `FORBIDDEN`, as `put` does.
   */
  assertMayPut(
    workspaceId: string,
    provider: { readonly name: string; readonly baseUrl: string | null },
    permission: ProviderPermission,
  ): Promise<void>;
  /**
   * Returns a provider.
   * @throws YagateError `NOT_FOUND`.
   */
  get(workspaceId: string, name: string): Promise<Provider>;
  /** Returns a page of the providers, ordered by name. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Provider>>;
  /** Returns the base URLs of a workspace's providers, by name. */
  baseUrls(workspaceId: string): Promise<ReadonlyMap<string, string | null>>;
  /**
   * Deletes a provider.
   * @throws YagateError `NOT_FOUND`; `FORBIDDEN` if the provider has a base URL and the permission is missing.
   */
  delete(workspaceId: string, name: string, permission: ProviderPermission, recorder?: ChangeRecorder): Promise<void>;
  /**
   * Returns the current provider and its decrypted secret. The secret is undefined if it does not exist. Returns
   * undefined if the workspace has no such provider.
   */
  find(
    workspaceId: string,
    name: string,
  ): Promise<
    | {
        readonly secretName: string;
        readonly secret: OpenedSecret | undefined;
        readonly baseUrl: string | null;
        /** Whether the provider and its secret were both last written before provider keys were bound to hosts. */
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
