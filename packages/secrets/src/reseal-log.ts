import type { Logger } from "@yagate/lib/logging/logger";
import type { ResealReport } from "./resealing.ts";

/**
 * Creates the function that logs missing master keys, re-encrypted values, and master keys that can be removed.
 * Removable keys are logged only when the set of them changes.
 */
export function createResealLog(logger: Logger): (report: ResealReport) => void {
  let logged = "";
  return ({ resealed, remaining, missing, unused }) => {
    const sealedValues = Object.fromEntries(remaining);
    if (missing.length > 0) {
      logger.error(
        { missing, sealedValues },
        "stored values need master keys that are not configured: add them to YAGATE_MASTER_KEYS, after the others",
      );
    }
    if (resealed > 0)
      logger.info({ resealed, sealedValues }, "stored values were re-encrypted with the active master key");
    const removable = unused.join(" ");
    if (removable !== "" && removable !== logged) {
      logger.info(
        { unused, sealedValues },
        "no stored value is encrypted with these older master keys: they can be removed",
      );
    }
    logged = removable;
  };
}
