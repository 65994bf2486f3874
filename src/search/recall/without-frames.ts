/**
 * Words that programs put around what a model is told. A note that holds one could end the part it is shown in and
 * speak in another's name.
 */
const names =
  "system|system-reminder|system_prompt|assistant|human|user|function_calls|function_results|tool_result|tool_use|antml:[a-z_]+";
/** With attributes too, or cut off behind the name. */
const frames = new RegExp(`<(?=/?(?:${names})(?:[\\s/>…]|$)|\\|[a-z_]{2,40}\\|>)`, "gi");

/** The text with the brackets of such words written as HTML writes them. */
export function withoutFrames(text: string): string {
  return text.replaceAll(frames, "&lt;");
}
