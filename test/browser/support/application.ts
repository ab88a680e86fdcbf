import type { Yagate } from "@yagate/client";
import express from "express";
import { listen } from "../../e2e/support/services.ts";

/** An application: its server holds the API key, its page is handed tokens. */
export interface Application {
  /** The page's origin. */
  readonly origin: string;
  /** How many tokens it has made. */
  readonly tokens: readonly string[];
  /** Says what the next visitors talk to. */
  serve(conversation: ServedConversation): void;
}

export interface ServedConversation {
  readonly client: Yagate;
  /** Where the page finds the gateway. */
  readonly gatewayUrl: string;
  readonly start: () => Promise<string>;
  /** An execution that is none of the page's business. */
  readonly other?: string;
  /** How long the first token lasts; later ones have the default. */
  readonly firstTokenSeconds?: number;
  /** Called once a token after the first was made. */
  readonly onRenewed?: () => void;
}

const PAGE = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>Conversation</title>
<ol id="pieces"></ol>
<ol id="events"></ol>
<ol id="questions"></ol>
<ol id="attempts"></ol>
<output id="result"></output>
<output id="failure"></output>
<script type="module" src="/page.js"></script>
`;

/** Starts the application's server on a free port. */
export async function startApplication(script: string): Promise<Application> {
  const tokens: string[] = [];
  let served: ServedConversation | undefined;

  function current(): ServedConversation {
    if (served === undefined) throw new Error("expected a conversation to be served");
    return served;
  }

  async function makeToken(executionId: string, expiresInSeconds?: number) {
    const made = await current().client.executions.createToken(executionId, { expiresInSeconds });
    tokens.push(made.token);
    return made.token;
  }

  const app = express();
  app.get("/page.js", (_request, response) => void response.type("text/javascript").send(script));
  app.post("/conversations", async (_request, response) => {
    const { start, gatewayUrl, other, firstTokenSeconds } = current();
    const executionId = await start();
    response.json({ gatewayUrl, executionId, other, token: await makeToken(executionId, firstTokenSeconds) });
  });
  app.post("/conversations/:id/token", async (request, response) => {
    response.json({ token: await makeToken(request.params.id) });
    current().onRenewed?.();
  });
  app.get("/{*page}", (_request, response) => void response.type("text/html").send(PAGE));
  return {
    origin: await listen(app),
    tokens,
    serve(conversation) {
      served = conversation;
    },
  };
}
