import { defined } from "@yagate/lib/objects/defined";
import { toVisibleLine, type UpdateToolSource, updateToolSourceSchema, YagateError } from "@yagate/protocol";
import { durationOf } from "../duration.ts";
import { checkedBody } from "../frame/checked-body.ts";
import type { Invocation } from "../frame/invocation.ts";
import { readJson } from "../read-text.ts";
import { toCredentialPair } from "../tools/credential-pairs.ts";
import { printUnread } from "./add.ts";
import { findSource } from "./find-source.ts";
import { type AuthOptions, readAuth } from "./read-auth.ts";
import { countsOf, noteHeld } from "./sources.ts";

interface UpdateSourceOptions extends AuthOptions {
  readonly newUrl?: string;
  readonly signingSecret?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly onChange?: string;
  readonly interval?: string;
  readonly server?: string;
  /** The secrets for security schemes, each as `scheme=NAME`. */
  readonly credentialFor?: readonly string[];
  /** File with further settings. */
  readonly settings?: string;
}

/**
 * Changes the settings of a source, then reads its tools again.
 *
 * @throws YagateError `INVALID_REQUEST` if no setting is named or one is invalid; `NOT_FOUND`.
 */
export async function updateSource(
  invocation: Invocation,
  nameOrId: string,
  options: UpdateSourceOptions,
): Promise<void> {
  const change = await changeOf(options);
  const client = await invocation.client();
  const { id, name } = await findSource(client, nameOrId);
  if (change.url !== undefined || change.auth !== undefined) {
    await invocation.confirm(
      toVisibleLine(`Hold all tools of ${name} until they are accepted again, because its URL or credential changes?`),
    );
  }
  const source = await client.sources.update(id, change);
  if (source.reason !== null) return printUnread(invocation, source, `${name} was updated.`);
  invocation.output.done(source, `${name} was updated. It is ${source.status}: ${countsOf(source)}.`);
  noteHeld(invocation, source);
}

async function changeOf({ settings, ...options }: UpdateSourceOptions): Promise<UpdateToolSource> {
  const { newUrl: url, signingSecret, include, exclude, onChange, interval, server, credentialFor } = options;
  const named = {
    ...{ url, signingSecret, include, exclude, onChange, server, auth: readAuth(options) },
    syncIntervalSeconds: interval === undefined ? undefined : durationOf(interval, "--interval") / 1_000,
    credentials: credentialFor === undefined ? undefined : Object.fromEntries(credentialFor.map(toCredentialPair)),
  };
  const change = { ...(settings === undefined ? {} : await readJson(settings)), ...defined(named) };
  if (Object.keys(change).length === 0) {
    throw new YagateError("INVALID_REQUEST", "expected an option that changes a setting", {
      hint: "settings without an option of their own, such as overrides, are read from a file: --settings <file>",
    });
  }
  return checkedBody(updateToolSourceSchema, change);
}
