import type { DevelopmentAids } from "./development/aids.ts";
import type { IdempotencyStore } from "./idempotency/store.ts";
import type { Logger } from "./logger.ts";
import type { SignatureScheme } from "./signature-scheme.ts";
import type { SecretSource } from "./signing-secrets.ts";
import type { Tool } from "./tool.ts";

/** A handler's options, validated and with defaults filled in. */
export interface Settings {
  readonly secrets: SecretSource;
  readonly signatureScheme: SignatureScheme;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly store: IdempotencyStore;
  readonly audience: string | undefined;
  readonly toleranceSeconds: number;
  readonly maxBodyBytes: number;
  readonly logger: Logger;
  readonly now: () => number;
  /** Whether the handler responds to describe requests. */
  readonly isDescribed: boolean;
  /** Absent outside development mode. */
  readonly aids: DevelopmentAids | undefined;
}
