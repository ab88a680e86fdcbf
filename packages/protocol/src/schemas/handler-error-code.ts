import * as z from "zod";

/**
 * The format of a handler's custom error codes. If a response contains any other code, the call ends with
 * `INVALID_RESPONSE`.
 */
export const handlerErrorCodeSchema = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/);
