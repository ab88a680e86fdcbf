import { type Page, type PageQuery, type Provider, toWorkspaceSecretReference, YagateError } from "@yagate/protocol";
import type { EpochMs } from "@yagate/store/port";
import type { AuditSubject, ChangeRecorder } from "@yagate/store/rows/audit-rows";
import type {
  ProviderPermission,
  WorkspaceProviderRow,
  WorkspaceProviderStore,
} from "@yagate/store/rows/provider-rows";
import type { OpenedSecret, WorkspaceSecrets } from "./workspace-secrets.ts";

const MAX_PROVIDERS = 100;

/** The model providers that workspaces configured for themselves, each with the secret that holds its key. */
export interface ProviderCredentials {
  /** @throws YagateError `FORBIDDEN` for another base URL than it has, without the permission; `CONFLICT` for one too many. */
  put(
    workspaceId: string,
    provider: { readonly name: string; readonly secretName: string; readonly baseUrl: string | null },
    permission: ProviderPermission,
    recorder?: ChangeRecorder,
  ): Promise<Provider>;
  /** @throws YagateError `FORBIDDEN`, as `put` would: so that it is said before anything else that is wrong. */
  assertMayPut(
    workspaceId: string,
    provider: { readonly name: string; readonly baseUrl: string | null },
    permission: ProviderPermission,
  ): Promise<void>;
  /** @throws YagateError `NOT_FOUND`. */
  get(workspaceId: string, name: string): Promise<Provider>;
  /** In the order of names. */
  list(workspaceId: string, page: PageQuery): Promise<Page<Provider>>;
  /** The base URLs of all that a workspace has, by name. */
  baseUrls(workspaceId: string): Promise<ReadonlyMap<string, string | null>>;
  /** @throws YagateError `NOT_FOUND`; `FORBIDDEN` for one with a base URL, without the permission. */
  delete(workspaceId: string, name: string, permission: ProviderPermission, recorder?: ChangeRecorder): Promise<void>;
  /** The provider and its key as they are now: `secret` is undefined where there is none of that name. */
  find(
    workspaceId: string,
    name: string,
  ): Promise<
    | {
        readonly secretName: string;
        readonly secret: OpenedSecret | undefined;
        readonly baseUrl: string | null;
        /** Neither was written since keys of providers are bound to hosts. */
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
      if (row === undefined) throw new YagateError("NOT_FOUND", "no provider of this name in this workspace");
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
