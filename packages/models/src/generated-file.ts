import type { LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { ModelTurnError } from "./port.ts";

/** Throws for a file that is returned as a URL, because fetching it would bypass the egress guard. */
export function assertNoDownload(part: LanguageModelV4Content | LanguageModelV4StreamPart): void {
  if ((part.type !== "file" && part.type !== "reasoning-file") || part.data.type !== "url") return;
  throw new ModelTurnError("MODEL_ERROR", "the model replied with a file to download, which is not supported");
}
