import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type * as z from "zod";

const known = new WeakMap<z.ZodType, StandardSchemaWithJSON>();

/**
 * What a tool answers. How it is described to clients is worked out once for each schema: a server over HTTP is made
 * for each request, and would do it each time.
 */
export function toolOutput<Schema extends z.ZodType>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const made = known.get(schema) ?? keepingJson(schema);
  known.set(schema, made);
  return made as StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>>;
}

function keepingJson(schema: z.ZodType): StandardSchemaWithJSON {
  const standard = schema["~standard"] as StandardSchemaWithJSON["~standard"];
  const { jsonSchema } = standard;
  let json: ReturnType<typeof jsonSchema.output> | undefined;
  const output: typeof jsonSchema.output = (options) => {
    json ??= jsonSchema.output(options);
    return json;
  };
  return { "~standard": { ...standard, jsonSchema: { ...jsonSchema, output } } };
}
