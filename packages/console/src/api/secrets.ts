import type { PutSecret, RotatedSigningSecret, Secret, SigningSecret } from "@yagate/protocol";
import { listAll } from "./pages.ts";
import { request } from "./request.ts";

const MOST = 1_000;

export const listSecrets = (signal?: AbortSignal) => listAll<Secret>("v1/secrets", MOST, signal);

export const putSecret = (name: string, body: PutSecret) =>
  request<Secret>(`v1/secrets/${encodeURIComponent(name)}`, { method: "PUT", body });

export const deleteSecret = (name: string) =>
  request<undefined>(`v1/secrets/${encodeURIComponent(name)}`, { method: "DELETE" });

export const listSigningSecrets = (signal?: AbortSignal) => listAll<SigningSecret>("v1/signing-secrets", MOST, signal);

export const rotateSigningSecret = (body: { readonly name: string; readonly overlapSeconds: number }) =>
  request<RotatedSigningSecret>("v1/signing-secrets/rotate", { method: "POST", body });
