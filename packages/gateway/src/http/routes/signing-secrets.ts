import {
  pageSchema,
  type RotatedSigningSecret,
  rotatedSigningSecretSchema,
  rotateSigningSecretSchema,
  type SigningSecret,
  signingSecretSchema,
} from "@yagate/protocol";
import type { ChangeRecorder } from "@yagate/store/port";
import { idPageQuerySchema, pageOfIdentified } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

/** The part of the signing secrets that these routes use. */
export interface SigningSecretService {
  list(workspaceId: string): Promise<readonly SigningSecret[]>;
  rotate(
    workspaceId: string,
    rotation: { readonly name: string; readonly overlapSeconds: number },
    recorder: ChangeRecorder,
  ): Promise<RotatedSigningSecret>;
}

export function signingSecretRoutes(secrets: SigningSecretService): readonly Route[] {
  const tag = "signing secrets";
  return [
    defineRoute({
      name: "listSigningSecrets",
      method: "get",
      path: "/v1/signing-secrets",
      summary: "List signing secrets",
      description:
        "Returns the current signing secrets, and the previous ones that the gateway still signs with, without their values.",
      tag,
      scopes: ["secrets"],
      status: 200,
      query: idPageQuerySchema,
      response: pageSchema(signingSecretSchema),
      handle: async ({ principal, query }) => ({
        status: 200,
        body: pageOfIdentified(await secrets.list(principal.workspaceId), query),
      }),
    }),
    defineRoute({
      name: "rotateSigningSecret",
      method: "post",
      path: "/v1/signing-secrets/rotate",
      summary: "Rotate a signing secret",
      description:
        "The new secret is shown only in this response. During the overlap, the gateway signs with both the previous secret and the new one, which gives you time to update your handlers.",
      tag,
      scopes: ["secrets"],
      problems: ["CONFLICT"],
      body: rotateSigningSecretSchema.prefault({}),
      status: 201,
      response: rotatedSigningSecretSchema,
      handle: async ({ principal, recorder, body }) => ({
        status: 201,
        body: await secrets.rotate(principal.workspaceId, body, recorder),
      }),
    }),
  ];
}
