import { DBOS } from "@dbos-inc/dbos-sdk";
import { measureFor } from "../measure-for.ts";
import { firstTurn, QUESTION, secondTurn } from "./model-turns.js";
import { createWebhookCall } from "./webhook-call.js";

const { databaseUrl, url, load, connections } = JSON.parse(process.argv[2]);
const call = createWebhookCall(url);

async function execution(question) {
  const wanted = await DBOS.runStep(() => firstTurn(question), { name: "first turn" });
  const result = await DBOS.runStep(() => call(wanted), { name: "call" });
  return DBOS.runStep(() => secondTurn(question, wanted, result), { name: "second turn" });
}

DBOS.setConfig({
  name: "bench",
  systemDatabaseUrl: databaseUrl,
  systemDatabasePoolSize: connections,
  logLevel: "error",
});
const workflow = DBOS.registerWorkflow(execution, { name: "execution" });
await DBOS.launch();
process.send(
  await measureFor(async () => {
    await workflow(QUESTION);
  }, load),
);
await DBOS.shutdown();
process.exit();
