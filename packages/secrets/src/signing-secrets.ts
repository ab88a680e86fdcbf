import type { NewId } from "@yagate/lib/ids/ids";
import { defined } from "@yagate/lib/objects/defined";
import {
  DEFAULT_SECRET_OVERLAP_SECONDS,
  generateSigningSecret,
  MAX_LIVE_SECRETS,
  parseSigningSecret,
  type RotatedSigningSecret,
  type SigningSecret,
  YagateError,
} from "@yagate/protocol";
import type {
  AuditSubject,
  ChangeRecorder,
  EpochMs,
  SealedSigningSecret,
  SigningSecretStore,
} from "@yagate/store/port";
import { LiveSecrets } from "./live-secrets.ts";
import type { SealContext, Sealer } from "./seal.ts";

/** The name of the first secret of every workspace. */
export const DEFAULT_SECRET_NAME = "default";

/** The first signing secret of a workspace. It is stored in the commit that creates the workspace. */
export interface FirstSecret {
  readonly text: string;
  readonly sealed: SealedSigningSecret;
}

/** The signing secrets of all workspaces. Their texts are used to sign, and are returned only once, on creation. */
export interface SigningSecrets {
  /**
   * Returns the texts of the 1 to 8 secrets with which calls are currently signed, newest first; a promise only if they
   * have to be loaded.
   * @throws YagateError `NOT_CONFIGURED` if the workspace has no secret with this name.
   */
  forSigning(workspaceId: string, name: string): readonly string[] | Promise<readonly string[]>;
  /** Returns the current secrets of every name, newest first, without their texts. */
  list(workspaceId: string): Promise<readonly SigningSecret[]>;
  /**
   * Creates a new secret, which may have a new name. The previous secret is still used to sign for the overlap (0 to
   * 604,800 s), unless it was never shown. With an overlap of 0, all older secrets stop working immediately.
   * @throws YagateError `CONFLICT` if 8 secrets are in use.
   */
  rotate(
    workspaceId: string,
    rotation: { readonly name: string; readonly overlapSeconds: number },
    recorder?: ChangeRecorder,
  ): Promise<RotatedSigningSecret>;
  /**
   * Creates the default secret of a new workspace without storing it.
   * @param options.isSeen - whether the secret is known outside the gateway or will be shown.
   * @param options.text - the text of the secret; default: random.
   * @throws YagateError `SECRET_INVALID`.
   */
  createFirst(workspaceId: string, options: { readonly isSeen: boolean; readonly text?: string }): Promise<FirstSecret>;
  /** Returns the text of the workspace's current default secret, for the operator, and marks the secret as seen. */
  reveal(workspaceId: string): Promise<string>;
  /**
   * Makes a configured secret the default secret of the workspace. If it is already in use, this does nothing, so that
   * a restart does not undo a rotation. Otherwise the previous secret is still used to sign for 24 h. If 8 secrets are
   * already in use, all older ones stop working immediately instead.
   * @throws YagateError `SECRET_INVALID`.
   */
  adopt(workspaceId: string, text: string, recorder?: ChangeRecorder): Promise<void>;
}

export interface SigningSecretsOptions {
  readonly store: SigningSecretStore;
  readonly sealer: Sealer;
  readonly now: () => EpochMs;
  readonly newId: NewId;
  /** How long secrets are cached, in ms. Default: no limit, which requires that only this process rotates them. */
  readonly maxAgeMs?: number;
}

const toTimestamp = (at: EpochMs) => new Date(at).toISOString();
const toTimestampOrNull = (at: EpochMs | null) => (at === null ? null : toTimestamp(at));

/**
 * Returns the context in which a signing secret is encrypted. An encrypted text can be decrypted only with the context
 * of its secret.
 */
export function signingSecretContext({
  workspaceId,
  name,
  id,
}: Pick<SealedSigningSecret, "workspaceId" | "name" | "id">): SealContext {
  return ["signing-secret", workspaceId, name, id];
}

