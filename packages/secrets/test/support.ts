import { randomBytes } from "node:crypto";
import { newId } from "@yagate/lib/ids/ids";
import type { Store } from "@yagate/store/port";
import { parseMasterKeys } from "../src/keyring.ts";
import { createSealer } from "../src/seal.ts";
import { createSigningSecrets } from "../src/signing-secrets.ts";
import { createWorkspaces } from "../src/workspaces.ts";

export const NOW = Date.parse("2026-11-21T06:00:00.000Z");
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A master key entry with random bytes. */
export function masterKeyOf(kid: string): string {
  return `${kid}:${randomBytes(32).toString("base64")}`;
}

/** The services over a store, with a clock that the test moves. */
export function createServices(store: Store, masterKeys = masterKeyOf("k1")) {
  const clock = { now: NOW };
  const now = () => clock.now;
  const sealer = createSealer(parseMasterKeys(masterKeys));
  const signingSecrets = createSigningSecrets({ store: store.signingSecrets, sealer, now, newId });
  const workspaces = createWorkspaces({ store: store.workspaces, signingSecrets, now, newId });
  return { clock, now, sealer, signingSecrets, workspaces };
}
