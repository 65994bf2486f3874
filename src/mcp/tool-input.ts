import type { StandardSchemaV1, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Expectation, type LineRange, parseExpectation, RecollectError } from "../app.ts";

const quietMark = "x-quiet";

/** A parameter that Serena's clients send and no model needs: taken, and not announced. */
export function quiet<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ [quietMark]: true });
}

/**
 * The parameters of a tool: checked strictly, refused in words that a model can act on, and described to it
 * without what only costs tokens.
 */
export function toolInput<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.strictObject(shape);
  const standard = schema["~standard"];
  type Output = z.output<typeof schema>;
  const described = standard as typeof standard & StandardSchemaWithJSON["~standard"];
  type Json = ReturnType<typeof described.jsonSchema.input>;
  // The same for whoever asks: a server over HTTP asks with each request.
  let made: Json | undefined;
  const toJson = (options: Parameters<typeof described.jsonSchema.input>[0]): Json => {
    // A parameter that there is not is refused in words; to announce that costs five tokens for each tool.
    const { $schema: _, additionalProperties: __, ...rest } = described.jsonSchema.input(options);
    return withoutIdle(rest);
  };
  return {
    "~standard": {
      ...described,
      validate: (value: unknown): StandardSchemaV1.Result<Output> => {
        const given = withoutNulls(value ?? {});
        const result = schema.safeParse(given, { reportInput: true });
        if (result.success) return { value: result.data };
        const words = result.error.issues.map((issue) => toWords(issue, Object.keys(shape)));
        return { issues: [{ message: words.join(" ") }] };
      },
      jsonSchema: {
        ...described.jsonSchema,
        input: (options: Parameters<typeof described.jsonSchema.input>[0]) => {
          made ??= toJson(options);
          return made;
        },
      },
    },
  } as unknown as StandardSchemaWithJSON<z.input<typeof schema>, Output>;
}

/** “At most 9007199254740991” and “at least 0” tell a model nothing, and cost up to seven tokens each time. */
function withoutIdle<Json>(schema: Json): Json {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => {
      const isIdle = (key === "maximum" && value === Number.MAX_SAFE_INTEGER) || (key === "minimum" && value <= 1);
      return isIdle || value?.[quietMark] === true ? undefined : value;
    }),
  );
}

/** Of the parameters that there are not: whoever sent more than that knows by then. */
const mostNamed = 3;

/** Some models send null for what they leave out. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

function toWords(issue: z.core.$ZodIssue, parameters: readonly string[]): string {
  const name = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    // What is no word may be a token that got into the wrong place (GUARD-3).
    const named = issue.keys.slice(0, mostNamed);
    const unknown = named.map((key) => (/^[A-Za-z_]{1,40}$/.test(key) ? `“${key}”` : "of that name")).join(", ");
    const known = parameters.length > 0 ? parameters.join(", ") : "none";
    return `There is no parameter ${unknown}. Parameters: ${known}.`;
  }
  if (issue.code === "invalid_type" && issue.input === undefined)
    return `“${name}” is missing: give ${expected(issue.expected)}.`;
  if (issue.code === "invalid_type") return `“${name}” must be ${expected(issue.expected)}.`;
  if (issue.code === "invalid_value")
    return `“${name}” must be one of ${issue.values.map((one) => `“${String(one)}”`).join(", ")}.`;
  if (issue.code === "too_small") return `“${name}” must be at least ${issue.minimum}.`;
  if (issue.code === "too_big") return `“${name}” must be at most ${issue.maximum}.`;
  return `“${name}”: ${issue.message.replace(/^Invalid input: /, "")}.`;
}

function expected(type: string): string {
  const words: Readonly<Record<string, string>> = {
    string: "a text",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
  };
  return words[type] ?? type;
}

/** Optional parameters of every tool that replaces something. */
export const expectationShape = {
  if_rev: z.string().optional().describe("Only at this revision"),
  create_only: z.boolean().optional().describe("Only if new"),
};

export function toExpectation(input: { if_rev?: string | undefined; create_only?: boolean | undefined }): Expectation {
  return parseExpectation({ ifRev: input.if_rev, mustNotExist: input.create_only });
}

/** Lines as Serena counts them: from 0, both ends included. −1 for a limit means the default one. */
export const lineRangeShape = {
  start_line: z.number().int().min(0).optional().describe("From 0"),
  end_line: z.number().int().min(0).optional().describe("Included"),
  max_answer_chars: quiet(z.number().int().min(-1).optional()),
};

interface RangeInput {
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly max_answer_chars?: number | undefined;
}

export function toRange(input: RangeInput): LineRange & { maxChars?: number } {
  const { start_line: startLine, end_line: endLine, max_answer_chars: maxChars = -1 } = input;
  return { startLine, endLine, ...(maxChars > 0 ? { maxChars } : {}) };
}

/** Serena's own limit of a text; ours is the size limit of a document. */
export function assertMaxChars(content: string, maxChars: number | undefined): void {
  if (maxChars === undefined || maxChars < 0 || content.length <= maxChars) return;
  throw new RecollectError(
    "TOO_LARGE",
    `The content has ${content.length} characters, over the max_chars of ${maxChars}. Shorten it, or split it.`,
    { data: { size: content.length, limit: maxChars } },
  );
}
