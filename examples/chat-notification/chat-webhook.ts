import { ToolError } from "@yagate/handler";

const MAX_WAIT_SECONDS = 30;

export interface ChatMessage {
  readonly channel: string;
  readonly text: string;
}

/** @param url - the chat's incoming webhook. It is a secret, because anyone who has it can post. */
export function createChatWebhook(url: string) {
  return {
    /** @throws ToolError that states whether the same message may be posted again. */
    async post({ channel, text }: ChatMessage, signal: AbortSignal): Promise<void> {
      const response = await send(url, { channel: `#${channel}`, text: withoutMentions(text) }, signal);
      if (response.ok) return;
      if (response.status === 404) {
        throw new ToolError("CHANNEL_UNKNOWN", `there is no channel #${channel}`, { hint: "ask for its exact name" });
      }
      if (response.status === 429 || response.status === 503) {
        throw new ToolError("CHAT_BUSY", "the chat does not accept messages at the moment", {
          retryable: true,
          details: { retryAfterSeconds: retryAfterSeconds(response) },
        });
      }
      throw new ToolError("CHAT_REFUSED", `the chat responded with ${response.status}`);
    },
  };
}

async function send(url: string, message: object, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message),
      redirect: "error",
      signal,
    });
  } catch (cause) {
    if (isRefused(cause)) throw new ToolError("CHAT_DOWN", "the chat can't be reached", { retryable: true, cause });
    throw new ToolError("DELIVERY_UNKNOWN", "the chat did not respond", {
      hint: "the message may have arrived: ask before posting it again",
      cause,
    });
  }
}

/** If there was no connection, nothing was sent. Otherwise, the message may have been posted. */
function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "syscall" in cause && cause.syscall === "connect";
}

/** A model must not notify everyone: "<!channel>" and "@here" become plain words. */
function withoutMentions(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/@(?=everyone|here|channel)/gi, "@\u200b");
}

function retryAfterSeconds(response: Response): number {
  const seconds = Number(response.headers.get("retry-after") ?? 1);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS) : 1;
}
