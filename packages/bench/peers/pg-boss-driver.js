import { randomUUID } from "node:crypto";
import { PgBoss } from "pg-boss";
import { measureFor } from "../measure-for.ts";
import { firstTurn, QUESTION, secondTurn } from "./model-turns.js";
import { createWebhookCall } from "./webhook-call.js";

const WORKERS = 4;

const { databaseUrl, url, load, connections, isOneJob } = JSON.parse(process.argv[2]);
const call = createWebhookCall(url);
const boss = new PgBoss({
  connectionString: databaseUrl,
  max: connections - 1,
  useListenNotify: true,
  schedule: false,
});
boss.on("error", (error) => console.error(error));
await boss.start();

/** Who waits in this process for the end of an execution: nothing is asked of the database for it. */
const waiting = new Map();

function end(executionId) {
  waiting.get(executionId)?.();
  waiting.delete(executionId);
}

async function work(queue, perform) {
  await boss.createQueue(queue, { notify: true, retryLimit: 3 });
  await boss.work(
    queue,
    {
      // All that may be ready at a time, shared among the workers.
      batchSize: Math.ceil(load.concurrency / WORKERS),
      localConcurrency: WORKERS,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 1,
    },
    perform,
  );
}

/** Each step is a job, made when the one before has ended: its data is what is durable of it. */
async function workInSteps() {
  const next = async (queue, data) => {
    await boss.insert(
      queue,
      data.map((item) => ({ data: item })),
    );
  };
  await work("second_turn", async (jobs) => {
    await Promise.all(jobs.map(({ data: { question, wanted, result } }) => secondTurn(question, wanted, result)));
    for (const { data } of jobs) setImmediate(end, data.executionId);
  });
  await work("call", async (jobs) => {
    const ended = await Promise.all(jobs.map(async ({ data }) => ({ ...data, result: await call(data.wanted) })));
    await next("second_turn", ended);
  });
  await work("first_turn", async (jobs) => {
    const ended = await Promise.all(
      jobs.map(async ({ data }) => ({ ...data, wanted: await firstTurn(data.question) })),
    );
    await next("call", ended);
  });
}

/** The whole execution is one job: after a crash it would run again from its beginning, with its call. */
async function workInOne() {
  await work("first_turn", async (jobs) => {
    const perform = async ({ data: { question } }) => {
      const wanted = await firstTurn(question);
      return secondTurn(question, wanted, await call(wanted));
    };
    await Promise.all(jobs.map(perform));
    for (const { data } of jobs) setImmediate(end, data.executionId);
  });
}

await (isOneJob ? workInOne() : workInSteps());
process.send(
  await measureFor(async () => {
    const executionId = randomUUID();
    const ended = new Promise((resolve) => waiting.set(executionId, resolve));
    await boss.send("first_turn", { executionId, question: QUESTION });
    await ended;
  }, load),
);
process.exit();
