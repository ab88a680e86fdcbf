import {
  type ToolSourceSettings,
  toFieldErrors,
  toolSourceSettingsSchema,
  type UpdateToolSource,
} from "@yagate/protocol";
import { InvalidRequestError } from "../errors/request-errors.ts";

/**
 * Returns the settings of a source after a change. Omitted fields keep their values.
 *
 * @throws InvalidRequestError if a field does not belong to sources of this kind.
 */
export function withChange(settings: ToolSourceSettings, change: UpdateToolSource): ToolSourceSettings {
  const parsed = toolSourceSettingsSchema.safeParse({ ...settings, ...change });
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(toFieldErrors(parsed.error));
}
