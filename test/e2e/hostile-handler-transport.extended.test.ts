import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectVerdict, type Verdict } from "./support/hostile-handler.ts";
import { type MeasuredGateway, startMeasuredGateway } from "./support/measured-gateway.ts";
import { drip, honest, pour, type RawRequest, type Serve, withLength } from "./support/raw-handler.ts";

let gateway: MeasuredGateway;
beforeAll(async () => {
  gateway = await startMeasuredGateway();
});
afterAll(() => gateway.stop());

type Row = readonly [name: string, serve: Serve, verdict: Verdict];

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
const PIECE = Buffer.alloc(65_536, " ");
const CHUNK = Buffer.concat([Buffer.from("10000\r\n"), PIECE, Buffer.from("\r\n")]);
const FIFTY_MB = 50_000_000;
/** 50 MB of an answer that is JSON all the same. */
const bomb = Buffer.from(`{"result":"${"0".repeat(FIFTY_MB)}"}`);
const SHORT: Verdict["tool"] = { timeout: 700 };

const unread = (code: string, rest: Partial<Verdict> = {}): Verdict => ({ code, outcome: "unknown", ...rest });
const lost = (rest: Partial<Verdict> = {}) => unread("NETWORK_ERROR", rest);
const tooLarge = unread("RESPONSE_TOO_LARGE", { httpStatus: 200 });
const late = (rest: Partial<Verdict> = {}) => unread("TIMEOUT", { tool: SHORT, withinMs: 3_000, ...rest });

/** Writes an answer that depends on the call. */
const says = (answer: (request: RawRequest) => string): Serve => {
  return (socket, request) => void socket.write(answer(request));
};
const text = (answer: string) => says(() => answer);
const packed = (coding: string, body: Buffer): Serve => {
  return (socket) => {
    socket.write(`${HEAD}content-encoding: ${coding}\r\ncontent-length: ${body.byteLength}\r\n\r\n`);
    socket.write(body);
  };
};
const ends = (bytes: string): Serve => {
  return (socket) => void socket.end(bytes);
};

const LARGE: readonly Row[] = [
  [
    "50 MB of a length that it says",
    (socket) => {
      socket.write(`${HEAD}content-length: ${FIFTY_MB}\r\n\r\n`);
      pour(socket, PIECE, FIFTY_MB);
    },
    tooLarge,
  ],
  [
    "50 MB in chunks",
    (socket) => {
      socket.write(CHUNKED);
      pour(socket, CHUNK, FIFTY_MB, "0\r\n\r\n");
    },
    tooLarge,
  ],
  [
    "bytes without length and without end",
    (socket) => {
      socket.write(`${HEAD}\r\n`);
      pour(socket, PIECE);
    },
    tooLarge,
  ],
  // Their packed form is read to its end.
  ["a gzip bomb", packed("gzip", gzipSync(bomb)), { ...tooLarge, isReused: true }],
  ["a brotli bomb", packed("br", brotliCompressSync(bomb)), { ...tooLarge, isReused: true }],
  [
    "a deflate bomb, which is no coding that is read",
    packed("deflate", deflateSync(bomb)),
    unread("INVALID_RESPONSE", { httpStatus: 200, isRecorded: false }),
  ],
  [
    "a gzip bomb in a gzip bomb",
    packed("gzip, gzip", gzipSync(gzipSync(bomb))),
    unread("INVALID_RESPONSE", { httpStatus: 200, isRecorded: false }),
  ],
  [
    "headers without end",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      pour(socket, Buffer.from("x-more: of the same\r\n".repeat(1_000)));
    },
    unread("RESPONSE_TOO_LARGE"),
  ],
  [
    "one header without end",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx-long: ");
      pour(socket, Buffer.alloc(65_536, "x"));
    },
    unread("RESPONSE_TOO_LARGE"),
  ],
  [
    "blanks before a header's value without end",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx-long: ");
      pour(socket, PIECE);
    },
    unread("RESPONSE_TOO_LARGE"),
  ],
  [
    "a status line without end",
    (socket) => {
      socket.write("HTTP/1.1 200 ");
      pour(socket, Buffer.alloc(65_536, "O"));
    },
    unread("RESPONSE_TOO_LARGE"),
  ],
  [
    "trailers without end",
    (socket) => {
      socket.write(`${CHUNKED}2\r\n{}\r\n0\r\n`);
      pour(socket, Buffer.from("x-more: of the same\r\n".repeat(1_000)));
    },
    unread("RESPONSE_TOO_LARGE", { httpStatus: 200 }),
  ],
  [
    "chunk extensions without end",
    (socket) => {
      socket.write(`${CHUNKED}2;`);
      pour(socket, Buffer.alloc(65_536, "x"));
    },
    tooLarge,
  ],
  [
    "empty lines without end",
    (socket) => pour(socket, Buffer.from("\r\n".repeat(32_000))),
    unread("RESPONSE_TOO_LARGE"),
  ],
];

