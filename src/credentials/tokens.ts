import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { isRecollectError, RecollectError } from "../kernel/errors.ts";
import type { RecordPlace } from "../kernel/records.ts";
import { isVisibleName } from "../kernel/visible-name.ts";
import { parseAgentId } from "../notes/agents/agent-id.ts";
import { parseTokenScope } from "./token-scopes.ts";

/** What is known of a token. The token itself is nowhere in it. */
export interface Token {
  readonly id: string;
  readonly name: string;
  /** As history names who writes with it. */
  readonly author: string;
  /** Whose own files it reaches, and no other's. */
  readonly agentId?: string | undefined;
  /** `ROOT:operations`; see parseTokenScope. */
  readonly scopes: readonly string[];
  /** May see doctor, guard and tokens, and change the allow-list and the tokens. */
  readonly isAdmin: boolean;
  readonly created: string;
  readonly expires?: string | undefined;
}

export interface ListedToken extends Token {
  readonly lastUsed: string | undefined;
}

export interface NewToken {
  readonly name: string;
  /** Binds it to this agent; without one it is a person's, called by the name. */
  readonly agentId?: string | undefined;
  /** Who writes, instead of `agent:ID` or `person:NAME`. */
  readonly author?: string | undefined;
  readonly scopes: readonly string[];
  readonly isAdmin?: boolean | undefined;
  readonly expiresInDays?: number | undefined;
}

export interface UnreadableToken {
  /** Undefined where not even that can be told. */
  readonly id: string | undefined;
  /** Without its place on this machine. */
  readonly says: string;
}

/**
 * Credentials for `recollect serve` (WEB-2). Several processes share them: what one revokes, none accepts any more. A
 * record that cannot be read is named and is a token of nobody; the others stay what they are.
 */
export interface Tokens {
  /** The secret is given this once, and kept nowhere. */
  create(request: NewToken): Promise<{ readonly token: Token; readonly secret: string }>;
  list(): Promise<ListedToken[]>;
  /** Records of which nobody can tell what they allow: they let nobody in. */
  unreadable(): Promise<UnreadableToken[]>;
  /** Whether there was one of that id. */
  revoke(id: string): Promise<boolean>;
  /** The token that a secret is of; undefined where it is of none, was revoked or has expired. */
  verify(secret: string): Promise<Token | undefined>;
  /** Notes that it was used, at most once a minute, where that can be written. */
  used(token: Token): Promise<void>;
}

const secretForm = /^rcl_[A-Za-z0-9_-]{43}$/;
const secretBytes = 32;
const idDigits = 16;
const nameChars = 100;
const dayMs = 24 * 60 * 60 * 1000;
const noteEveryMs = 60_000;
const authorForm = /^[a-z]{1,20}:./u;
const authorChars = 220;

const tokenSchema = z.object({
  id: z.string(),
  hash: z.string(),
  name: z.string(),
  author: z.string(),
  agentId: z.string().optional(),
  scopes: z.array(z.string()),
  isAdmin: z.boolean(),
  created: z.string(),
  expires: z.string().optional(),
});

