import type { Story, Surroundings } from "@yagate/example-stage/story";
import { describeAgent } from "./agent.ts";
import { startChatReceiver } from "./chat-receiver.ts";

interface ChatSurroundings extends Surroundings {
  readonly chat: Awaited<ReturnType<typeof startChatReceiver>>;
}

export const story: Story<ChatSurroundings> = {
  folder: new URL(".", import.meta.url),
  question: "Notify the channel #orders: ORD-1003 waits for its carrier",
  describeAgent,
  async prepare(): Promise<ChatSurroundings> {
    const chat = await startChatReceiver();
    return {
      chat,
      environment: { CHAT_WEBHOOK_URL: chat.url },
      describe: () => `The chat has:\n${chat.messages.map(({ channel, text }) => `${channel}  ${text}`).join("\n")}`,
      stop: chat.stop,
    };
  },
};