const SLOW: readonly Row[] = [
  ["nothing", () => {}, late()],
  [
    "a byte at a time, for ever",
    (socket) => {
      socket.write(`${HEAD}content-length: 1000\r\n\r\n`);
      drip(socket, " ", 20);
    },
    late({ httpStatus: 200 }),
  ],
  [
    "a header at a time, for ever",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      drip(socket, "x-more: y\r\n", 20);
    },
    late(),
  ],
  [
    "an empty line of a chunk at a time, for ever",
    (socket) => {
      socket.write(CHUNKED);
      drip(socket, "1\r\n \r\n", 20);
    },
    late({ httpStatus: 200 }),
  ],
  ["the head alone", text(`${HEAD}content-length: 2\r\n\r\n`), late({ httpStatus: 200 })],
  [
    "103s without end",
    (socket) => pour(socket, Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(100))),
    lost(),
  ],
  ["100s without end", (socket) => pour(socket, Buffer.from("HTTP/1.1 100 Continue\r\n\r\n".repeat(100))), lost()],
  ["102s now and then, for ever", (socket) => drip(socket, "HTTP/1.1 102 Processing\r\n\r\n", 30), late()],
];

const BROKEN: readonly Row[] = [
  ["nothing and closes", ends(""), lost()],
  ["a reset", (socket) => void socket.resetAndDestroy(), lost()],
  ["its head and closes", ends(`${HEAD}content-length: 20\r\n\r\n`), lost({ httpStatus: 200 })],
  ["half of its head and closes", ends("HTTP/1.1 200 OK\r\ncontent-"), lost()],
  [
    "less than the length that it says",
    ends(`${HEAD}content-length: 20\r\n\r\n{"result":1}`),
    lost({ httpStatus: 200 }),
  ],
  ["half a chunk and closes", ends(`${CHUNKED}14\r\n{"result":1`), lost({ httpStatus: 200 })],
  ["chunks without the last one", ends(`${CHUNKED}c\r\n{"result":1}\r\n`), lost({ httpStatus: 200 })],
  ["a chunk of a size that is no number", text(`${CHUNKED}zz\r\n{"result":1}\r\n0\r\n\r\n`), lost({ httpStatus: 200 })],
  ["a chunk that is longer than it says", text(`${CHUNKED}2\r\n{"result":1}\r\n0\r\n\r\n`), lost({ httpStatus: 200 })],
  ["a chunk of more bytes than there are numbers", text(`${CHUNKED}fffffffffffffffff\r\nx`), lost({ httpStatus: 200 })],
  ["two lengths", text(`${HEAD}content-length: 12\r\ncontent-length: 13\r\n\r\n{"result":1}`), lost()],
  ["a length and chunks", text(`${HEAD}content-length: 12\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`), lost()],
  ["a length below zero", text(`${HEAD}content-length: -1\r\n\r\n{"result":1}`), lost()],
  ["a length in hexadecimal", text(`${HEAD}content-length: 0xc\r\n\r\n{"result":1}`), lost()],
  ["a lone CR in a header", text(`${HEAD}x-a: b\rx-c: d\r\ncontent-length: 12\r\n\r\n{"result":1}`), lost()],
  ["a NUL in a header", text(`${HEAD}x-a: \0\r\ncontent-length: 12\r\n\r\n{"result":1}`), lost()],
  ["a header with a space in its name", text(`${HEAD}x a: b\r\ncontent-length: 12\r\n\r\n{"result":1}`), lost()],
  ["a status line without a status", text("HTTP/1.1 \r\ncontent-length: 12\r\n\r\n{}"), lost()],
  ["an empty status line", text("\r\n\r\n\r\n\r\n"), late()],
  ["a status of four digits", text("HTTP/1.1 2000 OK\r\ncontent-length: 2\r\n\r\n{}"), lost()],
  ["a switch to another protocol", text("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"), lost()],
  ["HTTP/2", text("\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80\0\x04\0\x01\0\0\0\x05\0\xff\xff\xff"), lost()],
  ["HTTP/9.9", text("HTTP/9.9 200 OK\r\ncontent-length: 2\r\n\r\n{}"), lost()],
  ["TLS", (socket) => void socket.write(Buffer.from([21, 3, 3, 0, 2, 2, 40])), lost()],
  ["a request", text("GET / HTTP/1.1\r\nhost: gateway\r\n\r\n"), lost()],
];

