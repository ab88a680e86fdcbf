import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** A mail server on loopback that stores emails instead of delivering them. */
export async function startSmtpCatcher() {
  const messages: string[] = [];
  const refusals: { readonly status: number; readonly after: "RCPT" | "DATA" }[] = [];
  let hangsUp = false;
  const refuse = (at: "RCPT" | "DATA") => {
    if (refusals[0]?.after !== at) return undefined;
    const status = refusals.shift()?.status ?? 451;
    return Object.assign(new Error("not now"), { responseCode: status });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo: (_address, _session, callback) => callback(refuse("RCPT")),
    onData(stream, _session, callback) {
      text(stream).then((message) => {
        const refusal = refuse("DATA");
        if (refusal === undefined) messages.push(message);
        if (!hangsUp) callback(refusal);
        else for (const socket of sockets) socket.destroy();
      }, callback);
    },
  });
  const sockets = new Set<Socket>();
  server.server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** Each email as it arrived: headers, an empty line, the body. */
    messages: messages as readonly string[],
    /** Rejects the next email, with an SMTP status: 4xx means that it may be sent later, 5xx that it may not. */
    refuseNext: (status: number, after: "RCPT" | "DATA" = "RCPT") => refusals.push({ status, after }),
    /** Accepts the next emails, but breaks the connection instead of confirming them. */
    hangUp() {
      hangsUp = true;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
