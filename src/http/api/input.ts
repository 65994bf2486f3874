import type { Context } from "hono";
import * as z from "zod";
import { RecollectError } from "../../app.ts";
import type { HttpEnv } from "../principal.ts";

const pathChars = 4000;

/** Parameters of a query; what is not named in a schema is refused. */
export const text = z.string().max(pathChars);
export const needed = z.string().min(1).max(pathChars);
export const flag = z.literal("1").transform(() => true);

export function count(least: number, most: number): z.ZodType<number> {
  const says = `is a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, says)
    .transform(Number)
    .refine((value) => value >= least && value <= most, says);
}

export function readQuery<Shape extends z.ZodRawShape>(
  c: Context<HttpEnv>,
  shape: Shape,
): z.infer<z.ZodObject<Shape, z.core.$strict>> {
  const given: Record<string, string> = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    const [value, ...others] = values;
    if (others.length > 0) throw wrong(`The parameter “${shown(name)}” is given more than once.`, name);
    if (value !== undefined) given[name] = value;
  }
  return checked(z.strictObject(shape), given, "parameter");
}

export async function readBody<Shape extends z.ZodRawShape>(
  c: Context<HttpEnv>,
  shape: Shape,
): Promise<z.infer<z.ZodObject<Shape, z.core.$strict>>> {
  // A page of another origin can send a form without asking, and JSON under its own name cannot.
  if (!/^application\/json\s*(;|$)/i.test(c.req.header("content-type") ?? "")) {
    throw wrong("The body is JSON: send it with Content-Type: application/json.");
  }
  // What is in the query of such a request would be passed over in silence.
  readQuery(c, {});
  return checked(z.strictObject(shape), parse(await c.req.text()), "field");
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) throw wrong("The body is no JSON.");
    throw error;
  }
}

/** The values themselves are in no message: one may be a secret (GUARD-3). */
function checked<Schema extends z.ZodType>(schema: Schema, given: unknown, what: string): z.infer<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys") {
    throw wrong(`There is no ${what} “${shown(issue.keys[0] ?? "")}” here.`, issue.keys[0]);
  }
  const name = issue?.path.join(".") ?? "";
  if (name === "") throw wrong("The body is a JSON object.");
  const isMissing = issue?.code === "invalid_type" && !hasAt(given, name);
  throw wrong(`The ${what} “${name}” ${isMissing ? "is missing" : saysOf(issue)}.`, name);
}

function saysOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "too_big") return `is longer than ${issue.maximum}`;
  if (issue?.code === "too_small") return "is empty";
  if (issue?.code === "invalid_value") return `is one of ${issue.values.join(", ")}`;
  return issue?.code === "invalid_format" || issue?.code === "custom" ? issue.message : "is of another kind";
}

function hasAt(given: unknown, name: string): boolean {
  return typeof given === "object" && given !== null && name in given;
}

function shown(name: string): string {
  return name.replace(/[^\w.-]/g, "?").slice(0, 40);
}

function wrong(message: string, parameter?: string): RecollectError {
  return new RecollectError("INVALID_ARGUMENT", message, {
    data: parameter === undefined ? {} : { parameter: shown(parameter) },
  });
}
