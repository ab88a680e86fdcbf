/** Returns the events of an execution with many turns, calls and retries, as its stream sends them. */
export function largeExecution(executionId: string, count: number): string {
  const start = Date.parse("2026-01-15T09:00:00.000Z");
  const frames: string[] = [];
  let seq = 0;
  const add = (type: string, fields: Readonly<Record<string, unknown>>) => {
    seq += 1;
    const event = { seq, type, at: new Date(start + seq * 37).toISOString(), executionId, ...fields };
    frames.push(`id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  add("execution.started", {
    input: "Where are my orders?",
    agentId: "agt_0",
    agentVersion: 1,
    model: "scripted/turns",
  });
  for (let turn = 1; seq < count - 8; turn += 1) {
    const toolCallId = `tc_${turn}`;
    add("model.requested", { turn, attempt: 1, model: "scripted/turns" });
    const reply = {
      ...{ text: "I look it up.", finishReason: "tool_calls", toolCalls: [] },
      ...{ usage: { inputTokens: 120, outputTokens: 24 }, cost: { usd: 0, credits: 0 } },
    };
    add("model.responded", { turn, attempt: 1, ...reply });
    const parameters = { orderId: `ORD-${turn}` };
    add("tool_call.requested", { turn, toolCallId, name: "lookup_order", kind: "handler", parameters });
    for (const number of [1, 2]) {
      const attemptId = `att_${turn}_${number}`;
      add("attempt.started", { toolCallId, attemptId, number, method: "POST", url: "https://tools.example.com/tools" });
      const failed = number === 1 ? { httpStatus: 503, errorCode: "BUSY" } : { httpStatus: 200 };
      const timings = { dns: 1, connect: 2, tls: 3, firstByte: 8 };
      add("attempt.finished", {
        toolCallId,
        attemptId,
        number,
        durationMs: 20,
        timings,
        requestBytes: 400,
        responseBytes: 60,
        ...failed,
      });
    }
    add("tool_call.completed", { turn, toolCallId, result: { status: "packed" } });
  }
  add("execution.completed", { stopReason: "end_turn", output: { text: "done" } });
  return frames.join("");
}