const UNUSUAL: readonly Row[] = [
  [
    "in HTTP/1.0 with a length",
    says((request) => honest(request).replace("HTTP/1.1", "HTTP/1.0")),
    { httpStatus: 200 },
  ],
  [
    "in HTTP/1.0 without a length",
    (socket, { toolCallId }) => void socket.end(`HTTP/1.0 200 OK\r\n\r\n{"result":"answer to ${toolCallId}"}`),
    { httpStatus: 200 },
  ],
  [
    "without a length, closing",
    (socket, { toolCallId }) => void socket.end(`${HEAD}\r\n{"result":"answer to ${toolCallId}"}`),
    { httpStatus: 200 },
  ],
  [
    "and closes",
    says((request) => honest(request).replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n")),
    { httpStatus: 200 },
  ],
  [
    "after some 103s",
    says((request) => "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(3) + honest(request)),
    { httpStatus: 200, isReused: true },
  ],
  [
    "one byte a packet",
    (socket, request) => {
      for (const byte of Buffer.from(honest(request))) socket.write(Buffer.from([byte]));
    },
    { httpStatus: 200, isReused: true },
  ],
  [
    "packed, though nobody asked for it",
    (socket, { toolCallId }) =>
      packed("gzip", gzipSync(`{"result":"answer to ${toolCallId}"}`))(socket, { toolCallId } as RawRequest),
    { httpStatus: 200, isReused: true },
  ],
  [
    "and a second answer behind it",
    says((request) => honest(request) + withLength('{"result":"smuggled"}').repeat(2)),
    { httpStatus: 200 },
  ],
  ["and more bytes than its length", says((request) => `${honest(request)}{"result":"smuggled"}`), { httpStatus: 200 }],
  [
    "and the head of another answer",
    says((request) => `${honest(request)}HTTP/1.1 200 OK\r\ncontent-le`),
    { httpStatus: 200 },
  ],
  [
    "in chunks, with trailers",
    says(({ toolCallId }) => {
      const body = `{"result":"answer to ${toolCallId}"}`;
      return `${CHUNKED}${body.length.toString(16)}\r\n${body}\r\n0\r\nx-ya-signature: sha256=00\r\n\r\n`;
    }),
    { httpStatus: 200, isReused: true },
  ],
  [
    "with a header called __proto__",
    says((request) => honest(request).replace("\r\n", "\r\n__proto__: polluted\r\nconstructor: polluted\r\n")),
    { httpStatus: 200, isReused: true },
  ],
  [
    "with the same header two hundred times",
    says((request) => honest(request).replace("\r\n", `\r\n${"x-a: b\r\n".repeat(200)}`)),
    { httpStatus: 200, isReused: true },
  ],
];

describe("a handler that sends more than anybody wants", () => {
  it.each(LARGE)("%s", async (_name, serve, verdict) => {
    const { handler } = await expectVerdict(gateway, serve, verdict);
    // Some of it waits in the buffers of two sockets.
    expect(handler.writtenBytes).toBeLessThan(16_000_000);
  });
});

describe("a handler that takes its time", () => {
  it.each(SLOW)("%s", async (_name, serve, verdict) => {
    await expectVerdict(gateway, serve, verdict);
  });
});

describe("a handler that breaks off, or speaks something else", () => {
  it.each(BROKEN)("%s", async (_name, serve, verdict) => {
    await expectVerdict(gateway, serve, verdict);
  });
});

describe("an honest answer in an unusual form", () => {
  it.each(UNUSUAL)("%s is taken, and only it", async (_name, serve, verdict) => {
    await expectVerdict(gateway, serve, verdict);
  });
});

it("speaks plain HTTP where TLS was expected: nothing was sent", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { client } = gateway;
  const tool = {
    name: "lookup_order",
    description: "Look up an order.",
    parameters: { type: "object", properties: {} },
    handler: `https://127.0.0.1:${port}/tools`,
  };
  const agent = await client.agents.create({ name: "Order desk", model: "scripted/turns", tools: [tool] });
  const turns = [{ toolCalls: [{ name: "lookup_order", parameters: {} }] }, { text: "done" }];
  const [call] = (await client.agents.execute(agent.id, { input: "go", script: { turns } })).toolCalls;
  expect(call).toMatchObject({ error: { code: "TLS_ERROR", outcome: "none", attempts: 1 } });
  server.close();
});

it("after all of this, nothing is kept of it", async () => {
  const before = await gateway.keptMiB();
  for (const [, serve, verdict] of LARGE.slice(0, 5)) await expectVerdict(gateway, serve, verdict);
  expect((await gateway.keptMiB()) - before).toBeLessThan(8);
});
