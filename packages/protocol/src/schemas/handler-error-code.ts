import * as z from "zod";

/**
 * The format of a handler's custom error codes. A response with any other code ends the call with `INVALID_RESPONSE`.
 */
export const handlerErrorCodeSchema = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/);
