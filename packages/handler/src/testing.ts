export { callTool, type ToolAnswer } from "./testing/call-tool.ts";
export { describeTools } from "./testing/describe-tools.ts";
export {
  type SignedCallOptions,
  type SignedCallParts,
  signedCall,
  signedCallParts,
} from "./testing/signed-call.ts";
export {
  type SignedDescribeOptions,
  type SignedDescribeParts,
  signedDescribeParts,
} from "./testing/signed-describe.ts";
