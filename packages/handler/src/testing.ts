export { callTool, type ToolAnswer } from "./testing/call-tool.ts";
export {
  type SignedCallOptions,
  type SignedCallParts,
  signedCall,
  signedCallParts,
} from "./testing/signed-call.ts";
