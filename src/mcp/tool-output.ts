import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";

/**
 * Several clients hand a model the structured content of an answer, and drop its text. So it is the text, and nothing
 * that a model would pay for twice (USE-12); what programs want beside it stands in the answer's `_meta`.
 */
export const textOutput = toolOutput(z.object({ text: z.string() }));

/**
 * What a tool answers. How it is described to clients is worked out once for each schema: a server over HTTP is made
 * for each request, and would do it each time.
 */
export function toolOutput<Schema extends z.ZodType>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const standard = schema["~standard"] as StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>>["~standard"];
  const { jsonSchema } = standard;
  let json: ReturnType<typeof jsonSchema.output> | undefined;
  const output: typeof jsonSchema.output = (options) => {
    json ??= jsonSchema.output(options);
    return json;
  };
  return { "~standard": { ...standard, jsonSchema: { ...jsonSchema, output } } };
}
