import { parentPort, workerData } from "node:worker_threads";
import { YagateError } from "@yagate/protocol";
import { convertDocument } from "./convert-document.ts";
import type { ImportAnswer, ImportRequest } from "./import-openapi.ts";

const request: ImportRequest = workerData;

convertDocument(request.text, request.options).then(answer, (error: unknown) => {
  if (!YagateError.is(error)) throw error;
  answer({ code: error.code, message: error.message });
});

function answer(message: ImportAnswer): void {
  parentPort?.postMessage(message);
}
