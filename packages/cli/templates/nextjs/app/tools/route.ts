import { handler } from "../../handler.ts";

export const POST = handler;
