import { Pool } from "undici";

/** One message, ready to be sent. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends one message again and again as fast as undici can: no signature, policy, record or deadline. */
export function createBareSender(url: string, { headers, text }: Message) {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 256 });
  const body = Buffer.from(text);
  return {
    async send(): Promise<void> {
      const answer = await pool.request({ path: pathname, method: "POST", headers, body });
      const json: unknown = await answer.body.json();
      if (typeof json !== "object" || json === null || !("result" in json)) throw new Error("expected a result");
    },
    close: () => pool.close(),
  };
}
