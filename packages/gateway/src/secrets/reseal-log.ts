import type { Logger } from "@yagate/lib/logging/logger";
import type { ResealReport } from "./resealing.ts";

/** Tells an operator of master keys what is missing, what was done, and which key can go: once for each change. */
export function createResealLog(logger: Logger): (report: ResealReport) => void {
  let told = "";
  return ({ resealed, remaining, missing, unused }) => {
    const sealedValues = Object.fromEntries(remaining);
    if (missing.length > 0) {
      logger.error(
        { missing, sealedValues },
        "stored values need master keys that are not configured: add those to YAGATE_MASTER_KEYS, behind the others",
      );
    }
    if (resealed > 0)
      logger.info({ resealed, sealedValues }, "stored values were sealed again with the active master key");
    const tellable = unused.join(" ");
    if (tellable !== "" && tellable !== told) {
      logger.info({ unused, sealedValues }, "no stored value is sealed with these older master keys any more");
    }
    told = tellable;
  };
}