/** One record a token, named by the hash of its secret. */
export function openTokens({
  records: place,
  now = Date.now,
  onUnreadable = () => {},
}: {
  readonly records: Pick<RecordPlace, "open">;
  readonly now?: () => number;
  /** Told once of each record that cannot be read or written, with what to do about it. */
  readonly onUnreadable?: (message: string) => void;
}): Tokens {
  const records = place.open({
    kind: "tokens",
    schema: tokenSchema,
    what: "your tokens",
    remedy: ", then make a new token with “recollect token create”",
  });
  // Apart from the tokens: a note that is written late must not bring a revoked one back.
  const uses = place.open({
    kind: "token-uses",
    schema: z.object({ lastUsed: z.string() }),
    what: "when tokens were used",
    remedy: "",
  });
  /** Of those that were looked at: whoever notes a use need not look through all of them. */
  const hashes = new WeakMap<Token, string>();
  const noted = new Map<string, number>();
  const said = new Set<string>();

  function say({ message }: RecollectError): void {
    if (said.has(message)) return;
    said.add(message);
    onUnreadable(message);
  }

  async function attempt<Result>(
    run: () => Promise<Result>,
    mayFail: (error: RecollectError) => boolean = () => true,
  ): Promise<Result | undefined> {
    try {
      return await run();
    } catch (error) {
      if (!isRecollectError(error) || !mayFail(error)) throw error;
      say(error);
      return undefined;
    }
  }

  return {
    create: async (request) => {
      const secret = `rcl_${randomBytes(secretBytes).toString("base64url")}`;
      const hash = hashOf(secret);
      const { name, agentId, scopes, isAdmin = false, expiresInDays } = checked(request);
      const created = now();
      const token = {
        id: hash.slice(0, idDigits),
        name,
        author: request.author ?? (agentId === undefined ? `person:${name}` : `agent:${agentId}`),
        ...(agentId === undefined ? {} : { agentId }),
        scopes,
        isAdmin,
        created: new Date(created).toISOString(),
        ...(expiresInDays === undefined ? {} : { expires: new Date(created + expiresInDays * dayMs).toISOString() }),
      };
      await records.write(hash, { ...token, hash, scopes: [...scopes] });
      return { token, secret };
    },
    list: async () => {
      const found = await records.list(say);
      const lastUses = new Map(found.length === 0 ? [] : await lastUsesOf());
      return found
        .map(({ entry: { hash, ...token } }) => ({ ...token, lastUsed: lastUses.get(hash) }))
        .sort((left, right) => (left.created < right.created ? -1 : 1));
    },
    unreadable: async () => {
      const found: RecollectError[] = [];
      await records.list((error) => {
        say(error);
        found.push(error);
      });
      return found.map(toUnreadable);
    },
    revoke: async (id) => {
      const found = (await records.list(say)).filter(({ entry }) => entry.id === id);
      for (const { entry } of found) {
        await records.remove(entry.hash);
        await attempt(() => uses.remove(entry.hash));
      }
      return found.length > 0;
    },
    verify: async (secret) => {
      if (!secretForm.test(secret)) return undefined;
      const asked = hashOf(secret);
      const record = await attempt(() => records.read(asked), isDamage);
      // The name of the file led here; what counts is what stands in it.
      if (!record || !isSame(record.hash, asked)) return undefined;
      if (record.expires !== undefined && !(Date.parse(record.expires) > now())) return undefined;
      const { hash, ...token } = record;
      hashes.set(token, hash);
      return token;
    },
    used: async (token) => {
      const { id } = token;
      const time = now();
      if (time - (noted.get(id) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return;
      noted.set(id, time);
      await attempt(async () => {
        const hash = await hashThere(token);
        if (hash !== undefined) await uses.write(hash, { lastUsed: new Date(time).toISOString() });
      });
    },
  };

  /** Undefined for one that was revoked. */
  async function hashThere(token: Token): Promise<string | undefined> {
    const hash = hashes.get(token);
    if (hash !== undefined) return (await records.read(hash)) && hash;
    return (await records.list(say)).find(({ entry }) => entry.id === token.id)?.entry.hash;
  }

  async function lastUsesOf(): Promise<(readonly [string, string])[]> {
    const found = (await attempt(() => uses.list(say))) ?? [];
    return found.map(({ name, entry }) => [name, entry.lastUsed] as const);
  }
}

function checked(request: NewToken): NewToken {
  const { name, agentId, author, scopes, expiresInDays } = request;
  const refuse = (says: string) => new RecollectError("INVALID_ARGUMENT", says);
  if (!isVisibleName(name, nameChars)) {
    throw refuse(`A token needs a name on one line, of at most ${nameChars} visible characters: what it is for.`);
  }
  if (agentId !== undefined) parseAgentId(agentId);
  if (author !== undefined && !(authorForm.test(author) && isVisibleName(author, authorChars)))
    throw refuse("An author is written as person:ada or agent:ada.");
  if (scopes.length === 0) throw refuse("Say what the token may do, such as *:read.");
  for (const scope of scopes) parseTokenScope(scope);
  if (expiresInDays !== undefined && !(expiresInDays >= 1 && expiresInDays <= 36_500)) {
    throw refuse("A token expires after 1 to 36500 days.");
  }
  return { ...request, name: name.trim() };
}

/** Of the record itself. What cannot be read just now may be a token all the same. */
function isDamage({ data }: RecollectError): boolean {
  return typeof data["record"] === "string";
}

function toUnreadable({ code, data }: RecollectError): UnreadableToken {
  const [, id] = /([0-9a-f]{16})[0-9a-f]*(?:\.json)?$/.exec(String(data["record"] ?? "")) ?? [];
  if (code === "UNSUPPORTED_FORMAT") return { id, says: "was written by a newer Recollect" };
  return { id, says: id === undefined ? "cannot be read" : "is damaged" };
}

function isSame(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
