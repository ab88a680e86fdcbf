import { createHash } from "node:crypto";
import { defined } from "@yagate/lib/objects/defined";
import {
  type createToolSourceSchema,
  type OnChange,
  type ToolSourceSettings,
  toFieldErrors,
  toolSourceSettingsSchema,
  type UpdateToolSource,
} from "@yagate/protocol";
import type * as z from "zod";
import { InvalidRequestError } from "../errors/request-errors.ts";

/** New settings, and the document that comes with them. */
interface GivenSettings {
  readonly settings: ToolSourceSettings;
  /** The uploaded document as it is stored; null removes the earlier one, and undefined keeps it. */
  readonly upload?: string | null;
}

/**
 * Returns the settings of a new source.
 *
 * @param onHandlerChange - what happens to changed tools of a handler if the request does not say. Default `hold`.
 */
export function createdSettings(
  { name: _name, accept: _accept, ...body }: z.output<typeof createToolSourceSchema>,
  onHandlerChange: OnChange = "hold",
): GivenSettings & { readonly upload?: string } {
  if (body.kind === "handler") return { settings: { ...body, onChange: body.onChange ?? onHandlerChange } };
  if (body.kind === "mcp") return { settings: body };
  const { url = null, document, documents, documentName, ...settings } = body;
  if (url !== null) return { settings: { ...settings, url, documentHash: null } };
  const upload = toUpload({ document, documents, documentName });
  return { settings: { ...settings, url, documentHash: hashOf(upload) }, upload };
}

/**
 * Returns the settings of a source after a change. Omitted fields keep their values.
 *
 * @throws InvalidRequestError if a field does not belong to sources of this kind.
 */
export function changedSettings(settings: ToolSourceSettings, change: UpdateToolSource): GivenSettings {
  if (settings.kind !== "openapi") return { settings: withChange(settings, change) };
  const { document, documents, documentName, ...rest } = change;
  if (document === undefined && (documents !== undefined || documentName !== undefined)) {
    throw refused("document", "EXPECTED_DOCUMENT", "expected the document to which documents and documentName belong");
  }
  if (document === undefined) {
    const replaced = change.url === undefined ? {} : { documentHash: null };
    const upload = change.url === undefined ? undefined : null;
    return { settings: withChange(settings, { ...rest, ...replaced }), ...defined({ upload }) };
  }
  if (change.url !== undefined) throw refused("url", "EXPECTED_ONE", "expected either url or document");
  const upload = toUpload({ document, documents, documentName });
  return { settings: withChange(settings, { ...rest, url: null, documentHash: hashOf(upload) }), upload };
}

/** The changes that a request can make, and those that follow from an uploaded document. */
type Change = Omit<UpdateToolSource, "url"> & {
  readonly url?: string | null | undefined;
  readonly documentHash?: string | null;
};

function withChange(settings: ToolSourceSettings, change: Change): ToolSourceSettings {
  const parsed = toolSourceSettingsSchema.safeParse({ ...settings, ...change });
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(toFieldErrors(parsed.error));
}

/** Whether a source is synced on schedule. An uploaded document changes only when it is replaced. */
export function isScheduled({ url }: Pick<ToolSourceSettings, "url">): boolean {
  return url !== null;
}

/** An uploaded document with the documents to which it refers. */
export type Upload = Pick<UpdateToolSource, "document" | "documents" | "documentName">;

function toUpload({ document, documents, documentName }: Upload): string {
  return JSON.stringify({ document, documents, documentName });
}

function hashOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

function refused(path: string, code: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ path, code, message }]);
}