function toSigningSecret({ id, name, createdAt, expiresAt }: SealedSigningSecret): SigningSecret {
  return { id, name, createdAt: toTimestamp(createdAt), expiresAt: toTimestampOrNull(expiresAt) };
}

const SUBJECT: AuditSubject<SealedSigningSecret> = {
  type: "signing_secret",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show: toSigningSecret,
};

function requireSecret(texts: readonly string[]): readonly string[] {
  if (texts.length > 0) return texts;
  throw new YagateError(
    "NOT_CONFIGURED",
    "the workspace does not have the tool's signing secret: create it with POST /v1/signing-secrets/rotate",
  );
}

export function createSigningSecrets(options: SigningSecretsOptions): SigningSecrets {
  const { store, sealer, now, newId, maxAgeMs } = options;
  const load = async (workspaceId: string, name: string) => {
    const secrets = (await store.list(workspaceId, now())).filter((secret) => secret.name === name);
    return Promise.all(
      secrets.map(async (secret) => ({
        text: await sealer.open(secret.sealed, signingSecretContext(secret)),
        expiresAt: secret.expiresAt,
      })),
    );
  };
  const live = new LiveSecrets({ now, load, ...defined({ maxAgeMs }) });

  async function sealNew(
    workspaceId: string,
    name: string,
    text: string,
    isSeen: boolean,
  ): Promise<SealedSigningSecret> {
    parseSigningSecret(text);
    const place = { id: newId("signingSecret"), workspaceId, name };
    const sealed = await sealer.seal(text, signingSecretContext(place));
    return { ...place, sealed, createdAt: now(), expiresAt: null, isSeen };
  }

  async function replace(
    workspaceId: string,
    { name, text, overlapSeconds }: { readonly name: string; readonly text: string; readonly overlapSeconds: number },
    recorder: ChangeRecorder | undefined,
  ) {
    const next = await sealNew(workspaceId, name, text, true);
    const previousExpiresAt = await store.rotate({
      next,
      previousExpiresAt: next.createdAt + overlapSeconds * 1_000,
      now: next.createdAt,
      maxLive: MAX_LIVE_SECRETS,
      audit: recorder?.of(workspaceId, "signing_secret.rotated", SUBJECT),
    });
    live.forget(workspaceId, name);
    return { next, previousExpiresAt };
  }

  return {
    forSigning(workspaceId, name) {
      const texts = live.textsOf(workspaceId, name);
      return texts instanceof Promise ? texts.then(requireSecret) : requireSecret(texts);
    },
    async list(workspaceId) {
      const secrets = await store.list(workspaceId, now());
      return secrets.map(toSigningSecret);
    },
    async rotate(workspaceId, { name, overlapSeconds }, recorder) {
      const secret = generateSigningSecret();
      const { next, previousExpiresAt } = await replace(workspaceId, { name, text: secret, overlapSeconds }, recorder);
      return {
        id: next.id,
        name,
        secret,
        createdAt: toTimestamp(next.createdAt),
        previousExpiresAt: toTimestampOrNull(previousExpiresAt),
      };
    },
    async createFirst(workspaceId, { isSeen, text = generateSigningSecret() }) {
      return { text, sealed: await sealNew(workspaceId, DEFAULT_SECRET_NAME, text, isSeen) };
    },
    async reveal(workspaceId) {
      const current = (await store.list(workspaceId, now())).find(({ name }) => name === DEFAULT_SECRET_NAME);
      if (current === undefined) throw new YagateError("NOT_FOUND", "the workspace has no signing secret");
      if (!current.isSeen) await store.markSeen(workspaceId, current.id);
      return sealer.open(current.sealed, signingSecretContext(current));
    },
    async adopt(workspaceId, text, recorder) {
      parseSigningSecret(text);
      const texts = await live.textsOf(workspaceId, DEFAULT_SECRET_NAME);
      if (texts.includes(text)) return;
      const overlapSeconds = texts.length < MAX_LIVE_SECRETS ? DEFAULT_SECRET_OVERLAP_SECONDS : 0;
      await replace(workspaceId, { name: DEFAULT_SECRET_NAME, text, overlapSeconds }, recorder);
    },
  };
}
